// The answers of the tools for git, as text within the budget: what is changed, differences, who wrote a line, what a
// file went through. Independent of the protocol.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <toolwire/describe.hpp>
#include <vector>

#include "workspace/git/git_command.hpp"
#include "workspace/text/bounded_text.hpp"

namespace workspace {

/// What the text does not say.
struct GitAnswer {
  std::string repository;
  std::optional<std::string> head = {};
  std::optional<std::uint64_t> next_offset = {};
  std::vector<std::string> notices = {};

  static constexpr auto describe() {
    using toolwire::field;
    return toolwire::fields(
        field<&GitAnswer::repository>("The folder of the working tree, as other tools take it"),
        field<&GitAnswer::head>("The full name of the commit HEAD is; missing before the first"),
        field<&GitAnswer::next_offset>("Given if there is more: the next call's offset").named("nextOffset"),
        field<&GitAnswer::notices>("What was left out, and how to go on"));
  }
};

struct GitResult {
  std::string text;
  GitAnswer answer;
};

/// "## branch", and one line "XY path" for each file that differs from HEAD or is not tracked, as `git status --short`
/// has them. Files that hold secrets are left out, and so are submodules.
GitResult status_answer(const Git& git, TextBudget budget = {});

enum class DiffOutput { diff, files };

struct DiffRequest {
  std::string revision = {};  // what is compared with; empty: HEAD
  bool staged = false;        // what is in the index, else what is in the working tree
  DiffOutput output = DiffOutput::diff;
  int context = 3;
  std::uint64_t offset = 1;
};

/// The difference of tracked files, from its line `offset` on; of files that hold secrets nothing.
GitResult diff_answer(const Git& git, const DiffRequest& request, TextBudget budget = {});

struct BlameRequest {
  std::uint64_t offset = 1;  // first line, from 1
  std::uint64_t limit = 200;
};

/// For each run of lines of one commit a line "name date author: subject", and below it the lines with their numbers.
GitResult blame_answer(const Git& git, const BlameRequest& request, TextBudget budget = {});

struct LogRequest {
  std::string revision = {};  // where to begin; empty: HEAD
  std::uint64_t offset = 1;   // first commit, from 1
  std::uint64_t limit = 20;
  bool whole_messages = false;
};

/// A line "name date author: subject" for each commit that changed the path, the newest first; of a file also under its
/// earlier names.
GitResult log_answer(const Git& git, const LogRequest& request, TextBudget budget = {});

}  // namespace workspace
