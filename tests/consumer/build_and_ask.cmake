# Builds the project of this folder in the way WAY says (package or subdirectory), sends its server a conversation and
# looks for the answers. Everything it writes is below WORK.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command} ended with ${status}:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}/build" "${WORK}/prefix")
if(WAY STREQUAL "package")
  run(${CMAKE_COMMAND} --install "${BUILD}" --component toolwire --prefix "${WORK}/prefix")
  set(found_by "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
else()
  set(found_by "-DTOOLWIRE_SOURCE=${REPOSITORY}" "-DTOOLWIRE_STATIC_DEPENDENCIES=${STATIC}")
endif()

run(${CMAKE_COMMAND} -S "${REPOSITORY}/tests/consumer" -B "${WORK}/build" -G "${GENERATOR}"
  "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
  "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}" ${found_by})
run(${CMAKE_COMMAND} --build "${WORK}/build" --parallel 2)

execute_process(COMMAND "${WORK}/build/calculator" INPUT_FILE "${REPOSITORY}/tests/consumer/conversation.jsonl"
  RESULT_VARIABLE status OUTPUT_VARIABLE answers ERROR_VARIABLE said TIMEOUT 30)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "calculator ended with ${status} instead of 0:\n${answers}\n${said}")
endif()
foreach(expected IN ITEMS "\"protocolVersion\":\"2025-11-25\"" "\"id\":2" "42")
  string(FIND "${answers}" "${expected}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "expected ${expected} in the answers:\n${answers}\n${said}")
  endif()
endforeach()
