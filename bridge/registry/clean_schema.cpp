#include "registry/clean_schema.hpp"

#include <string>
#include <string_view>

#include <toolwire/text.hpp>

namespace toolwire::bridge {
namespace {

bool is_prose(std::string_view member) { return member == "title" || member == "description" || member == "$comment"; }

}  // namespace

std::string clean_prose(std::string_view prose, std::size_t most) {
  std::string clean = text::stripped(text::head(prose, most), text::lines);
  if (prose.size() > most) clean += " … [cut: of " + std::to_string(prose.size()) + " bytes]";
  return clean;
}

Json clean_schema(const Json& schema) {
  if (const JsonArray* items = schema.if_array()) {
    JsonArray clean;
    for (const Json& item : *items) clean.push_back(clean_schema(item));
    return clean;
  }
  const JsonObject* members = schema.if_object();
  if (members == nullptr) return schema;
  JsonObject clean;
  for (const auto& [name, value] : *members) {
    const bool prose = value.is_string() && is_prose(name);
    clean[name] = prose ? Json(clean_prose(value.get_string())) : clean_schema(value);
  }
  return clean;
}

}  // namespace toolwire::bridge
