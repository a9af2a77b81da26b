#include "commands/back_end_settings.hpp"

#define BOOST_TEST_MODULE bridge_back_end_settings_test
#include <boost/test/unit_test.hpp>

#include <stdexcept>

#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using toolwire_test::ScratchFolder;

namespace {

std::vector<std::string> words(std::string_view command) { return back_end_from("n=" + std::string(command)).command; }

std::vector<std::string> problems_of(const char* text) {
  Findings findings("f");
  const auto read = read_back_end("n", parse_json(text), "/servers/n", "/d", findings);
  std::vector<std::string> problems;
  for (const auto& problem : findings.take_problems("")) problems.push_back(problem.pointer);
  BOOST_TEST(read.has_value() == problems.empty());
  return problems;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_command_line_is_split_into_words_and_nothing_is_expanded) {
  BOOST_TEST(words("a  b\tc") == std::vector<std::string>({"a", "b", "c"}), boost::test_tools::per_element());
  BOOST_TEST(
      words(R"(a "b c" 'd "e' f\ g "\"" '')") == std::vector<std::string>({"a", "b c", "d \"e", "f g", "\"", ""}),
      boost::test_tools::per_element());
  BOOST_TEST(words("a $HOME `ls` *;|") == std::vector<std::string>({"a", "$HOME", "`ls`", "*;|"}),
             boost::test_tools::per_element());
  BOOST_TEST(back_end_from("x=y --key=value").name == "x");
}

BOOST_AUTO_TEST_CASE(a_server_without_a_name_a_program_or_a_closing_quote_is_refused) {
  for (const char* const text : {"", "program", "=program", "a b=program", "n=", "n=  ", "n=a 'b"})
    BOOST_CHECK_THROW(back_end_from(text), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(an_entry_of_servers_is_read) {
  Findings findings("f");
  const auto read = read_back_end("n", parse_json(R"j({"command": ["p", "a"], "environment": {"K": "v"},
    "inherit_environment": false, "directory": "/d", "prefix": true, "on_change": "accept"})j"),
                                  "/servers/n", "/d", findings);
  BOOST_TEST_REQUIRE(read.has_value());
  BOOST_TEST(read->command == std::vector<std::string>({"p", "a"}), boost::test_tools::per_element());
  BOOST_TEST(read->environment.at("K") == "v");
  BOOST_TEST((read->inherit.extent == mcp::InheritedEnvironment::Extent::none));
  BOOST_TEST((read->prefix == mcp::Prefix::always));
  BOOST_TEST((read->on_change == mcp::OnChange::accept));
  BOOST_TEST(!read->pinned.has_value());
}

BOOST_AUTO_TEST_CASE(an_entry_with_an_address_is_read_and_has_nothing_of_a_program) {
  Findings findings("f");
  const auto read =
      read_back_end("n", parse_json(R"j({"url": "https://x/mcp", "headers": {"A": "b"}, "prefix": "never"})j"),
                    "/servers/n", "/d", findings);
  BOOST_TEST_REQUIRE(read.has_value());
  BOOST_TEST_REQUIRE(read->remote.has_value());
  BOOST_TEST(read->remote->url == "https://x/mcp");
  BOOST_TEST((read->remote->headers == HttpHeaders{{"A", "b"}}));
  BOOST_TEST(read->command.empty());
  BOOST_TEST((read->prefix == mcp::Prefix::never));
  BOOST_TEST(problems_of(R"j({"url": "https://x", "command": ["p"], "env": {}})j") ==
                 std::vector<std::string>({"/servers/n/command", "/servers/n/env"}),
             boost::test_tools::per_element());
  BOOST_TEST(problems_of(R"j({"url": "ftp://x", "headers": {"Host": "y", "A": 1, "B": "a\nb"}})j") ==
                 std::vector<std::string>(
                     {"/servers/n/url", "/servers/n/headers/Host", "/servers/n/headers/A", "/servers/n/headers/B"}),
             boost::test_tools::per_element());
  BOOST_TEST(
      problems_of(R"j({"command": ["p"], "headers": {"A": "b"}})j") == std::vector<std::string>({"/servers/n/headers"}),
      boost::test_tools::per_element());
  BOOST_TEST(back_end_from("n=https://x/mcp").remote.value().url == "https://x/mcp");
}

BOOST_AUTO_TEST_CASE(times_and_pinned_tools_of_an_entry_are_read) {
  const char* const listing = R"j({"tools": [{"name": "t", "inputSchema": {"type": "object"}}]})j";
  const ScratchFolder folder;
  folder.file("pinned.json", listing);
  for (const std::string& pinned : {std::string(listing), std::string(R"("pinned.json")")}) {
    Findings findings("f");
    const auto read = read_back_end("n",
                                    parse_json(R"j({"command": ["p"], "start_timeout_seconds": 1, "wait_seconds": 2,
                                          "question_timeout_seconds": 3, "pinned": )j" +
                                               pinned + "}"),
                                    "/servers/n", folder.text(), findings);
    BOOST_TEST_REQUIRE(read.has_value());
    BOOST_TEST((read->start_timeout == std::chrono::seconds(1)));
    BOOST_TEST((read->max_wait == std::chrono::seconds(2)));
    BOOST_TEST((read->question_age == std::chrono::seconds(3)));
    BOOST_TEST_REQUIRE(read->pinned.has_value());
    BOOST_TEST(read->pinned->find("t") != nullptr);
    BOOST_TEST(read->directory == folder.text());
  }
}

BOOST_AUTO_TEST_CASE(everything_that_is_wrong_with_an_entry_is_named) {
  BOOST_TEST(problems_of(R"j({"command": ["p"], "pinned": {"tools": [{}]}, "wait_seconds": 0})j") ==
                 std::vector<std::string>({"/servers/n/pinned", "/servers/n/wait_seconds"}),
             boost::test_tools::per_element());
  BOOST_TEST(problems_of(R"j({"command": ["p"], "pinned": "nowhere.json"})j") ==
                 std::vector<std::string>({"/servers/n/pinned"}),
             boost::test_tools::per_element());
  BOOST_TEST(problems_of("[]") == std::vector<std::string>({"/servers/n"}), boost::test_tools::per_element());
  BOOST_TEST(problems_of(R"j({"comand": [], "environment": {"K": 1}, "on_change": "maybe"})j") ==
                 std::vector<std::string>(
                     {"/servers/n/comand", "/servers/n/command", "/servers/n/environment/K", "/servers/n/on_change"}),
             boost::test_tools::per_element());
}
