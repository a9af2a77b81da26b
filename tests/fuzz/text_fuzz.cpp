// Any bytes as a text: what is made of them is UTF-8 in which nothing hides, and stays as it is when it is made again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "text/terminal_sequence.hpp"
#include "toolwire/text.hpp"
#include "types/echo.hpp"

namespace {

namespace text = toolwire::text;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_valid(std::string_view bytes) {
  const std::string valid = text::valid(bytes);
  require(text::is_valid(valid));
  require(text::is_valid(bytes) == (valid == bytes));
  require(text::valid(valid) == valid);
  std::size_t length = 0;
  while (length < bytes.size()) length += text::first_character(bytes.substr(length)).length;
  require(length == bytes.size());
}

void check_layout(std::string_view bytes, text::Layout layout) {
  const std::string visible = text::visible(bytes, layout);
  require(text::is_valid(visible));
  require(text::visible(visible, layout) == visible);
  require(text::stripped(visible, layout) == visible);
  const std::string stripped = text::stripped(bytes, layout);
  require(text::is_valid(stripped));
  require(text::stripped(stripped, layout) == stripped);
  require(text::visible(stripped, layout) == stripped);
  for (const char c : visible + stripped) {
    const auto byte = static_cast<unsigned char>(c);
    require((byte >= 0x20 && byte != 0x7F) || (c == '\n' && layout.line_feeds) || (c == '\t' && layout.tabs));
  }
}

void check_parts(std::string_view bytes) {
  for (const std::size_t size : {std::size_t{0}, bytes.size() / 2, bytes.size()}) {
    require(text::head(bytes, size).size() <= size && text::tail(bytes, size).size() <= size);
    if (!text::is_valid(bytes)) continue;
    require(text::is_valid(text::head(bytes, size)) && text::is_valid(text::tail(bytes, size)));
  }
  require(text::terminal_sequence_length(bytes) <= bytes.size());
  const std::string echo = toolwire::types::echo(bytes);
  require(text::visible(echo) == echo);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check_valid(bytes);
  check_layout(bytes, text::one_line);
  check_layout(bytes, text::lines);
  check_parts(bytes);
  return 0;
}
