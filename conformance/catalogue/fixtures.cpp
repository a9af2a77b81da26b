#include "catalogue/fixtures.hpp"

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "catalogue/catalogue.hpp"
#include "driver/message.hpp"

namespace toolwire::conformance {
namespace {

Json filled_value(const Json& value, std::string_view placeholder, const Json& replacement) {
  if (text_of(value) == placeholder) return replacement;
  if (const JsonObject* object = value.if_object()) {
    JsonObject copy;
    for (const auto& [key, member] : *object) copy[key] = filled_value(member, placeholder, replacement);
    return copy;
  }
  if (const JsonArray* array = value.if_array()) {
    JsonArray copy;
    for (const Json& item : *array) copy.push_back(filled_value(item, placeholder, replacement));
    return copy;
  }
  return value;
}

bool is_usable(const Json& entry) {
  return entry.is_null() || get(entry, "name").is_string() || get(entry, "uri").is_string() ||
         get(entry, "ref").is_object();
}

}  // namespace

std::string Fixture::shown_name() const {
  if (!name.empty()) return name;
  const Json& reference = get(entry, "ref");
  const Json& uri = get(reference, "uri");
  return std::string(text_of(get(entry, "argument"))) + " of " +
         std::string(text_of(uri.is_null() ? get(reference, "name") : uri));
}

JsonObject filled(const JsonObject& arguments, std::string_view name, const Json& replacement) {
  const std::string placeholder = "<" + std::string(name) + ">";
  JsonObject all = filled_value(arguments, placeholder, replacement).get_object();
  if (name != "SECONDS" || !replacement.is_number()) return all;
  const auto milliseconds = static_cast<std::int64_t>(std::llround(replacement.to_number<double>() * 1000));
  return filled_value(all, "<MILLISECONDS>", milliseconds).get_object();
}

Profile::Profile(Json own) : own_(std::move(own)) {
  if (own_.is_null()) own_ = JsonObject{};
  if (!own_.is_object()) throw std::invalid_argument("a profile must be a JSON object of fixtures");
  for (const auto& [kind, entry] : own_.get_object()) {
    if (!default_profile().get_object().contains(kind))
      throw std::invalid_argument("profile: \"" + std::string(kind) + "\" is no kind of fixture");
    if (!is_usable(entry))
      throw std::invalid_argument("profile: \"" + std::string(kind) +
                                  "\" must be an object with \"name\", \"uri\" or \"ref\", or null for none");
  }
}

std::optional<Fixture> Profile::find(std::string_view kind) const {
  const bool by_profile = decides(kind);
  if (!by_profile && !has_official_names_) return std::nullopt;
  const Json& entry = by_profile ? get(own_, kind) : get(default_profile(), kind);
  if (entry.is_null()) return std::nullopt;
  const Json& arguments = get(entry, "arguments");
  const Json& uri = get(entry, "uri");
  return Fixture{.kind = std::string(kind),
                 .name = std::string(text_of(uri.is_null() ? get(entry, "name") : uri)),
                 .arguments = arguments.is_object() ? arguments.get_object() : JsonObject{},
                 .entry = entry,
                 .by_profile = by_profile};
}

}  // namespace toolwire::conformance
