#include "features/parameter_header.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <toolwire/json_members.hpp>
#include <vector>

#include "text/ascii.hpp"

namespace toolwire::features {
namespace {

constexpr std::string_view annotation = "x-mcp-header";

template <std::size_t count>
bool is_one_of(const std::array<std::string_view, count>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// What stands in these says nothing of schemas.
constexpr std::array<std::string_view, 4> values{"enum", "const", "default", "examples"};
/// Their members are schemas by name.
constexpr std::array<std::string_view, 5> maps{"properties", "patternProperties", "$defs", "definitions",
                                               "dependentSchemas"};

/// Looks for annotations everywhere. What is left waits in a list, since schemas may be deeper than the stack.
class Annotations {
 public:
  explicit Annotations(const Json& schema) : left_{{&schema, true, true}} {
    while (!left_.empty() && !wrong_) {
      const Place place = left_.back();
      left_.pop_back();
      look(place);
    }
  }
  const std::optional<std::string>& wrong() const { return wrong_; }

 private:
  struct Place {
    const Json* json;
    bool is_reachable;  // by `properties` alone
    bool is_schema;     // not an object of schemas by name
  };

  void look(const Place& place) {
    if (const JsonArray* const list = place.json->if_array()) {
      for (const Json& one : *list) left_.push_back({&one, false, true});
    }
    const JsonObject* const members = place.json->if_object();
    if (members == nullptr) return;
    if (const Json* const header = place.is_schema ? members->if_contains(annotation) : nullptr)
      judge(*header, text_member(*members, "type"), place.is_reachable);
    for (const auto& [name, value] : *members) {
      if (place.is_schema && is_one_of(values, name)) continue;
      const bool is_map = place.is_schema && is_one_of(maps, name);
      const bool is_way = place.is_schema ? name == "properties" : true;
      left_.push_back({&value, place.is_reachable && is_way, !is_map});
    }
  }

  void judge(const Json& header, std::string_view type, bool is_reachable) {
    const std::string name = header.is_string() ? std::string(std::string_view(header.get_string())) : std::string();
    if (!text::is_token(name)) {
      wrong_ = "its x-mcp-header is no name of a header field";
    } else if (!is_reachable) {
      wrong_ = "its x-mcp-header \"" + name + "\" stands where no argument can be found by properties alone";
    } else if (type != "string" && type != "integer" && type != "boolean") {
      wrong_ = "its x-mcp-header \"" + name + "\" is of a parameter that is neither string, integer nor boolean";
    } else if (!names_.insert(text::ascii_lower(name)).second) {
      wrong_ = "two of its parameters have the x-mcp-header \"" + name + "\"";
    }
  }

  std::vector<Place> left_;
  std::optional<std::string> wrong_;
  std::set<std::string> names_;
};

}  // namespace

std::optional<std::string> wrong_parameter_header(const Json& input_schema) {
  return Annotations(input_schema).wrong();
}

}  // namespace toolwire::features
