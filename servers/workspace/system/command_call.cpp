#include "workspace/system/command_call.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <utility>

namespace workspace {
namespace {

std::string signal_text(int number) { return std::string("the signal \"") + ::strsignal(number) + '"'; }

}  // namespace

CommandCall::CommandCall(toolwire::system::FileDescriptor connection, const ProgramRun& run)
    : connection_(std::move(connection)) {
  send_run(connection_.get(), run);
}

bool CommandCall::wait_until(std::optional<std::chrono::steady_clock::time_point> last_moment) const {
  if (!last_moment) return true;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*last_moment - std::chrono::steady_clock::now());
  pollfd waited{connection_.get(), POLLIN, 0};
  return left.count() > 0 && ::poll(&waited, 1, static_cast<int>(left.count())) != 0;
}

void CommandCall::ask_to_end() const { ::shutdown(connection_.get(), SHUT_WR); }

void CommandCall::end_now() const { ::send(connection_.get(), "", 1, MSG_NOSIGNAL | MSG_DONTWAIT); }

std::string status_text(int status) {
  if (WIFSIGNALED(status)) return "ended by " + signal_text(WTERMSIG(status));
  constexpr int by_signal = 128;  // as shells say it
  const int code = WEXITSTATUS(status), signal = code - by_signal;
  const std::string text = "exit status " + std::to_string(code);
  return signal > 0 && signal < NSIG ? text + " (of a shell: " + signal_text(signal) + ')' : text;
}

std::optional<int> exit_status(int status) {
  return WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
}

}  // namespace workspace
