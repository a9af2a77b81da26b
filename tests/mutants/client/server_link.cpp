#include "server_link.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <toolwire/text.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <stdexcept>
#include <utility>

namespace judged_client {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

void close_if_open(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  return ends;
}

[[noreturn]] void become(const std::vector<std::string>& command, int input, int output, int errors) {
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words.front(), words.data());
  ::_exit(127);
}

/// A process that keeps our end of the server's input open.
void leak(int descriptor) {
  if (::fork() != 0) return;
  ::close(STDOUT_FILENO);
  ::close(STDERR_FILENO);
  ::dup2(descriptor, STDIN_FILENO);
  ::sleep(5);
  ::_exit(0);
}

/// As if the last bytes were whole characters: what is none becomes U+FFFD.
void replace_halves(std::string& text, std::size_t last) {
  const std::string read = text.substr(text.size() - last);
  text.resize(text.size() - last);
  text += toolwire::text::valid(read);
}

}  // namespace

ServerLink::ServerLink(const Settings& settings) : settings_(settings) {
  if (!settings.has("ends-by-sigpipe")) std::signal(SIGPIPE, SIG_IGN);
  auto input = make_pipe(), output = make_pipe(), errors = make_pipe();
  id_ = ::fork();
  if (id_ == 0) {
    std::signal(SIGPIPE, SIG_DFL);
    become(settings.server, input[0], output[1], errors[1]);
  }
  for (const int end : {input[0], output[1], errors[1]}) ::close(end);
  input_ = input[1], output_ = output[0], errors_ = errors[0];
}

ServerLink::~ServerLink() {
  if (settings_.has("leaks-input")) leak(input_);
  end_server();
  for (int* descriptor : {&input_, &output_, &errors_}) close_if_open(*descriptor);
}

bool ServerLink::wait_for_end(std::chrono::milliseconds time) {
  const auto until = Clock::now() + time;
  while (::waitpid(id_, nullptr, WNOHANG) == 0) {
    if (Clock::now() > until) return false;
    read_some(10ms);  // what it writes meanwhile is not what it waits for
  }
  return true;
}

void ServerLink::end_server() {
  if (settings_.has("terminates-first")) ::kill(id_, SIGTERM);
  close_if_open(input_);
  if (settings_.has("leaves-server") || settings_.has("leaks-input")) return;
  if (settings_.has("kills-at-once")) ::kill(id_, SIGKILL);
  if (wait_for_end(700ms)) return;
  ::kill(id_, SIGTERM);
  if (wait_for_end(500ms)) return;
  ::kill(id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
}

void ServerLink::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(input_, bytes.data(), bytes.size());
    if (count < 0) return;  // nobody reads: its output will say so
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void ServerLink::take_output(std::string_view bytes) {
  if (!begun_ && bytes.starts_with("\xEF\xBB\xBF") && !settings_.has("ends-at-foreign")) bytes.remove_prefix(3);
  begun_ = true;
  last_output_ = Clock::now();
  partial_.append(bytes);
  if (settings_.has("decodes-each-read")) replace_halves(partial_, bytes.size());
  if (settings_.has("reads-once")) {  // as if every read were a line
    while (!partial_.empty() && partial_.back() == '\n') partial_.pop_back();
    return lines_.push_back(std::exchange(partial_, {}));
  }
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = partial_.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines_.push_back(partial_.substr(begin, end - begin));
  partial_.erase(0, begin);
}

bool ServerLink::read_some(std::chrono::milliseconds time) {
  const bool drains = !settings_.has("ignores-errors");
  std::array<pollfd, 2> waiting{pollfd{output_, POLLIN, 0}, pollfd{drains ? errors_ : -1, POLLIN, 0}};
  if (::poll(waiting.data(), waiting.size(), static_cast<int>(time.count())) <= 0) return false;
  std::array<char, 64 << 10> buffer{};
  if (waiting[1].revents != 0) {
    const ssize_t count = ::read(errors_, buffer.data(), buffer.size());
    if (count <= 0) close_if_open(errors_);
    if (count > 0 && settings_.has("ends-at-stderr")) throw Ends{"the server has failed"};
  }
  if (waiting[0].revents == 0) return true;
  const ssize_t count = ::read(output_, buffer.data(), buffer.size());
  if (count > 0) take_output({buffer.data(), static_cast<std::size_t>(count)});
  if (count <= 0) close_if_open(output_);
  return true;
}

std::optional<std::string> ServerLink::next_line(std::chrono::milliseconds time) {
  const auto until = Clock::now() + time;
  while (lines_.empty()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (ended() && settings_.has("waits-for-ever")) ::pause();
    if (ended() || left.count() <= 0) return std::nullopt;
    read_some(left);
  }
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

}  // namespace judged_client
