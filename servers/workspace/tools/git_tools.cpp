#include "workspace/tools/git_tools.hpp"

#include <chrono>
#include <cstdint>
#include <toolwire/describe.hpp>
#include <utility>

#include "workspace/git/answers.hpp"
#include "workspace/text/shown_path.hpp"
#include "workspace/tools/answer.hpp"

namespace workspace {
namespace {

using toolwire::Context;
using toolwire::field;
using toolwire::fields;
using toolwire::ToolResult;
using namespace std::chrono_literals;

constexpr std::string_view path_text = "The file or directory, relative to the workspace root; . is the root";
constexpr std::string_view offset_text = "The first line to show, from 1, as the notice of an earlier answer says";

struct GitStatus {
  std::string path = ".";

  static constexpr auto describe() { return fields(field<&GitStatus::path>(path_text).optional()); }
};

struct GitDiff {
  std::string path = ".";
  std::string revision;
  bool staged = false;
  DiffOutput output = DiffOutput::diff;
  int context = 3;
  std::int64_t offset = 1;

  static constexpr auto describe() {
    return fields(
        field<&GitDiff::path>(path_text).optional(),
        field<&GitDiff::revision>("The commit to compare with: HEAD~1, a branch, a tag, a commit's name; empty: HEAD")
            .optional(),
        field<&GitDiff::staged>("Whether the index is compared instead of the files").optional(),
        field<&GitDiff::output>("diff: the lines; files: for each file only how many are new and gone").optional(),
        field<&GitDiff::context>("How many unchanged lines to show around each change").between(0, 50).optional(),
        field<&GitDiff::offset>(offset_text).between(1, 10'000'000).optional());
  }
};

struct GitBlame {
  std::string path;
  std::int64_t offset = 1;
  std::int64_t limit = 200;

  static constexpr auto describe() {
    return fields(field<&GitBlame::path>("The file, relative to the workspace root"),
                  field<&GitBlame::offset>("The first line, from 1").between(1, 10'000'000).optional(),
                  field<&GitBlame::limit>("How many lines").between(1, 2000).optional());
  }
};

struct GitLog {
  std::string path = ".";
  std::string revision;
  std::int64_t offset = 1;
  std::int64_t limit = 20;
  bool messages = false;

  static constexpr auto describe() {
    return fields(
        field<&GitLog::path>(path_text).optional(),
        field<&GitLog::revision>("The commit to begin at: a branch, a tag, a commit's name; empty: HEAD").optional(),
        field<&GitLog::offset>("The first commit to show, from 1, as the notice of an earlier answer says")
            .between(1, 10'000'000)
            .optional(),
        field<&GitLog::limit>("How many commits").between(1, 1000).optional(),
        field<&GitLog::messages>("Whether messages are shown as a whole, not only their first lines").optional());
  }
};

ToolResult shown(GitResult result) { return answer(std::move(result.text), result.answer); }

Git git_for(const Roots& roots, const Programs& programs, const std::string& path, const Context& context) {
  return Git{programs, find_repository(roots, path_meant(path)), context.stop_token()};
}

}  // namespace

toolwire::Tool git_status_tool(const Roots& roots, const Programs& programs) {
  return toolwire::make_tool(
      tool_info<GitAnswer>(
          "git_status", "Changed files", Effect::reads, 30s,
          "Tell the branch and which files of a git repository of the workspace are changed, added, deleted or not "
          "tracked, below a path. Use it before git_diff, which shows the changes themselves. Answers a line \"## "
          "branch\" and one line \"XY path\" for each file, as `git status --short` does: X is the index, Y the "
          "working tree. Files that hold secrets and submodules are left out; nothing is written."),
      [&roots, &programs](const GitStatus& wanted, Context& context) {
        return shown(status_answer(git_for(roots, programs, wanted.path, context)));
      });
}

toolwire::Tool git_diff_tool(const Roots& roots, const Programs& programs) {
  return toolwire::make_tool(
      tool_info<GitAnswer>(
          "git_diff", "Changes since a commit", Effect::reads, 30s,
          "Show the difference between a commit (HEAD, unless revision is given) and the files of the workspace, of "
          "one "
          "path or all, as a unified diff. Use it to review what was changed; files that are not tracked are in "
          "git_status only. Renames are shown as a deletion and an addition; files that hold secrets and submodules "
          "are left out. Shows at most 2000 lines and 50 KiB; a notice in brackets below says how to go on."),
      [&roots, &programs](const GitDiff& wanted, Context& context) {
        return shown(diff_answer(git_for(roots, programs, wanted.path, context),
                                 {.revision = wanted.revision,
                                  .staged = wanted.staged,
                                  .output = wanted.output,
                                  .context = wanted.context,
                                  .offset = static_cast<std::uint64_t>(wanted.offset)}));
      });
}

toolwire::Tool git_blame_tool(const Roots& roots, const Programs& programs) {
  return toolwire::make_tool(
      tool_info<GitAnswer>(
          "git_blame", "Who wrote each line", Effect::reads, 60s,
          "Tell for a range of lines of a file in which commit each got its present form. Use it to learn why a line "
          "is as it is; for the whole history of a file use git_log. Answers, for each run of lines of one commit, "
          "its name, date, author and subject, and below it the lines with their numbers. A notice in brackets below "
          "says how to go on."),
      [&roots, &programs](const GitBlame& wanted, Context& context) {
        return shown(blame_answer(
            git_for(roots, programs, wanted.path, context),
            {.offset = static_cast<std::uint64_t>(wanted.offset), .limit = static_cast<std::uint64_t>(wanted.limit)}));
      });
}

toolwire::Tool git_log_tool(const Roots& roots, const Programs& programs) {
  return toolwire::make_tool(
      tool_info<GitAnswer>(
          "git_log", "Commits of a path", Effect::reads, 30s,
          "List the commits that changed a file or directory of the workspace, the newest first: name, date, author, "
          "and the first line of the message. Use it to learn what happened to a file, also under earlier names, and "
          "to find a revision for git_diff. A notice in brackets below says how to go on."),
      [&roots, &programs](const GitLog& wanted, Context& context) {
        return shown(log_answer(git_for(roots, programs, wanted.path, context),
                                {.revision = wanted.revision,
                                 .offset = static_cast<std::uint64_t>(wanted.offset),
                                 .limit = static_cast<std::uint64_t>(wanted.limit),
                                 .whole_messages = wanted.messages}));
      });
}

}  // namespace workspace
