#include "workspace/tools/search_tools.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <toolwire/describe.hpp>
#include <utility>

#include "workspace/search/listing.hpp"
#include "workspace/search/report.hpp"
#include "workspace/tools/answer.hpp"

namespace workspace {
namespace {

using toolwire::Context;
using toolwire::field;
using toolwire::fields;
using toolwire::ToolResult;
using namespace std::chrono_literals;

constexpr int every_depth = 128;
constexpr std::string_view cursor_text = "Go on behind this, as the notice of an earlier answer says";
constexpr std::string_view type_text =
    "Only files of a kind, named as ripgrep does: cpp, py, js, cmake …, several separated by commas; "
    "! before one leaves it out; empty: all";
constexpr std::string_view ignored_text = "Whether what .gitignore files name is shown too";

struct ListFiles {
  std::string path = ".";
  int depth = 2;
  std::string glob;
  std::string type;
  bool include_ignored = false;
  std::string cursor;

  static constexpr auto describe() {
    return fields(
        field<&ListFiles::path>("The directory, relative to the workspace root; . is the root").optional(),
        field<&ListFiles::depth>("How many levels to show; 1 is the directory's own entries")
            .between(1, most_depth)
            .optional(),
        field<&ListFiles::glob>("Only entries that match, such as *.md, or *.md,!README* or !build/; empty: all")
            .optional(),
        field<&ListFiles::type>(type_text).optional(),
        field<&ListFiles::include_ignored>(ignored_text).named("includeIgnored").optional(),
        field<&ListFiles::cursor>(cursor_text).optional());
  }
};

struct FindFiles {
  std::string pattern;
  std::string type;
  bool ignore_case = false;
  std::string path = ".";
  EntryKind kind = EntryKind::any;
  bool include_ignored = false;
  std::int64_t limit = 200;
  std::string cursor;

  static constexpr auto describe() {
    return fields(
        field<&FindFiles::pattern>("Globs: *.cpp or README* (a name, in any directory), src/**/*_test.{cpp,hpp} (the "
                                   "path from the root), src/ (all below a directory), several separated by commas; "
                                   "! before one leaves out what matches; may be empty if a type is given")
            .optional(),
        field<&FindFiles::type>(type_text).optional(),
        field<&FindFiles::ignore_case>("Whether case is ignored").named("ignoreCase").optional(),
        field<&FindFiles::path>("The directory to look below, relative to the workspace root; . is the root")
            .optional(),
        field<&FindFiles::kind>("What to find").optional(),
        field<&FindFiles::include_ignored>(ignored_text).named("includeIgnored").optional(),
        field<&FindFiles::limit>("How many paths to show at most").between(1, 2000).optional(),
        field<&FindFiles::cursor>(cursor_text).optional());
  }
};

struct SearchText {
  std::string pattern;
  std::string path = ".";
  std::string glob;
  std::string type;
  bool glob_ignore_case = false;
  bool ignore_case = false;
  bool literal = false;
  bool multiline = false;
  SearchOutput output = SearchOutput::lines;
  int context = 0;
  std::optional<int> before;
  std::optional<int> after;
  bool include_ignored = false;
  std::int64_t limit = 200;
  std::string cursor;

