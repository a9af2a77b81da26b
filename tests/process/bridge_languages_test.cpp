// The same five tools in every language, and nothing by which a client could tell them apart.
#include "commands/served_runtimes.hpp"

#define BOOST_TEST_MODULE bridge_languages
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <future>
#include <memory>
#include <mutex>

#include <toolwire/testing.hpp>

#include "language_tools.hpp"
#include "scratch_folder.hpp"

namespace {

using namespace toolwire;
using toolwire::bridge::Bindings;
using toolwire::bridge::Bridge;
using toolwire::bridge::ServedRuntimes;

/// A bridge that offers the tools in one language.
class Language {
 public:
  explicit Language(std::string name) : name_(std::move(name)) {
    if (name_ == "cpp") {
      toolwire_test::add_language_tools(bridge_);
      return;
    }
    Bindings bindings{.directory = TOOLWIRE_SOURCE_DIR "/tests/support/data/language_tools"};
    bindings.runtimes.emplace(name_, JsonObject{{"tools", name_}, {"start_timeout_seconds", 300}});
    runtimes_.apply({&bindings}, [](const auto&) { return true; });
    runtimes_.wait_for_tools(std::chrono::seconds(300));
  }
  Language(const Language&) = delete;
  Language& operator=(const Language&) = delete;

  const std::string& name() const { return name_; }
  Server& server() { return bridge_.server(); }

 private:
  const std::string name_;
  Bridge bridge_{{.name = "tools", .version = "1.0.0"}};
  ServedRuntimes runtimes_{bridge_, [](const std::string& problem) { BOOST_TEST_MESSAGE(problem); }};
};

/// What a client sees of a call; what is only said to programs about the way a result came about is not compared.
std::string seen(const CallResult& result) {
  JsonObject seen{{"content", result.content}, {"isError", result.is_error}};
  if (result.structured) seen["structuredContent"] = *result.structured;
  return to_json_text(seen);
}

std::string outcome(toolwire::Client& client, const std::string& tool, const char* arguments) {
  try {
    return seen(client.call(tool, parse_json(arguments)));
  } catch (const ProtocolError& error) {
    return std::string("refused: ") + error.what();
  }
}

/// All that is compared, one line each: the list first, then calls.
std::vector<std::string> transcript(Language& language, const std::string& revision) {
  testing::Client client(language.server(), {.revision = revision});
  std::vector<std::string> lines;
  std::map<std::string, std::string> listed;
  for (const ListedTool& tool : client.list_tools())
    listed[tool.name] = tool.name + ": " + tool.description + " " + to_json_text(tool.input_schema) + " " +
                        to_json_text(tool.output_schema);
  for (const auto& [name, line] : listed) lines.push_back(line);
  const std::pair<const char*, const char*> calls[] = {
      {"echo", R"({"text": "hello"})"},
      {"echo", R"({"text": "grüß 😀 \"you\"\n\\ \u0000 \u2028 end"})"},
      {"echo", R"({"text": ""})"},
      {"echo", R"({"text": 5})"},
      {"echo", R"({})"},
      {"echo", R"({"text": "x", "more": true})"},
      {"add", R"({"a": 1, "b": 2})"},
      {"add", R"({"a": 0.1, "b": 0.2})"},
      {"add", R"({"a": -1.5, "b": 1.5})"},
      {"add", R"({"a": 1e300, "b": 1})"},
      {"add", R"({"a": "1", "b": null})"},
      {"slow", R"({"steps": 3})"},
      {"slow", R"({"steps": 101})"},
      {"failing", R"({"reason": "not today"})"},
      {"failing", R"({"reason": ""})"},
      {"structured", R"({"text": "one two three three"})"},
      {"structured", R"({"text": ""})"},
      {"none", R"({})"},
  };
  for (const auto& [tool, arguments] : calls)
    lines.push_back(std::string(tool) + arguments + " -> " + outcome(client, tool, arguments));
  return lines;
}

