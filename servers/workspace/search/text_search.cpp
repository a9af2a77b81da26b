#include "workspace/search/text_search.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <toolwire/error.hpp>
#include <toolwire/text.hpp>
#include <utility>

#include "workspace/search/required_text.hpp"
#include "workspace/system/file_bytes.hpp"
#include "workspace/system/file_state.hpp"
#include "workspace/text/credentials.hpp"
#include "workspace/text/line_ends.hpp"
#include "workspace/text/newlines.hpp"
#include "workspace/text/utf8.hpp"

namespace workspace {
namespace {

constexpr std::size_t max_pattern = 4096;
constexpr std::size_t chunk = std::size_t{64} * 1024;
constexpr std::size_t looked_at = std::size_t{4} * 1024;  // at once for letters that are not ASCII
constexpr std::size_t mark_size = 3;                      // of the byte order mark in UTF-8
constexpr std::string_view expectation =
    "expected an RE2 regular expression (no look-around, no back-references), or literal: true to look for the text as "
    "it is";

[[noreturn]] void refuse(const std::string& reason) {
  throw toolwire::ToolError("pattern: " + valid_utf8_prefix(reason, 600).text + "; " + std::string(expectation));
}

std::string_view checked(std::string_view pattern, bool multiline) {
  if (pattern.empty()) refuse("is empty");
  if (pattern.size() > max_pattern) refuse("is longer than 4096 bytes");
  if (!multiline && pattern.find('\n') != std::string_view::npos) {
    refuse(
        "has a newline, but the search is line by line and no line contains one; set multiline, or search for one of "
        "the lines");
  }
  return pattern;
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

bool is_ascii_within_line(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > 0 && c < 0x80 && c != '\n'; });
}

std::size_t start_of_line(std::string_view text, std::size_t at) { return at == 0 ? 0 : text.rfind('\n', at - 1) + 1; }

}  // namespace

LinePattern::LinePattern(std::string_view pattern, PatternOptions options)
    : multiline_(options.multiline),
      sees_returns_(speaks_of_returns(pattern, options.literal)),
      line_by_line_(!options.multiline && !options.literal && depends_on_text_bounds(pattern)),
      expression_(checked(pattern, options.multiline),
                  {.ignore_case = options.ignore_case, .literal = options.literal, .multiline = options.multiline}) {
  if (!expression_.error().empty()) refuse("cannot be parsed: " + expression_.error());
  if (!line_by_line_) require(pattern, options);
}

void LinePattern::require(std::string_view pattern, PatternOptions options) {
  const Case letters = options.ignore_case ? Case::ignored : Case::matters;
  RequiredText required = options.literal ? required_of_text(pattern, letters) : required_text(pattern, letters);
  if (required.any_of.empty()) return;
  is_plain_ = required.is_all;
  is_telling_ = is_plain_ || std::all_of(required.any_of.begin(), required.any_of.end(),
                                         [](const std::string& text) { return text.size() > 1; });
  requires_ascii_ = std::all_of(required.any_of.begin(), required.any_of.end(), is_ascii_within_line);
  required_.emplace(std::move(required.any_of), required.letters);
}

LinePattern::LinePattern(LinePattern&&) noexcept = default;
LinePattern::~LinePattern() = default;

std::optional<LinePattern::Hit> LinePattern::find(std::string_view lines, std::size_t from) const {
  if (is_telling_) return find_by_required_text(lines, from);
  if (line_by_line_) return find_line_by_line(lines, from);
  return expression_.depends_on_letters() ? find_by_letters(lines, from) : match(lines, from, Letters::any);
}

bool LinePattern::may_be_in(std::string_view lines) const {
  return !required_ || required_->find(lines, 0) != std::string_view::npos;
}

std::optional<LinePattern::Hit> LinePattern::find_across(std::string_view text, std::size_t from,
                                                         Letters letters) const {
  if (required_) {
    const std::size_t at = required_->find(text, from);
    if (at == std::string_view::npos) return std::nullopt;
    if (is_plain_) return Hit{at, at + required_->size()};
  }
  return match(text, from, letters);
}

