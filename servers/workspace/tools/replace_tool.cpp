// The tool that replaces in many files at once: a search says in which, the room of changes does the rest.
#include <algorithm>
#include <chrono>
#include <toolwire/describe.hpp>
#include <toolwire/system/new_file.hpp>
#include <utility>

#include "workspace/changes/replacement.hpp"
#include "workspace/changes/writer.hpp"
#include "workspace/search/report.hpp"
#include "workspace/system/place.hpp"
#include "workspace/text/shown_path.hpp"
#include "workspace/tools/answer.hpp"
#include "workspace/tools/write_tools.hpp"

namespace workspace {
namespace {

using toolwire::Context;
using toolwire::field;
using toolwire::fields;
using toolwire::ToolResult;
using namespace std::chrono_literals;

constexpr std::size_t most_files = 200;

struct ReplaceText {
  std::string pattern;
  std::string replacement;
  std::string path = ".";
  std::string glob;
  std::string type;
  bool ignore_case = false;
  bool literal = false;
  bool multiline = false;
  bool include_ignored = false;
  bool dry_run = true;

  static constexpr auto describe() {
    return fields(
        field<&ReplaceText::pattern>("RE2 regular expression, as in search_text"),
        field<&ReplaceText::replacement>(
            "What stands there afterwards; $1 or ${name} is a group of the pattern, $0 the "
            "match, $$ a dollar sign; with literal plain text"),
        field<&ReplaceText::path>("The directory or file, relative to the workspace root; . is the root").optional(),
        field<&ReplaceText::glob>("Only files that match, as in search_text").optional(),
        field<&ReplaceText::type>("Only files of a kind, as in search_text").optional(),
        field<&ReplaceText::ignore_case>("Whether case is ignored").named("ignoreCase").optional(),
        field<&ReplaceText::literal>("Whether pattern and replacement are plain text").optional(),
        field<&ReplaceText::multiline>("Whether a match may span lines").optional(),
        field<&ReplaceText::include_ignored>("Whether what .gitignore files name is changed too")
            .named("includeIgnored")
            .optional(),
        field<&ReplaceText::dry_run>("Only show what would change; set to false to change it")
            .named("dryRun")
            .optional());
  }
};

struct ReplacedFile {
  std::string path;
  std::uint64_t places = 0;
  std::optional<std::string> hash = {};
  std::optional<std::string> undo = {};

  static constexpr auto describe() {
    return fields(field<&ReplacedFile::path>("The file"), field<&ReplacedFile::places>("How many places were replaced"),
                  field<&ReplacedFile::hash>("Digest of the new content; can be given as expectedHash"),
                  field<&ReplacedFile::undo>("The call that undoes the change of this file"));
  }
};

struct ReplaceAnswer {
  std::vector<ReplacedFile> files = {};
  std::uint64_t places = 0;
  bool changed = false;
  std::optional<std::string> diff = {};
  bool diff_is_cut = false;
  std::vector<std::string> notices = {};

