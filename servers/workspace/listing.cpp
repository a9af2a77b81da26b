#include "workspace/listing.hpp"

#include <toolwire/error.hpp>

#include "workspace/utf8.hpp"

namespace workspace {
namespace {

std::string shown(const Entry& entry) {
  std::string line = shown_path(order_key(entry));
  if (entry.kind != FileKind::regular && entry.kind != FileKind::directory) {
    line += " (" + std::string(kind_name(entry.kind)) + ')';
  }
  if (!is_valid_utf8(entry.path)) line += " (name is not UTF-8, so no call can name it)";
  return line;
}

// `after` as an order key: a directory is written with its slash, as it was shown.
std::string start_key(const Root& root, const std::string& after) {
  if (after.empty()) return {};
  std::string key = root.relative(after);
  if (after.ends_with('/')) key += '/';
  return key;
}

std::string continuation(const std::string& last) {
  if (last.empty()) return "No entry fits into one answer";
  return "More entries follow. Continue with after: " + shown_path(last) + ", or narrow with path or depth";
}

}  // namespace

void add_walk_notices(BoundedText& text, const WalkReport& report) {
  if (report.unreadable > 0) {
    text.notice("Left out: what is in " + counted(report.unreadable, "directory", "directories") +
                " that could not be opened.");
  }
  if (report.overfull > 0) {
    text.notice("Some directories have more than " + std::to_string(WalkBounds{}.entries_per_directory) +
                " entries; only so many of each were looked at.");
  }
  if (report.ran_out) {
    text.notice("Ended after " + counted(report.entries, "entry", "entries") + "; narrow with path.");
  }
}

std::string list_files(const Root& root, const ListRequest& request, const std::stop_token& stop, TextBudget budget) {
  if (request.depth < 1) throw toolwire::ToolError("depth: expected a number that is at least 1");
  const std::string start = root.relative(request.path);
  if (const FileKind kind = root.kind_of(request.path); kind != FileKind::directory) {
    throw toolwire::ToolError("path: " + shown_path(start, 300) + " is a " + std::string(kind_name(kind)) +
                              "; expected a directory (read_file reads files)");
  }
  BoundedText text{budget};
  WalkBounds bounds{.depth = request.depth, .from = start_key(root, request.after)};
  std::string last;
  const WalkReport report = walk(root, start, bounds, stop, [&](const Entry& entry) {
    const std::string key = order_key(entry);
    if (!bounds.from.empty() && key == bounds.from) return Step::proceed;
    if (!text.add_line(shown(entry))) return Step::end;
    last = key;
    return Step::proceed;
  });
  if (text.is_empty() && !text.is_full())
    text.notice(request.after.empty() ? "The directory is empty." : "No more entries.");
  if (text.is_full()) text.notice(continuation(last) + '.');
  if (report.below_depth > 0) {
    text.notice("At depth " + std::to_string(request.depth) + ", what is in " +
                counted(report.below_depth, "deeper directory", "deeper directories") +
                " is not shown; give a larger depth, or one of them as path.");
  }
  add_walk_notices(text, report);
  return text.text();
}

}  // namespace workspace