std::optional<LinePattern::Hit> LinePattern::match(std::string_view text, std::size_t from, Letters letters) const {
  re2::StringPiece found;
  if (!expression_.match(text, from, letters, {&found, 1})) return std::nullopt;
  const auto begin = static_cast<std::size_t>(found.data() - text.data());
  return Hit{begin, begin + found.size()};
}

std::optional<LinePattern::Hit> LinePattern::match_line(std::string_view line) const {
  return match(line, 0, expression_.depends_on_letters() ? letters_of(line) : Letters::any);
}

// Only lines with the required text are given to the expression.
std::optional<LinePattern::Hit> LinePattern::find_by_required_text(std::string_view lines, std::size_t from) const {
  for (std::size_t at = required_->find(lines, from); at != std::string_view::npos; at = required_->find(lines, at)) {
    if (is_plain_) return Hit{at, at + required_->size()};
    const std::size_t begin = at == 0 ? 0 : lines.rfind('\n', at - 1) + 1;
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    if (const auto hit = match_line(lines.substr(begin, end - begin))) return Hit{begin + hit->begin, begin + hit->end};
    at = end;
  }
  return std::nullopt;
}

std::optional<LinePattern::Hit> LinePattern::find_line_by_line(std::string_view lines, std::size_t from) const {
  while (from <= lines.size()) {
    const std::size_t end = std::min(lines.find('\n', from), lines.size());
    if (const auto hit = match_line(lines.substr(from, end - from))) return Hit{from + hit->begin, from + hit->end};
    from = end + 1;
  }
  return std::nullopt;
}

// Some lines at once, so that those in ASCII are matched as such: they are most, and the fastest.
std::optional<LinePattern::Hit> LinePattern::find_by_letters(std::string_view lines, std::size_t from) const {
  while (from <= lines.size()) {
    const std::size_t end = std::min(lines.find('\n', from + looked_at), lines.size());
    const std::string_view part = lines.substr(from, end - from);
    const auto hit = letters_of(part) == Letters::ascii ? match(part, 0, Letters::ascii) : find_candidates(part);
    if (hit) return Hit{from + hit->begin, from + hit->end};
    from = end + 1;
  }
  return std::nullopt;
}

// What may match is looked for in all lines, and then looked at in its own.
std::optional<LinePattern::Hit> LinePattern::find_candidates(std::string_view lines) const {
  if (expression_.candidates_are_matches()) return match(lines, 0, Letters::any);
  for (std::size_t from = 0; from <= lines.size();) {
    const std::size_t at = expression_.next_candidate(lines, from);
    if (at == std::string_view::npos) return std::nullopt;
    const std::size_t begin = start_of_line(lines, at);
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    if (const auto hit = match_line(lines.substr(begin, end - begin))) return Hit{begin + hit->begin, begin + hit->end};
    from = end + 1;
  }
  return std::nullopt;
}

TextSearch::TextSearch(const LinePattern& pattern, std::uint64_t max_bytes, Secrets secrets)
    : pattern_(pattern), max_bytes_(max_bytes), secrets_(secrets), buffer_(chunk) {}

FileSearch TextSearch::run(int descriptor, const std::stop_token& stop,
                           const std::function<Found(const LineMatch&)>& found) {
  found_ = &found;
  begin();
  FileSearch result;
  const auto state = state_of(descriptor);
  result.is_special = !state || state->kind != FileKind::regular;
  if (result.is_special) return result;
  size_ = state->size;
  Fill filled = Fill::more;
  while (filled == Fill::more && used_ < start_size) filled = fill(descriptor, result);
  if (is_done(filled)) return result;
  const Encoding encoding = encoding_of({buffer_.data(), std::min(used_, start_size)});
  result.is_binary = encoding == Encoding::binary;
  if (result.is_binary) return result;
  const bool is_utf8 = encoding == Encoding::utf8 || encoding == Encoding::utf8_with_mark;
  if (pattern_.spans_lines() || !is_utf8) {
    search_whole(descriptor, filled, stop, result);
    return result;
  }
  if (encoding == Encoding::utf8_with_mark) {
    used_ -= mark_size;
    std::memmove(buffer_.data(), buffer_.data() + mark_size, used_);
  }
  is_settled_ = encoding == Encoding::utf8_with_mark || size_ > whole_bound;
  search_stream(descriptor, filled, stop, result);
  if (is_damaged_) search_again(descriptor, stop, result);
  return result;
}

