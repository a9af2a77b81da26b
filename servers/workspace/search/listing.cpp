#include "workspace/search/listing.hpp"

#include <toolwire/error.hpp>

#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

std::string shown(const Entry& entry, const std::string& key) {
  std::string line = shown_path(key);
  if (entry.kind != FileKind::regular && entry.kind != FileKind::directory) {
    line += " (" + std::string(kind_name(entry.kind)) + ')';
  }
  return line;
}

// One call: walks each place, adds what qualifies until the answer is full.
class Listing {
 public:
  Listing(const Roots& roots, const ListRequest& request, const std::stop_token& stop, TextBudget budget)
      : request_(request),
        stop_(stop),
        cursor_(path_meant(request.cursor)),
        places_(roots.below(path_meant(request.path))),
        text_(budget),
        names_(request.names) {}

  ListResult run() {
    for (const Located& place : places_) {
      if (!is_full_) list_place(place);
    }
    if (text_.is_empty() && !is_full_) say_nothing();
    if (is_full_) continue_after(last_);
    if (report_.below_depth > 0) {
      notice("At depth " + std::to_string(request_.depth) + ", what is in " +
             counted(report_.below_depth, "deeper directory", "deeper directories") + " is not shown; give " +
             (request_.depth < most_depth ? "a larger depth, or " : "") + "one of them as path.");
    }
    for (const std::string& text : walk_notices(report_)) notice(text);
    if (stop_.stop_requested()) notice("The listing was stopped before it was done.");
    return {text_.text(), std::move(answer_)};
  }

 private:
  void list_place(const Located& place) {
    const std::string start = place.root->relative(place.path);
    if (const FileKind kind = place.root->kind_of(place.path); kind != FileKind::directory) {
      throw toolwire::ToolError("path: " + shown_path(place.shown(start), 300) + " is a " +
                                std::string(kind_name(kind)) + "; expected a directory (read_file reads files)");
    }
    const bool is_cursors = cursor_.starts_with(place.prefix);
    if (!is_cursors && place.prefix < cursor_) return;
    const std::string from = is_cursors ? start_key(*place.root, cursor_.substr(place.prefix.size())) : "";
    const WalkBounds bounds{.depth = request_.depth,
                            .from = from,
                            .ignored = request_.include_ignored ? Ignored::shown : Ignored::left_out};
    add(report_,
        walk(*place.root, start, bounds, stop_, [&](const Entry& entry) { return visit(place, entry, from); }));
  }

  // The cursor as an order key: a directory is written with its slash, as it was shown.
  static std::string start_key(const Root& root, const std::string& cursor) {
    if (cursor.empty()) return {};
    std::string key = root.relative(cursor);
    if (cursor.ends_with('/')) key += '/';
    return key;
  }

  bool is_wanted(const Entry& entry) const {
    if (request_.kind == EntryKind::file && entry.kind == FileKind::directory) return false;
    if (request_.kind == EntryKind::directory && entry.kind != FileKind::directory) return false;
    return names_.takes(entry.path, entry.kind == FileKind::directory);
  }

  Step visit(const Located& place, const Entry& entry, const std::string& from) {
    if (entry.kind == FileKind::directory && names_.passes_by(entry.path)) return Step::pass_by;
    const std::string key = order_key(entry);
    if ((!from.empty() && key == from) || !is_wanted(entry)) return Step::proceed;
    const std::string path = place.shown(key);
    if (text_.lines() == request_.limit || !text_.add_line(shown(entry, path))) {
      is_full_ = true;
      return Step::end;
    }
    last_ = path;
    answer_.entries.push_back({shown_path(place.shown(entry.path)), std::string(kind_name(entry.kind))});
    return Step::proceed;
  }

  void say_nothing() {
    notice(nothing_text());
    const std::string glob_notice =
        unmatched_glob_notice(request_.names.glob, request_.path, !places_.front().prefix.empty());
    if (!glob_notice.empty() && request_.cursor.empty()) notice(glob_notice);
  }

  std::string nothing_text() const {
    if (!request_.cursor.empty()) return "No more entries.";
    if (!names_.is_empty() || request_.kind != EntryKind::any) return "Nothing matches.";
    const bool has_hidden = report_.ignored + report_.secret + report_.unreadable > 0;
    return has_hidden ? "Nothing to show." : "The directory is empty.";
  }

  void continue_after(const std::string& last) {
    if (last.empty()) return notice("No entry fits into one answer.");
    answer_.cursor = shown_path(last);
    notice("More entries follow. Continue with cursor: " + *answer_.cursor + ", or narrow with path, glob or depth.");
  }

  void notice(const std::string& text) {
    text_.notice(text);
    answer_.notices.push_back(text);
  }

  const ListRequest& request_;
  const std::stop_token& stop_;
  const std::string cursor_;
  std::vector<Located> places_;
  BoundedText text_;
  const NameFilter names_;
  ListAnswer answer_;
  WalkReport report_;
  std::string last_;
  bool is_full_ = false;
};

}  // namespace

std::vector<std::string> walk_notices(const WalkReport& report) {
  std::vector<std::string> notices;
  if (report.unreadable > 0) {
    notices.push_back("Left out: what is in " + counted(report.unreadable, "directory", "directories") +
                      " that could not be opened.");
  }
  if (report.ignored > 0) {
    notices.push_back("Left out: " + counted(report.ignored, "entry", "entries") +
                      " that a .gitignore names; includeIgnored shows them.");
  }
  if (report.secret > 0) {
    notices.push_back("Left out: " + counted(report.secret, "entry that holds", "entries that hold") +
                      " secrets by name; the server was started without --secrets.");
  }
  if (report.overfull > 0) {
    notices.push_back("Some directories have more than " + std::to_string(WalkBounds{}.entries_per_directory) +
                      " entries; only so many of each were looked at.");
  }
  if (report.ran_out)
    notices.push_back("Ended after " + counted(report.entries, "entry", "entries") + "; narrow with path.");
  return notices;
}

std::string unmatched_glob_notice(const std::string& glob, const std::string& path, bool has_root_names) {
  if (glob.find('/') >= glob.size() - 1) return {};
  if (has_root_names) return "A glob with a slash is the whole path from a root, without that root's name.";
  if (path == ".") return {};
  return "A glob with a slash is the whole path from the root, also when path is given.";
}

ListResult list_entries(const Roots& roots, const ListRequest& request, const std::stop_token& stop,
                        TextBudget budget) {
  if (request.depth < 1) throw toolwire::ToolError("depth: expected a number that is at least 1");
  return Listing{roots, request, stop, budget}.run();
}

}  // namespace workspace
