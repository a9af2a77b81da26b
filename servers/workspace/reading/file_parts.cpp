#include "workspace/reading/file_parts.hpp"

#include <algorithm>
#include <toolwire/error.hpp>

#include "workspace/reading/shown_bytes.hpp"
#include "workspace/system/file_bytes.hpp"
#include "workspace/system/file_state.hpp"
#include "workspace/text/credentials.hpp"
#include "workspace/text/utf8.hpp"

namespace workspace {
namespace {

constexpr std::size_t bytes_in_row = 16;
constexpr std::size_t row_width = 80;

std::uint64_t size_of(int descriptor) { return state_of(descriptor).value_or(FileState{}).size; }

// The number of the line that begins at `offset`; nothing if that is too far into the file to count.
std::optional<std::uint64_t> line_at(int descriptor, std::uint64_t offset, const std::stop_token& stop) {
  if (offset > max_bytes_skipped) return std::nullopt;
  std::uint64_t line = 1;
  for (std::uint64_t at = 0; at < offset && !stop.stop_requested();) {
    const std::string bytes =
        bytes_at(descriptor, at, static_cast<std::size_t>(std::min<std::uint64_t>(offset - at, 1U << 20)));
    if (bytes.empty()) break;
    line += static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
    at += bytes.size();
  }
  return line;
}

// Where the last `count` lines of `text` begin.
std::size_t start_of_last_lines(std::string_view text, std::uint64_t count) {
  std::size_t at = text.ends_with('\n') ? text.size() - 1 : text.size();
  for (std::uint64_t lines = 0; at > 0; --at) {
    if (text[at - 1] == '\n' && ++lines == count) break;
  }
  return at;
}

std::string_view without_cut_character(std::string_view text) {
  for (int i = 0; i < 3 && !text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0U) == 0x80U; ++i)
    text.remove_prefix(1);
  return text;
}

// Bytes that the numbers of `count` lines may take.
std::size_t room_for_numbers(std::uint64_t count, const TextBudget& budget) {
  constexpr std::size_t number_width = 12;
  return std::min(number_width * static_cast<std::size_t>(std::min<std::uint64_t>(count, budget.lines)),
                  budget.bytes / 2);
}

// Puts its number before each line of `lines`.
std::string with_numbers(std::string_view lines, std::uint64_t first) {
  std::string out;
  for (std::uint64_t number = first;; ++number) {
    const std::size_t newline = lines.find('\n');
    out += numbered_line(number, lines.substr(0, newline));
    if (newline == std::string_view::npos) return out;
    out += '\n';
    lines.remove_prefix(newline + 1);
  }
}

void add_numbers(FileText& result) {
  if (!result.first_line) {
    result.text += "\n[The lines before are too many to count, so these have no numbers.]";
    return;
  }
  const std::string notices = result.text.substr(result.lines.size());
  result.lines = with_numbers(result.lines, *result.first_line);
  result.text = result.lines + notices;
}

FileText tail_of(std::string_view text, bool begins_file, std::uint64_t count, TextBudget budget, std::size_t& from) {
  const std::uint64_t most = std::min<std::uint64_t>(count, budget.lines);
  std::size_t begin = start_of_last_lines(text, most);
  // Of a line that does not fit, and of the one the block begins in, only what follows is shown.
  const std::size_t room = budget.bytes - 1;
  const bool is_cut = text.size() - begin > room || (begin == 0 && !begins_file);
  if (is_cut) {
    const std::size_t earliest = text.size() - std::min(text.size(), room);
    const std::size_t at = std::max(begin, earliest);
    const std::size_t newline = text.find('\n', at > 0 ? at - 1 : 0);
    begin = newline == std::string_view::npos || newline + 1 >= text.size() ? earliest : newline + 1;
  }
  from = begin;
  const bool within_line = begin > 0 && text[begin - 1] != '\n';
  FileText result{.text = {},
                  .lines = valid_utf8(within_line ? without_cut_character(text.substr(begin)) : text.substr(begin))};
  if (result.lines.ends_with('\n')) result.lines.pop_back();
  result.text = result.lines;
  if (within_line) {
    result.text += "\n[The last line is too long for one answer; only its end is shown.]";
  } else if (is_cut || count > budget.lines) {
    result.text += "\n[Not all of these lines fit into one answer; the last of them are shown.]";
  }
  return result;
}

// Bytes of UTF-16 cannot be masked one by one.
void refuse_hidden_credentials(int descriptor, Encoding encoding) {
  if (encoding != Encoding::utf16_little && encoding != Encoding::utf16_big) return;
  const std::uint64_t size = std::min(size_of(descriptor), max_bytes_edited);
  std::string text = to_utf8(bytes_at(descriptor, 0, static_cast<std::size_t>(size)), encoding);
  if (mask_credentials(text))
    throw toolwire::ToolError(
        "byteOffset: the file holds credentials that are not shown; use offset, which masks them");
}

void append_row(BoundedText& text, std::uint64_t offset, std::string_view bytes) {
  char row[row_width + 32];
  int used = std::snprintf(row, sizeof row, "%08llx ", static_cast<unsigned long long>(offset));
  std::string line(row, static_cast<std::size_t>(used));
  for (std::size_t i = 0; i < bytes_in_row; ++i) {
    used = i < bytes.size()
               ? std::snprintf(row, sizeof row, " %02x", static_cast<unsigned>(static_cast<unsigned char>(bytes[i])))
               : std::snprintf(row, sizeof row, "   ");
    line.append(row, static_cast<std::size_t>(used));
  }
  line += "  ";
  for (const char c : bytes) line += c >= ' ' && c <= '~' ? c : '.';
  text.add_line(line);
}

}  // namespace

