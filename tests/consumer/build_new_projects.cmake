# Writes each kind of project of `toolwire new`, and builds and tests it against the installed package as its author would.
# Everything it writes is below WORK.
cmake_minimum_required(VERSION 3.25)

string(REPLACE ";" "\\;" LAUNCHER "${LAUNCHER}")  # One argument, whatever it passes through.

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE status OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command} ended with ${status}:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
run(${CMAKE_COMMAND} --install "${BUILD}" --component toolwire --prefix "${WORK}/prefix")
set(ENV{PATH} "${PROGRAMS}:$ENV{PATH}")
foreach(kind IN LISTS KINDS)
  set(project "my-${kind}")
  run("${PROGRAMS}/toolwire" new "${project}" --template ${kind})
  run(${CMAKE_COMMAND} -S "${project}" -B "${project}/build" -G "${GENERATOR}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}"
    "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
    "-DCMAKE_CXX_FLAGS=${CXX_FLAGS} -Wall -Wextra -Werror" "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
  run(${CMAKE_COMMAND} --build "${project}/build" --parallel 2)
  run(${CMAKE_CTEST_COMMAND} --test-dir "${project}/build" --output-on-failure --no-tests=error)
  if(NOT kind STREQUAL "bridge")  # with the library compiled along; that it compiles is shown by consumer_fetched
    file(RELATIVE_PATH checkout "${WORK}/${project}" "${REPOSITORY}")
    run(${CMAKE_COMMAND} -S "${project}" -B "${project}/fetched" -G "${GENERATOR}" "-DTOOLWIRE_REPOSITORY=${checkout}"
      "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}")
  endif()
endforeach()
