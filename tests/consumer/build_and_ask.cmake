# Builds the project of this folder in the way WAY says (package, package_otherwise_linked or fetched), sends its server a
# conversation and looks for the answers. Everything it writes is below WORK.
cmake_minimum_required(VERSION 3.25)

string(REPLACE ";" "\\;" LAUNCHER "${LAUNCHER}")  # One argument, whatever it passes through.

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command} ended with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}/build" "${WORK}/prefix")
if(WAY MATCHES "^package")
  run(${CMAKE_COMMAND} --install "${BUILD}" --component toolwire --prefix "${WORK}/prefix")
  set(found_by "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
  if(WAY STREQUAL "package_otherwise_linked")
    if(STATIC)
      set(STATIC OFF)
    else()
      set(STATIC ON)
    endif()
    list(APPEND found_by "-DTOOLWIRE_STATIC_DEPENDENCIES=${STATIC}")
  endif()
else()
  # The whole library is compiled again: as in a project that has not chosen a type of build, which is the quickest.
  set(BUILD_TYPE "")
  set(found_by "-DTOOLWIRE_SOURCE=${REPOSITORY}" "-DTOOLWIRE_STATIC_DEPENDENCIES=${STATIC}"
      -DTOOLWIRE_PRECOMPILED_HEADERS=ON -DTOOLWIRE_JOIN_SOURCES=ON)
endif()

run(${CMAKE_COMMAND} -S "${REPOSITORY}/tests/consumer" -B "${WORK}/build" -G "${GENERATOR}"
  "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
  "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}" ${found_by})
run(${CMAKE_COMMAND} --build "${WORK}/build" --parallel 2)

# Sends `conversation` to a program and looks for the texts that follow in what it answers.
function(ask program conversation)
  execute_process(COMMAND "${WORK}/build/${program}" INPUT_FILE "${REPOSITORY}/tests/consumer/${conversation}"
    WORKING_DIRECTORY "${WORK}/build" RESULT_VARIABLE status OUTPUT_VARIABLE answers ERROR_VARIABLE said TIMEOUT 30)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${program} ended with ${status} instead of 0:\n${answers}\n${said}")
  endif()
  foreach(expected IN LISTS ARGN)
    string(FIND "${answers}" "${expected}" place)
    if(place EQUAL -1)
      message(FATAL_ERROR "expected ${expected} in the answers of ${program}:\n${answers}\n${said}")
    endif()
  endforeach()
endfunction()

ask(calculator conversation.jsonl "\"protocolVersion\":\"2025-11-25\"" "\"id\":2" "42")
ask(http_calculator conversation.jsonl "200" "\"id\":1" "42")
if(HTTP_SERVER)
  ask(listening_calculator conversation.jsonl "\"id\":2" "42")
endif()
# Tokens are looked at by programs that ask for it, and OpenSSL is no library that they start with.
if(HTTP_JWT)
  ask(token_calculator conversation.jsonl "\"id\":2" "42")
  file(STRINGS "${WORK}/build/token_calculator" named REGEX "libcrypto")
  file(STRINGS "${WORK}/build/listening_calculator" without REGEX "libcrypto")
  run(ldd "${WORK}/build/token_calculator")
  if(NOT named OR without OR output MATCHES "libcrypto")
    message(FATAL_ERROR "token_calculator alone is to load OpenSSL, and only by itself:\n${output}")
  endif()
endif()
# As libcurl is with programs that reach servers over HTTP.
if(HTTP_CLIENT AND HTTP_SERVER)
  ask(client_calculator conversation.jsonl "\"id\":2" "42")
  run(ldd "${WORK}/build/client_calculator")
  if(output MATCHES "libcurl")
    message(FATAL_ERROR "client_calculator is to load libcurl by itself:\n${output}")
  endif()
endif()
if(SQLITE)
  file(REMOVE "${WORK}/build/tasks.sqlite")
  # The second process finds the task of the first, and what it came to.
  ask(task_calculator tasks.jsonl "\"taskId\":" "\"id\":3")
  ask(task_calculator tasks.jsonl "\"status\":\"completed\"")
  run(ldd "${WORK}/build/task_calculator")
  if(STATIC AND output MATCHES "sqlite|boost|re2|sodium")
    message(FATAL_ERROR "task_calculator is to be linked with static libraries:\n${output}")
  elseif(NOT STATIC AND NOT output MATCHES "sqlite.*re2|re2.*sqlite")
    message(FATAL_ERROR "task_calculator is to be linked with shared libraries:\n${output}")
  endif()
endif()