FileText file_tail(int descriptor, const TailRange& range, const std::stop_token& stop, TextBudget budget,
                   Secrets secrets) {
  const std::uint64_t count = range.count;
  if (range.numbered) budget.bytes -= room_for_numbers(count, budget);
  bool is_empty = false;
  FileText result = as_it_turns_out(descriptor, [&](Encoding encoding) {
    const std::uint64_t size = size_of(descriptor);
    const std::uint64_t first = encoding == Encoding::utf8_with_mark ? mark_size : 0;
    std::size_t from = 0;
    FileText tail;
    std::string text;
    if (is_utf8(encoding) && size > 0) {
      const std::uint64_t begin = std::max(size - std::min<std::uint64_t>(size, budget.bytes + 4), first);
      text = shown_bytes_at(descriptor, begin, static_cast<std::size_t>(size - begin), secrets);
      tail = tail_of(text, begin == first, count, budget, from);
      tail.first_line = line_at(descriptor, begin + from, stop);
    } else {
      // Also what the kernel makes while it is read, as in /proc, which has no size.
      text = decoded_file(descriptor, encoding, stop, secrets);
      tail = tail_of(text, true, count, budget, from);
      tail.first_line = 1 + static_cast<std::uint64_t>(
                                std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(from), '\n'));
    }
    is_empty = text.empty();
    return tail;
  });
  if (is_empty) return {.text = "[The file is empty.]", .lines = ""};
  const auto lines = static_cast<std::uint64_t>(std::count(result.lines.begin(), result.lines.end(), '\n'));
  if (result.first_line) {
    result.last_line = *result.first_line + lines;
    if (*result.first_line > 1) {
      result.text += "\n[Lines " + std::to_string(*result.first_line) + " to " + std::to_string(*result.last_line) +
                     " shown, the end of the file. What stands before is read with offset.]";
    }
  }
  if (range.numbered) add_numbers(result);
  return result;
}

FileText file_bytes_text(int descriptor, std::uint64_t offset, std::uint64_t limit, TextBudget budget,
                         Secrets secrets) {
  const std::uint64_t size = size_of(descriptor);
  if (offset >= size && size > 0) {
    throw toolwire::ToolError("byteOffset: " + std::to_string(offset) + " is behind the end; the file has " +
                              std::to_string(size) + " bytes");
  }
  FileText result;
  result.encoding = encoding_of(start_of_file(descriptor));
  if (secrets == Secrets::left_out) refuse_hidden_credentials(descriptor, result.encoding);
  const bool is_text = is_utf8(result.encoding);
  const std::size_t most = is_text ? budget.bytes : std::min(budget.lines, budget.bytes / row_width) * bytes_in_row;
  const std::string bytes =
      shown_bytes_at(descriptor, offset, static_cast<std::size_t>(std::min<std::uint64_t>(limit, most)), secrets);
  std::size_t shown = bytes.size();
  if (is_text) {
    ValidText valid = valid_utf8_prefix(bytes, budget.bytes);
    shown = valid.consumed;
    result.lines = std::move(valid.text);
  } else {
    BoundedText rows{budget};
    for (std::size_t at = 0; at < bytes.size(); at += bytes_in_row)
      append_row(rows, offset + at, std::string_view(bytes).substr(at, bytes_in_row));
    result.lines = rows.lines_text();
  }
  result.text = result.lines;
  if (offset + shown < size) {
    result.next_offset = offset + shown;
    result.text += "\n[Bytes " + std::to_string(offset) + " to " + std::to_string(offset + shown - 1) + " of " +
                   std::to_string(size) + " shown. Continue with byteOffset " + std::to_string(offset + shown) + ".]";
  }
  return result;
}

}  // namespace workspace
