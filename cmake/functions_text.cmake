# Writes a C file with the text of kernel/ops/ as data (kernel/ops/functions.h):
#   cmake -D OUT=FILE -D DIR=kernel -P functions_text.cmake
# Each struct type and each function that a header of functions defines at the start of a line becomes an item: its
# name, its text and the items that the text names. An item names only items before it, as C demands; so do headers,
# by their includes. Behind every word of the text that ends in the name of a number's type stands a $. Last come the
# functions of one value that kernel/ops/ops_c.h and ops_types.h beside OUT define.
cmake_minimum_required(VERSION 3.22)

# Semicolons and brackets mean something to CMake's lists: they are bytes of their own until the text is written.
string(ASCII 1 semicolon)
string(ASCII 2 open)
string(ASCII 3 close)
string(ASCII 4 begin)
string(ASCII 5 end)

function(read_text path out)
  file(READ ${path} text)
  string(REPLACE ";" "${semicolon}" text "${text}")
  string(REPLACE "[" "${open}" text "${text}")
  string(REPLACE "]" "${close}" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# The words that end in f64, u32, i64, m32, … get a $; numbers (0x1.8p52, say) do not.
function(mark_words text out)
  string(REGEX REPLACE "([A-Za-z0-9_.]+)" "${begin}\\1${end}" text "${text}")
  string(REGEX REPLACE "${begin}([0-9][^${end}]*)${end}" "\\1" text "${text}")
  string(REGEX REPLACE "([fuim](64|32))${end}" "\\1$" text "${text}")
  string(REGEX REPLACE "[${begin}${end}]" "" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# As string literals of C, a line each.
function(quote text out)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n  \"" text "${text}")
  string(REPLACE "${semicolon}" ";" text "${text}")
  string(REPLACE "${open}" "[" text "${text}")
  string(REPLACE "${close}" "]" text "${text}")
  set(${out} "\"${text}\"" PARENT_SCOPE)
endfunction()

# Appends the header, which may be a generated one, behind those that it includes, to the list `headers`.
get_filename_component(generated ${OUT} DIRECTORY)
macro(add_header name)
  set(path_${name} ${DIR}/ops/${name})
  if(NOT EXISTS ${path_${name}})
    set(path_${name} ${generated}/${name})
  endif()
  if(NOT "${path_${name}}" IN_LIST headers)
    file(STRINGS ${path_${name}} includes_${name} REGEX "^#include \"(kernel/ops/)?ops_")
    foreach(line IN LISTS includes_${name})
      string(REGEX REPLACE ".*[/\"](ops_[a-z_]+\\.h)\".*" "\\1" included "${line}")
      add_header(${included})
    endforeach()
    list(APPEND headers ${path_${name}})
  endif()
endmacro()

set(headers ${DIR}/ops/ops_scalar.h)
file(GLOB names RELATIVE ${DIR}/ops ${DIR}/ops/ops_*.h)
list(SORT names)
list(REMOVE_ITEM names ops_c.h ops_scalar.h) # arithmetic of one value; the words
foreach(name IN LISTS names)
  add_header(${name})
endforeach()
list(REMOVE_ITEM headers ${DIR}/ops/ops_scalar.h)

set(item_names "")
set(wide "") # for each item, what is true of those that use it
set(uses_arrays "")
set(rows "")
set(count 0)
set(of_values ${generated}/ops_types.h ${DIR}/ops/ops_c.h)
foreach(header IN LISTS headers of_values)
  read_text(${header} text)
  if(header IN_LIST of_values) # which has short names for complex numbers
    string(REGEX REPLACE "([^A-Za-z0-9_])c64([^A-Za-z0-9_])" "\\1complex_f32\\2" text "${text}")
    string(REGEX REPLACE "([^A-Za-z0-9_])c128([^A-Za-z0-9_])" "\\1complex_f64\\2" text "${text}")
  endif()
  set(line "[^\n]*")
  set(begins "(TSR_MATH|TSR_RARE|TSR_HALVES|TSR_SCALAR|typedef struct) ")
  string(REGEX MATCHALL "\n${begins}${line}(\n[^}\n]${line}|\n)*\n}${line}" items "${text}")
  foreach(item IN LISTS items)
    string(SUBSTRING "${item}\n" 1 -1 item)
    string(REGEX MATCH "^(typedef struct|TSR_[A-Z]+ [A-Za-z0-9_]+) ([A-Za-z0-9_]+)" unused "${item}")
    set(kind ${CMAKE_MATCH_1})
    set(name ${CMAKE_MATCH_2})
    set(is_scalar false)
    if(kind MATCHES "^TSR_SCALAR")
      set(is_scalar true)
    endif()
    set(in_halves false)
    if(kind MATCHES "^TSR_HALVES")
      set(in_halves true)
    endif()
    if("${name}" IN_LIST item_names)
      message(FATAL_ERROR "${header}: ${name} is defined twice")
    endif()
    mark_words("${item}" item)
    set(is_wide false)
    if(item MATCHES "[fuim]64[$]")
      set(is_wide true)
    endif()
    set(uses "")
    if(is_scalar)
      string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_]*" words "${item}")
    else()
      string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_]*[$]" words "${item}")
    endif()
    list(REMOVE_DUPLICATES words)
    foreach(word IN LISTS words)
      string(REPLACE "$" "" word "${word}")
      list(FIND item_names "${word}" used)
      if(used GREATER_EQUAL 0)
        list(APPEND uses ${used})
        list(GET wide ${used} used_is_wide)
        if(used_is_wide)
          set(is_wide true)
        endif()
      endif()
    endforeach()
    list(APPEND item_names ${name})
    if(in_halves)
      list(APPEND wide false)
    else()
      list(APPEND wide ${is_wide})
    endif()
    list(LENGTH uses n_uses)
    set(uses_of NULL)
    if(n_uses GREATER 0)
      set(uses_of uses_${count})
      string(REPLACE ";" ", " uses "${uses}")
      string(APPEND uses_arrays "static const uint16_t uses_${count}[] = {${uses}};\n")
    endif()
    quote("${item}" item)
    string(APPEND rows "    {\"${name}\", ${item}, ${uses_of}, ${n_uses}, ${is_wide}, ${in_halves}, ${is_scalar}},\n")
    math(EXPR count "${count} + 1")
  endforeach()
endforeach()

set(words "")
foreach(name vector vector_64 vector_32 cuda cuda_as_c)
  read_text(${DIR}/ops/words_${name}.inc text)
  if(name MATCHES "vector_")
    mark_words("${text}" text)
  endif()
  quote("${text}" text)
  string(APPEND words "const char tsr__words_${name}[] =\n  ${text};\n")
endforeach()

file(WRITE ${OUT} "/* Made by cmake/functions_text.cmake from kernel/ops/. */
#include \"kernel/ops/functions.h\"

#include <stddef.h>

${uses_arrays}
const tsr_function_text tsr__functions[] = {
${rows}};
const int tsr__n_functions = ${count};

${words}")
