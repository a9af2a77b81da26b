#include "types/echo.hpp"

#include "toolwire/text.hpp"

namespace toolwire::types {

std::string echo(std::string_view text) {
  const std::string_view shown = text::head(text, max_echoed);
  std::string quoted;
  quoted.reserve(shown.size());
  for (const char c : shown) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return text::visible(quoted) + (shown.size() < text.size() ? "…" : "");
}

}  // namespace toolwire::types
