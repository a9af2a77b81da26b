#include "workspace/search/report.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <thread>
#include <toolwire/error.hpp>
#include <utility>

#include "workspace/search/folder_search.hpp"
#include "workspace/search/notices.hpp"
#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

constexpr std::uint64_t progress_every = 256;
constexpr std::size_t lines_ahead = 50'000;
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

// One call: gives the threads folders, collects what they found in order until the answer is full.
class Search {
 public:
  Search(const Roots& roots, const SearchRequest& request, const std::stop_token& stop, const SearchProgress& progress,
         TextBudget budget)
      : request_(request),
        progress_(progress),
        places_(roots.below(path_meant(request.path))),
        after_(position(request)),
        pattern_(request.pattern,
                 {.ignore_case = request.ignore_case, .literal = request.literal, .multiline = request.multiline}),
        text_(budget),
        names_(request.names),
        plan_{.names = names_, .bounds = bounds_, .after = after_.line, .stop = stop, .threads = threads_for(request)},
        tasks_(plan_.threads, lines_ahead, [this] { return worker(); }) {}

  SearchResult run() {
    for (const Located& place : places_) {
      if (!is_full_ && !plan_.ends()) search_place(place);
    }
    what_.stopped = plan_.stop.stop_requested();
    what_.is_empty = text_.is_empty();
    what_.is_full = is_full_;
    what_.has_root_names = !places_.front().prefix.empty();
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
    bounds_ = {.ignored = request_.include_ignored ? Ignored::shown : Ignored::left_out};
    if (is_cursors && !after_.path.empty())
      bounds_.from = place.root->relative(after_.path.substr(place.prefix.size()));
    SearchTasks::Tasks tasks;
    tasks.push_back(place.root->kind_of(place.path) == FileKind::directory ? of_folder(place, start)
                                                                           : of_file(place, start));
    tasks_.add(std::move(tasks));
    tasks_.run([this](const SearchedFiles& files) { return take(files); });
  }

  SearchTasks::Keyed of_folder(const Located& place, const std::string& start) const {
    const FolderReader reader{*place.root, bounds_, plan_.stop};
    auto directory = std::make_shared<FileDescriptor>(place.root->open_directory(start));
    return {start == "." ? "" : start + '/', SearchTask{&place, reader.start(start), std::move(directory), {}}};
  }

  static SearchTasks::Keyed of_file(const Located& place, const std::string& start) {
    place.root->open_file(place.path);  // reports the problem, if there is one
    return {start, SearchTask{&place, {}, nullptr, {{start, FileKind::regular}}}};
  }

  // On a thread of its own, with a buffer of its own.
  SearchTasks::Work worker() {
    auto search = std::make_shared<FolderSearch>(plan_, tasks_, pattern_,
                                                 find_options(request_, places_.front().root->secrets()));
    return [search](const std::string& key, SearchTask& task) { return search->run(key, task); };
  }

  // False once the answer is full.
  bool take(const SearchedFiles& searched) {
    if (plan_.stop.stop_requested()) return false;
    add(what_.walk, searched.walk);
    for (const SearchedFile& file : searched.files) {
      count_files(file.silent_before);
      if (!take_file(*searched.place, file)) {
        is_full_ = true;
        plan_.gave_up = true;
        return false;
      }
    }
    count_files(searched.silent);
    what_.walk.ran_out = what_.walk.entries > bounds_.entries;
    plan_.gave_up = what_.walk.ran_out;
    return !what_.walk.ran_out;
  }

  bool take_file(const Located& place, const SearchedFile& file) {
    count_files(file.is_unreadable ? 0 : 1);
    what_.unreadable += file.is_unreadable || file.findings.how.error != 0 ? 1 : 0;
    what_.binary += file.findings.how.is_binary ? 1 : 0;
    what_.cut_files += file.findings.how.was_cut ? 1 : 0;
    what_.split_lines += file.findings.how.has_split_line ? 1 : 0;
    return add_file(place.prefix + file.path, file.findings);
  }

  void count_files(std::uint64_t number) {
    const std::uint64_t before = std::exchange(answer_.files, answer_.files + number);
    if (progress_ && answer_.files / progress_every > before / progress_every) progress_(answer_.files);
  }

  bool add_file(const std::string& path, const FileFindings& findings) {
    if (findings.matches == 0 && !findings.has_more) return true;
    if (request_.output != SearchOutput::lines) return add_path(path, findings);
    std::uint64_t before = 0, behind = 0;  // the last line shown, and the last that stands behind a match
    for (const FoundLine& line : findings.lines) {
      // What stands before a match that is not shown is shown with it, by the call that goes on.
      if (shown_matches_ == request_.limit && (line.is_match || line.line > behind)) return false;
      const bool is_apart =
          request_.before + request_.after > 0 && !text_.is_empty() && (before == 0 || line.line != before + 1);
      if (is_apart && !text_.add_line("--")) return false;
      if (!add_line(path, line)) return false;
      before = line.line;
      if (line.is_match) behind = line.line + request_.after;
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
  const SearchProgress& progress_;
  const std::vector<Located> places_;
  const Position after_;
  const LinePattern pattern_;
  BoundedText text_;
  const NameFilter names_;
  SearchAnswer answer_;
  LeftOut what_;
  WalkBounds bounds_;  // of the place that is searched
  std::string last_;
  std::uint64_t shown_matches_ = 0;
  bool is_full_ = false;
  SearchPlan plan_;
  SearchTasks tasks_;  // last: its threads use the rest
};

}  // namespace

SearchResult search(const Roots& roots, const SearchRequest& request, const std::stop_token& stop,
                    const SearchProgress& progress, TextBudget budget) {
  if (request.limit == 0) throw toolwire::ToolError("limit: expected a number that is at least 1");
  return Search{roots, request, stop, progress, budget}.run();
}

}  // namespace workspace
