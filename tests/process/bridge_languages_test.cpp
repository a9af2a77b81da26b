#include "commands/served_runtimes.hpp"

#define BOOST_TEST_MODULE bridge_languages
#include <boost/test/unit_test.hpp>

#include <cstdlib>

#include "language_transcript.hpp"
#include "runtime_pool.hpp"
#include "scratch_folder.hpp"

namespace {

using namespace toolwire;
using toolwire::bridge::Bindings;
using toolwire::bridge::Bridge;
using toolwire::bridge::ServedRuntimes;
using toolwire_test::Language;

/// A tool that wants to know a variable, under what the bindings say beside its directory.
std::string asked_for_a_variable(JsonObject settings) {
  const toolwire_test::ScratchFolder folder;
  folder.file("ask.py", R"(
import os
def tool_info():
    return {"name": "ask", "input_schema": {"type": "object"}, "permissions": {"environment": ["TOOLWIRE_TEST_SECRET"]}}
def tool_function():
    return os.environ.get("TOOLWIRE_TEST_SECRET", "not there") + " " + os.environ.get("TOOLWIRE_TEST_OTHER", "not there")
)");
  settings["tools"] = folder.text();
  settings["start_timeout_seconds"] = 300;
  Bindings bindings;
  bindings.runtimes.emplace("mine", std::move(settings));
  Bridge bridge({.name = "tools", .version = "1.0.0"});
  ServedRuntimes runtimes(bridge, {}, [](const std::string& problem) { BOOST_TEST_MESSAGE(problem); });
  runtimes.apply({&bindings}, [](const auto&) { return true; });
  runtimes.wait_for_tools(std::chrono::seconds(300));
  testing::Client client(bridge.server());
  const CallResult result = client.call("ask");
  const Json* const meta = result.raw.as_object().if_contains("_meta");
  const Json* const error = meta == nullptr ? nullptr : meta->as_object().if_contains("dev.toolwire/error");
  return (error == nullptr ? "" : std::string(error->at("code").as_string()) + ": ") + result.text();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_tool_gets_what_it_declares_only_if_it_is_granted) {
  ::setenv("TOOLWIRE_TEST_SECRET", "secret", 1);
  ::setenv("TOOLWIRE_TEST_OTHER", "other", 1);
  BOOST_TEST(asked_for_a_variable({}) ==
             "denied: the tool \"ask\" needs what is not granted: environment: TOOLWIRE_TEST_SECRET");
  BOOST_TEST(asked_for_a_variable({{"permissions", {{"environment", JsonArray{"TOOLWIRE_TEST_SECRET"}}}}}) ==
             "secret not there");
  BOOST_TEST(asked_for_a_variable({{"permissions", {{"environment", JsonArray{"TOOLWIRE_*"}}}}}) == "secret other");
}

BOOST_AUTO_TEST_CASE(no_tool_is_left_out_for_a_pattern_and_who_checks_it_is_said_once) {
  const toolwire_test::ScratchFolder folder;
  folder.file("look.py", R"py(
def tool_info():
    return {"name": "look", "input_schema": {"properties": {
        "ahead": {"type": "string", "pattern": "^(?!.*secret)"},
        "letters": {"type": "string", "pattern": r"^\p{L}+$"},
        "behind": {"type": "string", "pattern": "(?<=a+)b"}}}}
def tool_function(**given):
    return "fine"
)py");
  Bindings bindings;
  bindings.runtimes.emplace("mine", JsonObject{{"tools", folder.text()}, {"start_timeout_seconds", 300}});
  toolwire_test::Lines said;
  Bridge bridge({.name = "tools", .version = "1.0.0"});
  ServedRuntimes runtimes(bridge, std::make_shared<Engine>(), [&](const std::string& problem) { said.add(problem); });
  runtimes.apply({&bindings}, [](const auto&) { return true; });
  runtimes.wait_for_tools(std::chrono::seconds(300));
  runtimes.offer();
  testing::Client client(bridge.server());
  const Json schema = client.list_tools().at(0).input_schema;
  BOOST_TEST(schema.at("properties").at("ahead").at("pattern") == "^(?!.*secret)");
  BOOST_TEST(schema.at("type") == "object");
  BOOST_TEST(client.call("look", {{"ahead", "open"}, {"letters", "é"}, {"behind", "who knows"}}).text() == "fine");
  BOOST_TEST(client.call("look", {{"ahead", "a secret"}}).is_error);
  BOOST_TEST(client.call("look", {{"letters", "1"}}).is_error);
  const std::string text = said.text();
  for (const std::string part : {"#/properties/ahead/pattern of its parameters is checked by the runtime only",
                                 "#/properties/behind/pattern of its parameters is checked by nobody"}) {
    BOOST_TEST(text.find(part) != std::string::npos, text);
    BOOST_TEST(text.find(part) == text.rfind(part), text);
  }
  BOOST_TEST(text.find("letters") == std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(two_runtimes_with_a_tool_of_one_name_are_both_named) {
  const toolwire_test::ScratchFolder first;
  const toolwire_test::ScratchFolder second;
  const std::string tool =
      "def tool_info():\n    return {'name': 'same', 'input_schema': {'type': 'object'}}\n"
      "def tool_function():\n    return __file__\n";
  first.file("same.py", tool);
  second.file("same.py", tool);
  Bindings bindings;
  bindings.runtimes.emplace("one", JsonObject{{"tools", first.text()}, {"start_timeout_seconds", 300}});
  bindings.runtimes.emplace("two", JsonObject{{"tools", second.text()}, {"start_timeout_seconds", 300}});
  toolwire_test::Lines said;
  Bridge bridge({.name = "tools", .version = "1.0.0"});
  ServedRuntimes runtimes(bridge, std::make_shared<Engine>(), [&](const std::string& problem) { said.add(problem); });
  runtimes.apply({&bindings}, [](const auto&) { return true; });
  runtimes.wait_for_tools(std::chrono::seconds(300));
  runtimes.offer();
  const std::string text = said.text();
  const std::size_t at = text.find("tool \"same\" of ");
  BOOST_REQUIRE(at != std::string::npos);
  const std::string line = text.substr(at, text.find('\n', at) - at);
  BOOST_TEST(line.find(first.text()) != std::string::npos, line);
  BOOST_TEST(line.find(second.text()) != std::string::npos, line);
  testing::Client client(bridge.server());
  BOOST_TEST(client.list_tools().size() == 1U);
}

BOOST_AUTO_TEST_CASE(the_tools_in_cpp_do_what_they_say) {
  Language cpp;
  const auto lines = toolwire_test::transcript(cpp, "2026-07-28");
  BOOST_REQUIRE(lines.size() == 23U);
  BOOST_TEST(lines[5] == R"(echo{"text": "hello"} -> {"content":[{"type":"text","text":"hello"}],"isError":false})");
  BOOST_TEST(lines[18].find("not today") != std::string::npos);
  BOOST_TEST(lines[20].find(R"("structuredContent":{"words":4,"longest":"three","lengths":[3,3,5,5]})") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(those_in_python_answer_alike) {
  toolwire_test::compare_with_cpp({{"tools", TOOLWIRE_SOURCE_DIR "/tests/support/data/language_tools/python"}});
}
