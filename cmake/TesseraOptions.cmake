# What the options mean: which compilers can build Tessera, and with which flags.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON) # statement expressions and __auto_type in the public header
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT DEFINED BUILD_SHARED_LIBS)
  set(BUILD_SHARED_LIBS ON)
endif()

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
  endif()
  # RelWithDebInfo keeps TSR_ASSERT off through NDEBUG; Debug turns it on, and optimises enough for
  # the sanitizer builds to finish.
  set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g -DNDEBUG")
  set(CMAKE_C_FLAGS_DEBUG "-O1 -g")
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g")
  add_compile_options(-Wall -Wextra)
else()
  # A parent project without a build type gets a library that is optimised all the same.
  add_compile_options("$<$<CONFIG:>:-O2;-DNDEBUG>")
endif()
if(TESSERA_WERROR)
  add_compile_options(-Werror)
endif()

# No contraction of a*b+c: every tier of kernels must give the same bits.
add_compile_options(-ffp-contract=off -fno-math-errno)

foreach(option MPI CUDA LTO TESTS PYTHON)
  if(NOT TESSERA_${option} MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "TESSERA_${option}=${TESSERA_${option}}: it takes AUTO, ON or OFF")
  endif()
endforeach()

if(NOT TESSERA_CRITERION MATCHES "^(AUTO|SYSTEM|OWN)$")
  message(FATAL_ERROR "TESSERA_CRITERION=${TESSERA_CRITERION}: it takes AUTO, SYSTEM or OWN")
endif()

if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  message(FATAL_ERROR "Tessera's loops are written for x86-64; this is ${CMAKE_SYSTEM_PROCESSOR}")
endif()

# The compiler by what it can, not by its name: others than these two may be as good.
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_FLAGS "-mavx512f -mprefer-vector-width=512 -ffp-contract=off")
check_c_source_compiles("
typedef double f64x8 __attribute__((vector_size(64)));
typedef long i64x8 __attribute__((vector_size(64)));
#if defined(__clang__)
#define TURN(v) __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6)
#else
#define TURN(v) __builtin_shuffle(v, v, (i64x8){1, 0, 3, 2, 5, 4, 7, 6})
#endif
#define BOXED(x) ({ __auto_type v = (x); _Generic(v, double : v, default : 0.0); })
int main(void)
{
  f64x8 v = {BOXED(1.0), __COUNTER__};
  v = __builtin_convertvector(TURN(v) > 0, f64x8);
  return (int)v[0];
}" TESSERA_COMPILER_WORKS)
unset(CMAKE_REQUIRED_FLAGS)
set(oldest_GNU 11)
set(oldest_Clang 14)
if(NOT TESSERA_COMPILER_WORKS OR CMAKE_C_COMPILER_VERSION VERSION_LESS "${oldest_${CMAKE_C_COMPILER_ID}}")
  message(FATAL_ERROR "Tessera needs gcc 11, clang 14, or a newer one of these (vectors, statement expressions, "
    "AVX-512); this is ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} (${CMAKE_C_COMPILER}). Choose another by "
    "-DCMAKE_C_COMPILER=… in a new build directory.")
endif()

# Outside the kernels loops run over the axes of an array: a call of memcpy for two words, which gcc
# makes of them, costs more than the loop.
include(CheckCCompilerFlag)
check_c_compiler_flag(-fno-tree-loop-distribute-patterns TESSERA_HAVE_SHORT_LOOPS)

# A statement of a small array runs through some fifty functions of all layers; inlined across their files they take 0.8
# to 0.95 of the time. Only gcc's objects hold code beside what the linker optimises, so that tests link them as they are.
# To link takes half a minute: builds for debugging are left alone.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND BUILD_SHARED_LIBS)
  set(can_optimise_whole ON)
else()
  set(can_optimise_whole OFF)
endif()
if(TESSERA_LTO STREQUAL "ON" AND NOT can_optimise_whole)
  message(FATAL_ERROR "TESSERA_LTO=ON needs gcc and a shared library (BUILD_SHARED_LIBS=ON)")
endif()
set(TESSERA_WITH_LTO OFF)
if(TESSERA_LTO STREQUAL "ON" OR (TESSERA_LTO STREQUAL "AUTO" AND can_optimise_whole AND NOT TESSERA_SANITIZE AND
                                 CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo)$"))
  set(TESSERA_WITH_LTO ON)
endif()

if(TESSERA_SANITIZE)
  string(REPLACE "," ";" sanitizers "${TESSERA_SANITIZE}")
  foreach(sanitizer IN LISTS sanitizers)
    if(NOT sanitizer MATCHES "^(address|thread|undefined)$" OR TESSERA_SANITIZE MATCHES ";") # a list is no flag
      message(FATAL_ERROR "TESSERA_SANITIZE=${TESSERA_SANITIZE}: it takes address, thread or undefined, or several of "
                          "them joined by ',' (address and thread exclude each other)")
    endif()
  endforeach()
  if("address" IN_LIST sanitizers AND "thread" IN_LIST sanitizers)
    message(FATAL_ERROR "TESSERA_SANITIZE=${TESSERA_SANITIZE}: address and thread exclude each other")
  endif()
  # Reports name functions and lines. What a debugger needs beyond that takes a fifth of the compiler's time and more.
  add_compile_options(-fsanitize=${TESSERA_SANITIZE} -fno-omit-frame-pointer -g1)
  # What gcc deduces about values is often wrong in instrumented code; the plain build judges.
  if(TESSERA_WERROR AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-error=format-truncation -Wno-error=maybe-uninitialized
                        -Wno-error=stringop-overflow -Wno-error=array-bounds)
  endif()
  if("undefined" IN_LIST sanitizers)
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
  add_link_options(-fsanitize=${TESSERA_SANITIZE})
endif()
