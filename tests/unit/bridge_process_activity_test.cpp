#include "activities/process_activity.hpp"

#define BOOST_TEST_MODULE bridge_process_activity
#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "bound_activity.hpp"
#include "scratch_folder.hpp"
#include "system/own_process.hpp"
#include "waited_call.hpp"

namespace {

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;

/// What an entry answers to parameters.
ToolResult result(const std::string& entry, const std::string& parameters = "{}",
                  const std::vector<ToolDefinition>& tools = {}, const std::string& directory = "/") {
  const ActivityPointer activity = bound_activity(entry, new_services(), tools, directory);
  return call(*activity, parse_json(parameters));
}

/// An entry that runs a text in a shell, with what else is given.
std::string shell(const std::string& text, const std::string& more = "") {
  std::string literal;
  for (const char c : text) literal += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
  return R"({"process": {"argv": ["sh", "-c", )" + to_json_text(Json(literal)) + "]" + (more.empty() ? "" : ", ") +
         more + "}}";
}

ToolDefinition tool_with(const char* parameters, const char* output = "null") {
  return {.name = "tool", .parameters = parse_json(parameters), .output = parse_json(output)};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_program_writes_is_the_result) {
  BOOST_TEST(text_of(result(shell("echo hello"))) == "hello\n");
  BOOST_TEST(!result(shell("true")).is_error);
  BOOST_TEST(bound_activity(shell("true"), new_services())->kind() == "process");
}

BOOST_AUTO_TEST_CASE(what_nobody_can_see_in_a_programs_output_is_shown_as_escapes) {
  const auto text = result(shell(R"(printf 'a\033]52;c;aGk=\007b\342\200\256c\377\r\nd\te\n')"));
  BOOST_TEST(std::get<toolwire::TextContent>(text.content.at(0).item).text ==
             "a\\u{1B}]52;c;aGk=\\u{7}b\\u{202E}c\\xFF\nd\te\n");
}

BOOST_AUTO_TEST_CASE(output_is_json_where_it_is_said_or_where_the_tool_has_an_output_schema) {
  const std::string entry = shell("echo '{\"a\": [1]}'");
  BOOST_TEST(!result(entry).structured.has_value());
  BOOST_TEST(
      (result(entry, "{}", {tool_with("{}", R"({"type": "object"})")}).structured == parse_json(R"({"a": [1]})")));
  const std::string said = shell("echo '{\"a\": [1]}'", R"("output": "json")");
  BOOST_TEST((result(said).structured == parse_json(R"({"a": [1]})")));
  const ToolResult bad = result(shell("echo nonsense", R"("output": "json")"));
  BOOST_TEST(code_of(bad) == "invalid_output");
  BOOST_TEST(contains(text_of(bad), "expected JSON"), text_of(bad));
}

BOOST_AUTO_TEST_CASE(a_program_may_write_a_whole_result) {
  const char* written =
      R"({"content": [{"type": "text", "text": "hi"}], "structuredContent": {"k": 1}, "isError": true})";
  const ToolResult whole = result(shell(std::string("echo '") + written + "'", R"("output": "structured")"));
  BOOST_TEST(whole.is_error);
  BOOST_TEST((whole.structured == parse_json(R"({"k": 1})")));
  BOOST_TEST(whole.content.size() == 1U);
  BOOST_TEST(code_of(result(shell("echo 5", R"("output": "structured")"))) == "invalid_output");
}

BOOST_AUTO_TEST_CASE(a_failed_program_is_an_error_with_its_status_and_the_end_of_its_errors) {
  const ToolResult failed = result(shell("echo 'no such branch' >&2; exit 7"));
  BOOST_TEST(failed.is_error);
  BOOST_TEST(code_of(failed) == "back_end_error");
  BOOST_TEST(text_of(failed) == "sh exited with status 7\nno such branch");
  BOOST_TEST(text_of(result(shell("echo only here; exit 1"))) == "sh exited with status 1\nonly here");
  BOOST_TEST(contains(text_of(result(shell("kill -9 $$"))), "was killed by signal 9"));
}

BOOST_AUTO_TEST_CASE(other_statuses_may_count_as_success) {
  const std::string entry = shell("exit 1", R"("success_codes": [0, 1])");
  BOOST_TEST(!result(entry).is_error);
  BOOST_TEST(result(shell("exit 2", R"("success_codes": [0, 1])")).is_error);
}

BOOST_AUTO_TEST_CASE(input_is_what_the_binding_says) {
  const auto cat = [](const char* input) {
    return std::string(R"({"process": {"argv": ["cat"], "stdin": ")") + input + "\"}}";
  };
  BOOST_TEST(text_of(result(cat("none"))) == "");
  BOOST_TEST(text_of(result(cat("arguments"), R"({"b": 1, "a": "x"})")) == R"({"b":1,"a":"x"})");
  BOOST_TEST(text_of(result(cat("{text}"), R"({"text": "a\nb"})")) == "a\nb");
  BOOST_TEST(text_of(result(cat("{text}"), R"({"text": [1, 2]})")) == "[1,2]");
  BOOST_TEST(contains(binding_problems(cat("{a} and {b}")), "/stdin: expected one parameter"));
}

BOOST_AUTO_TEST_CASE(a_default_of_the_schema_stands_for_an_absent_parameter) {
  const ToolDefinition tool = tool_with(R"({"properties": {"n": {"type": "integer", "default": 4}}})");
  const char* entry = R"({"process": {"argv": ["echo", "{n}"]}})";
  BOOST_TEST(text_of(result(entry, "{}", {tool})) == "4\n");
  BOOST_TEST(text_of(result(entry, R"({"n": 5})", {tool})) == "5\n");
}

BOOST_AUTO_TEST_CASE(a_placeholder_without_a_parameter_is_found_when_the_file_is_read) {
  const char* entry = R"({"process": {"argv": ["echo", "{naem}"]}})";
  BOOST_TEST(contains(binding_problems(entry, {tool_with(R"({"properties": {"name": {}}})")}), "{naem}"));
  BOOST_TEST(binding_problems(entry, {tool_with(R"({"properties": {}, "additionalProperties": true})")}) == "");
  BOOST_TEST(binding_problems(entry) == "");
}

BOOST_AUTO_TEST_CASE(errors_are_passed_on_as_progress_without_escapes) {
  const ActivityPointer activity =
      bound_activity(shell("printf 'one\\n\\033[31mtwo\\033[0m\\n' >&2", R"("stderr": "progress")"), new_services());
  WaitedCall waited(*activity, JsonObject{});
  waited.result();
  BOOST_TEST(waited.progress() == (std::vector<std::string>{"one", "two"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_timeout_a_stop_and_too_much_output_have_their_codes) {
  BOOST_TEST(code_of(result(shell("exec sleep 1000", R"("timeout_seconds": 0.05)"))) == "timeout");
  BOOST_TEST(code_of(result(shell("exec yes", R"("output_limit": 1000)"))) == "too_large");
  BOOST_TEST(code_of(result(R"({"process": {"argv": ["no-such-program"]}})")) == "unavailable");
  const ActivityPointer activity = bound_activity(shell("exec sleep 1000"), new_services());
  WaitedCall waited(*activity, JsonObject{});
  waited.stop();
  BOOST_TEST(code_of(waited.result()) == "cancelled");
  WaitedCall late(*activity, JsonObject{}, std::chrono::steady_clock::now());
  BOOST_TEST(code_of(late.result()) == "timeout");
}

BOOST_AUTO_TEST_CASE(relative_paths_count_from_the_bindings_file) {
  const ScratchFolder folder;
  folder.folder("work");
  std::filesystem::permissions(folder.file("tools/run.sh", "#!/bin/sh\npwd\n"), std::filesystem::perms::owner_all);
  const char* entry = R"({"process": {"argv": ["./tools/run.sh"], "directory": "work"}})";
  const std::string where = text_of(result(entry, "{}", {}, folder.text()));
  BOOST_TEST(where == std::filesystem::canonical(folder / "work").string() + "\n");
}

BOOST_AUTO_TEST_CASE(only_stated_variables_are_passed_on) {
  ::setenv("TOOLWIRE_TEST_STATED", "stated", 1);
  ::setenv("TOOLWIRE_TEST_SECRET", "hunter2", 1);
  ::setenv("LD_PRELOAD_TEST", "x", 1);
  ::setenv("BASH_ENV", "/tmp/evil", 1);
  const std::string listed = text_of(result(
      R"({"process": {"argv": ["env"], "inherit": ["TOOLWIRE_TEST_STATED"],
          "environment": {"FIXED": "value", "TOKEN": "${env:TOOLWIRE_TEST_SECRET}"}}})"));
  ::unsetenv("BASH_ENV");
  for (const char* line : {"TOOLWIRE_TEST_STATED=stated\n", "FIXED=value\n", "TOKEN=hunter2\n", "PATH=/"})
    BOOST_TEST(contains(listed, line), listed);
  for (const char* name : {"TOOLWIRE_TEST_SECRET", "LD_PRELOAD", "BASH_ENV"})
    BOOST_TEST(!contains(listed, name), listed);
}

BOOST_AUTO_TEST_CASE(variables_that_decide_what_programs_run_are_refused) {
  for (const char* name :
       {"LD_PRELOAD", "LD_LIBRARY_PATH", "BASH_ENV", "ENV", "BASH_FUNC_ls%%", "IFS", "GLIBC_TUNABLES"}) {
    const std::string set = R"({"process": {"argv": ["x"], "environment": {")" + std::string(name) + R"(": "v"}}})";
    const std::string kept = R"({"process": {"argv": ["x"], "inherit": [")" + std::string(name) + R"("]}})";
    BOOST_TEST(contains(binding_problems(set), "never passed on"), name);
    BOOST_TEST(contains(binding_problems(kept), "never passed on"), name);
  }
}

BOOST_AUTO_TEST_CASE(relative_folders_of_path_are_left_out) {
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (".:relative::" + before).c_str(), 1);
  const std::string path = text_of(result(R"({"process": {"argv": ["sh", "-c", "printf %s \"$PATH\""]}})"));
  ::setenv("PATH", before.c_str(), 1);
  BOOST_TEST(path == before);
}

