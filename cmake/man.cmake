# Makes one man page: @VERSION@, and the command's own lists of settings (@SETTINGS@) and error codes (@CODES@).
#   cmake -DCOMMAND=… -DVERSION=… -DPAGE=… -DOUT=… -P man.cmake
file(READ ${PAGE} page)

# Lines of the command as items of an mdoc list; a backslash or a leading dot would be mdoc's.
function(list_of out pattern replacement)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${COMMAND} ${ARGN}
                  OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\\" "\\e" text "${text}")
  string(REGEX REPLACE "${pattern}" "${replacement}" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

if(page MATCHES "@SETTINGS@")
  list_of(SETTINGS "[ *] (TESSERA_[A-Z_]+)=[^\n]* \\(default ([^)]*)\\) ([^\n]*)\n"
          ".It Ev \\1\n\\3\nDefault: \\2.\n" info --config)
  string(REGEX REPLACE "\n*(Everyday|Tuning|Testing)( settings)?[^\n]*\n" "\n.El\n.Ss \\1\n.Bl -tag -width Ds\n"
         SETTINGS "${SETTINGS}")
  string(REGEX REPLACE "^\n.El\n" "" SETTINGS "${SETTINGS}")
endif()
if(page MATCHES "@CODES@")
  list_of(CODES "(TSR[0-9]+)  ([^\n]*)\n" ".It \\1\n\\2\n" explain)
endif()
string(CONFIGURE "${page}" page @ONLY)
file(WRITE ${OUT} "${page}")