  static constexpr auto describe() {
    return fields(
        field<&SearchText::pattern>("RE2 regular expression, matched within each line; no look-around, no "
                                    "back-references; \\w, \\d, \\s and \\b "
                                    "know every language"),
        field<&SearchText::path>("The directory or file to search, relative to the workspace root; . is the root")
            .optional(),
        field<&SearchText::glob>(
            "Only files that match, such as *.cpp (any directory), src/**/*.{hpp,cpp} (the path from the root) or src/ "
            "(all below a directory), several separated by commas; ! before one leaves out what matches, as in "
            "!*_test.py; empty: all")
            .optional(),
        field<&SearchText::type>(type_text).optional(),
        field<&SearchText::glob_ignore_case>("Whether case is ignored in the glob").named("globIgnoreCase").optional(),
        field<&SearchText::ignore_case>("Whether case is ignored").named("ignoreCase").optional(),
        field<&SearchText::literal>("Whether the pattern is plain text instead of an expression").optional(),
        field<&SearchText::multiline>(
            "Whether a match may span lines: then \\n and \\s match line ends, and with (?s) at the "
            "start of the pattern . does too; each line of a match is shown")
            .optional(),
        field<&SearchText::output>("lines: each matching line; count: how many match in each file; files: only paths")
            .optional(),
        field<&SearchText::context>("How many lines before and after each match to show").between(0, 20).optional(),
        field<&SearchText::before>("How many lines before each match, where that differs from context").between(0, 50),
        field<&SearchText::after>("How many lines after each match, where that differs from context").between(0, 50),
        field<&SearchText::include_ignored>(ignored_text).named("includeIgnored").optional(),
        field<&SearchText::limit>("How many matching lines (or files) to show at most").between(1, 2000).optional(),
        field<&SearchText::cursor>(cursor_text).optional());
  }
};

ToolResult listed(ListResult result) { return answer(std::move(result.text), result.answer); }

}  // namespace

toolwire::Tool list_files_tool(const Roots& roots) {
  return toolwire::make_tool(
      tool_info<ListAnswer>(
          "list_files", "List files", Effect::reads, 20s,
          "List files and directories of the workspace, sorted by path, one per line; directories end in a slash. "
          "Use it to learn what is there; to find files by name use find_files, to find text use search_text. Paths "
          "are relative to the workspace root and can be given to the other tools as shown. Symbolic links are shown, "
          "not followed; .git and the trash are shown, not entered; what .gitignore files name, and files that hold "
          "secrets, are left out. Shows at most 2000 entries and 50 KiB; a notice in brackets below says what was left "
          "out and how to go on."),
      [&roots](const ListFiles& wanted, Context& context) {
        return listed(list_entries(roots,
                                   {.path = wanted.path,
                                    .depth = wanted.depth,
                                    .names = {.glob = wanted.glob, .type = wanted.type},
                                    .cursor = wanted.cursor,
                                    .include_ignored = wanted.include_ignored},
                                   context.stop_token()));
      });
}

toolwire::Tool find_files_tool(const Roots& roots) {
  return toolwire::make_tool(
      tool_info<ListAnswer>(
          "find_files", "Find files", Effect::reads, 20s,
          "Find files and directories of the workspace by name, at any depth. Use it when you know part of a name; to "
          "find text in files use search_text, to look around use list_files. Answers paths relative to the workspace "
          "root, sorted, one per line, directories with a slash at their end. Follows no symbolic links, does not "
          "enter "
          ".git and the trash, and leaves out what .gitignore files name and files that hold secrets. Shows at most "
          "`limit` paths and 50 KiB; a notice in brackets below says how to go on."),
      [&roots](const FindFiles& wanted, Context& context) {
        if (wanted.pattern.empty() && wanted.type.empty())
          throw toolwire::ToolError("pattern: is empty; expected a glob such as *.cpp, or a type");
        return listed(list_entries(roots,
                                   {.path = wanted.path,
                                    .depth = every_depth,
                                    .names = {.glob = wanted.pattern,
                                              .type = wanted.type,
                                              .ignore_case = wanted.ignore_case,
                                              .argument = "pattern"},
                                    .kind = wanted.kind,
                                    .limit = static_cast<std::uint64_t>(wanted.limit),
                                    .cursor = wanted.cursor,
                                    .include_ignored = wanted.include_ignored},
                                   context.stop_token()));
      });
}

toolwire::Tool search_text_tool(const Roots& roots) {
  return toolwire::make_tool(
      tool_info<SearchAnswer>(
          "search_text", "Search in files", Effect::reads, 60s,
          "Search the files of the workspace for lines that match a regular expression (RE2 syntax). Use it to find "
          "where a name is defined or used; to read around a match give context, or use read_file with an offset; to "
          "find files by name use find_files. Answers path:line: text for each matching line, sorted by path; long "
          "lines are shown around the match. Paths are relative to the workspace root. Skips binary files, .git, the "
          "trash, what .gitignore files name, and files that hold secrets; follows no symbolic links. Searches what "
          "read_file shows, whatever the encoding and the line ends, line by line unless multiline is set. Shows at "
          "most `limit` lines and 50 KiB; a notice in brackets below says what "
          "was left out and how to go on."),
      [&roots](const SearchText& wanted, Context& context) {
        const SearchRequest request{
            .pattern = wanted.pattern,
            .path = wanted.path,
            .names = {.glob = wanted.glob, .type = wanted.type, .ignore_case = wanted.glob_ignore_case},
            .ignore_case = wanted.ignore_case,
            .literal = wanted.literal,
            .multiline = wanted.multiline,
            .output = wanted.output,
            .before = static_cast<std::uint64_t>(wanted.before.value_or(wanted.context)),
            .after = static_cast<std::uint64_t>(wanted.after.value_or(wanted.context)),
            .limit = static_cast<std::uint64_t>(wanted.limit),
            .cursor = wanted.cursor,
            .include_ignored = wanted.include_ignored};
        SearchResult result = search(roots, request, context.stop_token(), [&context](std::uint64_t files) {
          context.progress(static_cast<double>(files), {}, std::to_string(files) + " files searched");
        });
        return answer(std::move(result.text), result.answer);
      });
}

}  // namespace workspace
