#include <toolwire/command_line.hpp>

#define BOOST_TEST_MODULE command_line_test
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using toolwire::CommandLine;

namespace {

/// A command line with one option of every kind.
struct Line {
  std::string root = "usual";
  std::vector<std::string> skipped;
  bool quiet = false;
  CommandLine line{"workspace", "1.2.3", "Files below one folder."};

  Line() {
    ::unsetenv("TOOLWIRE_TRACE");
    line.option("--root,-r", "DIR", "The folder", root);
    line.option("--skip", "NAME", "Not this", skipped);
    line.flag("--quiet", "Say little", quiet);
  }

  std::optional<int> parse(std::vector<const char*> words) {
    words.insert(words.begin(), "workspace");
    return line.parse(static_cast<int>(words.size()), words.data());
  }
};

int status_of(const std::vector<const char*>& words) { return Line().parse(words).value_or(-1); }

}  // namespace

BOOST_AUTO_TEST_CASE(without_arguments_the_program_serves) {
  Line given;
  BOOST_TEST(!given.parse({}).has_value());
  BOOST_TEST((given.line.action() == CommandLine::Action::serve));
  BOOST_TEST(given.root == "usual");
  BOOST_TEST(given.line.trace_file() == "");
}

BOOST_AUTO_TEST_CASE(a_line_that_was_never_parsed_serves) {
  BOOST_TEST((CommandLine("a", "1", "").action() == CommandLine::Action::serve));
}

BOOST_AUTO_TEST_CASE(own_options_reach_their_variables) {
  Line given;
  BOOST_TEST(!given.parse({"--root=/srv", "--quiet", "--skip", "a", "--skip", "[b,c]"}).has_value());
  BOOST_TEST(given.root == "/srv");
  BOOST_TEST(given.quiet);
  BOOST_TEST(given.skipped == (std::vector<std::string>{"a", "[b,c]"}), boost::test_tools::per_element());
  Line brief;
  BOOST_TEST(!brief.parse({"-r", "/tmp"}).has_value());
  BOOST_TEST(brief.root == "/tmp");
}

BOOST_AUTO_TEST_CASE(an_option_is_not_given_an_empty_value) {
  for (const std::vector<const char*>& words : {std::vector<const char*>{"--root", ""},
                                                {"--root="},
                                                {"-r", ""},
                                                {"--trace", ""},
                                                {"--trace="},
                                                {"--root=", "/srv"}})
    BOOST_TEST(status_of(words) == 2, words.front());
  Line given;
  BOOST_TEST(!given.parse({"--skip", ""}).has_value());  // a program sees it in a list
  BOOST_TEST(given.skipped == std::vector<std::string>{""}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_list_option_does_not_swallow_the_next_argument) {
  BOOST_TEST(status_of({"--skip", "a", "b"}) == 2);
}

BOOST_AUTO_TEST_CASE(help_and_version_end_the_program_well) {
  BOOST_TEST(status_of({"--help"}) == 0);
  BOOST_TEST(status_of({"-h"}) == 0);
  BOOST_TEST(status_of({"--version"}) == 0);
}

BOOST_AUTO_TEST_CASE(list_is_an_action) {
  Line given;
  BOOST_TEST(!given.parse({"--list", "--json"}).has_value());
  BOOST_TEST((given.line.action() == CommandLine::Action::list));
  BOOST_TEST(given.line.as_json());
}

BOOST_AUTO_TEST_CASE(call_takes_a_name_and_perhaps_arguments) {
  Line bare;
  BOOST_TEST(!bare.parse({"--call", "read"}).has_value());
  BOOST_TEST((bare.line.action() == CommandLine::Action::call));
  BOOST_TEST(bare.line.tool() == "read");
  BOOST_TEST(bare.line.arguments() == "{}");
  Line full;
  BOOST_TEST(!full.parse({"--call", "read", R"({"path":"a,b"})", "--root", "/srv"}).has_value());
  BOOST_TEST(full.line.arguments() == R"({"path":"a,b"})");
  BOOST_TEST(full.root == "/srv");
  Line piped;
  BOOST_TEST(!piped.parse({"--call", "read", "-"}).has_value());
  BOOST_TEST(piped.line.arguments() == "-");
  Line list;
  BOOST_TEST(!list.parse({"--call", "read", "[1,2]"}).has_value());
  BOOST_TEST(list.line.arguments() == "[1,2]");
}

BOOST_AUTO_TEST_CASE(the_trace_comes_from_the_option_or_else_from_the_environment) {
  ::setenv("TOOLWIRE_TRACE", "from-environment", 1);
  CommandLine plain("a", "1", "");
  CommandLine given("a", "1", "");
  ::unsetenv("TOOLWIRE_TRACE");
  BOOST_TEST(plain.trace_file() == "from-environment");
  const char* const words[] = {"a", "--trace", "from-option"};
  BOOST_TEST(!given.parse(3, words).has_value());
  BOOST_TEST(given.trace_file() == "from-option");
}

BOOST_AUTO_TEST_CASE(mistakes_end_with_status_2) {
  BOOST_TEST(status_of({"--nonsense"}) == 2);
  BOOST_TEST(status_of({"stray"}) == 2);
  BOOST_TEST(status_of({"--root"}) == 2);
  BOOST_TEST(status_of({"--root", "--quiet"}) == 2);
  BOOST_TEST(status_of({"--call"}) == 2);
  BOOST_TEST(status_of({"--call", "a", "{}", "b"}) == 2);
  BOOST_TEST(status_of({"--list", "--call", "a"}) == 2);
  BOOST_TEST(status_of({"--json"}) == 2);
  BOOST_TEST(status_of({"--trace"}) == 2);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_no_option_or_is_taken_is_refused) {
  std::string value;
  CommandLine line("a", "1", "");
  BOOST_CHECK_THROW(line.option("root", "DIR", "", value), std::invalid_argument);
  line.option("--root", "DIR", "", value);
  BOOST_CHECK_THROW(line.option("--root", "DIR", "", value), std::invalid_argument);
  BOOST_CHECK_THROW(line.option("--list", "X", "", value), std::invalid_argument);
  BOOST_CHECK_THROW(line.option("--host,-h", "X", "", value), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(operands_stand_anywhere_between_options) {
  std::vector<std::string> files;
  Line given;
  given.line.operands("FILE", "What to serve", files);
  BOOST_TEST(!given.parse({"a.json", "--skip", "x", "b.json", "--quiet", "c.json"}).has_value());
  BOOST_TEST(files == (std::vector<std::string>{"a.json", "b.json", "c.json"}), boost::test_tools::per_element());
  BOOST_TEST(given.skipped == (std::vector<std::string>{"x"}), boost::test_tools::per_element());
  Line wrong;
  wrong.line.operands("FILE", "", files);
  BOOST_TEST(wrong.parse({"a", "--quit"}).value_or(-1) == 2);
  BOOST_CHECK_THROW(Line().line.operands("--file", "", files), std::invalid_argument);
}
