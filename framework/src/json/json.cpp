#include <toolwire/json.hpp>

#include "json/parse.hpp"
#include "json/writer.hpp"

namespace toolwire {

Json parse_json(std::string_view text, const JsonParseOptions& options) {
  auto result = json::parse(text, options);
  if (const auto* const error = std::get_if<json::ParseError>(&result)) throw JsonError(error->message, error->offset);
  return std::move(std::get<Json>(result));
}

std::string to_json_text(const Json& value) {
  std::string text;
  json::write(text, value);
  return text;
}

}  // namespace toolwire
