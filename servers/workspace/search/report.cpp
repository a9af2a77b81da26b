#include "workspace/search/report.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <memory>
#include <thread>
#include <toolwire/error.hpp>
#include <utility>

#include "workspace/search/file_finder.hpp"
#include "workspace/search/listing.hpp"
#include "workspace/search/notices.hpp"
#include "workspace/search/ordered_work.hpp"
#include "workspace/search/text_search.hpp"
#include "workspace/system/file_state.hpp"
#include "workspace/system/walk.hpp"
#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

constexpr std::uint64_t progress_every = 256;
constexpr std::size_t files_in_batch = 32;
constexpr std::size_t batches_ahead = 64;
constexpr unsigned max_threads = 8;

struct Position {
  std::string path;
  std::uint64_t line = 0;
};

// "path:line", or only a path where the output has no lines: then all of that file is passed over.
Position position(const SearchRequest& request) {
  const std::string cursor = path_meant(request.cursor);
  if (cursor.empty()) return {};
  if (request.output != SearchOutput::lines) return {cursor, ~std::uint64_t{0}};
  const std::size_t colon = cursor.rfind(':');
  Position result;
  if (colon != std::string::npos && colon > 0) {
    const char* const end = cursor.data() + cursor.size();
    const auto [rest, error] = std::from_chars(cursor.data() + colon + 1, end, result.line);
    if (error == std::errc{} && rest == end) {
      result.path = cursor.substr(0, colon);
      return result;
    }
  }
  throw toolwire::ToolError("cursor: expected \"path:line\" as the notice of an earlier answer gave it");
}

FindOptions find_options(const SearchRequest& request, Secrets secrets) {
  return {.most = static_cast<std::size_t>(request.limit),
          .before = request.before,
          .after = request.after,
          .only_count = request.output == SearchOutput::count,
          .only_whether = request.output == SearchOutput::files,
          .secrets = secrets};
}

unsigned threads_for(const SearchRequest& request) {
  if (request.threads > 0) return request.threads;
  const unsigned processors = std::thread::hardware_concurrency();
  return processors > 1 ? std::min(processors - 1, max_threads) : 0;
}

// One file in progress: its place, then its matches.
struct FileTask {
  std::string path;  // from its root
  std::uint64_t after = 0;
  bool is_unreadable = false;
  FileFindings findings = {};
};

struct Batch {
  const Root* root = nullptr;
  std::string prefix = {};
  std::vector<FileTask> files = {};
};

// One call: walks, hands files to the threads, collects what they found in order until the answer is full.
class Search {
 public:
  Search(const Roots& roots, const SearchRequest& request, const std::stop_token& stop, const SearchProgress& progress,
         TextBudget budget)
      : request_(request),
        stop_(stop),
        progress_(progress),
        places_(roots.below(path_meant(request.path))),
        after_(position(request)),
        pattern_(request.pattern,
                 {.ignore_case = request.ignore_case, .literal = request.literal, .multiline = request.multiline}),
        text_(budget),
        names_(request.names),
        work_(threads_for(request), batches_ahead, [this] { return worker(); }) {}

  SearchResult run() {
    for (const Located& place : places_) {
      if (!is_full_ && !stop_.stop_requested()) search_place(place);
    }
    if (!is_full_) work_.finish([this](Batch& batch) { return take(batch); });
    what_.stopped = stop_.stop_requested();
    what_.is_empty = text_.is_empty();
    what_.is_full = is_full_;
    what_.cursor = last_;
    add_search_notices(text_, answer_, request_, what_);
    return {text_.text(), std::move(answer_)};
  }

 private:
  void search_place(const Located& place) {
    // The root in which the search continues, one before the cursor, or one after it.
    const std::string start = place.root->relative(place.path);
    const bool is_cursors = after_.path.starts_with(place.prefix);
    if (!is_cursors && place.prefix < after_.path) return;
    batch_ = {place.root, place.prefix, {}};
    const std::string from = is_cursors && !after_.path.empty()
                                 ? place.root->relative(after_.path.substr(place.prefix.size()))
                                 : std::string();
    if (place.root->kind_of(place.path) == FileKind::directory) {
      const WalkBounds bounds{.from = from, .ignored = request_.include_ignored ? Ignored::shown : Ignored::left_out};
      add(what_.walk, walk(*place.root, start, bounds, stop_, [&](const Entry& entry) { return visit(entry, from); }));
    } else {
      place.root->open_file(place.path);  // reports the problem, if there is one
      batch_.files.push_back({start, start == from ? after_.line : 0});
      named_file_ = true;
    }
    submit();
  }

  Step visit(const Entry& entry, const std::string& from) {
    if (entry.kind == FileKind::directory) return names_.passes_by(entry.path) ? Step::pass_by : Step::proceed;
    if (entry.kind != FileKind::regular || !names_.takes(entry.path, false)) return Step::proceed;
    batch_.files.push_back({entry.path, entry.path == from ? after_.line : 0});
    if (batch_.files.size() == files_in_batch) submit();
    return is_full_ || stop_.stop_requested() ? Step::end : Step::proceed;
  }

