#include "workspace/search/file_finder.hpp"

#include <toolwire/error.hpp>
#include <utility>

#include "workspace/system/file_bytes.hpp"
#include "workspace/text/credentials.hpp"
#include "workspace/text/encoding.hpp"
#include "workspace/text/utf8.hpp"

namespace workspace {
namespace {

constexpr std::size_t shown_line = 400;    // bytes of a long line
constexpr std::size_t before_match = 100;  // of these, at most so many before the match

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The line, or the part of it around the match, with "..." where something was cut.
FoundLine shown(std::uint64_t line, std::string_view text, std::size_t hit, bool is_match) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (text.size() <= shown_line) return {line, valid_utf8(text), is_match, false};
  std::size_t begin = hit > before_match ? hit - before_match : 0;
  for (int i = 0; i < 3 && begin > 0 && continues_character(text[begin]); ++i) --begin;
  const std::string_view rest = text.substr(begin);
  const ValidText part = valid_utf8_prefix(rest, shown_line);
  return {line, (begin > 0 ? "..." : "") + part.text + (part.consumed < rest.size() ? "..." : ""), is_match, true};
}

// The matches with the lines around them, from a second look at the file: most files have no match, so the first look
// need not remember anything.
std::vector<FoundLine> with_context(int descriptor, std::vector<FoundLine> matches, const FindOptions& options,
                                    const std::stop_token& stop) {
  if (!go_to(descriptor, 0)) return matches;
  std::string bytes = all_bytes(descriptor, TextSearch::usual_bound, stop);
  bytes = to_utf8(bytes, encoding_of_whole(bytes));
  if (options.secrets == Secrets::left_out) mask_credentials(bytes);
  std::vector<FoundLine> lines;
  std::size_t next = 0;
  std::string_view rest = bytes;
  for (std::uint64_t line = 1; !rest.empty() && !(next == matches.size() && line > matches.back().line + options.after);
       ++line) {
    const std::size_t newline = rest.find('\n');
    const std::string_view text = rest.substr(0, newline);
    rest.remove_prefix(newline == std::string_view::npos ? rest.size() : newline + 1);
    const bool follows = next > 0 && line <= matches[next - 1].line + options.after;
    if (next < matches.size() && line == matches[next].line) {
      lines.push_back(std::move(matches[next++]));
    } else if (follows || (next < matches.size() && line + options.before >= matches[next].line)) {
      lines.push_back(shown(line, text, 0, false));
    }
  }
  // The file was truncated meanwhile: the matches found so far are kept.
  while (next < matches.size()) lines.push_back(std::move(matches[next++]));
  return lines;
}

}  // namespace

FileFindings FileFinder::run(int descriptor, std::uint64_t after, const std::stop_token& stop) {
  FileFindings findings;
  findings.how = search_.run(descriptor, stop, [&](const LineMatch& match) {
    if (match.line <= after) return Found::proceed;
    std::string masked;
    std::string_view text = match.text;
    std::size_t hit = match.hit.begin;
    const bool is_masked = pattern_.spans_lines();  // before it was searched
    if (!is_masked && options_.secrets == Secrets::left_out && mask_credentials(masked.assign(text))) {
      const auto again = pattern_.find(masked, 0);
      if (!again) return Found::proceed;
      text = masked;
      hit = again->begin;
    }
    if (!options_.only_count && findings.matches == options_.most) {
      findings.has_more = true;
      return Found::enough;
    }
    ++findings.matches;
    if (options_.only_whether) return Found::enough;
    if (!options_.only_count) findings.lines.push_back(shown(match.line, text, hit, true));
    return Found::proceed;
  });
  if (options_.before + options_.after > 0 && !findings.lines.empty()) {
    try {
      findings.lines = with_context(descriptor, findings.lines, options_, stop);
    } catch (const toolwire::ToolError&) {
      return findings;  // too large, or stopped: the matches stand alone
    }
  }
  return findings;
}

}  // namespace workspace
