# Compiler flags and optional packages.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON) # statement expressions and __auto_type in the public header
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()
# RelWithDebInfo keeps TSR_ASSERT off through NDEBUG; Debug turns it on, and optimises enough for
# the sanitizer builds to finish.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g")

# No contraction of a*b+c: every tier of kernels must give the same bits.
add_compile_options(-Wall -Wextra -Werror -ffp-contract=off -fno-math-errno)

# Outside the kernels loops run over the axes of an array: a call of memcpy for two words, which gcc
# makes of them, costs more than the loop.
include(CheckCCompilerFlag)
check_c_compiler_flag(-fno-tree-loop-distribute-patterns TESSERA_HAVE_SHORT_LOOPS)

if(TESSERA_SANITIZE)
  add_compile_options(-fsanitize=${TESSERA_SANITIZE} -fno-omit-frame-pointer -g)
  # What gcc deduces about values is often wrong in instrumented code; the plain build judges.
  add_compile_options(-Wno-error=format-truncation -Wno-error=maybe-uninitialized
                      -Wno-error=stringop-overflow -Wno-error=array-bounds)
  if(TESSERA_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
  add_link_options(-fsanitize=${TESSERA_SANITIZE})
endif()

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(HWLOC IMPORTED_TARGET hwloc)
pkg_check_modules(PNG IMPORTED_TARGET libpng)

foreach(option MPI CUDA)
  if(NOT TESSERA_${option} MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "TESSERA_${option}=${TESSERA_${option}}: it takes AUTO, ON or OFF")
  endif()
endforeach()

set(TESSERA_HAVE_MPI OFF)
if(NOT TESSERA_MPI STREQUAL "OFF")
  find_package(MPI COMPONENTS C)
  if(MPI_C_FOUND)
    set(TESSERA_HAVE_MPI ON)
  elseif(TESSERA_MPI STREQUAL "ON")
    message(FATAL_ERROR "TESSERA_MPI=ON, but no MPI for C was found (Debian: libopenmpi-dev)")
  endif()
endif()

set(TESSERA_HAVE_CUDA OFF)
if(TESSERA_CUDA STREQUAL "ON")
  message(FATAL_ERROR "TESSERA_CUDA=ON, but this version has no CUDA device yet")
endif()
