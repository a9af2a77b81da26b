# How tests are registered: the functions tests/CMakeLists.txt calls.
# Labels: unit, wire, process, cluster, mutants, hosts, fuzz, consumer, conversations (`ctest -L unit`).
include(${CMAKE_CURRENT_LIST_DIR}/not_sanitized.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/joined_tests.cmake)
if(TOOLWIRE_BUILD_TESTS)
  set(Boost_USE_STATIC_LIBS ${TOOLWIRE_STATIC_DEPENDENCIES})
  find_package(Boost 1.81 REQUIRED CONFIG COMPONENTS unit_test_framework)
endif()
set(toolwire_test_timeout 180)  # seconds, for what hangs: on a busy machine tests that wait a lot have taken 40
# Of the tests' own code: lines for a stack trace, a tenth less to compile. Where the library is optimised they are not:
# three times as quick to compile.
set(toolwire_test_options $<IF:$<CONFIG:Debug>,-g1,-O0>)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(toolwire_test_timeout 300)
  set(toolwire_test_options -O0)
  if(TOOLWIRE_FUZZ)
    list(APPEND toolwire_test_options -fno-sanitize=fuzzer-no-link)  # nobody looks at which lines of a test have run
  endif()
endif()

# What every test program gets: the library, its private headers, tests/support/ and a few paths.
add_library(toolwire_test_settings INTERFACE)
target_include_directories(toolwire_test_settings INTERFACE
  "${PROJECT_SOURCE_DIR}/framework/src" "${CMAKE_CURRENT_LIST_DIR}")
target_link_libraries(toolwire_test_settings INTERFACE
  toolwire::toolwire toolwire_warnings fmt::fmt-header-only toolwire::re2 toolwire::sodium)
