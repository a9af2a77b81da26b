// The same five tools in every language, indistinguishable for a client. Contains those in C++; a test says where the
// others are and how their runtime is started.
#pragma once

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/testing.hpp>

#include "commands/served_runtimes.hpp"
#include "language_tools.hpp"

namespace toolwire_test {

/// A bridge that offers the tools in one language.
class Language {
 public:
  /// C++.
  Language() { add_language_tools(bridge_); }
  /// Another language: `settings` is its entry of "runtimes".
  explicit Language(toolwire::JsonObject settings) {
    settings["start_timeout_seconds"] = 300;
    toolwire::bridge::Bindings bindings;
    bindings.runtimes.emplace("tools", std::move(settings));
    runtimes_.apply({&bindings}, [](const auto&) { return true; });
    runtimes_.wait_for_tools(std::chrono::seconds(300));
  }
  Language(const Language&) = delete;
  Language& operator=(const Language&) = delete;

  toolwire::Server& server() { return bridge_.server(); }

 private:
  toolwire::bridge::Bridge bridge_{{.name = "tools", .version = "1.0.0"}};
  toolwire::bridge::ServedRuntimes runtimes_{bridge_, std::make_shared<toolwire::Engine>(),
                                             [](const std::string& said) { BOOST_TEST_MESSAGE(said); }};
};

/// What a client sees of a call; details for programs on how a result was produced are not compared.
inline std::string seen(const toolwire::CallResult& result) {
  toolwire::JsonObject seen{{"content", result.content}, {"isError", result.is_error}};
  if (result.structured) seen["structuredContent"] = *result.structured;
  return toolwire::to_json_text(seen);
}

inline std::string outcome(toolwire::Client& client, const std::string& tool, const char* arguments) {
  try {
    return seen(client.call(tool, toolwire::parse_json(arguments)));
  } catch (const toolwire::ProtocolError& error) {
    return std::string("refused: ") + error.what();
  }
}

/// Everything that is compared, one line each: first the list, then calls.
inline std::vector<std::string> transcript(Language& language, const std::string& revision) {
  toolwire::testing::Client client(language.server(), {.revision = revision});
  std::vector<std::string> lines;
  std::map<std::string, std::string> listed;
  for (const toolwire::ListedTool& tool : client.list_tools())
    listed[tool.name] = tool.name + ": " + tool.description + " " + toolwire::to_json_text(tool.input_schema) + " " +
                        toolwire::to_json_text(tool.output_schema);
  lines.reserve(listed.size());
  for (const auto& [name, line] : listed) lines.push_back(line);
  const std::pair<const char*, const char*> calls[] = {
      {"echo", R"({"text": "hello"})"},
      {"echo", R"({"text": "grüß 😀 \"you\"\n\\ end"})"},
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

/// What becomes of characters that nobody can see in a text.
inline std::string hidden_text(Language& language) {
  toolwire::testing::Client client(language.server());
  return client.call("echo", toolwire::parse_json(R"({"text": "a\u0000b\u2028c\u001b[1md\n"})")).text();
}

/// Reports may be coalesced; the last one always arrives.
inline std::string last_report(Language& language) {
  toolwire::testing::Client client(language.server());
  std::mutex mutex;
  std::string last;
  client.call("slow", toolwire::JsonObject{{"steps", 5}}, {.on_progress = [&](const toolwire::ProgressReport& report) {
                const std::lock_guard lock(mutex);
                last = std::to_string(report.progress) + "/" + std::to_string(report.total.value_or(-1)) + " " +
                       report.message;
              }});
  const std::lock_guard lock(mutex);
  return last;
}

/// A waiting call is cancelled after its first report; the server keeps serving.
inline std::string after_a_cancellation(Language& language) {
  toolwire::testing::Client client(language.server());
  std::promise<void> running;
  std::once_flag once;
  toolwire::CallHandle call = client.start_call(
      "slow", toolwire::JsonObject{{"steps", 50}},
      {.on_progress = [&](const toolwire::ProgressReport&) { std::call_once(once, [&] { running.set_value(); }); }});
  running.get_future().wait();
  call.cancel();
  try {
    return "not cancelled: " + seen(call.wait());
  } catch (const toolwire::CancelledError&) {
    return outcome(client, "echo", R"({"text": "still here"})");
  }
}

inline void compare(const std::vector<std::string>& found, const std::vector<std::string>& expected) {
  BOOST_REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) BOOST_TEST(found[i] == expected[i]);
}

/// `settings`: the entry of "runtimes" for the other languages.
inline void compare_with_cpp(toolwire::JsonObject settings) {
  Language cpp;
  Language other(std::move(settings));
  for (const std::string revision : {"2025-06-18", "2026-07-28"})
    compare(transcript(other, revision), transcript(cpp, revision));
  // The bridge's own code is trusted with what it says; another process is not.
  BOOST_TEST(hidden_text(cpp) == std::string("a\0b\u2028c\x1b[1md\n", 13));
  BOOST_TEST(hidden_text(other) == "a\\u{0}b\\u{2028}c\\u{1B}[1md\n");
  BOOST_TEST(last_report(cpp) == "5.000000/5.000000 step 5");
  BOOST_TEST(last_report(other) == last_report(cpp));
  BOOST_TEST(after_a_cancellation(other) == after_a_cancellation(cpp));
}

}  // namespace toolwire_test