/// Reports arrive as far as they are let through, and the last one always.
std::string last_report(Language& language) {
  testing::Client client(language.server());
  std::mutex mutex;
  std::string last;
  client.call("slow", JsonObject{{"steps", 5}}, {.on_progress = [&](const ProgressReport& report) {
                const std::lock_guard lock(mutex);
                last = std::to_string(report.progress) + "/" + std::to_string(report.total.value_or(-1)) + " " +
                       report.message;
              }});
  const std::lock_guard lock(mutex);
  return last;
}

/// A call that waits is cancelled after its first report; the server serves on.
std::string after_a_cancellation(Language& language) {
  testing::Client client(language.server());
  std::promise<void> running;
  std::once_flag once;
  CallHandle call = client.start_call("slow", JsonObject{{"steps", 50}}, {.on_progress = [&](const ProgressReport&) {
                                        std::call_once(once, [&] { running.set_value(); });
                                      }});
  running.get_future().wait();
  call.cancel();
  try {
    return "not cancelled: " + seen(call.wait());
  } catch (const CancelledError&) {
    return outcome(client, "echo", R"({"text": "still here"})");
  }
}

void compare(const std::vector<std::string>& found, const std::vector<std::string>& expected) {
  BOOST_REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) BOOST_TEST(found[i] == expected[i]);
}

void compare_with_cpp(const std::string& name) {
  Language cpp("cpp");
  Language other(name);
  for (const std::string revision : {"2025-06-18", "2026-07-28"})
    compare(transcript(other, revision), transcript(cpp, revision));
  BOOST_TEST(last_report(cpp) == "5.000000/5.000000 step 5");
  BOOST_TEST(last_report(other) == last_report(cpp));
  BOOST_TEST(after_a_cancellation(other) == after_a_cancellation(cpp));
}

}  // namespace

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
  ServedRuntimes runtimes(bridge, [](const std::string& problem) { BOOST_TEST_MESSAGE(problem); });
  runtimes.apply({&bindings}, [](const auto&) { return true; });
  runtimes.wait_for_tools(std::chrono::seconds(300));
  testing::Client client(bridge.server());
  const CallResult result = client.call("ask");
  const Json* const meta = result.raw.as_object().if_contains("_meta");
  const Json* const error = meta == nullptr ? nullptr : meta->as_object().if_contains("dev.toolwire/error");
  return (error == nullptr ? "" : std::string(error->at("code").as_string()) + ": ") + result.text();
}

BOOST_AUTO_TEST_CASE(a_tool_gets_what_it_declares_only_if_it_is_granted) {
  ::setenv("TOOLWIRE_TEST_SECRET", "secret", 1);
  ::setenv("TOOLWIRE_TEST_OTHER", "other", 1);
  BOOST_TEST(asked_for_a_variable({}) ==
             "denied: the tool \"ask\" needs what is not granted: environment: TOOLWIRE_TEST_SECRET");
  BOOST_TEST(asked_for_a_variable({{"permissions", {{"environment", JsonArray{"TOOLWIRE_TEST_SECRET"}}}}}) ==
             "secret not there");
  BOOST_TEST(asked_for_a_variable({{"permissions", {{"environment", JsonArray{"TOOLWIRE_*"}}}}}) == "secret other");
}

BOOST_AUTO_TEST_CASE(the_tools_in_cpp_do_what_they_say) {
  Language cpp("cpp");
  const auto lines = transcript(cpp, "2026-07-28");
  BOOST_REQUIRE(lines.size() == 23U);
  BOOST_TEST(lines[5] == R"(echo{"text": "hello"} -> {"content":[{"type":"text","text":"hello"}],"isError":false})");
  BOOST_TEST(lines[18].find("not today") != std::string::npos);
  BOOST_TEST(lines[20].find(R"("structuredContent":{"words":4,"longest":"three","lengths":[3,3,5,5]})") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(those_in_python_answer_alike) { compare_with_cpp("python"); }
