// The options every program has, as a newcomer meets them: with the hello server, whose main passes its arguments on.
#include <toolwire/child_process.hpp>

#define BOOST_TEST_MODULE hello_options_test
#include <boost/test/unit_test.hpp>
#include <toolwire/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "file_content.hpp"
#include "program_run.hpp"
#include "scratch_folder.hpp"

using toolwire::parse_json;
using toolwire::Program;
using toolwire_test::content_of;
using toolwire_test::ProgramRun;
using toolwire_test::run_program;
using toolwire_test::ScratchFolder;

namespace {

ProgramRun hello(const std::vector<std::string>& arguments, const std::string& input = "") {
  Program program{.command = {TOOLWIRE_BIN_DIR "/hello"}};
  program.command.insert(program.command.end(), arguments.begin(), arguments.end());
  return run_program(program, input);
}

bool has(const std::string& text, const std::string& part) {
  BOOST_TEST_MESSAGE(text);
  return text.find(part) != std::string::npos;
}

const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

}  // namespace

BOOST_AUTO_TEST_CASE(help_names_every_option) {
  const ProgramRun help = hello({"--help"});
  BOOST_TEST(help.status == 0);
  for (const char* const option : {"--help", "--version", "--list", "--call NAME [JSON]", "--json", "--trace FILE"}) {
    BOOST_TEST(has(help.out, option));
  }
}

BOOST_AUTO_TEST_CASE(version_is_name_and_version) {
  const ProgramRun version = hello({"--version"});
  BOOST_TEST(version.status == 0);
  BOOST_TEST(version.out == "calculator 1.0.0\n");
}

BOOST_AUTO_TEST_CASE(list_shows_the_tools_to_people_or_as_json) {
  const ProgramRun list = hello({"--list"});
  BOOST_TEST(list.status == 0);
  BOOST_TEST(list.out == "add: Add two numbers\n    a  number  First number\n    b  number  Second number\n");
  BOOST_TEST((parse_json(hello({"--list", "--json"}).out).at(0).at("name") == "add"));
}

BOOST_AUTO_TEST_CASE(call_prints_the_result) {
  const ProgramRun call = hello({"--call", "add", R"({"a":1,"b":2})"});
  BOOST_TEST(call.status == 0);
  BOOST_TEST(call.out == "3\n");
  BOOST_TEST(call.errors == "");
  BOOST_TEST(hello({"--call", "add", "-"}, R"({"a":20,"b":22})").out == "42\n");
  BOOST_TEST(
      (parse_json(hello({"--call", "add", R"({"a":1,"b":2})", "--json"}).out).at("content").at(0).at("text") == "3"));
}

BOOST_AUTO_TEST_CASE(what_could_not_be_written_ends_with_1_and_is_told) {
  const auto run_to = [](const std::string& program, const std::string& options, const std::string& where) {
    return run_program(
        Program{.command = {"/bin/sh", "-c", "'" TOOLWIRE_BIN_DIR "/" + program + "' " + options + " >" + where}}, "");
  };
  for (const std::string options : {R"(--call add '{"a":1,"b":2}')", R"(--call add '{"a":1,"b":2}' --json)",
                                    R"(--call add '{}' --json)", "--list", "--list --json", "--version", "--help"}) {
    const ProgramRun full = run_to("hello", options, "/dev/full");
    BOOST_TEST(full.status == 1, options);
    BOOST_TEST(has(full.errors, "calculator: standard output: "), options);
  }
  BOOST_TEST(run_to("hello", R"(--call add '{"a":1,"b":2}')", "/dev/null").status == 0);
  BOOST_TEST(run_to("hello", "--list", "/dev/null").status == 0);
  if (!std::filesystem::exists(TOOLWIRE_BIN_DIR "/everything")) return;  // whose list is longer than a buffer
  const ProgramRun full = run_to("everything", "--list --json", "/dev/full");
  BOOST_TEST(full.status == 1);
  BOOST_TEST(has(full.errors, "everything: standard output: "));
}

BOOST_AUTO_TEST_CASE(a_call_the_tool_refuses_ends_with_1_and_says_why) {
  const ProgramRun call = hello({"--call", "add", R"({"a":"x"})"});
  BOOST_TEST(call.status == 1);
  BOOST_TEST(call.out == "");
  BOOST_TEST(has(call.errors, "a: expected a number"));
  BOOST_TEST(has(call.errors, "b: missing"));
}

BOOST_AUTO_TEST_CASE(a_call_of_a_tool_there_is_not_ends_with_1_and_names_those_there_are) {
  const ProgramRun call = hello({"--call", "subtract"});
  BOOST_TEST(call.status == 1);
  BOOST_TEST(has(call.errors, "no tool \"subtract\"; there are: add"));
}

BOOST_AUTO_TEST_CASE(arguments_that_are_no_json_object_end_with_2) {
  for (const char* const arguments : {"{\"a\":", "[1,2]", "3", ""}) {
    const ProgramRun call = hello({"--call", "add", arguments});
    BOOST_TEST(call.status == 2);
    BOOST_TEST(has(call.errors, "expected a JSON object"));
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_option_ends_with_2_and_names_the_known_ones) {
  const ProgramRun mistake = hello({"--nonsense"});
  BOOST_TEST(mistake.status == 2);
  BOOST_TEST(mistake.out == "");
  BOOST_TEST(
      has(mistake.errors, "unknown option \"--nonsense\" (known: --help, --version, --list, --call, --json, --trace)"));
  BOOST_TEST(has(hello({"--lits"}).errors, "did you mean --list?"));
}

BOOST_AUTO_TEST_CASE(an_option_without_its_value_says_what_was_expected) {
  const ProgramRun mistake = hello({"--trace"});
  BOOST_TEST(mistake.status == 2);
  BOOST_TEST(mistake.errors == "calculator: --trace: expected FILE; see --help\n");
}

BOOST_AUTO_TEST_CASE(arguments_that_are_no_options_end_with_2) {
  const ProgramRun mistake = hello({"serve"}, ping + "\n");
  BOOST_TEST(mistake.status == 2);
  BOOST_TEST(has(mistake.errors, "serve"));
}

BOOST_AUTO_TEST_CASE(a_trace_holds_both_directions) {
  const ScratchFolder folder;
  const ProgramRun served = hello({"--trace", (folder / "trace").string()}, ping + "\n");
  BOOST_TEST(served.status == 0);
  const std::string trace = content_of(folder / "trace");
  BOOST_TEST(has(trace, "{\"about\":\"calculator 1.0.0\""));
  BOOST_TEST(has(trace, "{\"in\":" + ping + ",\"at\":"));
  BOOST_TEST(has(trace, "{\"out\":{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},\"at\":"));
}

BOOST_AUTO_TEST_CASE(the_environment_asks_for_a_trace_as_well) {
  const ScratchFolder folder;
  const Program program{.command = {TOOLWIRE_BIN_DIR "/hello"},
                        .environment = {{"TOOLWIRE_TRACE", (folder / "trace").string()}}};
  BOOST_TEST(run_program(program, ping + "\n").status == 0);
  BOOST_TEST(has(content_of(folder / "trace"), "{\"in\":" + ping));
}

BOOST_AUTO_TEST_CASE(a_trace_that_cannot_be_written_ends_with_2) {
  const ProgramRun mistake = hello({"--trace", "/nonexistent/trace"}, ping + "\n");
  BOOST_TEST(mistake.status == 2);
  BOOST_TEST(mistake.out == "");
  BOOST_TEST(mistake.errors == "calculator: cannot write the trace to /nonexistent/trace: No such file or directory\n");
}
