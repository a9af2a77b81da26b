#include "json/skip.hpp"

#include <vector>

namespace toolwire::json {
namespace {

constexpr std::string_view space = " \t\r\n";

}  // namespace

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && space.find(text[at]) != std::string_view::npos) ++at;
  return at;
}

std::size_t skip_string(std::string_view text, std::size_t at) {
  std::size_t from = at + 1;
  for (;;) {
    const std::size_t quote = text.find('"', from);
    if (quote == std::string_view::npos) return quote;
    std::size_t run = quote;
    while (run > from && text[run - 1] == '\\') --run;
    from = quote + 1;
    if ((quote - run) % 2 == 0) return from;
  }
}

std::size_t skip_value(std::string_view text, std::size_t at) {
  std::vector<bool> open;  // true for '['; a bit a level, so that a million levels cost 125 kB
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = skip_string(text, at);
      if (at == std::string_view::npos) return at;
      continue;
    }
    if (c == '{' || c == '[') {
      open.push_back(c == '[');
    } else if (c == '}' || c == ']') {
      if (open.empty()) return at;
      if (open.back() != (c == ']')) return std::string_view::npos;
      open.pop_back();
    } else if (c == ',' && open.empty()) {
      return at;
    }
    ++at;
  }
  return open.empty() ? at : std::string_view::npos;
}

}  // namespace toolwire::json
