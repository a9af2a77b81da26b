#include "workspace/symbols/symbol_search.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <toolwire/error.hpp>
#include <utility>

#include "workspace/search/listing.hpp"
#include "workspace/symbols/outline.hpp"
#include "workspace/system/walk.hpp"
#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

// Given to ctags at once.
constexpr std::size_t most_batched_files = 200;
constexpr std::size_t most_batched_bytes = std::size_t{8} << 20;
constexpr std::uint64_t progress_step = 256;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
  return text;
}

// "Class::name" and "module.name" are a name and the end of its scope.
class WantedName {
 public:
  explicit WantedName(const SymbolRequest& request) : match_(request.match), ignores_case_(request.ignore_case) {
    const std::string text = folded(request.name);
    for (const std::string_view separator : {"::", "."}) {
      const std::size_t at = text.rfind(separator);
      if (at == std::string::npos || at == 0 || at + separator.size() == text.size()) continue;
      scope_ = text.substr(0, at);
      name_ = text.substr(at + separator.size());
      return;
    }
    name_ = text;
  }

  bool stands_in(const std::string& text) const {
    return (ignores_case_ ? lower(text) : text).find(name_) != std::string::npos;
  }

  bool fits(const Symbol& symbol) const { return fits_name(folded(symbol.name)) && fits_scope(folded(symbol.scope)); }

 private:
  std::string folded(const std::string& text) const { return ignores_case_ ? lower(text) : text; }

  bool fits_name(const std::string& name) const {
    if (match_ == NameMatch::exact) return name == name_;
    return match_ == NameMatch::prefix ? name.starts_with(name_) : name.find(name_) != std::string::npos;
  }
  bool fits_scope(const std::string& scope) const {
    if (scope_.empty() || scope == scope_) return true;
    constexpr std::string_view separators = ":.#";
    return scope.size() > scope_.size() && scope.ends_with(scope_) &&
           separators.find(scope[scope.size() - scope_.size() - 1]) != std::string_view::npos;
  }

  NameMatch match_;
  bool ignores_case_;
  std::string name_, scope_;
};

// The file to go on with, and how many of its definitions that fit have been shown.
struct SymbolCursor {
  std::string path;
  std::size_t shown = 0;
};

// "path:count", or a path.
SymbolCursor symbol_cursor(std::string text) {
  const std::size_t colon = text.rfind(':');
  SymbolCursor cursor;
  if (colon != std::string::npos && colon + 1 < text.size()) {
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, cursor.shown);
    if (error == std::errc() && rest == end) {
      text.resize(colon);
    } else {
      cursor.shown = 0;
    }
  }
  cursor.path = std::move(text);
  return cursor;
}

std::string cursor_text(const std::string& path, std::size_t shown) {
  const bool needs_count = shown > 0 || symbol_cursor(path).path != path;
  return shown_path(path) + (needs_count ? ':' + std::to_string(shown) : "");
}

// A file whose symbols are to be looked through, now or once ctags has found them.
struct Waiting {
  std::string shown;
  FileSymbols known = nullptr;
  std::optional<std::size_t> place = {};  // among those that are given to ctags
};

// One call: walks each place, gives files to ctags in batches, and adds what fits until the answer is full.
class SymbolSearch {
 public:
  SymbolSearch(const Roots& roots, SymbolStore& store, const SymbolRequest& request, const std::stop_token& stop,
               const SymbolProgress& progress, TextBudget budget)
      : roots_(roots),
        store_(store),
        request_(request),
        stop_(stop),
        progress_(progress),
        text_(budget),
        wanted_(request),
        kinds_(request.kinds),
        names_(request.names),
        cursor_(symbol_cursor(path_meant(request.cursor))) {}

  SymbolResult run() {
    for (const Located& place : roots_.below(path_meant(request_.path))) {
      if (!is_full_) look_through(place);
    }
    if (!is_full_) finish_batch();
    say_what_is_missing();
    return {text_.text(), std::move(answer_)};
  }

 private:
  void look_through(const Located& place) {
    const std::string start = place.root->relative(place.path);
    const FileKind kind = place.root->kind_of(place.path);
    if (kind == FileKind::regular) {
      look_at(place, start);
      return;
    }
    const std::string& begin = cursor_.path;
    const bool is_cursors = begin.starts_with(place.prefix);
    if (!is_cursors && place.prefix < begin) return;
    const std::string from =
        is_cursors && !begin.empty() ? place.root->relative(begin.substr(place.prefix.size())) : "";
    const WalkBounds bounds{.from = from,
                            .ignored = request_.include_ignored ? Ignored::shown : Ignored::left_out,
                            .secrets = place.root->secrets()};
    add(report_, walk(*place.root, start, bounds, stop_, [&](const Entry& entry) { return visit(place, entry); }));
  }

  Step visit(const Located& place, const Entry& entry) {
    if (entry.kind == FileKind::directory) return names_.passes_by(entry.path) ? Step::pass_by : Step::proceed;
    if (entry.kind != FileKind::regular || !names_.takes(entry.path, false)) return Step::proceed;
    if (!store_.ctags().knows(entry.path, stop_)) return Step::proceed;
    look_at(place, entry.path);
    return is_full_ ? Step::end : Step::proceed;
  }

