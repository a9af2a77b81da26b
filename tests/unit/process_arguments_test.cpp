#include "server/process_arguments.hpp"

#define BOOST_TEST_MODULE process_arguments_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace std::string_literals;
using toolwire::server::arguments_of;
using toolwire::server::ask_for_options;
using toolwire::server::process_arguments;

BOOST_AUTO_TEST_CASE(the_arguments_are_those_main_was_given) {
  const auto& suite = boost::unit_test::framework::master_test_suite();
  const auto arguments = process_arguments();
  BOOST_TEST_REQUIRE(arguments.has_value());
  BOOST_TEST(arguments->front() == suite.argv[0]);
}

BOOST_AUTO_TEST_CASE(empty_arguments_and_spaces_are_kept) {
  const auto arguments = arguments_of("hello\0\0a b\0"s, "hello");
  BOOST_TEST_REQUIRE(arguments.has_value());
  BOOST_TEST(*arguments == (std::vector<std::string>{"hello", "", "a b"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(arguments_of_another_program_are_not_taken) {
  BOOST_TEST(!arguments_of("/lib64/ld-linux-x86-64.so.2\0./hello\0--list\0"s, "./hello").has_value());
  BOOST_TEST(!arguments_of("", "hello").has_value());
  BOOST_TEST(!arguments_of("hello: serving", "hello").has_value());
}

BOOST_AUTO_TEST_CASE(only_an_option_in_the_first_place_is_taken_as_meant_for_toolwire) {
  BOOST_TEST(ask_for_options({"hello", "--list"}));
  BOOST_TEST(ask_for_options({"hello", "--nonsense"}));
  BOOST_TEST(ask_for_options({"hello", "-h"}));
  BOOST_TEST(!ask_for_options({"hello"}));
  BOOST_TEST(!ask_for_options({"hello", "serve", "--list"}));
  BOOST_TEST(!ask_for_options({"python", "-m", "module"}));
}
