#include "workspace/commands/later_runs_guard.hpp"

#include <optional>
#include <stdexcept>
#include <toolwire/error.hpp>
#include <utility>

#include "workspace/commands/later_runs.hpp"
#include "workspace/system/call_frames.hpp"
#include "workspace/system/confine_process.hpp"

namespace workspace {
namespace {

/// What the server asks, in the order in which it may.
enum class Asked { keep_changes, put_changes_back, look, end };

bool ask(int call, Asked asked) { return send_frame(call, FrameKind::output, static_cast<int>(asked), {}); }

std::optional<Asked> asked_next(int call) {
  const auto frame = receive_frame(call);
  return frame ? std::optional(static_cast<Asked>(frame->value)) : std::nullopt;
}

bool answer(int call, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) send_frame(call, FrameKind::output, 0, text);
  return send_frame(call, FrameKind::ended, 0, {});
}

/// Nothing if nobody answers.
std::optional<std::vector<std::string>> answer_from(int call) {
  std::vector<std::string> texts;
  while (auto frame = receive_frame(call)) {
    if (frame->kind == FrameKind::ended) return texts;
    texts.push_back(std::move(frame->bytes));
  }
  return std::nullopt;
}

void stand_guard(int call, const Roots& roots, int no_command) {
  auto asked = asked_next(call);
  const bool keeps_changes = asked == Asked::keep_changes;
  const LaterRuns before = LaterRuns::of(roots);
  answer(call, {});
  while ((asked = asked_next(call)) == Asked::look)
    answer(call, keeps_changes ? before.differences() : before.put_back());
  if (asked || keeps_changes) return;
  wait_until_hung_up(no_command);  // the server is gone, and ends them with that
  before.put_back();
}

std::vector<int> prepare(const Roots& roots, int no_command) {
  ignore_requests_to_end();  // its end is that of the server
  Allowed allowed;
  std::vector<int> kept{no_command};
  for (const Root* const root : roots.all()) {
    if (!root->problem().empty() || root->is_read_only()) continue;  // nothing changes there
    allowed.write.push_back(root->path());
    kept.push_back(root->descriptor());
  }
  if (std::string problem = confine_process(allowed); !problem.empty()) throw std::runtime_error(problem);
  return kept;
}

}  // namespace

LaterRunsGuard::LaterRunsGuard(const Roots& roots, int no_command)
    : process_(HelperProcess::start({.prepare = [&] { return prepare(roots, no_command); },
                                     .answer = [&](int call) { stand_guard(call, roots, no_command); }})) {}

void LaterRunsGuard::begin(bool keeps_changes) {
  if (!process_.is_there()) return;
  call_ = process_.call();
  if (call_.is_open() && ask(call_.get(), keeps_changes ? Asked::keep_changes : Asked::put_changes_back) &&
      answer_from(call_.get()))
    return;
  call_.reset();
  throw toolwire::ToolError(
      "argv: not run, because the process that puts back what runs later has ended; start the server again");
}

std::vector<std::string> LaterRunsGuard::look() {
  if (!process_.is_there()) return {};
  if (call_.is_open() && ask(call_.get(), Asked::look)) {
    if (auto texts = answer_from(call_.get())) return std::move(*texts);
  }
  return {
      "the process that puts it back has ended, so NOTHING of it was looked at: look at the hooks and settings of "
      "git, editors and agents, and start the server again"};
}

void LaterRunsGuard::end() {
  if (call_.is_open()) ask(call_.get(), Asked::end);
  call_.reset();
}

}  // namespace workspace