  void look_at(const Located& place, const std::string& path) {
    const Opened opened = place.root->try_read(path, LastLink::refuse);
    const auto state = opened.descriptor.is_open() ? state_of(opened.descriptor.get()) : std::nullopt;
    if (!state || state->kind != FileKind::regular) {
      ++unreadable_;
    } else if (state->size > max_bytes_tagged) {
      ++large_;
    } else {
      take(place, path, *state, opened.descriptor.get());
    }
    if (++answer_.files % progress_step == 0 && progress_) progress_(answer_.files);
  }

  void take(const Located& place, const std::string& path, const FileState& state, int descriptor) {
    if (const auto known = store_.known(*place.root, path, state)) {
      waiting_.push_back({place.shown(path), *known, {}});
    } else {
      std::string text = source_text(descriptor, place.root->secrets(), stop_,
                                     [this](const std::string& whole) { return wanted_.stands_in(whole); });
      if (text.empty()) return;
      waiting_.push_back({place.shown(path), nullptr, batch_.size()});
      batched_ += text.size();
      batch_.push_back({place.root, path, state, std::move(text)});
    }
    if (waiting_.size() >= most_batched_files || batched_ >= most_batched_bytes) finish_batch();
  }

  void finish_batch() {
    const std::vector<FileSymbols> found = store_.find(std::exchange(batch_, {}), stop_);
    batched_ = 0;
    for (const Waiting& one : std::exchange(waiting_, {})) {
      const FileSymbols& symbols = one.place ? found[*one.place] : one.known;
      if (symbols == nullptr) {
        ++failed_;
      } else if (!is_full_) {
        add_fitting(one.shown, *symbols);
      }
    }
  }

  // All of a file or, unless it is the first, nothing.
  void add_fitting(const std::string& path, const std::vector<Symbol>& symbols) {
    std::vector<std::string> lines;
    std::size_t bytes = 0, fitting = 0;
    const std::size_t before = path == cursor_.path ? cursor_.shown : 0;
    for (const Symbol& symbol : symbols) {
      if (!kinds_.takes(symbol) || !wanted_.fits(symbol) || ++fitting <= before) continue;
      lines.push_back(shown_path(path) + ':' + symbol_text(symbol) +
                      (symbol.scope.empty() ? "" : " in " + symbol.scope) + " (" + symbol.language + ')');
      bytes += lines.back().size() + 1;
    }
    if (lines.empty()) return;
    const bool fits = text_.lines() + lines.size() <= std::min<std::size_t>(request_.limit, text_.budget().lines) &&
                      bytes_ + bytes <= text_.budget().bytes;
    if (!fits && !text_.is_empty()) return stop_at(path);
    bytes_ += bytes;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      // One that has no room in any answer is passed over by the next call.
      if (text_.lines() == request_.limit || !text_.add_line(lines[i]))
        return stop_within(path, before + std::max<std::size_t>(i, 1), fitting);
    }
  }

  void stop_at(const std::string& path) {
    is_full_ = true;
    answer_.cursor = cursor_text(path, 0);
    notice("More definitions follow. Continue with cursor: " + *answer_.cursor + ", or narrow with path or kinds.");
  }

  void stop_within(const std::string& path, std::size_t shown, std::size_t count) {
    is_full_ = true;
    answer_.cursor = cursor_text(path, shown);
    notice("Of " + shown_path(path) + " only some of " + counted(count, "definition", "definitions") +
           " are shown. Continue with cursor: " + *answer_.cursor + ", narrow with name or kinds, or use outline.");
  }

  void say_what_is_missing() {
    if (text_.is_empty() && !is_full_)
      notice("No definition in " + counted(answer_.files, "source file", "source files") +
             (request_.match == NameMatch::exact ? "; match contains finds parts of names." : "."));
    if (large_ > 0) notice("Left out: " + counted(large_, "file", "files") + " larger than 4 MiB.");
    if (unreadable_ > 0) notice("Left out: " + counted(unreadable_, "file", "files") + " that could not be read.");
    if (failed_ > 0) notice("Left out: " + counted(failed_, "file", "files") + " on which ctags failed.");
    for (const std::string& text : walk_notices(report_)) notice(text);
    if (stop_.stop_requested()) notice("The search was stopped before it was done.");
  }

  void notice(const std::string& text) {
    text_.notice(text);
    answer_.notices.push_back(text);
  }

  const Roots& roots_;
  SymbolStore& store_;
  const SymbolRequest& request_;
  const std::stop_token& stop_;
  const SymbolProgress& progress_;
  BoundedText text_;
  const WantedName wanted_;
  const KindChoice kinds_;
  const NameFilter names_;
  const SymbolCursor cursor_;
  SymbolAnswer answer_;
  WalkReport report_;
  std::vector<Waiting> waiting_;
  std::vector<SymbolFile> batch_;
  std::size_t batched_ = 0, bytes_ = 0;
  std::uint64_t large_ = 0, unreadable_ = 0, failed_ = 0;
  bool is_full_ = false;
};

}  // namespace

SymbolResult find_symbols(const Roots& roots, SymbolStore& store, const SymbolRequest& request,
                          const std::stop_token& stop, const SymbolProgress& progress, TextBudget budget) {
  if (request.name.empty()) throw toolwire::ToolError("name: is empty; expected the name of a symbol, or a part of it");
  return SymbolSearch{roots, store, request, stop, progress, budget}.run();
}

}  // namespace workspace
