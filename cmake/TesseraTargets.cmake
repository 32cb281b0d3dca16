# How a folder becomes a layer, and the layers become the library and the command.

# A C text that cmake/SCRIPT writes into the build directory, made anew when one of its inputs, the arguments after it,
# changes; its path in `out`.
function(tessera_write_text out name script)
  set(path ${PROJECT_BINARY_DIR}/generated/${name})
  set(scripts ${PROJECT_SOURCE_DIR}/cmake/${script} ${PROJECT_SOURCE_DIR}/cmake/templates.cmake)
  add_custom_command(OUTPUT ${path}
    COMMAND ${CMAKE_COMMAND} -D OUT=${path} -D DIR=${PROJECT_SOURCE_DIR}/kernel -P ${PROJECT_SOURCE_DIR}/cmake/${script}
    DEPENDS ${ARGN} ${scripts} VERBATIM)
  set(${out} ${path} PARENT_SCOPE)
endfunction()

# The files of the kernel layer that are written when it is built: the text of kernel/ops/ as data, and loops.
function(tessera_write_kernel_texts out)
  set(dir ${PROJECT_SOURCE_DIR}/kernel)
  file(GLOB functions CONFIGURE_DEPENDS ${dir}/ops/ops_*.h ${dir}/ops/words_*.inc)
  file(GLOB ops CONFIGURE_DEPENDS ${dir}/ops/*.h.in)
  tessera_write_text(ops_types ops_types.h ops_text.cmake ${ops})
  tessera_write_text(ops_exact ops_exact.h exact_text.cmake ${dir}/ops/ops_exact.h.in)
  tessera_write_text(functions_text functions_text.c functions_text.cmake ${functions} ${ops_types} ${ops_exact})
  tessera_write_text(loops_text loops_text.inc loops_text.cmake ${dir}/ops/ops.def)
  tessera_write_text(op_forms op_forms.inc forms_text.cmake ${dir}/ops/ops.def)
  set(texts ${functions_text} ${loops_text} ${op_forms} ${ops_types} ${ops_exact})
  file(GLOB reduce CONFIGURE_DEPENDS ${dir}/reduce/*.c.in)
  foreach(isa baseline avx2 avx512)
    tessera_write_text(reduce_text reduce_${isa}.c reduce_text.cmake ${reduce})
    tessera_write_text(matmul_text matmul_${isa}.c matmul_text.cmake ${dir}/library/matmul_loops.c.in
      ${dir}/library/matmul_complex.c.in)
    list(APPEND texts ${reduce_text} ${matmul_text})
  endforeach()
  set(${out} ${texts} PARENT_SCOPE)
endfunction()

# The loops over vectors are compiled once per instruction set, for which the machine that runs them is asked; they are
# optimised whatever the build type, as no program could be used otherwise. GCC's tuning: its generic one would load what
# two shuffles of a reduction share twice.
function(tessera_set_loop_flags)
  set(avx2 -mavx2 -mfma -mbmi2)
  set(avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mbmi2 -mprefer-vector-width=512)
  set(baseline "")
  set(tune_avx2 -mtune=haswell)
  set(tune_avx512 -mtune=icelake-server)
  set(tune_baseline "")
  set(reduce -O2 -ftree-vectorize)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(APPEND reduce -fvect-cost-model=dynamic)
  endif()
  set(other -O3)
  # Sanitizers look at each access, however many of them a vector holds.
  if(TESSERA_SANITIZE OR TESSERA_QUICK_LOOPS)
    set(reduce -O1)
    set(other -O1)
  endif()
  if(CMAKE_C_COMPILER_ID MATCHES "Clang") # it warns of each loop that may become vectors and does not
    list(APPEND reduce -Wno-pass-failed)
    list(APPEND other -Wno-pass-failed)
  endif()
  set(generated ${PROJECT_BINARY_DIR}/generated)
  foreach(target IN ITEMS baseline avx2 avx512)
    set_source_files_properties(kernel/cpu/loops_${target}.c ${generated}/matmul_${target}.c PROPERTIES
      COMPILE_OPTIONS "${other};-fno-trapping-math;${${target}}")
    set_source_files_properties(${generated}/reduce_${target}.c PROPERTIES
      COMPILE_OPTIONS "${reduce};-fno-trapping-math;${${target}};${tune_${target}}")
  endforeach()
endfunction()

# An object library of the C files in and below LAYER/. FILE.c named *_mpi.c / *_nompi.c, *_hwloc.c / *_nohwloc.c,
# *_png.c / *_nopng.c, in the runtime *_cuda.c / *_nocuda.c, are the two sides of one optional package: exactly one of
# them is built.
function(tessera_add_layer layer)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${layer}/*.c)
  foreach(package mpi hwloc png)
    string(TOUPPER ${package} flag)
    if((package STREQUAL "mpi" AND TESSERA_HAVE_MPI) OR
       (NOT package STREQUAL "mpi" AND ${flag}_FOUND))
      list(FILTER sources EXCLUDE REGEX "_no${package}\\.c$")
    else()
      list(FILTER sources EXCLUDE REGEX "_${package}\\.c$")
    endif()
  endforeach()
  if(layer STREQUAL "runtime")
    if(TESSERA_HAVE_CUDA)
      list(FILTER sources EXCLUDE REGEX "_nocuda\\.c$")
    else()
      list(FILTER sources EXCLUDE REGEX "_cuda\\.c$")
    endif()
  endif()
  if(layer STREQUAL "kernel")
    tessera_write_kernel_texts(texts)
    list(APPEND sources ${texts})
    tessera_set_loop_flags()
  endif()
  add_library(tsr_${layer} OBJECT ${sources})
  if(NOT sources)
    set_target_properties(tsr_${layer} PROPERTIES LINKER_LANGUAGE C)
  endif()
  target_include_directories(tsr_${layer} PUBLIC
    ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/generated)
  target_compile_definitions(tsr_${layer} PRIVATE TSR_BUILDING_LIBRARY _GNU_SOURCE)
  if(layer STREQUAL "array")
    set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/array/core/version.c PROPERTIES
      COMPILE_DEFINITIONS TSR_VERSION="${PROJECT_VERSION}")
  endif()
  target_link_libraries(tsr_${layer} PUBLIC Threads::Threads m ${CMAKE_DL_LIBS})
  if(TESSERA_HAVE_SHORT_LOOPS AND NOT layer STREQUAL "kernel")
    target_compile_options(tsr_${layer} PRIVATE -fno-tree-loop-distribute-patterns)
  endif()
  # The kernel layer's loops are long, and each is compiled for an instruction set of its own.
  if(TESSERA_WITH_LTO AND NOT layer STREQUAL "kernel")
    target_compile_options(tsr_${layer} PRIVATE -flto=auto -ffat-lto-objects -fno-semantic-interposition)
    target_link_options(tsr_${layer} INTERFACE -fno-lto)
  endif()
  if(layer STREQUAL "runtime")
    if(TESSERA_HAVE_MPI)
      target_link_libraries(tsr_${layer} PUBLIC MPI::MPI_C)
    endif()
    if(TESSERA_HAVE_CUDA)
      target_include_directories(tsr_${layer} SYSTEM PRIVATE ${TESSERA_CUDA_INCLUDE})
    endif()
    if(HWLOC_FOUND)
      target_link_libraries(tsr_${layer} PUBLIC PkgConfig::HWLOC)
    endif()
  endif()
  if(layer STREQUAL "array" AND PNG_FOUND)
    target_link_libraries(tsr_${layer} PUBLIC PkgConfig::PNG)
  endif()
endfunction()

# The library that programs link, shared (exports tsr_ only) or static by BUILD_SHARED_LIBS. What it links are files, not
# targets of packages: a program that links the static one need not find those packages itself.
function(tessera_add_library)
  add_library(tessera)
  add_library(Tessera::tessera ALIAS tessera)
  foreach(layer IN LISTS TESSERA_LAYERS)
    target_sources(tessera PRIVATE $<TARGET_OBJECTS:tsr_${layer}>)
  endforeach()
  set(libraries "")
  if(TESSERA_HAVE_MPI)
    list(APPEND libraries ${MPI_C_LIBRARIES})
  endif()
  list(APPEND libraries ${HWLOC_LINK_LIBRARIES} ${PNG_LINK_LIBRARIES} ${CMAKE_THREAD_LIBS_INIT} ${CMAKE_DL_LIBS} m)
  target_link_libraries(tessera PRIVATE ${libraries})
  if(TESSERA_WITH_LTO)
    # What is inlined is specialised, and warned of for arguments that it never gets.
    target_link_options(tessera PRIVATE -flto=auto -Wno-alloc-size-larger-than)
  endif()
  set(TESSERA_LIBRARIES "${libraries}" PARENT_SCOPE)
  # What programs are compiled with: the layouts that tests/array/test_layouts.c pins, and the parameters of the
  # functions of tools/api.table. From the first release on SOVERSION goes up where one of them changes; until then it
  # stays 0, and programs are compiled anew with each state of the library.
  set_target_properties(tessera PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0 LINKER_LANGUAGE C
                        INSTALL_RPATH_USE_LINK_PATH ON)
  target_include_directories(tessera PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                            $<INSTALL_INTERFACE:include>)
endfunction()

# The `tessera` command, on the internals: all layers, no shared library. For Ninja, whose targets are files, too, the
# command takes the library's name: what is asked for by that name is both.
function(tessera_add_launcher)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/launcher/*.c)
  if(NOT sources)
    return()
  endif()
  add_executable(tessera_command ${sources})
  set_target_properties(tessera_command PROPERTIES OUTPUT_NAME tessera INSTALL_RPATH_USE_LINK_PATH ON)
  add_dependencies(tessera_command tessera)
  set(mpiexec "")
  if(TESSERA_HAVE_MPI AND MPIEXEC_EXECUTABLE)
    set(mpiexec ${MPIEXEC_EXECUTABLE})
  endif()
  target_compile_definitions(tessera_command PRIVATE
    TSR_VERSION="${PROJECT_VERSION}" TSR_BUILD_TYPE="${CMAKE_BUILD_TYPE}" TSR_SANITIZE="${TESSERA_SANITIZE}"
    TSR_MPIEXEC="${mpiexec}" TSR_WITH_HWLOC=$<BOOL:${HWLOC_FOUND}> TSR_WITH_PNG=$<BOOL:${PNG_FOUND}>)
  foreach(layer IN LISTS TESSERA_LAYERS)
    target_link_libraries(tessera_command PRIVATE tsr_${layer})
  endforeach()
endfunction()
