#include "workspace/commands/running_command.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace workspace {
namespace {

std::string reason_text(EndedFor reason) {
  switch (reason) {
    case EndedFor::nothing:
      break;
    case EndedFor::time:
      return "ended because its time was over";
    case EndedFor::request:
      return "ended on request";
    case EndedFor::processes:
      return "ended because it had more processes and threads than a command may";
    case EndedFor::memory:
      return "ended because it took more memory than a command may";
  }
  return {};
}

}  // namespace

RunningCommand::RunningCommand(toolwire::system::FileDescriptor connection, const ProgramRun& run,
                               std::optional<std::chrono::seconds> most,
                               std::function<std::vector<std::string>()> at_end)
    : call_(std::move(connection), run), at_end_(std::move(at_end)) {
  collector_ = std::thread([this, most] { collect(most); });
}

RunningCommand::~RunningCommand() {
  call_.end_now();
  collector_.join();
}

void RunningCommand::stop(EndedFor why) {
  const toolwire::MutexLock lock(mutex_);
  if (has_ended_ || end_.ended_for != EndedFor::nothing) return;
  end_.ended_for = why;
  call_.ask_to_end();
}

void RunningCommand::collect(std::optional<std::chrono::seconds> most) {
  const auto last_moment = most ? std::optional(begin_ + *most) : std::nullopt;
  while (true) {
    if (!call_.wait_until(last_moment)) stop(EndedFor::time);
    auto frame = call_.receive();
    if (!frame) frame = Frame{.kind = FrameKind::ended, .value = -1};
    if (!take(std::move(*frame))) break;
  }
  std::vector<std::string> changes = at_end_();
  const toolwire::MutexLock lock(mutex_);
  end_.changes = std::move(changes);
  has_ended_ = true;
  ended_at_ = Clock::now();
  changed_.notify_all();
}

bool RunningCommand::take(Frame frame) {
  const toolwire::MutexLock lock(mutex_);
  changed_.notify_all();
  switch (frame.kind) {
    case FrameKind::output:
    case FrameKind::errors:
      output_.append(frame.bytes);
      return true;
    case FrameKind::left_behind:
      end_.left_behind = frame.value;
      return true;
    case FrameKind::too_many:
      end_.ended_for = EndedFor::processes;
      return true;
    case FrameKind::too_large:
      end_.ended_for = EndedFor::memory;
      return true;
    case FrameKind::not_started:
      end_.not_started = frame.value;
      return false;
    case FrameKind::ended:
      end_.status = frame.value;
      end_.is_lost = frame.value == -1;
      return false;
  }
  return false;
}

void RunningCommand::wait(const std::stop_token& stop) {
  toolwire::MutexLock lock(mutex_);
  changed_.wait(lock, stop, [this]() TOOLWIRE_REQUIRES(mutex_) { return has_ended_; });
}

void RunningCommand::wait_for_more(std::uint64_t offset, std::chrono::milliseconds most, const std::stop_token& stop) {
  toolwire::MutexLock lock(mutex_);
  changed_.wait_until(lock, stop, Clock::now() + most,
                      [this, offset]() TOOLWIRE_REQUIRES(mutex_) { return has_ended_ || output_.size() > offset; });
}

void RunningCommand::wait_for_end(std::chrono::milliseconds most, const std::stop_token& stop) {
  toolwire::MutexLock lock(mutex_);
  changed_.wait_until(lock, stop, Clock::now() + most, [this]() TOOLWIRE_REQUIRES(mutex_) { return has_ended_; });
}

std::optional<CommandEnd> RunningCommand::end() const {
  const toolwire::MutexLock lock(mutex_);
  return has_ended_ ? std::optional(end_) : std::nullopt;
}

RunningCommand::Written RunningCommand::written(std::uint64_t offset) const {
  const toolwire::MutexLock lock(mutex_);
  KeptOutput::Parts parts = output_.from(std::min(offset, output_.size()));
  std::string_view& last = parts.behind.empty() ? parts.before : parts.behind;
  const std::size_t begun = has_ended_ ? 0 : begun_character(last);
  last.remove_suffix(begun);
  return {shown_output(parts), output_.size() - begun};
}

std::uint64_t RunningCommand::size() const {
  const toolwire::MutexLock lock(mutex_);
  return output_.size();
}

std::chrono::milliseconds RunningCommand::time() const {
  const toolwire::MutexLock lock(mutex_);
  return std::chrono::duration_cast<std::chrono::milliseconds>((has_ended_ ? ended_at_ : Clock::now()) - begin_);
}

std::string end_text(const CommandEnd& end) {
  if (end.not_started != 0)
    return std::string("not started, confined as it would be: ") + std::strerror(end.not_started);
  if (end.is_lost) return "the process that watched over it has ended, and it with that; start the server again";
  std::string text = reason_text(end.ended_for);
  if (!text.empty()) text += ": ";
  text += status_text(end.status);
  if (end.left_behind > 0)
    text += "; " + counted(static_cast<std::uint64_t>(end.left_behind), "process", "processes") +
            " that it had not waited for ended with it";
  return text;
}

std::optional<int> exit_status_of(const CommandEnd& end) {
  return end.not_started != 0 || end.is_lost ? std::nullopt : exit_status(end.status);
}

}  // namespace workspace
