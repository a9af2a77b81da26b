#include "workspace/tools.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <toolwire/describe.hpp>
#include <utility>

#include "workspace/file_text.hpp"
#include "workspace/listing.hpp"
#include "workspace/search_report.hpp"
#include "workspace/write_tools.hpp"

namespace workspace {
namespace {

using toolwire::field;
using toolwire::fields;
using namespace std::chrono_literals;

struct ReadFile {
  std::string path;
  std::int64_t offset = 1;
  std::int64_t limit = 2000;
  std::int64_t column = 1;

  static constexpr auto describe() {
    return fields(
        field<&ReadFile::path>("The file, relative to the workspace root, such as src/main.cpp"),
        field<&ReadFile::offset>("First line to show, from 1").at_least(1).optional(),
        field<&ReadFile::limit>("How many lines to show at most").between(1, 2000).optional(),
        field<&ReadFile::column>("Byte of the first line to begin at, from 1; only to go on in a line too long "
                                 "for one answer, as its notice says")
            .at_least(1)
            .optional());
  }
};

struct ListFiles {
  std::string path = ".";
  int depth = 2;
  std::string after;

  static constexpr auto describe() {
    return fields(
        field<&ListFiles::path>("The directory, relative to the workspace root; . is the root").optional(),
        field<&ListFiles::depth>("How many levels to show; 1 is the directory's own entries")
            .between(1, 100)
            .optional(),
        field<&ListFiles::after>("Go on after this path, as the notice of an earlier answer says").optional());
  }
};

struct SearchText {
  std::string pattern;
  std::string path = ".";
  std::string glob;
  bool ignore_case = false;
  bool literal = false;
  std::int64_t limit = 200;
  std::string after;

