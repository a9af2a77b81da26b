// The five tools that every language implements identically, in C++: echo, add, slow, failing, structured. Those in
// other languages are in data/language_tools/.
#pragma once

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <toolwire/bridge/bridge.hpp>

#include "activity_bench.hpp"

namespace toolwire_test {

namespace language_tools {

inline void define(toolwire::bridge::Bridge& bridge, const char* name, const char* description, const char* parameters,
                   const char* output = "null") {
  bridge.tool(toolwire::bridge::ToolDefinition{.name = name,
                                               .description = description,
                                               .parameters = toolwire::parse_json(parameters),
                                               .output = toolwire::parse_json(output)});
}

inline void add_slow(toolwire::bridge::Bridge& bridge) {
  using namespace toolwire;
  define(bridge, "slow", "Takes its steps one after the other, and waits to be cancelled if there are too many",
         R"({"type": "object",
             "properties": {"steps": {"type": "integer", "minimum": 1, "maximum": 100, "description": "How many"}},
             "required": ["steps"], "additionalProperties": false})");
  bridge.activities().add(
      "slow", make_test_activity([](const bridge::Call& call, bridge::ActivityContext& context, Reply reply) {
        const auto steps = call.parameters.at("steps").to_number<int>();
        for (int step = 1; step <= std::min(steps, 10); ++step)
          context.progress(step, steps, "step " + std::to_string(step));
        if (steps <= 10) return reply(std::to_string(steps) + " steps");
        using Waiting = std::stop_callback<std::function<void()>>;
        const auto answer = std::make_shared<Reply>(std::move(reply));
        const auto waiting = std::make_shared<std::unique_ptr<Waiting>>();
        *waiting = std::make_unique<Waiting>(context.stop_token(), [answer] { answer->error("cancelled"); });
        static std::vector<std::shared_ptr<std::unique_ptr<Waiting>>> kept;  // a callback cannot remove itself
        kept.push_back(waiting);
      }));
}

inline toolwire::Json counted(const std::string& text) {
  std::istringstream stream(text);
  std::string longest;
  toolwire::JsonArray lengths;
  for (std::string word; stream >> word;) {
    lengths.emplace_back(word.size());
    if (word.size() > longest.size()) longest = word;
  }
  const std::size_t words = lengths.size();
  return toolwire::JsonObject{{"words", words}, {"longest", longest}, {"lengths", std::move(lengths)}};
}

}  // namespace language_tools

inline void add_language_tools(toolwire::bridge::Bridge& bridge) {
  using namespace toolwire;
  using language_tools::define;
  define(bridge, "add", "Adds two numbers",
         R"({"type": "object",
             "properties": {"a": {"type": "number", "description": "The first number"},
                            "b": {"type": "number", "description": "The second number"}},
             "required": ["a", "b"], "additionalProperties": false})");
  bridge.activities().add("add", [](const Json& given) {
    const Json sum(given.at("a").to_number<double>() + given.at("b").to_number<double>());
    return Outcome<Json>(ToolResult::text(to_json_text(sum)));
  });
  define(bridge, "echo", "Says the text again",
         R"({"type": "object", "properties": {"text": {"type": "string", "description": "What to say"}},
             "required": ["text"], "additionalProperties": false})");
  bridge.activities().add("echo", [](const Json& given) { return given.at("text"); });
  define(bridge, "failing", "Fails for the reason given",
         R"({"type": "object", "properties": {"reason": {"type": "string", "minLength": 1, "description": "Why"}},
             "required": ["reason"], "additionalProperties": false})");
  bridge.activities().add(
      "failing", [](const Json& given) -> Json { throw ToolError(std::string(given.at("reason").get_string())); });
  language_tools::add_slow(bridge);
  define(bridge, "structured", "Counts the words of a text",
         R"({"type": "object", "properties": {"text": {"type": "string", "description": "What to count"}},
             "required": ["text"], "additionalProperties": false})",
         R"({"type": "object",
             "properties": {"words": {"type": "integer", "description": "How many there are"},
                            "longest": {"type": "string", "description": "The first of the longest"},
                            "lengths": {"type": "array", "items": {"type": "integer"}, "description": "Of each"}},
             "required": ["words", "longest", "lengths"], "additionalProperties": false})");
  bridge.activities().add("structured", [](const Json& given) {
    return language_tools::counted(std::string(given.at("text").get_string()));
  });
}

}  // namespace toolwire_test
