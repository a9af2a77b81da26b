#include "protocol/listing/pages.hpp"

#include <algorithm>
#include <charconv>

#include "json/writer.hpp"

namespace toolwire::protocol {

PageRange page_of(const JsonObject& params, const ListNames& names, std::size_t count, std::size_t size) {
  std::size_t from = 0;
  if (const Json* cursor = params.if_contains("cursor")) {
    std::string_view text = cursor->is_string() ? std::string_view(cursor->get_string()) : std::string_view();
    if (!text.starts_with(names.cursor_prefix)) refuse_cursor(names);
    text.remove_prefix(names.cursor_prefix.size());
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), from);
    if (error != std::errc() || end != text.data() + text.size() || from > count) refuse_cursor(names);
  }
  return {from, size == 0 ? count : std::min(count, from + size)};
}

void append_next_cursor(std::string& out, std::string_view cursor) {
  if (cursor.empty()) return;
  out.append(",\"nextCursor\":");
  json::write_string(out, cursor);
}

void refuse_cursor(const ListNames& names) {
  throw ProtocolError(error_code::invalid_params,
                      "Invalid params: \"cursor\" must be a nextCursor of an earlier " + std::string(names.method));
}

}  // namespace toolwire::protocol