  void submit() {
    if (batch_.files.empty()) return;
    Batch next{batch_.root, batch_.prefix, {}};
    std::swap(next, batch_);
    work_.submit(std::move(next), [this](Batch& batch) { return take(batch); });
  }

  // On a thread of its own, with a buffer of its own.
  OrderedWork<Batch>::Work worker() {
    auto finder = std::make_shared<FileFinder>(pattern_, find_options(request_, places_.front().root->secrets()));
    return [this, finder](Batch& batch) {
      for (FileTask& file : batch.files) {
        if (stop_.stop_requested() || gave_up_.load(std::memory_order_relaxed)) return;
        search_file(*batch.root, file, *finder);
      }
    };
  }

  void search_file(const Root& root, FileTask& file, FileFinder& finder) const {
    const Opened opened = root.try_read(file.path, named_file_ ? LastLink::follow : LastLink::refuse);
    const auto state = opened.descriptor.is_open() ? state_of(opened.descriptor.get()) : std::nullopt;
    file.is_unreadable = !state || state->kind != FileKind::regular;
    if (!file.is_unreadable) file.findings = finder.run(opened.descriptor.get(), file.after, stop_);
  }

  // False once the answer is full.
  bool take(const Batch& batch) {
    for (const FileTask& file : batch.files) {
      if (stop_.stop_requested()) break;
      count(file);
      if (!add_file(batch.prefix + file.path, file.findings)) {
        is_full_ = true;
        gave_up_ = true;
        return false;
      }
      if (progress_ && answer_.files % progress_every == 0) progress_(answer_.files);
    }
    return !stop_.stop_requested();
  }

  void count(const FileTask& file) {
    answer_.files += file.is_unreadable ? 0 : 1;
    what_.unreadable += file.is_unreadable || file.findings.how.error != 0 ? 1 : 0;
    what_.binary += file.findings.how.is_binary ? 1 : 0;
    what_.cut_files += file.findings.how.was_cut ? 1 : 0;
    what_.split_lines += file.findings.how.has_split_line ? 1 : 0;
  }

  bool add_file(const std::string& path, const FileFindings& findings) {
    if (findings.matches == 0 && !findings.has_more) return true;
    if (request_.output != SearchOutput::lines) return add_path(path, findings);
    std::uint64_t before = 0;
    for (const FoundLine& line : findings.lines) {
      if (line.is_match && shown_matches_ == request_.limit) return false;
      const bool is_apart =
          request_.before + request_.after > 0 && !text_.is_empty() && (before == 0 || line.line != before + 1);
      if (is_apart && !text_.add_line("--")) return false;
      if (!add_line(path, line)) return false;
      before = line.line;
    }
    return !findings.has_more;
  }

  bool add_line(const std::string& path, const FoundLine& line) {
    const char* const sign = line.is_match ? ":" : "-";
    const std::string number = std::to_string(line.line);
    if (!text_.add_line(shown_path(path) + sign + number + sign + ' ' + line.text)) return false;
    SearchMatch match{.path = shown_path(path), .line = line.line, .text = line.text};
    if (!line.is_match) match.context = true;
    answer_.matches.push_back(std::move(match));
    what_.cut_line = what_.cut_line || line.is_cut;
    if (line.is_match) {
      ++shown_matches_;
      last_ = path + ':' + number;
    }
    return true;
  }

  bool add_path(const std::string& path, const FileFindings& findings) {
    const bool counts = request_.output == SearchOutput::count;
    const std::string number = counts ? ": " + std::to_string(findings.matches) : std::string();
    if (shown_matches_ == request_.limit || !text_.add_line(shown_path(path) + number)) return false;
    SearchMatch match{.path = shown_path(path)};
    if (counts) match.count = findings.matches;
    answer_.matches.push_back(std::move(match));
    ++shown_matches_;
    last_ = path;
    return true;
  }

  const SearchRequest& request_;
  const std::stop_token& stop_;
  const SearchProgress& progress_;
  std::vector<Located> places_;
  Position after_;
  LinePattern pattern_;
  BoundedText text_;
  const NameFilter names_;
  SearchAnswer answer_;
  LeftOut what_;
  Batch batch_;
  std::string last_;
  std::uint64_t shown_matches_ = 0;
  bool is_full_ = false, named_file_ = false;
  std::atomic<bool> gave_up_ = false;
  OrderedWork<Batch> work_;  // last: its threads use the rest
};

}  // namespace

SearchResult search(const Roots& roots, const SearchRequest& request, const std::stop_token& stop,
                    const SearchProgress& progress, TextBudget budget) {
  if (request.limit == 0) throw toolwire::ToolError("limit: expected a number that is at least 1");
  return Search{roots, request, stop, progress, budget}.run();
}

}  // namespace workspace
