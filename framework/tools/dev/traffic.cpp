#include "traffic.hpp"

#include <cstddef>
#include <toolwire/json.hpp>
#include <toolwire/redact.hpp>
#include <toolwire/text.hpp>

namespace toolwire::dev {
namespace {

constexpr std::size_t shown_bytes = 160;

std::string beginning(std::string_view text) {
  const std::string_view shown = text::head(text, shown_bytes);
  return text::visible(shown) + (shown.size() < text.size() ? "…" : "");
}

std::string member(const JsonObject& message, std::string_view name) {
  const Json* const value = message.if_contains(name);
  return value == nullptr ? std::string() : to_json_text(*value);
}

std::string readable(const JsonObject& message) {
  std::string text = message.contains("id") ? "#" + beginning(member(message, "id")) + " " : "";
  if (const Json* const method = message.if_contains("method"); method != nullptr && method->is_string()) {
    text += text::visible(text::head(std::string(method->get_string()), shown_bytes));
    if (message.contains("params")) text += " " + beginning(member(message, "params"));
    return text;
  }
  const bool is_error = message.contains("error");
  return text + (is_error ? "error " : "result ") + beginning(member(message, is_error ? "error" : "result"));
}

}  // namespace

std::string readable(std::string_view line) {
  const std::string shown = redact(line);
  try {
    const Json message = parse_json(shown);
    if (message.is_object()) return readable(message.get_object());
  } catch (const JsonError&) {
  }
  return "no message: " + beginning(shown);
}

}  // namespace toolwire::dev
