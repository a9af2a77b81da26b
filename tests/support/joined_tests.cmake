# Tests compiled together, eight of a folder and of the same libraries at a time, where TOOLWIRE_JOIN_SOURCES is on: half of the
# compiler's time. One program has the cases of all of them, and each test runs its own file's.
#
# The file that is compiled includes what they include, and then each of them in a suite of its name, which is a namespace.
# That cannot hold what has to stand outside of any, nor cases that are added by hand: such a test is a program of its own, as
# all are otherwise.
string(JOIN "|" toolwire_apart_lines "^#if" "^#define [^B]" "^template <>" "operator new" "extern \"C\""
  "^namespace (toolwire|std)" GLOBAL_FIXTURE DONT_PRINT_LOG_VALUE master_test_suite "^const bool registered" "register_rows")

# These have options or definitions of their own.
set(toolwire_tests_apart
  async_test bridge_attach_death_test bridge_attach_killed_test bridge_attach_sharing_test bridge_attach_systemd_test
  bridge_http_listening_test bridge_killed_state_test bridge_typescript_test expected_results_test moved_handlers_test
  tasks_killed_test toolwire_pack_test)

# Sets <variable> to whether <folder>/<name>.cpp can be compiled with others.
function(toolwire_can_be_joined folder name variable)
  set(${variable} FALSE PARENT_SCOPE)
  if(NOT TOOLWIRE_JOIN_SOURCES OR folder STREQUAL wire OR name IN_LIST toolwire_tests_apart)
    return()
  endif()
  file(STRINGS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/${name}.cpp" apart REGEX "${toolwire_apart_lines}" LIMIT_COUNT 1)
  if(NOT apart)
    set(${variable} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Registers the test <name> of <folder>; more arguments are libraries. Its program is made by toolwire_make_joined_tests.
function(toolwire_join_test folder name one_thread)
  string(MAKE_C_IDENTIFIER "${folder}_${one_thread}_${ARGN}" kind)
  get_property(names GLOBAL PROPERTY toolwire_joined_${kind})
  list(LENGTH names count)
  math(EXPR part "${count} % 8")
  if(part EQUAL 0)
    get_property(programs GLOBAL PROPERTY toolwire_joined_programs)
    list(LENGTH programs number)
    set(program joined_tests_${number})
    set_property(GLOBAL APPEND PROPERTY toolwire_joined_programs ${program})
    set_property(GLOBAL PROPERTY toolwire_joined_${kind}_program ${program})
    set_property(GLOBAL PROPERTY ${program}_libraries ${ARGN})
    set_property(GLOBAL PROPERTY ${program}_one_thread ${one_thread})
  endif()
  get_property(program GLOBAL PROPERTY toolwire_joined_${kind}_program)
  set_property(GLOBAL APPEND PROPERTY toolwire_joined_${kind} ${name})
  set_property(GLOBAL PROPERTY toolwire_program_of_${name} ${program})
  set_property(GLOBAL APPEND PROPERTY ${program}_files ${folder}/${name}.cpp)
  add_test(NAME ${name} COMMAND ${program} --run_test=${name})
endfunction()

# Makes the programs of all tests that have been joined.
function(toolwire_make_joined_tests)
  get_property(programs GLOBAL PROPERTY toolwire_joined_programs)
  foreach(program IN LISTS programs)
    get_property(files GLOBAL PROPERTY ${program}_files)
    get_property(libraries GLOBAL PROPERTY ${program}_libraries)
    get_property(one_thread GLOBAL PROPERTY ${program}_one_thread)
    set(all_includes "")
    set(suites "")
    foreach(file IN LISTS files)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
      file(STRINGS "${CMAKE_CURRENT_SOURCE_DIR}/${file}" includes REGEX "^#include")
      list(APPEND all_includes ${includes})
      get_filename_component(name "${file}" NAME_WE)
      # Relative, as in framework/cmake/joined_sources.cmake.
      file(RELATIVE_PATH path "${CMAKE_CURRENT_BINARY_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
      string(APPEND suites "\n#undef BOOST_TEST_MODULE\nBOOST_AUTO_TEST_SUITE(${name})\n"
        "#include \"${path}\"\nBOOST_AUTO_TEST_SUITE_END()\n")
    endforeach()
    list(LENGTH files count)
    list(REMOVE_DUPLICATES all_includes)
    list(JOIN all_includes "\n" all_includes)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${program}.cpp")
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT "// Made by support/joined_tests.cmake.
#define BOOST_TEST_MODULE ${program}
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <cstdlib>
@all_includes@
@suites@
namespace {
// What stands beside the suites would be run by no test.
struct EveryCaseIsInASuite {
  EveryCaseIsInASuite() {
    if (boost::unit_test::framework::master_test_suite().size() == ${count}) return;
    std::fputs(\"expected a suite for each file and no case beside them; see support/joined_tests.cmake\\n\", stderr);
    std::exit(1);
  }
};
BOOST_GLOBAL_FIXTURE(EveryCaseIsInASuite);
}  // namespace
")
    add_executable(${program} "${source}")
    set_target_properties(${program} PROPERTIES TOOLWIRE_JOINED ON)
    # Which warns of fixtures in the unnamed namespace of a file that is included.
    target_compile_options(${program} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    toolwire_make_test(${program} ${one_thread} ${libraries})
    get_property(starts GLOBAL PROPERTY ${program}_starts)
    if(starts)
      add_dependencies(${program} ${starts})
    endif()
  endforeach()
endfunction()
