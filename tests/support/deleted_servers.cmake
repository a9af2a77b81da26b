# Without any of the folders of servers/, and without all of them, everything else is configured and has rules for all
# that it needs; with tests and without.
#
# usage: cmake -DSOURCE=DIR -DWORK=DIR -DCXX=COMPILER -P deleted_servers.cmake
cmake_minimum_required(VERSION 3.25)

# The tree, but for these folders of servers/.
function(make_tree tree)
  file(REMOVE_RECURSE "${tree}")
  file(MAKE_DIRECTORY "${tree}/servers")
  file(GLOB entries RELATIVE "${SOURCE}" "${SOURCE}/*" "${SOURCE}/servers/*")
  list(REMOVE_ITEM entries build servers)
  foreach(deleted IN LISTS ARGN)
    list(REMOVE_ITEM entries "servers/${deleted}")
  endforeach()
  foreach(entry IN LISTS entries)
    file(CREATE_LINK "${SOURCE}/${entry}" "${tree}/${entry}" SYMBOLIC)
  endforeach()
endfunction()

function(expect_whole what tree)
  set(build "${WORK}/build")
  file(REMOVE_RECURSE "${build}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${tree}" -B "${build}" -G Ninja "-DCMAKE_CXX_COMPILER=${CXX}"
      -DTOOLWIRE_BUILD_BENCHMARKS=ON ${ARGN}
    RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(status EQUAL 0)
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" -- -n
      RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE text)
  endif()
  if(NOT status EQUAL 0)
    message(SEND_ERROR "${what}, with ${ARGN}:\n${text}")
  endif()
endfunction()

file(GLOB servers RELATIVE "${SOURCE}/servers" "${SOURCE}/servers/*/CMakeLists.txt")
list(TRANSFORM servers REPLACE "/CMakeLists.txt$" "")
list(LENGTH servers count)
if(count LESS 3)
  message(FATAL_ERROR "expected folders of servers, found: ${servers}")
endif()
foreach(server IN LISTS servers)
  make_tree("${WORK}/tree" ${server})
  expect_whole("without servers/${server}" "${WORK}/tree" -DTOOLWIRE_BUILD_TESTS=ON)
endforeach()
make_tree("${WORK}/tree" ${servers})
expect_whole("without any server" "${WORK}/tree" -DTOOLWIRE_BUILD_TESTS=ON)
expect_whole("without any server" "${WORK}/tree" -DTOOLWIRE_BUILD_TESTS=OFF)
expect_whole("with servers that are not built" "${SOURCE}" -DTOOLWIRE_BUILD_SERVERS=OFF -DTOOLWIRE_BUILD_TESTS=ON)
file(REMOVE_RECURSE "${WORK}")
