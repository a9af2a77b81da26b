#include "workspace/reading/file_text.hpp"

#include <algorithm>
#include <string_view>
#include <toolwire/error.hpp>
#include <utility>
#include <vector>

#include "workspace/reading/shown_bytes.hpp"
#include "workspace/system/file_bytes.hpp"
#include "workspace/system/file_state.hpp"
#include "workspace/text/credentials.hpp"

namespace workspace {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD, in the place of bytes that are not UTF-8

// Where the bytes come from.
struct Source {
  int descriptor = -1;
  Secrets secrets = Secrets::left_out;
  std::size_t at = 0;                                 // the next byte
  std::optional<std::string> decoded = std::nullopt;  // the file's text where that is not simply its bytes
};

// Bytes of a file through a buffer that can be asked to hold more before anything is taken from it. One thread.
class Reader {
 public:
  Reader(Source source, std::size_t capacity, const std::stop_token& stop)
      : source_(std::move(source)), buffer_(capacity), stop_(stop) {}

  // Reads until `wanted` bytes are there or the file ends.
  std::string_view peek(std::size_t wanted) {
    if (begin_ > 0 && end_ - begin_ < wanted) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    while (end_ - begin_ < std::min(wanted, buffer_.size()) && !at_end_) read_more();
    return {buffer_.data() + begin_, end_ - begin_};
  }

  void take(std::size_t count) { begin_ += count; }

 private:
  void read_more() {
    const std::size_t got = stop_.stop_requested() ? 0 : next(buffer_.data() + end_, buffer_.size() - end_);
    at_end_ = got == 0;
    end_ += got;
  }

  std::size_t next(char* into, std::size_t room) {
    const std::size_t count =
        source_.decoded ? source_.decoded->copy(into, room, source_.at)
                        : shown_bytes_at(source_.descriptor, source_.at, room, source_.secrets).copy(into, room);
    source_.at += count;
    return count;
  }

  Source source_;
  std::vector<char> buffer_;
  const std::stop_token& stop_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
};

// One answer: skips to the range, adds lines until the budget or the range ends, and words the notice.
class Reading {
 public:
  Reading(Source source, const LineRange& range, const std::stop_token& stop, TextBudget budget)
      : reader_(std::move(source), std::max(2 * start_size, budget.bytes + 64), stop), range_(range), text_(budget) {}

  FileText run() {
    if (reader_.peek(1).empty() && range_.offset == 1) return {.text = "[The file is empty.]", .lines = ""};
    skip_lines();
    skip_columns();
    while (line_ - range_.offset < range_.limit && add_line()) ++line_;
    if (!text_.is_full() && !reader_.peek(1).empty()) continue_at(line_);
    result_.text = text_.text();
    result_.lines = text_.lines_text();
    result_.first_line = range_.offset;
    result_.last_line = std::max(range_.offset, line_ - (result_.next_column ? 0 : 1));
    return std::move(result_);
  }

 private:
  void skip_lines() {
    std::uint64_t skipped = 0;
    bool in_line = false;
    while (line_ < range_.offset) {
      const std::string_view bytes = reader_.peek(1);
      if (bytes.empty()) refuse_offset(in_line ? line_ : line_ - 1);
      const std::size_t newline = bytes.find('\n');
      in_line = newline == std::string_view::npos;
      line_ += in_line ? 0 : 1;
      skip(in_line ? bytes.size() : newline + 1, skipped);
    }
    if (reader_.peek(1).empty()) refuse_offset(line_ - 1);
  }

  void skip_columns() {
    std::uint64_t skipped = 0;
    while (skipped < range_.column - 1) {
      const std::string_view bytes = reader_.peek(1).substr(0, range_.column - 1 - skipped);
      if (bytes.empty() || bytes.find('\n') != std::string_view::npos) {
        throw toolwire::ToolError("column: " + std::to_string(range_.column) + " is behind the end of line " +
                                  std::to_string(line_));
      }
      skip(bytes.size(), skipped);
    }
  }

  void skip(std::size_t count, std::uint64_t& skipped) {
    reader_.take(count);
    skipped += count;
    if (skipped < max_bytes_skipped) return;
    throw toolwire::ToolError(
        "offset: the range begins more than 256 MiB into the file, further than this tool counts lines; "
        "search_text finds text in the first 256 MiB");
  }

