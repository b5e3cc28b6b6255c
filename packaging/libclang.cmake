# Where libclang and its LLVM lie and what they are called, for who loads them, and
# the Debian package that they come with.
file(REAL_PATH "${LIBCLANG_LIBRARY}" PL_LIBCLANG_FILE)
execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${PL_LIBCLANG_FILE}
  OUTPUT_VARIABLE PL_LIBCLANG_PARTS ERROR_QUIET)
if(PL_LIBCLANG_PARTS MATCHES "SONAME +([^ \n]+)")
  set(PL_LIBCLANG_SONAME ${CMAKE_MATCH_1})
else()
  get_filename_component(PL_LIBCLANG_SONAME ${PL_LIBCLANG_FILE} NAME)
endif()
# Under its own name it stays where it is when a patch is installed.
get_filename_component(PL_LIBCLANG_DIRECTORY ${PL_LIBCLANG_FILE} DIRECTORY)
if(EXISTS ${PL_LIBCLANG_DIRECTORY}/${PL_LIBCLANG_SONAME})
  set(PL_LIBCLANG_FILE ${PL_LIBCLANG_DIRECTORY}/${PL_LIBCLANG_SONAME})
endif()

set(PL_LIBLLVM_FILE "")
execute_process(COMMAND ldd ${PL_LIBCLANG_FILE}
  OUTPUT_VARIABLE PL_LIBCLANG_NEEDS ERROR_QUIET)
if(PL_LIBCLANG_NEEDS MATCHES "libLLVM[^ ]* => ([^ \n]+)")
  set(PL_LIBLLVM_FILE ${CMAKE_MATCH_1})
endif()

set(PL_LIBCLANG_PACKAGE "libclang1")
execute_process(COMMAND dpkg-query -S ${PL_LIBCLANG_FILE}
  OUTPUT_VARIABLE PL_LIBCLANG_OWNER ERROR_QUIET)
if(PL_LIBCLANG_OWNER MATCHES "^(libclang[^:, ]+)")
  set(PL_LIBCLANG_PACKAGE ${CMAKE_MATCH_1})
endif()
