#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "registry/checked_result.hpp"

namespace toolwire::bridge {
namespace {

std::size_t line_count(std::string_view text) {
  const auto ends = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  return ends + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

/// `at`, or a little before it: never within a character.
std::size_t character_start(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  return at;
}

/// As many whole lines from the beginning as fit; of a first line that is too long, its beginning.
std::string_view head(std::string_view text, std::size_t lines, std::size_t bytes) {
  std::size_t end = 0;
  for (std::size_t line = 0; line < lines && end < text.size(); ++line) {
    const std::size_t next = std::min(text.find('\n', end), text.size() - 1) + 1;
    if (next > bytes) return end > 0 ? text.substr(0, end) : text.substr(0, character_start(text, bytes));
    end = next;
  }
  return text.substr(0, end);
}

/// The same from the end.
std::string_view tail(std::string_view text, std::size_t lines, std::size_t bytes) {
  std::size_t begin = text.size();
  for (std::size_t line = 0; line < lines && begin > 0; ++line) {
    const std::size_t end_of_last = begin > 1 ? text.rfind('\n', begin - 2) : std::string_view::npos;
    const std::size_t start = end_of_last == std::string_view::npos ? 0 : end_of_last + 1;
    if (text.size() - start > bytes) {
      if (begin < text.size() || bytes == 0) break;
      std::size_t at = text.size() - bytes;
      while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
      return text.substr(at);
    }
    begin = start;
  }
  return text.substr(begin);
}

std::string notice(std::string_view all, std::size_t kept_lines, std::size_t kept_bytes, std::string_view advice) {
  return "[cut: " + std::to_string(line_count(all) - std::min(kept_lines, line_count(all))) + " of " +
         std::to_string(line_count(all)) + " lines, " + std::to_string(all.size() - kept_bytes) + " of " +
         std::to_string(all.size()) + " bytes are left out; " + std::string(advice) + "]";
}

std::string with_line_end(std::string_view text) {
  std::string line(text);
  if (!line.empty() && line.back() != '\n') line += '\n';
  return line;
}

std::string cut(std::string_view text, std::size_t lines, std::size_t bytes, Keep keep) {
  if (keep == Keep::head) {
    const std::string_view first = head(text, lines, bytes);
    return with_line_end(first) +
           notice(text, line_count(first), first.size(), "there are more: narrow the query to see the rest");
  }
  const std::string_view first = head(text, lines / 2, bytes / 2);
  const std::string_view last = tail(text.substr(first.size()), lines - lines / 2, bytes - bytes / 2);
  return with_line_end(first) +
         notice(text, line_count(first) + line_count(last), first.size() + last.size(),
                "ask for less, or for a part, to see what stood here") +
         "\n" + std::string(last);
}

/// The least a value takes as text, without writing it.
std::size_t size_of(const Json& value) {
  if (value.is_string()) return value.get_string().size() + 2;
  std::size_t size = 2;
  if (const JsonArray* array = value.if_array()) {
    for (const Json& element : *array) size += size_of(element) + 1;
  } else if (const JsonObject* object = value.if_object()) {
    for (const auto& member : *object) size += member.key().size() + 4 + size_of(member.value());
  }
  return size;
}

void cut_texts(ToolResult& result, std::size_t lines, std::size_t bytes, Keep keep) {
  for (Content& block : result.content) {
    auto* text = std::get_if<TextContent>(&block.item);
    if (text == nullptr) continue;
    // A line has a byte: what is short enough need not be counted.
    if (text->text.size() > bytes || (text->text.size() > lines && line_count(text->text) > lines))
      text->text = cut(text->text, lines, bytes, keep);
    lines -= std::min(lines, line_count(text->text));
    bytes -= std::min(bytes, text->text.size());
  }
}

}  // namespace

ToolResult bounded(ToolResult&& result, const OutputBounds& bounds, Keep keep) {
  if (!result.structured) {
    cut_texts(result, bounds.lines, bounds.bytes, keep);
    return std::move(result);
  }
  const std::size_t size = size_of(*result.structured);
  if (size > bounds.structured) {
    return failure("too_large",
                   "The result has more than " + std::to_string(size) + " bytes of structured content, and " +
                       std::to_string(bounds.structured) + " are the most that is sent; ask for less",
                   false);
  }
  // The text that repeats the structure stays whole; six bytes are the longest escape.
  cut_texts(result, std::string_view::npos, std::max(bounds.bytes, 6 * bounds.structured), keep);
  return std::move(result);
}

}  // namespace toolwire::bridge
