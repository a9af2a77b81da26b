#include "workspace/search/notices.hpp"

#include "workspace/search/listing.hpp"
#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

class Notices {
 public:
  Notices(BoundedText& text, SearchAnswer& answer) : text_(text), answer_(answer) {}

  void add(const std::string& notice) {
    text_.notice(notice);
    answer_.notices.push_back(notice);
  }

  void left_out(std::uint64_t number, std::string_view one, std::string_view many, const std::string& rest) {
    if (number > 0) add("Left out: " + counted(number, one, many) + rest);
  }

 private:
  BoundedText& text_;
  SearchAnswer& answer_;
};

void say_nothing_found(Notices& notices, const SearchRequest& request, std::uint64_t files, const LeftOut& what) {
  notices.add((request.cursor.empty() ? "No match in " : "No further match in ") + counted(files, "file", "files") +
              '.');
  if (!request.multiline && !request.literal && request.pattern.find("\\n") != std::string::npos)
    notices.add("The search is line by line: \\n in a pattern never matches without multiline.");
  const std::string glob_notice = unmatched_glob_notice(request.names.glob, request.path, what.has_root_names);
  if (files == 0 && !glob_notice.empty() && request.cursor.empty()) notices.add(glob_notice);
}

}  // namespace

void add_search_notices(BoundedText& text, SearchAnswer& answer, const SearchRequest& request, const LeftOut& what) {
  Notices notices{text, answer};
  if (what.is_empty && !what.is_full) say_nothing_found(notices, request, answer.files, what);
  if (what.is_full) {
    if (!what.cursor.empty()) answer.cursor = shown_path(what.cursor);
    notices.add("More matches follow. Continue with cursor: " + shown_path(what.cursor) +
                ", or narrow with pattern, path or glob.");
  }
  if (what.cut_line)
    notices.add("Long lines are shown in part, around the first match; read_file shows all of a line.");
  notices.left_out(what.binary, "binary file", "binary files", ".");
  notices.left_out(what.unreadable, "file", "files", " that could not be read.");
  if (what.cut_files > 0)
    notices.add(
        "Searched in part: " + counted(what.cut_files, "file", "files") +
        (request.multiline ? " larger than 16 MiB." : " larger than 256 MiB, or than 16 MiB and not in UTF-8."));
  if (what.split_lines > 0)
    notices.add("Lines longer than 1 MiB were searched in pieces; a match across two pieces is not found.");
  if (what.stopped) notices.add("The search was stopped before it was done.");
  for (const std::string& notice : walk_notices(what.walk)) notices.add(notice);
  notices.left_out(what.walk.below_depth, "directory", "directories",
                   " deeper than a search goes; give one of them as path.");
}

}  // namespace workspace
