// Names and notes that generated types of all languages share. Independent of the language.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

namespace toolwire::bridge::types {

/// Names of types, each given once. One thread.
class TypeNames {
 public:
  explicit TypeNames(std::set<std::string> taken) : taken_(std::move(taken)) {}

  /// "spawn_agent", "output" → "SpawnAgentOutput"; with a number if that is taken.
  std::string make(std::string_view first, std::string_view second = {});

 private:
  std::set<std::string> taken_;
};

/// What a schema demands that no type can express: "minimum 1", "pattern ^a", "default 3", …
std::vector<std::string> constraints_of(const JsonObject& schema);

/// The lines of a description and of further notes, without anything that would end a comment.
std::vector<std::string> comment_lines(const JsonObject& schema);

/// The schemas of `patternProperties`. They live as long as `schema`.
std::vector<const Json*> patterns_of(const JsonObject& schema);

/// What a local reference leads to; null if it leads nowhere or elsewhere.
const Json* target_of(const Json& document, std::string_view reference);

/// The name a reference has in its document: "#/$defs/node" → "node".
std::string last_step(std::string_view reference);

/// "a", "A1", "_x".
bool is_identifier(std::string_view text);

}  // namespace toolwire::bridge::types
