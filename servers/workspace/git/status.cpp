#include <algorithm>
#include <optional>
#include <toolwire/error.hpp>

#include "workspace/git/answer_text.hpp"
#include "workspace/git/records.hpp"
#include "workspace/names/secrets.hpp"
#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

/// What stands behind so many spaces.
std::string_view behind(std::string_view record, int fields) {
  for (; fields > 0 && !record.empty(); --fields)
    record.remove_prefix(std::min(record.find(' '), record.size() - 1) + 1);
  return record;
}

struct Change {
  std::string state;  // two letters
  std::string path;
};

/// Of a record as `git status --porcelain=v2` has them, or nothing.
std::optional<Change> change_of(std::string_view record) {
  if (record.starts_with("? ")) return Change{"??", std::string(record.substr(2))};
  const int fields = record.starts_with("1 ") ? 8 : record.starts_with("u ") ? 10 : 0;
  if (fields == 0 || record.size() < 4) return std::nullopt;
  std::string state{record.substr(2, 2)};
  std::replace(state.begin(), state.end(), '.', ' ');
  return Change{std::move(state), std::string(behind(record, fields))};
}

/// Collects "# branch.… value" records.
struct Branch {
  std::string name, upstream, counts;

  void take(std::string_view record) {
    const std::string_view value = behind(record, 2);
    if (record.starts_with("# branch.head ")) name = value;
    if (record.starts_with("# branch.upstream ")) upstream = value;
    if (record.starts_with("# branch.ab ")) counts = value;
  }
  std::string line(bool has_commits) const {
    std::string text = "## " + shown_path(name) + (has_commits ? "" : " (no commit yet)");
    if (!upstream.empty()) text += "..." + shown_path(upstream) + (counts.empty() ? "" : " " + counts);
    return text;
  }
};

std::vector<std::string> command_for(const InRepository& repository) {
  std::vector<std::string> command{
      "status",         "--porcelain=v2",         "--branch", "-z", "--untracked-files=all", "--no-renames",
      "--ahead-behind", "--ignore-submodules=all"};
  if (!repository.path.empty()) command.insert(command.end(), {"--", repository.path});
  return command;
}

}  // namespace

GitResult status_answer(const Git& git, TextBudget budget) {
  const InRepository& repository = git.repository();
  const ProgramOutput ran = git.run(command_for(repository));
  AnswerText text{git, budget};
  Branch branch;
  std::uint64_t secret = 0, left = 0, changes = 0;
  const std::vector<std::string_view> records = records_of(ran.output);
  for (const std::string_view record : records) branch.take(record);
  text.add_line(branch.line(text.head().has_value()));
  for (const std::string_view record : records) {
    const auto change = change_of(record);
    if (!change) continue;
    if (repository.root->secrets() == Secrets::left_out && holds_secrets(repository.in_root(change->path))) {
      ++secret;
    } else if (++changes; !text.add_line(change->state + ' ' + repository.shown(change->path))) {
      ++left;
    }
  }
  if (changes == 0) text.notice("Nothing is changed.");
  if (left > 0 || ran.is_cut)
    text.notice("Not shown: " + (ran.is_cut ? "many files" : counted(left, "file", "files")) + "; narrow with path.");
  if (secret > 0) text.notice("Left out: " + counted(secret, "file that holds", "files that hold") + " secrets.");
  return std::move(text).result();
}

}  // namespace workspace
