// Which of a server's own tools, resources and prompts serve as which fixture. A profile is a JSON object:
//   {"tool:echo": {"name": "say", "arguments": {"text": "<TEXT>"}}, "resource:text": {"uri": "file:///a.txt"}, …} The
//   kinds and the defaults are in catalogue/fixtures.json. Placeholders a check fills: <TEXT>, <JSON>, <SECONDS>,
//   <BYTES>.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <toolwire/json.hpp>

namespace toolwire::conformance {

struct Fixture {
  std::string kind;
  std::string name;         // of the tool or prompt, or the URI of the resource
  JsonObject arguments;     // with placeholders
  Json entry;               // all of it
  bool by_profile = false;  // its user says it may be called
  bool by_looking = false;  // nobody named it: see target/discovery.hpp

  /// For people: its name; of a completion what it completes.
  std::string shown_name() const;
};

/// `replacement` for the placeholder `name` ("TEXT") wherever it stands alone in a value.
JsonObject filled(const JsonObject& arguments, std::string_view name, const Json& replacement);

class Profile {
 public:
  /// `own`: the user's profile, or null. Throws std::invalid_argument naming the entry that is no fixture.
  Profile() : Profile(nullptr) {}
  explicit Profile(Json own);
  std::optional<Fixture> find(std::string_view kind) const;
  /// Whether the user's own profile says what, or that nothing, is of that kind.
  bool decides(std::string_view kind) const { return own_.get_object().contains(kind); }
  /// From now on the names of the official fixtures mean nothing: what the suite is like with a server that has none.
  void forget_official_names() { has_official_names_ = false; }

 private:
  Json own_;
  bool has_official_names_ = true;
};

}  // namespace toolwire::conformance
