# The pages and the reference of the headers as HTML with a search, build/html/index.html: by `tessera_html`, on demand.
find_program(TESSERA_DOXYGEN doxygen)
if(TESSERA_DOXYGEN)
  configure_file(docs/Doxyfile.in ${PROJECT_BINARY_DIR}/generated/Doxyfile @ONLY)
  add_custom_target(tessera_html COMMAND ${TESSERA_DOXYGEN} ${PROJECT_BINARY_DIR}/generated/Doxyfile VERBATIM
                    COMMENT "Pages in html/index.html")
else()
  add_custom_target(tessera_html COMMAND ${CMAKE_COMMAND} -E echo "tessera_html needs doxygen; configure again with it"
                    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endif()
