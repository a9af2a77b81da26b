#include <algorithm>
#include <toolwire/error.hpp>

#include "workspace/git/answer_text.hpp"
#include "workspace/git/records.hpp"
#include "workspace/text/credentials.hpp"

namespace workspace {
namespace {

constexpr std::size_t short_name = 10;
constexpr std::size_t fields = 4;  // name, day, author, message

std::vector<std::string> command_for(const Git& git, const LogRequest& request, const std::string& from) {
  const InRepository& repository = git.repository();
  std::vector<std::string> command{"log",
                                   "-z",
                                   "--no-show-signature",
                                   "--no-ext-diff",
                                   "--no-textconv",
                                   "--no-color",
                                   "--no-decorate",
                                   "--no-mailmap",
                                   "--no-notes",
                                   "--no-patch",
                                   "--format=%H%x00%as%x00%an%x00%B",
                                   "--skip=" + std::to_string(request.offset - 1),
                                   "--max-count=" + std::to_string(request.limit + 1)};
  if (repository.kind() == FileKind::regular) command.emplace_back("--follow");
  command.insert(command.end(), {from, "--"});
  if (!repository.path.empty()) command.push_back(repository.path);
  return command;
}

/// The lines of a commit's message as they are shown: the first behind its facts, the others indented.
std::vector<std::string> shown_lines(std::string_view facts, std::string_view message, bool whole) {
  std::vector<std::string> shown;
  while (message.ends_with('\n')) message.remove_suffix(1);
  for (const std::string_view line : lines_of(message)) {
    if (!shown.empty() && !whole) break;
    shown.push_back(shown.empty() ? std::string(facts) + std::string(line)
                                  : (line.empty() ? "" : "    ") + std::string(line));
  }
  if (shown.empty()) shown.emplace_back(facts);
  return shown;
}

bool add(AnswerText& text, const std::vector<std::string>& lines) {
  return std::all_of(lines.begin(), lines.end(), [&](const std::string& line) { return text.add_line(line); });
}

}  // namespace

GitResult log_answer(const Git& git, const LogRequest& request, TextBudget budget) {
  AnswerText text{git, budget};
  if (request.revision.empty() && !text.head()) throw toolwire::ToolError("path: the repository has no commit yet");
  const std::string from = request.revision.empty() ? *text.head() : git.commit(request.revision);
  ProgramOutput ran = git.run(command_for(git, request, from));
  if (git.repository().root->secrets() == Secrets::left_out) mask_credentials(ran.output);
  const std::vector<std::string_view> records = records_of(ran.output);
  const std::size_t commits = records.size() / fields;
  std::size_t shown = 0;
  for (; shown < std::min<std::size_t>(commits, request.limit); ++shown) {
    const auto* const at = &records[shown * fields];
    const std::string facts =
        std::string(at[0].substr(0, short_name)) + ' ' + std::string(at[1]) + ' ' + std::string(at[2]) + ": ";
    if (!add(text, shown_lines(facts, at[3], request.whole_messages))) break;
  }
  if (shown < commits) text.go_on_at(request.offset + std::max<std::size_t>(shown, 1), "");
  if (commits == 0) text.notice(request.offset > 1 ? "No earlier commit." : "No commit changed this path.");
  return std::move(text).result();
}

}  // namespace workspace