void TextSearch::begin() {
  used_ = 0;
  without_newline_ = 0;
  read_ = 0;
  line_ = 1;
  reported_ = 0;
  bound_ = max_bytes_;
  is_damaged_ = false;
}

// Most files are small and have no match: of these no encoding need be known, as in all but UTF-16, which a NUL or its
// mark tells, what must be there would stand in the bytes as they are.
bool TextSearch::is_done(Fill state) const {
  const std::string_view bytes{buffer_.data(), used_};
  const std::string_view start = bytes.substr(0, start_size);
  return state == Fill::end && pattern_.requires_ascii() && !has_wide_mark(start) &&
         start.find('\0') == std::string_view::npos && !pattern_.may_be_in(bytes);
}

void TextSearch::search_stream(int descriptor, Fill state, const std::stop_token& stop, FileSearch& result) {
  while (!stop.stop_requested()) {
    const std::size_t ready = searchable(state, result);
    if (ready > 0 && search_ready(ready, state != Fill::more) == Found::enough) break;
    used_ -= ready;
    without_newline_ -= std::min(ready, without_newline_);
    std::memmove(buffer_.data(), buffer_.data() + ready, used_);
    if (state != Fill::more) break;
    state = fill(descriptor, result);
  }
}

// What cannot have a match is only counted: carriage returns are taken out of few blocks. Where ISO 8859-1 begins
// behind the start of a file, what is not ASCII would be looked for in vain.
Found TextSearch::search_ready(std::size_t ready, bool is_last) {
  const std::string_view block{buffer_.data(), ready};
  const bool may_match = pattern_.may_be_in(block);
  is_damaged_ = !is_settled_ && (may_match || !pattern_.requires_ascii()) && !toolwire::text::is_valid(block);
  if (is_damaged_) return Found::enough;
  if (may_match) return search_block(as_searched(buffer_.data(), ready), is_last);
  if (!is_last) line_ += newlines(block);
  return Found::proceed;
}

// Not UTF-8 after all, or damaged: all of it tells. Lines that have been found are not found again.
void TextSearch::search_again(int descriptor, const std::stop_token& stop, FileSearch& result) {
  const std::uint64_t reported = reported_;
  begin();
  reported_ = reported;
  result = {};
  if (go_to(descriptor, 0)) search_whole(descriptor, Fill::more, stop, result);
}

void TextSearch::search_whole(int descriptor, Fill state, const std::stop_token& stop, FileSearch& result) {
  bound_ = std::min(max_bytes_, whole_bound);
  while (state == Fill::more && !stop.stop_requested()) state = fill(descriptor, result);
  if (stop.stop_requested() || used_ == 0) return;
  const std::string_view bytes{buffer_.data(), used_};
  std::string text = to_utf8(bytes, encoding_of_whole(bytes));
  buffer_.resize(chunk);
  buffer_.shrink_to_fit();
  if (text.empty()) return;
  if (pattern_.spans_lines() && secrets_ == Secrets::left_out) mask_credentials(text);
  const std::string_view searched = as_searched(text.data(), text.size());
  if (pattern_.spans_lines()) {
    search_across(searched, stop);
  } else {
    search_block(searched, true);
  }
}