  static constexpr auto describe() {
    return fields(
        field<&SearchText::pattern>(
            "RE2 regular expression, matched within each line; no look-around, no back-references"),
        field<&SearchText::path>("The directory or file to search, relative to the workspace root; . is the root")
            .optional(),
        field<&SearchText::glob>(
            "Only files that match, such as *.cpp (any directory) or src/**/*.{hpp,cpp} (the path from the "
            "root); empty: all")
            .optional(),
        field<&SearchText::ignore_case>("Whether case is ignored").optional(),
        field<&SearchText::literal>("Whether the pattern is plain text instead of an expression").optional(),
        field<&SearchText::limit>("How many matching lines to show at most").between(1, 2000).optional(),
        field<&SearchText::after>("Go on after this path:line, as the notice of an earlier answer says").optional());
  }
};

// All tools of this server look and change nothing, and look at nothing but this machine's files.
toolwire::ToolInfo info(std::string name, std::string title, std::chrono::milliseconds timeout,
                        std::string description) {
  return {.name = std::move(name),
          .description = std::move(description),
          .title = std::move(title),
          .read_only = true,
          .destructive = false,
          .idempotent = true,
          .open_world = false,
          .timeout = timeout};
}

toolwire::Tool read_file_tool(const Roots& roots) {
  return toolwire::make_tool(
      info("read_file", "Read a file", 10s,
           "Read a text file of the workspace. Use it before changing or citing a file, and around a line that "
           "search_text found; not for directories (list_files) or binary files. Paths are relative to the "
           "workspace root. Shows at most 2000 lines and 50 KiB, as they are in the file (bytes that are not UTF-8 "
           "as U+FFFD); a notice in brackets below says whether more follows and which offset goes on."),
      [&roots](const ReadFile& wanted, toolwire::Context& context) {
        const Located where = roots.locate(wanted.path);
        const Descriptor file = where.root->open_file(where.path);
        const LineRange range{static_cast<std::uint64_t>(wanted.offset), static_cast<std::uint64_t>(wanted.limit),
                              static_cast<std::uint64_t>(wanted.column)};
        return file_text(file.get(), range, context.stop_token());
      });
}

toolwire::Tool list_files_tool(const Roots& roots) {
  return toolwire::make_tool(
      info("list_files", "List files", 20s,
           "List files and directories of the workspace, sorted by path, one per line; directories end in a slash. "
           "Use it to learn what is there; to find text, use search_text. Paths are relative to the workspace root "
           "and can be given to the other tools as shown. Symbolic links are shown, not followed; .git is shown, not "
           "entered. Shows at most 2000 entries and 50 KiB; a notice in brackets below says what was left out and "
           "how to go on."),
      [&roots](const ListFiles& wanted, toolwire::Context& context) {
        const Located where = roots.locate(wanted.path);
        return list_files(*where.root, {.path = where.path, .depth = wanted.depth, .after = wanted.after},
                          context.stop_token());
      });
}

toolwire::Tool search_text_tool(const Roots& roots) {
  return toolwire::make_tool(
      info("search_text", "Search in files", 60s,
           "Search the files of the workspace for lines that match a regular expression (RE2 syntax). Use it to find "
           "where a name is defined or used; to read around a match, use read_file with an offset. Answers "
           "path:line: text for each matching line, sorted by path; long lines are shown around the match. Skips "
           "binary files and .git, follows no symbolic links, and looks line by line, so no match spans lines. Shows "
           "at most `limit` lines and 50 KiB; a notice in brackets below says what was left out and how to go on."),
      [&roots](const SearchText& wanted, toolwire::Context& context) {
        const Located where = roots.locate(wanted.path);
        const SearchRequest request{.pattern = wanted.pattern,
                                    .path = where.path,
                                    .glob = wanted.glob,
                                    .ignore_case = wanted.ignore_case,
                                    .literal = wanted.literal,
                                    .limit = static_cast<std::uint64_t>(wanted.limit),
                                    .after = wanted.after};
        return search_text(*where.root, request, context.stop_token(), [&context](std::uint64_t files) {
          context.progress(static_cast<double>(files), {}, std::to_string(files) + " files searched");
        });
      });
}

}  // namespace

std::string instructions(const Roots& roots, const ToolChoice& choice) {
  if (const std::string problem = roots.problem(); !problem.empty())
    return "No tool of this server can work now: " + problem + '.';
  std::string text = "Files below " + roots.text() + (choice.write ? "" : ", for reading only") +
                     ". Find text with search_text, read around a match with read_file, look around with list_files. ";
  if (choice.write) {
    text +=
        "Change files with edit_file (dryRun shows the difference first); every change says how to undo it, and what "
        "was replaced or deleted is in .workspace-trash. ";
  }
  return text + "Paths are relative to that root; nothing outside it can be reached.";
}

void add_tools(toolwire::Server& server, const Roots& roots, const ToolChoice& choice) {
  using Maker = toolwire::Tool (*)(const Roots&);
  struct Known {
    std::string_view name;
    Maker make;
    bool writes;
  };
  static constexpr Known known[] = {{"read_file", read_file_tool, false},
                                    {"list_files", list_files_tool, false},
                                    {"search_text", search_text_tool, false},
                                    {"write_file", write_file_tool, true},
                                    {"edit_file", edit_file_tool, true},
                                    {"move", move_tool, true},
                                    {"delete", delete_tool, true}};
  for (const std::string& name : choice.only) {
    const auto* const found =
        std::find_if(std::begin(known), std::end(known), [&](const Known& k) { return k.name == name; });
    if (found == std::end(known)) throw std::invalid_argument("there is no tool \"" + name + "\"");
    if (found->writes && !choice.write) throw std::invalid_argument("the tool \"" + name + "\" needs --write");
  }
  for (const Known& one : known) {
    const bool wanted =
        choice.only.empty() || std::find(choice.only.begin(), choice.only.end(), one.name) != choice.only.end();
    if (wanted && (choice.write || !one.writes)) server.add(one.make(roots));
  }
}

}  // namespace workspace
