// Reads the members of one JSON object of a manifest by their names in snake_case or camelCase, and reports what is
// wrong with them. Knows no particular object.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// "timeout_seconds" → "timeoutSeconds".
std::string camel_case(std::string_view snake);

/// The object with those members that `names` has in snake_case called so, each in its place.
JsonObject with_snake_case(const JsonObject& object, const std::vector<std::string_view>& names);

/// The members of one object. Lives no longer than the object and the findings. One thread.
class Members {
 public:
  /// What a member that is `null` counts as.
  enum class Null { not_there, a_value };

  Members(const JsonObject& object, std::string pointer, Findings& findings, Null null = Null::not_there)
      : object_(object), pointer_(std::move(pointer)), findings_(findings), null_(null) {}

  struct Found {
    const Json* value = nullptr;  // null if there is none
    std::string pointer = {};     // also of a member that is not there
  };
  /// Both spellings at once are a problem.
  Found find(std::string_view name);

  /// A string that must be there.
  std::string text(std::string_view name);
  std::string optional_text(std::string_view name) { return stated_text(name).value_or(""); }
  std::optional<std::string> stated_text(std::string_view name);
  std::optional<bool> flag(std::string_view name);
  /// A whole number from 1 to `most`.
  std::optional<std::int64_t> count(std::string_view name, std::int64_t most);
  std::vector<std::string> texts(std::string_view name);
  /// null if it is not there or no object.
  const JsonObject* object(std::string_view name);
  /// null if it is not there or no array.
  const JsonArray* array(std::string_view name);

  void missing(std::string_view name, std::string_view expectation);
  /// A hint for each member that was not read and whose name does not begin with an underscore.
  void note_unknown();

  const std::string& pointer() const { return pointer_; }

 private:
  void wrong(const Found& found, std::string_view expectation);

  const JsonObject& object_;
  std::string pointer_;
  Findings& findings_;
  Null null_;
  std::vector<std::string> asked_ = {};
};

/// "a string", "an array": what a value is, for messages.
std::string_view kind_of(const Json& value);

}  // namespace toolwire::bridge