// Without the carriage returns before newlines, so that $ is where a reader sees the end of a line.
std::string_view TextSearch::as_searched(char* block, std::size_t size) const {
  const void* const first = pattern_.sees_returns() ? nullptr : std::memchr(block, '\r', size);
  if (first == nullptr) return {block, size};
  auto kept = static_cast<std::size_t>(static_cast<const char*>(first) - block);
  for (std::size_t at = kept; at < size; ++at) {
    if (block[at] == '\r' && at + 1 < size && block[at + 1] == '\n') continue;
    block[kept++] = block[at];
  }
  return {block, kept};
}

void TextSearch::search_across(std::string_view text, const std::stop_token& stop) {
  std::size_t counted = 0;
  const Letters letters = letters_of(text);
  for (std::size_t from = 0; from <= text.size() && !stop.stop_requested();) {
    const auto hit = pattern_.find_across(text, from, letters);
    // Behind the last newline there is no line.
    if (!hit || (hit->begin == text.size() && text.back() == '\n')) return;
    if (report_lines(text, *hit, counted) == Found::enough) return;
    from = hit->end > hit->begin ? hit->end : std::min(text.find('\n', hit->end), text.size()) + 1;
  }
}

// Each line the match has a part of, unless an earlier match had one too.
Found TextSearch::report_lines(std::string_view text, LinePattern::Hit hit, std::size_t& counted) {
  const std::size_t last = hit.end > hit.begin ? hit.end - 1 : hit.begin;
  for (std::size_t begin = start_of_line(text, hit.begin); begin <= last;) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    line_ += newlines(text.substr(counted, begin - counted));
    counted = begin;
    const std::size_t from = std::max(hit.begin, begin) - begin;
    const LineMatch match{line_, text.substr(begin, end - begin), {from, std::min(hit.end, end) - begin}};
    const bool is_new = line_ > std::exchange(reported_, std::max(reported_, line_));
    if (is_new && (*found_)(match) == Found::enough) return Found::enough;
    begin = end + 1;
  }
  return Found::proceed;
}

TextSearch::Fill TextSearch::fill(int descriptor, FileSearch& result) {
  if (used_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::uint64_t allowed = std::min<std::uint64_t>(bound_ - std::min(read_, bound_), chunk);
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
  // memrchr(3) looks at many bytes at once, std::string_view at one.
  const void* const newline = ::memrchr(buffer_.data() + without_newline_, '\n', used_ - without_newline_);
  without_newline_ = used_;
  if (newline != nullptr) return static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.data()) + 1;
  if (used_ < max_line) return 0;
  result.has_split_line = true;
  return end_of_piece();
}

// A credential that two pieces would share is masked while it is whole; none is longer than what is kept back.
std::size_t TextSearch::end_of_piece() {
  if (secrets_ == Secrets::shown) return used_;
  constexpr std::size_t kept_back = max_credential + 64;  // and what tells that it is one
  const std::size_t end = used_ - kept_back;
  char* const begin = buffer_.data() + (end - kept_back);
  std::string shared{begin, 2 * kept_back};
  if (mask_credentials(shared)) shared.copy(begin, shared.size());
  return end;
}

Found TextSearch::search_block(std::string_view block, bool is_last) {
  const bool ends_line = block.back() == '\n';
  const std::string_view lines = block.substr(0, block.size() - (ends_line ? 1 : 0));
  std::size_t from = 0;
  while (const auto hit = pattern_.find(lines, from)) {
    const std::size_t begin = start_of_line(lines, hit->begin);
    const std::size_t end = std::min(lines.find('\n', hit->begin), lines.size());
    line_ += newlines(lines.substr(from, begin - from));
    const LineMatch match{
        line_, lines.substr(begin, end - begin), {hit->begin - begin, std::min(hit->end, end) - begin}};
    // The pieces of a line that was split count as one line.
    const bool is_new = std::exchange(reported_, std::max(reported_, line_)) < line_;
    if (is_new && (*found_)(match) == Found::enough) return Found::enough;
    from = end;
    if (end == lines.size()) break;
    ++from;
    ++line_;
  }
  if (!is_last) line_ += newlines(lines.substr(from)) + (ends_line ? 1 : 0);
  return Found::proceed;
}

}  // namespace workspace
