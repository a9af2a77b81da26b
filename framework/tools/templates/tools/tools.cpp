#include "tools.hpp"

#include <cstddef>
#include <sstream>
#include <string>

namespace {

/// What a tool returns is described as its arguments are; clients get the schema of it, too.
struct Counted {
  std::size_t lines = 0, words = 0, bytes = 0;

  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Counted::lines>("Line ends"), toolwire::field<&Counted::words>("Words"),
                            toolwire::field<&Counted::bytes>("Bytes of UTF-8"));
  }
};

Counted count(const std::string& text) {
  Counted counted{.bytes = text.size()};
  for (const char c : text) counted.lines += c == '\n' ? 1U : 0U;
  std::istringstream words(text);
  for (std::string word; words >> word;) ++counted.words;
  return counted;
}

std::string repeat(const std::string& text, int times) {
  if (text.empty()) throw toolwire::ToolError{"text: expected at least one character"};
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

void add_tools(toolwire::Server& server) {
  using toolwire::arg, toolwire::args;
  server.tool({.name = "count", .description = "Count lines, words and bytes of a text", .read_only = true},
              args(arg("text", "The text")), count);
  server.tool({.name = "repeat", .description = "Repeat a text", .read_only = true},
              args(arg("text", "The text"), arg("times", "How often").between(1, 100)), repeat);
}