  static constexpr auto describe() {
    return fields(
        field<&ReplaceAnswer::files>("In the order of paths"), field<&ReplaceAnswer::places>("In all files together"),
        field<&ReplaceAnswer::changed>("False after a dry run, and if nothing matches"),
        field<&ReplaceAnswer::diff>("The change as unified diff; only after a dry run, else it is in _meta"),
        field<&ReplaceAnswer::diff_is_cut>("Whether the diff is longer than what is shown").named("diffIsCut"),
        field<&ReplaceAnswer::notices>("What was left out"));
  }
};

SearchAnswer files_with_matches(const Roots& roots, const ReplaceText& wanted, const std::stop_token& stop) {
  const SearchRequest request{.pattern = wanted.pattern,
                              .path = wanted.path,
                              .names = {.glob = wanted.glob, .type = wanted.type},
                              .ignore_case = wanted.ignore_case,
                              .literal = wanted.literal,
                              .multiline = wanted.multiline,
                              .output = SearchOutput::files,
                              .limit = most_files,
                              .include_ignored = wanted.include_ignored};
  SearchAnswer found =
      search(roots, request, stop, {}, {.lines = 2 * most_files, .bytes = std::size_t{4} << 20}).answer;
  if (found.cursor)
    throw toolwire::ToolError(
        "pattern: matches in more than 200 files; narrow with path, glob or type, and go part by "
        "part");
  if (stop.stop_requested()) throw toolwire::ToolError("the call was cancelled; nothing was changed");
  return found;
}

// The sum of all differences, and what was changed in which file.
ReplaceAnswer replaced(const Roots& roots, ChangeHistory& history, const ReplaceText& wanted,
                       const std::stop_token& stop, std::string& diff) {
  const Replacement replacement{
      wanted.pattern,
      wanted.replacement,
      {.ignore_case = wanted.ignore_case, .literal = wanted.literal, .multiline = wanted.multiline}};
  const SearchAnswer found = files_with_matches(roots, wanted, stop);
  std::vector<Located> files;
  for (const SearchMatch& match : found.matches) {
    Located file = roots.locate(path_meant(match.path));
    // What another server is just writing is soon not there, and no reason to replace nothing.
    if (!toolwire::system::is_draft_name(last_part(file.path))) files.push_back(std::move(file));
  }
  std::vector<std::uint64_t> places;
  const auto rewrite = [&](std::string_view text, std::string_view shown) {
    std::size_t count = 0;
    std::string result = replacement.apply(text, shown, count, stop);
    if (result != text) places.push_back(count);
    return result;
  };
  const std::vector<Changed> changes = rewrite_files(files, rewrite, wanted.dry_run, stop);
  history.add(changes);
  ReplaceAnswer result{.changed = !wanted.dry_run && !changes.empty(), .notices = found.notices};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    result.files.push_back({changes[i].path, places[i], changes[i].hash, changes[i].undo});
    result.places += places[i];
    diff += changes[i].diff.value_or("");
    if (!diff.empty() && !diff.ends_with('\n')) diff += '\n';
  }
  return result;
}

std::string summary(const ReplaceAnswer& result) {
  return counted(result.places, "place", "places") + " in " + counted(result.files.size(), "file", "files");
}

ToolResult replace_text(const Roots& roots, ChangeHistory& history, const ReplaceText& wanted,
                        const std::stop_token& stop) {
  std::string all;
  ReplaceAnswer result = replaced(roots, history, wanted, stop, all);
  std::string diff = bounded_diff(all, result.diff_is_cut);
  BoundedText text;
  if (result.files.empty()) {
    text.add_line("Nothing to replace; nothing was changed.");
  } else if (wanted.dry_run) {
    text.add_line("Dry run, nothing was changed. " + summary(result) + " would be replaced:");
    for (const ReplacedFile& file : result.files) text.add_line(file.path + ": " + std::to_string(file.places));
  } else {
    text.add_line("replaced " + summary(result));
    std::size_t told = 0;
    for (const ReplacedFile& file : result.files) {
      const std::string line = file.path + ": " + std::to_string(file.places) + "; to undo: " + file.undo.value_or("");
      if (text.add_line(line)) ++told;
    }
    if (told < result.files.size())
      text.notice(counted(result.files.size() - told, "further file was", "further files were") +
                  " changed too, for which there is no room here; undo takes back all of it.");
  }
  for (const std::string& notice : result.notices) text.notice(notice);
  if (!result.changed) {
    if (result.diff_is_cut) text.notice("The difference is longer; only its beginning is shown.");
    result.diff = diff;
    return answer(diff.empty() ? text.text() : text.text() + "\nThe difference would be:\n" + diff, result);
  }
  ToolResult told = answer(text.text(), result);
  told.meta[details_key] = toolwire::JsonObject{{"diff", diff}, {"diffIsCut", result.diff_is_cut}};
  return told;
}

}  // namespace

toolwire::Tool replace_text_tool(const Roots& roots, const std::shared_ptr<ChangeHistory>& history) {
  return toolwire::make_tool(
      tool_info<ReplaceAnswer>(
          "replace_text", "Replace in files", Effect::replaces, 60s,
          "Replace what a regular expression matches, in all files of the workspace that a path, glob or type chooses, "
          "all or none. Without dryRun: false it only shows the difference; look at it first. Use it to rename "
          "something in many files; for one place use edit_file. Finds what search_text finds, in at most 200 files. "
          "Encoding, line ends and mode are kept; old versions are kept in the trash, and the answer says for "
          "each file how to undo. If one file cannot be changed, none is."),
      [&roots, history](const ReplaceText& wanted, Context& context) {
        const toolwire::MutexLock turn(turn_to_change());
        return replace_text(roots, *history, wanted, context.stop_token());
      });
}

}  // namespace workspace
