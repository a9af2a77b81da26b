// The answer of search_text: matching lines of the files below a path, within the budget. Independent of the protocol.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <toolwire/describe.hpp>
#include <vector>

#include "workspace/names/name_filter.hpp"
#include "workspace/system/roots.hpp"
#include "workspace/text/bounded_text.hpp"

namespace workspace {

/// What is shown of each file with a match: its lines, how many they are, or just its path.
enum class SearchOutput { lines, count, files };

struct SearchRequest {
  std::string pattern;
  std::string path = ".";
  NameChoice names = {};
  bool ignore_case = false;
  bool literal = false;
  bool multiline = false;  // a match may span lines
  SearchOutput output = SearchOutput::lines;
  std::uint64_t before = 0;     // lines shown before each match
  std::uint64_t after = 0;      // and behind it
  std::uint64_t limit = 200;    // matching lines (or files) at most
  std::string cursor = {};      // as an earlier answer gave it: "path:line", or a path where no lines are shown
  bool include_ignored = true;  // also what a .gitignore names
  unsigned threads = 0;         // besides the caller's; 0: as many as there are processors
};

struct SearchMatch {
  std::string path;
  std::optional<std::uint64_t> line = {};
  std::optional<std::string> text = {};
  std::optional<std::uint64_t> count = {};
  std::optional<bool> context = {};

  static constexpr auto describe() {
    using toolwire::field;
    return toolwire::fields(field<&SearchMatch::path>("The file"),
                            field<&SearchMatch::line>("Number of the line, from 1"),
                            field<&SearchMatch::text>("The line; a long one is cut around the match"),
                            field<&SearchMatch::count>("How many lines match"),
                            field<&SearchMatch::context>("True for a line that only stands near a match"));
  }
};

struct SearchAnswer {
  std::vector<SearchMatch> matches;
  std::optional<std::string> cursor = {};
  std::uint64_t files = 0;
  std::vector<std::string> notices = {};

  static constexpr auto describe() {
    using toolwire::field;
    return toolwire::fields(field<&SearchAnswer::matches>("In the order of paths and lines"),
                            field<&SearchAnswer::cursor>("Given if there are more: the next call's cursor"),
                            field<&SearchAnswer::files>("How many files were searched"),
                            field<&SearchAnswer::notices>("What was left out, and how to go on"));
  }
};

/// The answer as text and as values.
struct SearchResult {
  std::string text;
  SearchAnswer answer;
};

/// Told now and then how many files have been searched.
using SearchProgress = std::function<void(std::uint64_t files)>;

/// One line "path:line: text" for each matching line, in the order of a walk; a long line is shown around its match.
/// What is searched is the text that read_file shows; binary files are skipped. Throws ToolError for a bad pattern,
/// glob, path or cursor.
SearchResult search(const Roots& roots, const SearchRequest& request, const std::stop_token& stop,
                    const SearchProgress& progress, TextBudget budget = {});

}  // namespace workspace
