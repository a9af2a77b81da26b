// What the results of some tools tell of the arguments that others take: the folder that one lists is where another
// reads. It asks the server nothing and knows no tool.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <toolwire/json.hpp>

namespace toolwire::conformance {

class LearnedValues {
 public:
  /// Of a tool: members of its structured content, or of a text that is JSON, by their names; and the first absolute
  /// path in a text. What was learned first stays.
  void learn(const Json& result);
  /// `value` for an argument of that name.
  void learn(std::string_view name, const Json& value);

  /// `arguments` with what was learned in the place of required members of the same name ("path" for whatever is a
  /// path, a file or a folder; "id" for "note_id", "uri" for "page_uri"; one of "tags" for "tag"), each where it fits
  /// `schema`, alone or as the one element of an array. Nothing if that changes nothing.
  std::optional<JsonObject> better(const Json& schema, const JsonObject& arguments) const;

 private:
  void learn_members(const Json& json, int depth);
  const Json* value_for(std::string_view name) const;

  std::map<std::string, Json, std::less<>> values_;  // by names in small letters, without "_" and "-"
};

}  // namespace toolwire::conformance