  [[noreturn]] void refuse_offset(std::uint64_t lines) const {
    throw toolwire::ToolError("offset: " + std::to_string(range_.offset) + " is behind the end; the file has " +
                              counted(lines, "line", "lines"));
  }

  // False at the end of the file or when the line does not fit.
  bool add_line() {
    const std::string_view bytes = reader_.peek(text_.budget().bytes + 8);
    if (bytes.empty()) return false;
    const std::size_t newline = bytes.find('\n');
    const std::string_view line = bytes.substr(0, newline);
    if (range_.numbered ? text_.add_line(numbered_line(line_, line)) : text_.add_line(line)) {
      reader_.take(std::min(line.size() + 1, bytes.size()));
      return true;
    }
    if (text_.is_empty()) {
      add_part(line);
    } else {
      continue_at(line_);
    }
    return false;
  }

  void add_part(std::string_view line) {
    BoundedText part{text_.budget()};
    const std::uint64_t next = range_.column + part.add_part_of_line(line);
    text_ = part;
    result_.next_offset = line_;
    result_.next_column = next;
    text_.notice("Line " + std::to_string(line_) + " is too long for one answer: shown from byte " +
                 std::to_string(range_.column) + " to " + std::to_string(next - 1) + ". Continue with offset " +
                 std::to_string(line_) + " and column " + std::to_string(next) + ".");
  }

  void continue_at(std::uint64_t next) {
    result_.next_offset = next;
    text_.notice("Lines " + std::to_string(range_.offset) + " to " + std::to_string(next - 1) +
                 " shown, more follow. Continue with offset " + std::to_string(next) + ".");
  }

  Reader reader_;
  LineRange range_;
  BoundedText text_;
  FileText result_;
  std::uint64_t line_ = 1;
};

}  // namespace

std::string numbered_line(std::uint64_t number, std::string_view line) {
  return std::to_string(number) + ": " + std::string(line);
}

std::string start_of_file(int descriptor) {
  std::string start(start_size, '\0');
  const std::ptrdiff_t got = read_some_at(descriptor, 0, start.data(), start.size());
  start.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return start;
}

bool is_utf8(Encoding encoding) { return encoding == Encoding::utf8 || encoding == Encoding::utf8_with_mark; }

std::string decoded_file(int descriptor, Encoding encoding, const std::stop_token& stop, Secrets secrets) {
  if (!go_to(descriptor, 0)) throw toolwire::ToolError("path: the file cannot be read from its start");
  std::string text = to_utf8(all_bytes(descriptor, max_bytes_edited, stop), encoding);
  if (secrets == Secrets::left_out) mask_credentials(text);
  return text;
}

FileText as_it_turns_out(int descriptor, const std::function<FileText(Encoding)>& shown) {
  Encoding encoding = encoding_of(start_of_file(descriptor));
  const std::uint64_t size = state_of(descriptor).value_or(FileState{}).size;
  if (encoding == Encoding::binary) refuse_binary(size);
  const auto of_whole = [&] {
    return size > max_bytes_edited ? encoding
                                   : encoding_of_whole(bytes_at(descriptor, 0, static_cast<std::size_t>(size)));
  };
  if (encoding == Encoding::latin1) encoding = of_whole();
  FileText result = shown(encoding);
  const bool has_damage = encoding == Encoding::utf8 && result.lines.find(replacement) != std::string::npos;
  if (has_damage && of_whole() == Encoding::latin1) {
    encoding = Encoding::latin1;
    result = shown(encoding);
  }
  result.encoding = encoding;
  return result;
}

void refuse_binary(std::uint64_t size) {
  throw toolwire::ToolError("path: the file is binary (" + std::to_string(size) +
                            " bytes); expected a text file or an image. byteOffset and byteLimit show bytes of it");
}

FileText file_text(int descriptor, const LineRange& range, const std::stop_token& stop, TextBudget budget,
                   Secrets secrets) {
  if (range.offset == 0 || range.limit == 0 || range.column == 0) {
    throw toolwire::ToolError("offset, limit and column count from 1; expected a number that is at least 1");
  }
  return as_it_turns_out(descriptor, [&](Encoding encoding) {
    Source source{.descriptor = descriptor, .secrets = secrets};
    if (encoding == Encoding::utf8_with_mark) source.at = mark_size;
    if (!is_utf8(encoding)) source.decoded = decoded_file(descriptor, encoding, stop, secrets);
    return Reading{std::move(source), range, stop, budget}.run();
  });
}

}  // namespace workspace
