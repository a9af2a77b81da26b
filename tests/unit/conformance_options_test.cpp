#include "command/options.hpp"

#define BOOST_TEST_MODULE conformance_options_test
#include <boost/test/unit_test.hpp>

#include "driver/http_server.hpp"
#include "scratch_folder.hpp"

using namespace toolwire::conformance;
using std::chrono_literals::operator""ms;

namespace {

int status_of(const std::vector<std::string>& arguments) {
  try {
    read_options(arguments);
  } catch (const UsageEnd& end) {
    BOOST_TEST_MESSAGE(end.what());
    return end.status;
  }
  return -1;
}

std::string text_of_usage(const std::vector<std::string>& arguments) {
  try {
    read_options(arguments);
  } catch (const UsageEnd& end) {
    return end.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(what_stands_behind_the_dashes_is_the_servers) {
  const Options options = read_options({"--strict", "--", "node", "server.js", "--json", "--", "x"});
  const std::vector<std::string> expected = {"node", "server.js", "--json", "--", "x"};
  BOOST_TEST(options.target.launch.command == expected, boost::test_tools::per_element());
  BOOST_TEST(options.strict);
  BOOST_TEST(options.files.json == "");
}

BOOST_AUTO_TEST_CASE(times_are_seconds) {
  const Options options = read_options({"--timeout", "0.5", "--start-timeout", "30", "--", "s"});
  BOOST_TEST((options.target.timeout == 500ms));
  BOOST_TEST((options.target.start_timeout == 30'000ms));
}

BOOST_AUTO_TEST_CASE(what_is_no_time_is_refused) {
  for (const char* option : {"--timeout", "--start-timeout", "--budget"}) {
    for (const char* time : {"nan", "inf", "0", "-1", "5s", " ", "1e9"})
      BOOST_TEST(has(text_of_usage({option, time, "--", "s"}), "expected seconds from 0.05 to"), option << " " << time);
    BOOST_TEST(has(text_of_usage({option, "", "--", "s"}), "expected a value, found an empty one"), option);
  }
}

BOOST_AUTO_TEST_CASE(patience_is_asked_for_and_repeated) {
  BOOST_TEST(!read_options({"--", "s"}).target.patient);
  const Options options = read_options({"--patient", "--", "s"});
  BOOST_TEST(options.target.patient);
  BOOST_TEST(options.repeat_options == std::vector<std::string>{"--patient"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(lists_may_be_given_with_commas_or_repeated) {
  const Options options = read_options({"--only", "ping,tools", "--only", "ping-prompt", "--", "s"});
  const std::vector<std::string> expected = {"ping", "tools", "ping-prompt"};
  BOOST_TEST(options.selection.only == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_command_line_that_makes_no_sense_says_what_was_expected) {
  BOOST_TEST(has(text_of_usage({}), "-- SERVER"));
  BOOST_TEST(has(text_of_usage({"node", "server.js"}), "behind --"));
  BOOST_TEST(has(text_of_usage({"--only", "pong", "--", "s"}), "neither a check nor a group"));
  BOOST_TEST(has(text_of_usage({"--revision", "2025", "--", "s"}), "no revision"));
  BOOST_TEST(has(text_of_usage({"--env", "X", "--", "s"}), "NAME=VALUE"));
  BOOST_TEST(has(text_of_usage({"--write-baseline", "--", "s"}), "--baseline"));
  BOOST_TEST(
      has(text_of_usage({"--profile", "/nowhere.json", "--", "s"}), "/nowhere.json: cannot be read: No such file"));
}

BOOST_AUTO_TEST_CASE(help_is_no_mistake) {
  BOOST_TEST(status_of({"--help"}) == 0);
  BOOST_TEST(status_of({"--version"}) == 0);
  BOOST_TEST(status_of({"--unknown", "--", "s"}) == 2);
  BOOST_TEST(status_of({"--timeout", "never", "--", "s"}) == 2);
}

BOOST_AUTO_TEST_CASE(a_secret_of_the_environment_is_not_repeated) {
  const Options options = read_options({"--env", "TOKEN=secret", "--", "s"});
  BOOST_TEST(options.target.launch.environment.at("TOKEN") == "secret");
  const std::vector<std::string> expected = {"--env TOKEN=\"$TOKEN\""};
  BOOST_TEST(options.repeat_options == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_profile_names_fixtures_and_nothing_else) {
  const toolwire_test::ScratchFolder folder;
  const auto good = folder.file("good.json", R"({"tool:echo": {"name": "say", "arguments": {"what": "<TEXT>"}}})");
  const auto bad = folder.file("bad.json", R"({"tool:nothing": {"name": "x"}})");
  const auto broken = folder.file("broken.json", "{");
  BOOST_TEST(read_options({"--profile", good, "--", "s"}).target.profile.find("tool:echo")->name == "say");
  BOOST_TEST(has(text_of_usage({"--profile", bad, "--", "s"}), "tool:nothing"));
  BOOST_TEST(has(text_of_usage({"--profile", broken, "--", "s"}), "is no JSON"));
}

BOOST_AUTO_TEST_CASE(a_run_may_be_quick_or_have_a_budget) {
  BOOST_TEST(!read_options({"--", "x"}).selection.quick);
  BOOST_TEST(!read_options({"--", "x"}).selection.fast_first);
  BOOST_TEST(read_options({"--quick", "--", "x"}).selection.quick);
  const Options options = read_options({"--budget", "1.5", "--", "x"});
  BOOST_TEST((options.budget == 1500ms && options.selection.fast_first));
  BOOST_TEST(status_of({"--budget", "0", "--", "x"}) == 2);
  BOOST_TEST(has(text_of_usage({"--quick", "--patient", "--", "x"}), "choose one"));
}

BOOST_AUTO_TEST_CASE(conversations_by_chance_are_asked_for_with_their_number) {
  BOOST_TEST(!read_options({"--", "x"}).target.fuzzing);
  const Options options = read_options({"--fuzz", "0", "--for", "2.5", "--only", "ping,fuzz", "--", "x"});
  BOOST_REQUIRE(options.target.fuzzing.has_value());
  BOOST_TEST((options.target.fuzzing->seed == 0U && options.target.fuzzing->time == 2'500ms));
  const std::vector<std::string> repeated{"--fuzz 0", "--for 2.5"};
  BOOST_TEST(options.repeat_options == repeated, boost::test_tools::per_element());
  BOOST_TEST(has(text_of_usage({"--fuzz", "--", "x"}), "--fuzz"));
  for (const char* const wrong : {"-1", " ", "1x", "18446744073709551616"})
    BOOST_TEST(has(text_of_usage({"--fuzz", wrong, "--", "x"}), "--fuzz: expected a whole number from 0 to "), wrong);
  BOOST_TEST(has(text_of_usage({"--fuzz", "", "--", "x"}), "--fuzz: expected a value, found an empty one"));
  BOOST_TEST(has(text_of_usage({"--for", "3", "--", "x"}), "--for goes with --fuzz SEED"));
  BOOST_TEST(has(text_of_usage({"--fuzz", "1", "--for", "0", "--", "x"}), "--for"));
  BOOST_TEST(has(text_of_usage({"--fuzz", "1", "--http", "http://127.0.0.1:1/mcp"}), "not for --http"));
  BOOST_TEST(has(text_of_usage({"--fuzz", "1", "--quick", "--", "x"}), "choose one"));
  BOOST_TEST(has(text_of_usage({"--fuzz", "1", "--only", "ping", "--", "x"}), "--only leaves it out"));
  BOOST_TEST(has(text_of_usage({"--only", "fuzz", "--", "x"}), "expected --fuzz SEED"));
  BOOST_TEST(status_of({"--explain", "fuzz"}) == -1);
}

BOOST_AUTO_TEST_CASE(a_server_over_http_has_a_url_and_may_have_headers_and_a_command) {
  const Options alone = read_options({"--http", "http://127.0.0.1:8080/mcp"});
  BOOST_REQUIRE(alone.target.launch.http != nullptr);
  BOOST_TEST(alone.target.launch.command.empty());
  const Options started = read_options(
      {"--http", "http://127.0.0.1:8080/mcp", "--header", "Authorization: Bearer secret", "--", "node", "server.js"});
  BOOST_TEST(started.target.launch.command.size() == 2U);
  BOOST_REQUIRE(started.target.launch.http->headers().size() == 1U);
  BOOST_TEST(started.target.launch.http->headers().front().second == "Bearer secret");
  for (const std::string& word : started.repeat_options) BOOST_TEST(!has(word, "secret"), word);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_judged_over_http_is_said) {
  BOOST_TEST(has(text_of_usage({"--http", "https://127.0.0.1/mcp"}), "TLS"));
  BOOST_TEST(has(text_of_usage({"--http", "127.0.0.1:8080"}), "expected http://"));
  BOOST_TEST(has(text_of_usage({"--http", "http://127.0.0.1:1/", "--header", "no colon"}), "NAME: VALUE"));
  BOOST_TEST(has(text_of_usage({"--http", "http://127.0.0.1:1/", "--header", "A: b\r\nC: d"}), "NAME: VALUE"));
  BOOST_TEST(has(text_of_usage({"--header", "A: b", "--", "server"}), "--http"));
  const std::vector<std::string> two{"--http", "http://127.0.0.1:1/", "--header", "A: b", "--other-header", "A: c"};
  const Options known = read_options(two);
  BOOST_TEST(known.target.launch.http->headers().size() == 1U);
  BOOST_REQUIRE(known.target.launch.http->other_caller().size() == 1U);
  BOOST_TEST(known.target.launch.http->other_caller().front().second == "c");
  BOOST_TEST(has(text_of_usage({"--http", "http://127.0.0.1:1/", "--other-header", "A: b"}), "expected --header"));
  BOOST_TEST(has(text_of_usage({"--http", "http://127.0.0.1:1/", "--header", "A: b", "--other-header", "x"}),
                 "--other-header: expected NAME: VALUE"));
  BOOST_TEST(has(text_of_usage({"--other-header", "A: b", "--", "server"}), "--other-header goes with --http"));
  BOOST_TEST(has(text_of_usage({"--http", "http://127.0.0.1:1/", "--env", "A=b"}), "started"));
}
