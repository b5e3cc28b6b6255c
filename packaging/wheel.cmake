# `cmake --build BUILD --target wheel`: the Python wheel in BUILD/wheel/dist. Its
# program is linked with archives, so that it needs libc and PyPI's libclang alone.
set(PL_WHEEL_ARCHIVES)
set(PL_WHEEL_MISSING)
foreach(name isl gmp pcre2-8 jansson inih nettle)
  find_library(PL_ARCHIVE_${name} lib${name}.a
    HINTS ${ISL_LIBRARY_DIRS} ${PCRE2_LIBRARY_DIRS})
  mark_as_advanced(PL_ARCHIVE_${name})
  list(APPEND PL_WHEEL_ARCHIVES ${PL_ARCHIVE_${name}})
  if(NOT PL_ARCHIVE_${name})
    list(APPEND PL_WHEEL_MISSING lib${name}.a)
  endif()
endforeach()
find_program(PL_WHEEL_PYTHON python3)
if(NOT PL_WHEEL_PYTHON)
  list(APPEND PL_WHEEL_MISSING python3)
endif()

if(PL_WHEEL_MISSING OR PL_SANITIZE)
  list(JOIN PL_WHEEL_MISSING " " PL_WHEEL_MISSING)
  add_custom_target(wheel
    COMMAND ${CMAKE_COMMAND} -E echo
      "no wheel: the build has sanitizers, or these are missing: ${PL_WHEEL_MISSING}"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()

add_executable(pipelinify-wheel EXCLUDE_FROM_ALL src/cli/main.c)
set_target_properties(pipelinify-wheel PROPERTIES OUTPUT_NAME pipelinify
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/wheel)
add_dependencies(pipelinify-wheel pl_program libpipelinify)
target_include_directories(pipelinify-wheel PRIVATE
  $<TARGET_PROPERTY:pl_program,INTERFACE_INCLUDE_DIRECTORIES>
  $<TARGET_PROPERTY:libpipelinify,INTERFACE_INCLUDE_DIRECTORIES>)
target_link_libraries(pipelinify-wheel PRIVATE $<TARGET_FILE:pl_program>
  $<TARGET_FILE:libpipelinify> ${PL_WHEEL_ARCHIVES} Threads::Threads
  ${CMAKE_DL_LIBS} m)
target_link_options(pipelinify-wheel PRIVATE LINKER:--build-id=sha1,-s
  -static-libgcc)
set_target_properties(pipelinify-wheel PROPERTIES
  LINK_DEPENDS "$<TARGET_FILE:pl_program>;$<TARGET_FILE:libpipelinify>")

# What is installed beside the program goes along: the manual, completions, docs.
add_custom_target(wheel
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${CMAKE_BINARY_DIR}/wheel/tree
    ${CMAKE_BINARY_DIR}/wheel/dist
  COMMAND ${CMAKE_COMMAND} --install ${CMAKE_BINARY_DIR}
    --prefix ${CMAKE_BINARY_DIR}/wheel/tree > ${CMAKE_BINARY_DIR}/wheel/install.log
  COMMAND ${PL_WHEEL_PYTHON} ${CMAKE_SOURCE_DIR}/packaging/wheel/backend.py write
    --program $<TARGET_FILE:pipelinify-wheel>
    --share ${CMAKE_BINARY_DIR}/wheel/tree/${CMAKE_INSTALL_DATADIR}
    --out ${CMAKE_BINARY_DIR}/wheel/dist --objdump ${CMAKE_OBJDUMP}
  DEPENDS pipelinify-wheel pipelinify libpipelinify manpage
  VERBATIM)
