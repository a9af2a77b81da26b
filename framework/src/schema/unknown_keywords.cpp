#include "toolwire/detail/unknown_keywords.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

#include "schema/dialect.hpp"
#include "schema/uri.hpp"

namespace toolwire {
namespace {

using schema::Shape;

class Search {
 public:
  std::vector<std::string> found;

  void look_at(const Json& schema) {
    const JsonObject* const members = schema.if_object();
    if (members == nullptr) return;
    for (const auto& [name, value] : *members) {
      const schema::KeywordInfo* const keyword = schema::find_keyword(name);
      const std::size_t before = place_.size();
      schema::append_pointer(place_, name);
      if (keyword != nullptr) look_within(value, keyword->shape);
      if (keyword == nullptr && !std::string_view(name).starts_with("x-")) found.push_back(place_);
      place_.resize(before);
    }
  }

 private:
  void look_within(const Json& value, Shape shape) {
    const bool is_list = value.is_array();
    if (shape == Shape::schema || (shape == Shape::schema_or_schemas && !is_list)) return look_at(value);
    if (is_list && (shape == Shape::schemas || shape == Shape::schema_or_schemas)) {
      std::size_t index = 0;
      for (const Json& schema : value.get_array()) look_below(std::to_string(index++), schema);
    }
    if (value.is_object() && (shape == Shape::schema_map || shape == Shape::dependencies)) {
      for (const auto& [name, schema] : value.get_object()) look_below(name, schema);
    }
  }

  void look_below(std::string_view name, const Json& schema) {
    const std::size_t before = place_.size();
    schema::append_pointer(place_, name);
    look_at(schema);
    place_.resize(before);
  }

  std::string place_;
};

}  // namespace

std::vector<std::string> unknown_keywords(const Json& schema) {
  Search search;
  search.look_at(schema);
  return std::move(search.found);
}

}  // namespace toolwire
