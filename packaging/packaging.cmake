# What `cmake --install` puts where, and the Debian package (`cpack -G DEB`).
set(CMAKE_INSTALL_LIBDIR lib CACHE STRING "")
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS pipelinify pipelinify-nvcc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS libpipelinify ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES rewriter/pipelinify.h rewriter/pipelinify_forms.def DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/pipelinify.1 docs/pipelinify-nvcc.1
  DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES docs/report.schema.json docs/pipelinify-array.sbatch
  docs/pipelinify-tune.sbatch ${CMAKE_BINARY_DIR}/README.md LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
# What the manual and README.md send to, and what these pages name in turn, all in one
# directory: README.md's links are made those.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS README.md)
file(READ README.md readme)
string(REPLACE "](docs/" "](" readme "${readme}")
file(WRITE ${CMAKE_BINARY_DIR}/README.md "${readme}")
foreach(page HACKING benchmark certificate forms gpu-pairs gpu-results launch lint
    model-against-measured proving python records results scale shadow tune)
  install(FILES docs/${page}.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
endforeach()
install(DIRECTORY docs/forms docs/reasons DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN *.md)
install(PROGRAMS tools/git-pre-commit DESTINATION ${CMAKE_INSTALL_DATADIR}/pipelinify)

configure_file(packaging/pipelinify.pc.in pipelinify.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/pipelinify.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_file(packaging/pipelinifyConfig.cmake.in pipelinifyConfig.cmake @ONLY)
write_basic_package_version_file(
  ${CMAKE_BINARY_DIR}/pipelinifyConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/pipelinifyConfig.cmake
  ${CMAKE_BINARY_DIR}/pipelinifyConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pipelinify)

# Each shell's script, printed by the program that was just built.
foreach(shell bash zsh fish)
  add_custom_command(TARGET pipelinify POST_BUILD
    COMMAND pipelinify --completion=${shell} >
      ${CMAKE_BINARY_DIR}/completion.${shell})
endforeach()
foreach(name pipelinify pipelinify-nvcc)
  install(FILES ${CMAKE_BINARY_DIR}/completion.bash RENAME ${name}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${CMAKE_BINARY_DIR}/completion.fish RENAME ${name}.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/completion.zsh RENAME _pipelinify
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pipelinify)
set(CPACK_PACKAGE_CONTACT "the pipelinify developers <pipelinify@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "software-pipelines the tile loops of CUDA kernels")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# dpkg-shlibdeps names libpcre2-8-0 and the rest from the program.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS ${PL_LIBCLANG_PACKAGE})
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++")
include(CPack)
