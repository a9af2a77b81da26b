#include "workspace/search_report.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <charconv>
#include <optional>
#include <toolwire/error.hpp>
#include <utility>

#include "workspace/glob.hpp"
#include "workspace/listing.hpp"
#include "workspace/text_search.hpp"
#include "workspace/utf8.hpp"
#include "workspace/walk.hpp"

namespace workspace {
namespace {

constexpr std::size_t shown_line = 400;    // bytes of a long line
constexpr std::size_t before_match = 100;  // of which at most so many stand before the match
constexpr std::uint64_t progress_every = 256;

struct Position {
  std::string path;
  std::uint64_t line = 0;
};

Position position(const Root& root, const std::string& after) {
  if (after.empty()) return {};
  const std::size_t colon = after.rfind(':');
  Position result;
  if (colon != std::string::npos && colon > 0) {
    const char* const end = after.data() + after.size();
    const auto [rest, error] = std::from_chars(after.data() + colon + 1, end, result.line);
    if (error == std::errc{} && rest == end) {
      result.path = root.relative(after.substr(0, colon));
      return result;
    }
  }
  throw toolwire::ToolError("after: expected \"path:line\" as the notice of an earlier answer gave it");
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The line, or the part of it around the match, with "..." where something was cut.
std::string excerpt(const LineMatch& match, bool& cut) {
  std::string_view text = match.text;
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (text.size() <= shown_line) return std::string(text);
  cut = true;
  std::size_t begin = match.hit.begin > before_match ? match.hit.begin - before_match : 0;
  for (int i = 0; i < 3 && begin > 0 && continues_character(text[begin]); ++i) --begin;
  const std::string_view rest = text.substr(begin);
  const ValidText part = valid_utf8_prefix(rest, shown_line);
  return (begin > 0 ? "..." : "") + part.text + (part.consumed < rest.size() ? "..." : "");
}

// One call: walks, searches each file that qualifies, collects lines and what is to be said about the rest.
class Search {
 public:
  Search(const Root& root, const SearchRequest& request, const std::stop_token& stop, const SearchProgress& progress,
         TextBudget budget)
      : root_(root),
        request_(request),
        stop_(stop),
        progress_(progress),
        start_(root.relative(request.path)),
        after_(position(root, request.after)),
        pattern_(request.pattern, {.ignore_case = request.ignore_case, .literal = request.literal}),
        search_(pattern_),
        text_(budget) {
    if (!request.glob.empty()) glob_.emplace(request.glob);
  }

  std::string run() {
    WalkReport report;
    if (root_.kind_of(request_.path) == FileKind::directory) {
      const WalkBounds bounds{.from = after_.path};
      report = walk(root_, start_, bounds, stop_, [this](const Entry& entry) { return visit(entry); });
    } else {
      search_file(start_, root_.open_file(request_.path));
    }
    add_notices(report);
    return text_.text();
  }

 private:
  Step visit(const Entry& entry) {
    if (entry.kind != FileKind::regular || (glob_ && !glob_->matches(entry.path))) return Step::proceed;
    Opened opened = root_.try_open(entry.path, O_RDONLY, LastLink::refuse);
    struct stat status {};
    if (!opened.descriptor.is_open() || ::fstat(opened.descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
      ++unreadable_;
      return Step::proceed;
    }
    search_file(entry.path, std::move(opened.descriptor));
    return has_more_ ? Step::end : Step::proceed;
  }

  void search_file(const std::string& path, const Descriptor& file) {
    ++files_;
    const FileSearch result = search_.run(file.get(), stop_, [&](const LineMatch& match) { return add(path, match); });
    binary_ += result.is_binary ? 1 : 0;
    cut_files_ += result.was_cut ? 1 : 0;
    split_lines_ += result.has_split_line ? 1 : 0;
    unreadable_ += result.error != 0 ? 1 : 0;
    if (progress_ && files_ % progress_every == 0) progress_(files_);
  }

  Found add(const std::string& path, const LineMatch& match) {
    if (path == after_.path && match.line <= after_.line) return Found::proceed;
    const std::string place = path + ':' + std::to_string(match.line);
    bool cut = false;
    const std::string line = shown_path(path) + ':' + std::to_string(match.line) + ": " + excerpt(match, cut);
    if (text_.lines() == request_.limit || !text_.add_line(line)) {
      has_more_ = true;
      return Found::enough;
    }
    last_ = place;
    has_cut_line_ = has_cut_line_ || cut;
    return Found::proceed;
  }

  void add_notices(const WalkReport& report) {
    if (text_.is_empty()) {
      text_.notice((after_.path.empty() ? "No match in " : "No further match in ") + counted(files_, "file", "files") +
                   '.');
      if (!request_.literal && request_.pattern.find("\\n") != std::string::npos) {
        text_.notice("The search is line by line: \\n in a pattern never matches.");
      }
    }
    if (has_more_) {
      text_.notice("More matches follow. Continue with after: " + shown_path(last_) +
                   ", or narrow with pattern, path or glob.");
    }
    if (has_cut_line_)
      text_.notice("Long lines are shown in part, around the first match; read_file shows all of a line.");
    if (binary_ > 0) text_.notice("Left out: " + counted(binary_, "binary file", "binary files") + '.');
    if (unreadable_ > 0)
      text_.notice("Left out: " + counted(unreadable_, "file", "files") + " that could not be read.");
    if (cut_files_ > 0)
      text_.notice("Searched in part: " + counted(cut_files_, "file", "files") + " larger than 256 MiB.");
    if (split_lines_ > 0) {
      text_.notice("Lines longer than 1 MiB were searched in pieces; a match across two pieces is not found.");
    }
    if (stop_.stop_requested()) text_.notice("The search was stopped before it was done.");
    add_walk_notices(text_, report);
    if (report.below_depth > 0) {
      text_.notice("Left out: what is in " + counted(report.below_depth, "directory", "directories") +
                   " deeper than a search goes; give one of them as path.");
    }
  }

  const Root& root_;
  const SearchRequest& request_;
  const std::stop_token& stop_;
  const SearchProgress& progress_;
  std::string start_;
  Position after_;
  LinePattern pattern_;
  TextSearch search_;
  BoundedText text_;
  std::optional<Glob> glob_;
  std::string last_;
  std::uint64_t files_ = 0, binary_ = 0, unreadable_ = 0, cut_files_ = 0, split_lines_ = 0;
  bool has_more_ = false, has_cut_line_ = false;
};

}  // namespace

std::string search_text(const Root& root, const SearchRequest& request, const std::stop_token& stop,
                        const SearchProgress& progress, TextBudget budget) {
  if (request.limit == 0) throw toolwire::ToolError("limit: expected a number that is at least 1");
  return Search{root, request, stop, progress, budget}.run();
}

}  // namespace workspace
