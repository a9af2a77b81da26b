#include "workspace/search/text_search.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <toolwire/error.hpp>
#include <utility>

#include "workspace/system/file_bytes.hpp"
#include "workspace/system/file_state.hpp"
#include "workspace/text/utf8.hpp"

namespace workspace {
namespace {

constexpr std::size_t max_pattern = 4096;
constexpr std::size_t chunk = std::size_t{64} * 1024;
constexpr std::size_t sniffed = std::size_t{8} * 1024;
constexpr std::string_view expectation =
    "expected an RE2 regular expression (no look-around, no back-references), or literal: true to look for the text as "
    "it is";

[[noreturn]] void refuse(const std::string& reason) {
  throw toolwire::ToolError("pattern: " + valid_utf8_prefix(reason, 600).text + "; " + std::string(expectation));
}

re2::RE2::Options re2_options(PatternOptions wanted) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_never_nl(true);
  options.set_never_capture(true);
  options.set_case_sensitive(!wanted.ignore_case);
  return options;
}

void check_text(std::string_view pattern) {
  if (pattern.empty()) refuse("is empty");
  if (pattern.size() > max_pattern) refuse("is longer than 4096 bytes");
  if (pattern.find('\n') != std::string_view::npos) {
    refuse("has a newline, but the search is line by line and no line contains one; search for one of the lines");
  }
}

// True if `pattern` has a construct that means a place in the text searched. A false alarm only costs time.
bool depends_on_text_bounds(std::string_view pattern) {
  if (pattern.find("\\A") != std::string_view::npos || pattern.find("\\z") != std::string_view::npos) return true;
  for (std::size_t at = pattern.find("(?"); at != std::string_view::npos; at = pattern.find("(?", at + 2)) {
    const std::size_t end = pattern.find_first_of(":)<", at);
    if (pattern.substr(at, end - at).find('-') != std::string_view::npos) return true;
  }
  return false;
}

std::uint64_t newlines(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

LinePattern::LinePattern(std::string_view pattern, PatternOptions options)
    : line_by_line_(!options.literal && depends_on_text_bounds(pattern)) {
  check_text(pattern);
  const re2::RE2::Options wanted = re2_options(options);
  const std::string text = options.literal ? re2::RE2::QuoteMeta(pattern) : std::string(pattern);
  // (?m): ^ and $ are the bounds of a line, so that many lines can be searched in one go.
  expression_ = std::make_unique<re2::RE2>("(?m)" + text, wanted);
  if (!expression_->ok()) {
    const re2::RE2 as_written{text, wanted};
    refuse("cannot be parsed: " + (as_written.ok() ? expression_->error() : as_written.error()));
  }
  if (options.ignore_case || line_by_line_) return;
  RequiredText required = options.literal ? RequiredText{std::string(pattern), true} : required_text(pattern);
  is_plain_ = required.is_all;
  if (!required.text.empty()) required_.emplace(std::move(required.text));
}

LinePattern::LinePattern(LinePattern&&) noexcept = default;
LinePattern::~LinePattern() = default;

std::optional<LinePattern::Hit> LinePattern::find(std::string_view lines, std::size_t from) const {
  if (required_) return find_by_required_text(lines, from);
  return line_by_line_ ? find_line_by_line(lines, from) : match(lines, from);
}

std::optional<LinePattern::Hit> LinePattern::match(std::string_view text, std::size_t from) const {
  re2::StringPiece found;
  if (!expression_->Match(text, from, text.size(), re2::RE2::UNANCHORED, &found, 1)) return std::nullopt;
  const auto begin = static_cast<std::size_t>(found.data() - text.data());
  return Hit{begin, begin + found.size()};
}

// Only lines with the required text are given to the expression.
std::optional<LinePattern::Hit> LinePattern::find_by_required_text(std::string_view lines, std::size_t from) const {
  for (std::size_t at = required_->find(lines, from); at != std::string_view::npos; at = required_->find(lines, at)) {
    if (is_plain_) return Hit{at, at + required_->text().size()};
    const std::size_t begin = at == 0 ? 0 : lines.rfind('\n', at - 1) + 1;
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    if (const auto hit = match(lines.substr(begin, end - begin), 0)) return Hit{begin + hit->begin, begin + hit->end};
    at = end;
  }
  return std::nullopt;
}

std::optional<LinePattern::Hit> LinePattern::find_line_by_line(std::string_view lines, std::size_t from) const {
  while (from <= lines.size()) {
    const std::size_t end = std::min(lines.find('\n', from), lines.size());
    if (const auto hit = match(lines.substr(from, end - from), 0)) return Hit{from + hit->begin, from + hit->end};
    from = end + 1;
  }
  return std::nullopt;
}

TextSearch::TextSearch(const LinePattern& pattern, std::uint64_t max_bytes)
    : pattern_(pattern), max_bytes_(max_bytes), buffer_(chunk) {}

FileSearch TextSearch::run(int descriptor, const std::stop_token& stop,
                           const std::function<Found(const LineMatch&)>& found) {
  found_ = &found;
  used_ = 0;
  read_ = 0;
  line_ = 1;
  reported_ = 0;
  size_ = state_of(descriptor).value_or(FileState{}).size;
  FileSearch result;
  Fill state = Fill::more;
  while (state == Fill::more && used_ < sniffed) state = fill(descriptor, result);
  result.is_binary = std::memchr(buffer_.data(), '\0', std::min(used_, sniffed)) != nullptr;
  while (!result.is_binary && !stop.stop_requested()) {
    const std::size_t ready = searchable(state, result);
    if (ready > 0 && search_block({buffer_.data(), ready}, state != Fill::more) == Found::enough) break;
    used_ -= ready;
    std::memmove(buffer_.data(), buffer_.data() + ready, used_);
    if (state != Fill::more) break;
    state = fill(descriptor, result);
  }
  return result;
}

TextSearch::Fill TextSearch::fill(int descriptor, FileSearch& result) {
  if (used_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::uint64_t allowed = std::min<std::uint64_t>(max_bytes_ - read_, chunk);
  char beyond = 0;
  char* const into = allowed == 0 ? &beyond : buffer_.data() + used_;
  const std::size_t room = allowed == 0 ? 1 : std::min<std::size_t>(allowed, buffer_.size() - used_);
  const std::ptrdiff_t got = read_some(descriptor, into, room);
  if (got < 0) {
    result.error = errno;
    return Fill::failed;
  }
  if (got == 0) return Fill::end;
  if (allowed == 0) {
    result.was_cut = true;
    return Fill::end;
  }
  used_ += static_cast<std::size_t>(got);
  read_ += static_cast<std::uint64_t>(got);
  // This saves the read that would only return the end; text appended meanwhile belongs to the next search.
  return read_ == size_ && static_cast<std::size_t>(got) < room ? Fill::end : Fill::more;
}

// How many bytes of the buffer to search now: whole lines, unless the file is at its end or the line is too long to
// wait for.
std::size_t TextSearch::searchable(Fill fill, FileSearch& result) {
  if (fill != Fill::more) return used_;
  const std::size_t newline = std::string_view(buffer_.data(), used_).rfind('\n');
  if (newline != std::string_view::npos) return newline + 1;
  if (used_ < max_line) return 0;
  result.has_split_line = true;
  return used_;
}

Found TextSearch::search_block(std::string_view block, bool is_last) {
  const bool ends_line = block.back() == '\n';
  const std::string_view lines = block.substr(0, block.size() - (ends_line ? 1 : 0));
  std::size_t from = 0;
  while (const auto hit = pattern_.find(lines, from)) {
    const std::size_t begin = hit->begin == 0 ? 0 : lines.rfind('\n', hit->begin - 1) + 1;
    const std::size_t end = std::min(lines.find('\n', hit->begin), lines.size());
    line_ += newlines(lines.substr(from, begin - from));
    const LineMatch match{
        line_, lines.substr(begin, end - begin), {hit->begin - begin, std::min(hit->end, end) - begin}};
    // The pieces of a line that was split count as one line.
    if (std::exchange(reported_, line_) != line_ && (*found_)(match) == Found::enough) return Found::enough;
    from = end;
    if (end == lines.size()) break;
    ++from;
    ++line_;
  }
  if (!is_last) line_ += newlines(lines.substr(from)) + (ends_line ? 1 : 0);
  return Found::proceed;
}

}  // namespace workspace