BOOST_AUTO_TEST_CASE(a_missing_secret_is_an_error_of_the_tool_and_names_the_variable) {
  ::unsetenv("TOOLWIRE_TEST_MISSING");
  BOOST_CHECK_EXCEPTION(
      result(R"({"process": {"argv": ["env"], "environment": {"A": "${env:TOOLWIRE_TEST_MISSING}"}}})"), ToolError,
      [](const ToolError& error) { return contains(error.what(), "TOOLWIRE_TEST_MISSING"); });
}

BOOST_AUTO_TEST_CASE(a_secret_that_a_program_echoes_is_not_in_the_error) {
  ::setenv("TOOLWIRE_TEST_SECRET", "hunter2hunter2", 1);
  const std::string entry = shell("echo \"bad token $TOKEN\" >&2; exit 1",
                                  R"("stderr": "progress", "environment": {"TOKEN": "${env:TOOLWIRE_TEST_SECRET}"})");
  const ActivityPointer activity = bound_activity(entry, new_services());
  WaitedCall waited(*activity, JsonObject{});
  const std::string text = text_of(waited.result());
  BOOST_TEST(text == "sh exited with status 1\nbad token ***");
  BOOST_TEST(waited.progress().at(0) == "bad token ***");
}

BOOST_AUTO_TEST_CASE(a_program_cannot_read_the_bridges_environment) {
  const char* secret = "TOOLWIRE_TEST_INHERITED";
  BOOST_REQUIRE(std::getenv(secret) != nullptr);  // given to this process when it was started, see main below
  const std::string id = std::to_string(::getpid());
  const ToolResult read = result(shell("cat /proc/$PPID/environ /proc/" + id + "/environ; true"));
  BOOST_TEST(!contains(text_of(read), secret));
  BOOST_TEST(std::string(std::getenv(secret)) == "hunter2");
}

namespace {

/// Starts this program again with a secret in its environment, which is then hidden as the bridge does.
struct HiddenEnvironment {
  HiddenEnvironment() {
    if (std::getenv("TOOLWIRE_TEST_INHERITED") == nullptr) {
      ::setenv("TOOLWIRE_TEST_INHERITED", "hunter2", 1);
      const auto& suite = boost::unit_test::framework::master_test_suite();
      ::execv("/proc/self/exe", suite.argv);
    }
    hide_environment();
  }
};
BOOST_TEST_GLOBAL_FIXTURE(HiddenEnvironment);

}  // namespace
