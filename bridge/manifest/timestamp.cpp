#include "manifest/timestamp.hpp"

#include <fmt/chrono.h>

#include <chrono>
#include <toolwire/bridge/manifest.hpp>
#include <toolwire/schema.hpp>

namespace toolwire::bridge {

bool is_timestamp(std::string_view text) {
  // The validator of schemas knows the rules of RFC 3339, leap years and all.
  static const Schema schema = [] {
    SchemaOptions options;
    options.assert_formats = true;
    return Schema::compile(JsonObject{{"type", "string"}, {"format", "date-time"}}, options);
  }();
  return schema.is_valid(Json(text));
}

std::string now_as_timestamp() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

}  // namespace toolwire::bridge
