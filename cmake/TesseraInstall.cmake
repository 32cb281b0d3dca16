# What `cmake --install` puts where: the library, its headers and command, a CMake package, a pkg-config file, man
# pages, shell completion. Everything finds itself by relative paths, so that an installed tree can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)
set(generated ${PROJECT_BINARY_DIR}/generated)

install(TARGETS tessera EXPORT TesseraTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS tessera_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# A module's compiled form is of one compiler and its version: programs compile the source.
install(FILES ${PROJECT_SOURCE_DIR}/fortran/tessera.f90 DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera)
set(TESSERA_FORTRAN ${CMAKE_INSTALL_DATADIR}/tessera/tessera.f90)

install(EXPORT TesseraTargets NAMESPACE Tessera:: DESTINATION ${package_dir})
configure_package_config_file(cmake/TesseraConfig.cmake.in ${generated}/TesseraConfig.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS TESSERA_FORTRAN)
# Before 1.0 a minor version may break programs.
write_basic_package_version_file(${generated}/TesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${generated}/TesseraConfig.cmake ${generated}/TesseraConfigVersion.cmake DESTINATION ${package_dir})

file(RELATIVE_PATH TESSERA_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
# Whoever links the static library links what it needs.
set(TESSERA_PC_PRIVATE "")
foreach(library IN LISTS TESSERA_LIBRARIES)
  if(library MATCHES "^[/-]")
    string(APPEND TESSERA_PC_PRIVATE " ${library}")
  else()
    string(APPEND TESSERA_PC_PRIVATE " -l${library}")
  endif()
endforeach()
set(TESSERA_PC_LIBS "-L\${libdir} -ltessera")
if(NOT BUILD_SHARED_LIBS)
  string(APPEND TESSERA_PC_LIBS "${TESSERA_PC_PRIVATE}")
endif()
configure_file(cmake/tessera.pc.in ${generated}/tessera.pc @ONLY)
install(FILES ${generated}/tessera.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The lists of settings and error codes in the pages are the command's own.
set(pages)
file(GLOB sources RELATIVE ${PROJECT_SOURCE_DIR}/docs/man CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/tessera*.[13])
foreach(page IN LISTS sources)
  add_custom_command(
    OUTPUT ${generated}/man/${page}
    COMMAND ${CMAKE_COMMAND} -DCOMMAND=$<TARGET_FILE:tessera_command> -DVERSION=${PROJECT_VERSION}
            -DPAGE=${PROJECT_SOURCE_DIR}/docs/man/${page} -DOUT=${generated}/man/${page}
            -P ${PROJECT_SOURCE_DIR}/cmake/man.cmake
    DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/${page} ${PROJECT_SOURCE_DIR}/cmake/man.cmake tessera_command
    VERBATIM)
  list(APPEND pages ${generated}/man/${page})
  string(REGEX MATCH "[0-9]$" section ${page})
  install(FILES ${generated}/man/${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
add_custom_target(tessera_man ALL DEPENDS ${pages})

# The page of a function is that of its header, which the index says.
set(index ${PROJECT_SOURCE_DIR}/docs/man/tessera-index.3)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${index})
file(STRINGS ${index} lines REGEX "^\\.(Ss tessera/|It tsr_)")
file(REMOVE_RECURSE ${generated}/man3)
foreach(line IN LISTS lines)
  if(line MATCHES "^.Ss tessera/(.*)[.]h")
    set(header ${CMAKE_MATCH_1})
  elseif(line MATCHES "(tsr_[a-z0-9_]+)")
    file(WRITE ${generated}/man3/${CMAKE_MATCH_1}.3 ".so man3/tessera-${header}.3\n")
  endif()
endforeach()
install(DIRECTORY ${generated}/man3 DESTINATION ${CMAKE_INSTALL_MANDIR})

# Pages, pictures and licence; examples that compile where they are copied to.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN man EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The pages' links to headers hold through a link.
file(RELATIVE_PATH headers ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(CREATE_LINK ${headers} ${generated}/include SYMBOLIC)
install(FILES ${generated}/include DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(completion ${PROJECT_SOURCE_DIR}/launcher/completion)
install(FILES ${completion}/tessera.bash RENAME tessera
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completion}/_tessera DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${completion}/tessera.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# Removes what the last `install` of this build directory made. In another project's build its own target would be hit.
if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
                    -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake VERBATIM)
endif()
