# Writes what the expressions of ops.def say of themselves (tsr_op_form in kernel/ir/op.h), an entry per row:
#   cmake -D OUT=FILE -D DIR=kernel -P forms_text.cmake
# An entry is the helper f of the row's K(f), or NULL, and for vectors of which numbers the expression means the same as
# for one. For those its numbers must be small integers (0.5 would widen a float32), and it has no shifts and no choices;
# integers are not divided (a lane may be 0). A comparison of vectors gives 1 or -1, so it may only be the result.
cmake_minimum_required(VERSION 3.22)

file(READ ${DIR}/ops/ops.def ops)
string(REPLACE ";" "," ops "${ops}") # of comments
string(REGEX REPLACE "\\[[^\n]*" "" ops "${ops}")
string(REGEX MATCHALL "TSR_(INNER_)?OP\\([A-Z0-9_]+, [a-z0-9_]+, [0-9]+, [0-9]+, [^\"]*\"" rows "${ops}")
set(text "/* Made by cmake/forms_text.cmake from kernel/ops/ops.def. */\n")
foreach(row IN LISTS rows)
  string(REGEX MATCH "OP\\(([A-Z0-9_]+), [a-z0-9_]+, [0-9]+, [0-9]+, ([A-Z]+), ([A-Z]+), ([A-Z]+), ([A-Z]+), (.*),[ \n]*\"$" is_row
    "${row}")
  if(NOT is_row)
    message(FATAL_ERROR "ops.def: not a row: ${row}")
  endif()
  set(NAME ${CMAKE_MATCH_1})
  set(rule ${CMAKE_MATCH_2})
  set(expression "${CMAKE_MATCH_6}")
  set(helper NULL)
  if(expression MATCHES "K\\(([a-z0-9_]+)\\)(.*)")
    set(helper "\"${CMAKE_MATCH_1}\"")
    if(CMAKE_MATCH_2 MATCHES "K\\(")
      message(FATAL_ERROR "ops.def: ${NAME} has more than one K(f)")
    endif()
  endif()
  set(vectors ALL)
  if(expression MATCHES "/")
    set(vectors FLOATS)
  endif()
  if(expression MATCHES "[?%.{]|&&|[|][|]|<<|>>|![^=]" OR rule STREQUAL "WHERE" OR
      (NOT rule STREQUAL "COMPARE" AND expression MATCHES "[<>=!]"))
    set(vectors NONE)
  endif()
  string(APPEND text "[TSR_OP_${NAME}] = {${helper}, TSR_VECTORS_${vectors}},\n")
endforeach()
file(WRITE ${OUT} "${text}")