target_compile_definitions(toolwire_test_settings INTERFACE
  TOOLWIRE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
  TOOLWIRE_SHARED_DIR="${TOOLWIRE_SHARED_DIR}"
  TOOLWIRE_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
if(TOOLWIRE_LLD)
  target_link_options(toolwire_test_settings INTERFACE -fuse-ld=lld)  # of release builds, too
endif()

# The private headers of other folders, for the tests that look inside.
foreach(folder IN ITEMS bridge framework/http tests/bench)
  get_filename_component(name "${folder}" NAME)
  add_library(${name}_private_headers INTERFACE)
  target_include_directories(${name}_private_headers INTERFACE "${PROJECT_SOURCE_DIR}/${folder}")
endforeach()

# Boost.Test as it is linked here; statically the library brings main().
add_library(toolwire_boost_test_library INTERFACE)
if(TOOLWIRE_BUILD_TESTS)
  target_link_libraries(toolwire_boost_test_library INTERFACE Boost::unit_test_framework)
  if(NOT TOOLWIRE_STATIC_DEPENDENCIES)
    target_compile_definitions(toolwire_boost_test_library INTERFACE BOOST_TEST_DYN_LINK)
  endif()
endif()

# The owner of the precompiled headers of all tests.
if(TOOLWIRE_BUILD_TESTS AND TOOLWIRE_PRECOMPILED_HEADERS)
  file(CONFIGURE OUTPUT test_headers.cpp CONTENT "// Only here to own precompiled headers.\n")
  add_library(toolwire_test_headers OBJECT "${CMAKE_CURRENT_BINARY_DIR}/test_headers.cpp")
  target_compile_options(toolwire_test_headers PRIVATE ${toolwire_test_options})
  target_link_libraries(toolwire_test_headers PRIVATE toolwire_test_settings toolwire_boost_test_library)
  toolwire_own_precompiled_headers(toolwire_test_headers <boost_test_without_main.hpp>)
endif()

if(TOOLWIRE_BUILD_TESTS AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  add_library(toolwire_one_thread OBJECT support/one_thread.cpp)
endif()

# What the program of a test is linked with; more arguments are libraries.
function(toolwire_make_test program one_thread)
  target_compile_options(${program} PRIVATE ${toolwire_test_options})
  target_link_libraries(${program} PRIVATE ${ARGN} toolwire_test_settings toolwire_boost_test_library)
  toolwire_share_precompiled_headers(toolwire_test_headers ${program})
  if(one_thread AND TARGET toolwire_one_thread)
    target_link_libraries(${program} PRIVATE toolwire_one_thread)
  endif()
endfunction()

# The test <name> of <folder>/<name>.cpp with Boost.Test: an executable of its own, or one with others (joined_tests.cmake).
# More arguments are libraries it links.
function(toolwire_boost_test folder label name)
  toolwire_not_sanitized(${name} left_out)
  if(NOT TOOLWIRE_BUILD_TESTS OR left_out)
    return()
  endif()
  set(one_thread FALSE)
  if(name IN_LIST toolwire_tests_of_one_thread)
    set(one_thread TRUE)
  endif()
  toolwire_can_be_joined(${folder} ${name} joined)
  if(joined)
    toolwire_join_test(${folder} ${name} ${one_thread} ${ARGN})
  else()
    add_executable(${name} ${folder}/${name}.cpp)
    toolwire_make_test(${name} ${one_thread} ${ARGN})
    add_test(NAME ${name} COMMAND ${name})
  endif()
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT ${toolwire_test_timeout})
endfunction()

# More arguments are programs that the test <name> starts, where that is built.
function(toolwire_starts name)
  get_property(program GLOBAL PROPERTY toolwire_program_of_${name})
  if(program)
    set_property(GLOBAL APPEND PROPERTY ${program}_starts ${ARGN})
  elseif(TARGET ${name})
    add_dependencies(${name} ${ARGN})
  endif()
endfunction()

# unit/<name>.cpp
function(toolwire_unit_test name)
  toolwire_boost_test(unit unit ${name} ${ARGN})
endfunction()

# wire/<name>.cpp: whole conversations through the in-memory transport
function(toolwire_wire_test name)
  toolwire_boost_test(wire wire ${name} ${ARGN})
endfunction()

# process/<name>.cpp: real child processes
function(toolwire_process_test name)
  toolwire_boost_test(process process ${name} ${ARGN})
endfunction()

# unit/<name>.cpp of a server: left out when the folder servers/<server> is gone or servers are not built.
function(toolwire_server_test server name)
  if(TOOLWIRE_BUILD_SERVERS AND EXISTS "${PROJECT_SOURCE_DIR}/servers/${server}/CMakeLists.txt")
    toolwire_boost_test(unit unit ${name} ${ARGN})
  endif()
endfunction()

# unit/<name>.cpp of the program `toolwire`.
function(toolwire_tools_test name)
  if(TARGET toolwire_tools)
    toolwire_boost_test(unit unit ${name} toolwire_tools ${ARGN})
  endif()
endfunction()

# unit/<name>.cpp of the bridge: left out when the folder bridge/ is gone. Sees the bridge's private headers.
function(toolwire_bridge_test name)
  if(TARGET toolwire_bridge)
    toolwire_boost_test(unit unit ${name} toolwire_bridge bridge_private_headers ${ARGN})
  endif()
endfunction()

# process/<name>.cpp of the bridge: the same with real child processes.
function(toolwire_bridge_process_test name)
  if(TARGET toolwire_bridge)
    toolwire_boost_test(process process ${name} toolwire_bridge bridge_private_headers ${ARGN})
  endif()
endfunction()

# unit/<name>.cpp of the conformance suite: left out when the folder conformance/ is gone. Sees its private headers.
function(toolwire_conformance_test name)
  if(TARGET toolwire_conformance)
    toolwire_boost_test(unit unit ${name} toolwire_conformance ${ARGN})
  endif()
endfunction()

# process/<name>.cpp of the conformance suite: runs the program itself against real servers.
function(toolwire_conformance_process_test name)
  if(TARGET toolwire-conformance)
    toolwire_boost_test(process process ${name} ${ARGN})
    toolwire_starts(${name} toolwire-conformance)
  endif()
endfunction()

# fuzz/<name>.cpp, a libFuzzer target named *_fuzz. It starts from fuzz/corpus/<name>/ where that exists, and keeps what
# it finds in the build folder.
# What fails on one machine is to fail on the next, and a change is not to be held up by what another has missed.
set(TOOLWIRE_ATTACK_SEED 1 CACHE STRING "Of fuzz targets and mutated conversations as tests; 0: another each time")
set(TOOLWIRE_FUZZ_SECONDS 20 CACHE STRING "How long each fuzz target runs as a test")
function(toolwire_fuzz_target name)
  if(NOT TOOLWIRE_FUZZ)
    return()
  endif()
  add_executable(${name} fuzz/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${ARGN} toolwire_test_settings)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set(folders "${CMAKE_BINARY_DIR}/corpus/${name}")
  file(MAKE_DIRECTORY ${folders})
  if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name}")
    list(APPEND folders "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name}")
  endif()
  add_test(NAME ${name} COMMAND ${name} -seed=${TOOLWIRE_ATTACK_SEED} -max_total_time=${TOOLWIRE_FUZZ_SECONDS} -timeout=20 -rss_limit_mb=2048
           -print_final_stats=1 -artifact_prefix=${CMAKE_BINARY_DIR}/corpus/ ${folders})
  math(EXPR limit "${TOOLWIRE_FUZZ_SECONDS} + 120")
  set_tests_properties(${name} PROPERTIES LABELS fuzz TIMEOUT ${limit})
endfunction()

# fuzz/<name>.cpp of the bridge: left out when the folder bridge/ is gone. Sees the bridge's private headers.
function(toolwire_bridge_fuzz_target name)
  if(TARGET toolwire_bridge)
    toolwire_fuzz_target(${name} toolwire_bridge bridge_private_headers ${ARGN})
  endif()
endfunction()
