# Installs the build into an empty prefix, moves the prefix (nothing may depend on where it was installed), builds the
# consumer against it with find_package(gelenk) and runs it.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "'${command}' ended with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/first")
file(RENAME "${WORK_DIR}/first" "${WORK_DIR}/prefix")

run("${CMAKE_COMMAND}" -G Ninja -S "${CONSUMER_DIR}" -B "${WORK_DIR}/build" -D "CMAKE_CXX_COMPILER=${CXX_COMPILER}"
  -D "CMAKE_PREFIX_PATH=${WORK_DIR}/prefix" -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
run("${WORK_DIR}/build/consumer")
if(NOT output MATCHES "1 kN/mm = 1e\\+06 kg/s\\^2")
  message(FATAL_ERROR "the consumer printed: ${output}")
endif()

# The headers that were used are the installed ones: no path of the checkout may be left in the package.
get_filename_component(checkout "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
file(GLOB_RECURSE package_files "${WORK_DIR}/prefix/*.cmake")
foreach(file IN LISTS package_files)
  file(READ "${file}" text)
  string(FIND "${text}" "${checkout}" position)
  if(NOT position EQUAL -1)
    message(FATAL_ERROR "${file} names the checkout ${checkout}")
  endif()
endforeach()
