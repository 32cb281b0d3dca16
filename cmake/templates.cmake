# Text from templates: how the scripts *_text.cmake write C for many types.

string(ASCII 1 begin)
string(ASCII 2 end)

# fill(OUT TEXT WORD VALUE …): the text with a value in place of each word, alone or as a part of a name between
# underscores: with T = f64, `T add_T(T x)` becomes `f64 add_f64(f64 x)`.
function(fill out text)
  string(REGEX REPLACE "([A-Za-z0-9]+)" "${begin}\\1${end}" text "${text}")
  while(ARGN)
    list(POP_FRONT ARGN word value)
    string(REPLACE "${begin}${word}${end}" "${value}" text "${text}")
  endwhile()
  string(REGEX REPLACE "[${begin}${end}]" "" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# read_template(OUT FILE): the file's text but for its first comment, which is about the template.
function(read_template out file)
  file(READ ${file} text)
  string(FIND "${text}" "*/\n" end)
  math(EXPR end "${end} + 3")
  string(SUBSTRING "${text}" ${end} -1 text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# lane_numbers(OUT N EXPRESSION): the numbers that a shuffle of N lanes takes, of which lane i takes EXPRESSION.
function(lane_numbers out n expression)
  set(numbers "")
  math(EXPR last "${n} - 1")
  foreach(i RANGE ${last})
    string(REPLACE "i" "${i}" number "${expression}")
    math(EXPR number "${number}")
    list(APPEND numbers ${number})
  endforeach()
  string(REPLACE ";" ", " numbers "${numbers}")
  set(${out} "${numbers}" PARENT_SCOPE)
endfunction()
