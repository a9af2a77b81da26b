#include "driver/server_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <toolwire/system/find_program.hpp>
#include <toolwire/system/missing_interpreter.hpp>
#include <toolwire/text.hpp>
#include <utility>

#include "driver/descendants.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t kept_output = std::size_t{64} << 20;
constexpr std::size_t kept_errors = std::size_t{1} << 20;
constexpr std::size_t max_line = std::size_t{256} << 20;  // a longer one is cut, so that no server fills our memory

struct Pipe {
  int read = -1, write = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  return {ends[0], ends[1]};
}

Pipe make_socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  return {ends[0], ends[1]};
}

void close_if_open(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

void make_non_blocking(int descriptor) { ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK); }

std::string new_mark() {
  static std::atomic<unsigned> number{0};
  return std::to_string(::getpid()) + "-" + std::to_string(++number);
}

std::vector<std::string> environment_of(const Launch& launch, const std::string& mark) {
  std::map<std::string, std::string> all;
  if (launch.inherit_environment) {
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string_view text = *entry;
      const std::size_t equals = text.find('=');
      if (equals != std::string_view::npos) all[std::string(text.substr(0, equals))] = text.substr(equals + 1);
    }
  }
  for (const auto& [name, value] : launch.environment) all[name] = value;
  all[mark_variable] = mark;
  std::vector<std::string> lines;
  lines.reserve(all.size());
  for (const auto& [name, value] : all) lines.push_back(name + "=" + value);
  return lines;
}

int number_of(Signal signal) {
  switch (signal) {
    case Signal::terminate:
      return SIGTERM;
    case Signal::interrupt:
      return SIGINT;
    case Signal::hangup:
      return SIGHUP;
    case Signal::kill:
      break;
  }
  return SIGKILL;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// What the system does not say of a program that it cannot find; nothing where it says it.
std::string missing_part(const Launch& launch) {
  const char* const folders = std::getenv("PATH");
  const auto found = system::find_program(launch.command.at(0), folders == nullptr ? "/bin:/usr/bin" : folders,
                                          system::RelativeFolders::searched);
  if (!found) return ", as there is no such program on PATH";
  std::error_code ignored;
  if (!launch.directory.empty() && !std::filesystem::is_directory(launch.directory, ignored))
    return ", as there is no folder " + text::visible(launch.directory);
  const std::string folder = found->starts_with('/') || launch.directory.empty() ? "" : launch.directory + "/";
  const auto missing = system::missing_interpreter(folder + *found);
  return missing ? ", as " + text::visible(*missing) : "";
}

/// A session of its own, default signals, and the three streams; nothing else is inherited.
pid_t start(const Launch& launch, const std::string& mark, int input, int output, int errors) {
  auto arguments = launch.command;
  auto variables = environment_of(launch, mark);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, errors, 2);
  if (!launch.directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, launch.directory.c_str());
  sigset_t all;
  sigset_t none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  pid_t id = -1;
  const int error = ::posix_spawnp(&id, arguments.at(0).c_str(), &actions, &attributes, pointers_to(arguments).data(),
                                   pointers_to(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0)
    throw std::system_error(error, std::generic_category(),
                            "cannot start " + launch.command.at(0) + (error == ENOENT ? missing_part(launch) : ""));
  return id;
}

}  // namespace

bool is_of_a_fault(int signal) {
  constexpr std::array faults{SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGPIPE};
  return std::ranges::find(faults, signal) != faults.end();
}

bool Ending::crashed() const { return signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGILL; }

std::string Ending::text() const {
  if (!exited) return "is running";
  if (signal != 0) return "was killed by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  return "exited with status " + std::to_string(code);
}

ServerProcess::ServerProcess(const Launch& launch, Line on_line)
    : errors_unread_(launch.errors_unread), mark_(new_mark()), on_line_(std::move(on_line)) {
  Pipe input = launch.sockets ? make_socket_pair() : make_pipe();
  Pipe output = launch.sockets ? make_socket_pair() : make_pipe();
  Pipe errors = make_pipe();
  try {
    id_ = start(launch, mark_, input.read, output.write, errors.write);
  } catch (...) {
    for (int* end : {&input.read, &input.write, &output.read, &output.write, &errors.read, &errors.write})
      close_if_open(*end);
    throw;
  }
  close_if_open(input.read);
  close_if_open(output.write);
  close_if_open(errors.write);
  input_ = input.write;
  output_ = output.read;
  errors_ = errors.read;
  end_ = static_cast<int>(::syscall(SYS_pidfd_open, id_, 0));
  for (int descriptor : {input_, output_, errors_}) make_non_blocking(descriptor);
}

ServerProcess::~ServerProcess() {
  close_if_open(input_);
  close_if_open(output_);
  close_if_open(errors_);
  if (!ending_.exited) {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }
  kill_descendants(id_, mark_);
  close_if_open(end_);
}

void ServerProcess::write(std::string_view bytes) {
  recording().add(Direction::to_server, bytes);
  if (written_ == outgoing_.size()) {
    outgoing_.clear();
    written_ = 0;
  }
  outgoing_.append(bytes);
  write_some();
}

void ServerProcess::write_some() {
  while (input_ >= 0 && written_ < outgoing_.size()) {
    const ssize_t count = ::write(input_, outgoing_.data() + written_, outgoing_.size() - written_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) {  // nobody reads any more
      input_broken_ = true;
      close_if_open(input_);
      return;
    }
    written_ += static_cast<std::size_t>(count);
  }
  if (close_when_written_) close_if_open(input_);
}

void ServerProcess::close_input(bool now) {
  if (input_ < 0) return;
  recording().remark(Recording::input_closed);
  end_expected_ = true;
  close_when_written_ = true;
  if (now || unwritten() == 0) close_if_open(input_);
}

void ServerProcess::close_output() {
  recording().remark("standard output has no reader any more");
  end_expected_ = true;
  close_if_open(output_);
}

bool ServerProcess::move_what_comes(std::chrono::milliseconds time) {
  const bool to_write = input_ >= 0 && unwritten() > 0;
  pollfd waiting[4] = {{reading_ ? output_ : -1, POLLIN, 0},
                       {errors_unread_ ? -1 : errors_, POLLIN, 0},
                       {to_write ? input_ : -1, POLLOUT, 0},
                       {ending_.exited ? -1 : end_, POLLIN, 0}};
  if (waiting[0].fd < 0 && waiting[2].fd < 0 && waiting[3].fd < 0) return false;
  if (::poll(waiting, 4, static_cast<int>(time.count()) + 1) < 0) return errno == EINTR;
  if (waiting[0].revents != 0) read_output_once();
  if (waiting[1].revents != 0) read_errors_once();
  if (waiting[2].revents != 0) write_some();
  if (waiting[3].revents != 0) look_for_end();
  return true;
}

bool ServerProcess::read_output_once() {
  char buffer[64 << 10];
  const ssize_t count = ::read(output_, buffer, sizeof buffer);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return false;
  if (count <= 0) {
    close_if_open(output_);
    if (!partial_line_.empty()) on_line_(std::exchange(partial_line_, {}), false);
    return false;
  }
  const std::string_view chunk(buffer, static_cast<std::size_t>(count));
  recording().add(Direction::from_server, chunk);
  output_size_ += chunk.size();
  if (output_bytes_.size() < kept_output) output_bytes_.append(chunk);
  split_lines(chunk);
  return output_ >= 0;
}

void ServerProcess::split_lines(std::string_view chunk) {
  for (std::size_t newline = 0; (newline = chunk.find('\n')) != std::string_view::npos;
       chunk.remove_prefix(newline + 1)) {
    partial_line_.append(chunk.substr(0, newline));
    on_line_(std::exchange(partial_line_, {}), true);
  }
  partial_line_.append(chunk);
  if (partial_line_.size() > max_line) on_line_(std::exchange(partial_line_, {}), false);
}

bool ServerProcess::read_errors_once() {
  char buffer[16 << 10];
  const ssize_t count = ::read(errors_, buffer, sizeof buffer);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return false;
  if (count <= 0) {
    close_if_open(errors_);
    return false;
  }
  const std::string_view chunk(buffer, static_cast<std::size_t>(count));
  recording().add(Direction::errors, chunk);
  if (error_bytes_.size() < kept_errors) error_bytes_.append(chunk);
  return true;
}

/// What a process has written before its end is in the pipes by then. A descendant that holds them may go on writing.
void ServerProcess::read_what_is_left() {
  constexpr int most = 64;  // more than a pipe holds
  for (int i = 0; i < most && reading_ && output_ >= 0 && read_output_once(); ++i) {
  }
  for (int i = 0; i < most && !errors_unread_ && errors_ >= 0 && read_errors_once(); ++i) {
  }
}

void ServerProcess::signal(Signal signal) {
  const int number = number_of(signal);
  recording().remark("signal " + std::to_string(number) + " sent");
  end_expected_ = true;
  if (!ending_.exited) ::kill(id_, number);
}

bool ServerProcess::wait_for_end(std::chrono::milliseconds time) {
  return pump(time, [this] { return ending_.exited; });
}

const Ending& ServerProcess::ending() {
  look_for_end();
  return ending_;
}

void ServerProcess::look_for_end() {
  if (ending_.exited) return;
  int status = 0;
  if (::wait4(id_, &status, WNOHANG, &ending_.usage) != id_) return;
  ending_.exited = true;
  if (WIFEXITED(status)) ending_.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ending_.signal = WTERMSIG(status);
  read_what_is_left();
  recording().remark("the server " + ending_.text());
}

std::vector<pid_t> ServerProcess::descendants() const { return descendants_of(id_, mark_); }

std::chrono::milliseconds ServerProcess::cpu_time() const {
  std::chrono::microseconds time = cpu_time_of(id_);
  for (const pid_t descendant : descendants()) time += cpu_time_of(descendant);
  return std::chrono::duration_cast<std::chrono::milliseconds>(time);
}

std::map<pid_t, std::chrono::microseconds> ServerProcess::wanted_cpu_times() const {
  auto times = wanted_cpu_times_of(id_);
  for (const pid_t descendant : descendants()) times.merge(wanted_cpu_times_of(descendant));
  return times;
}

}  // namespace toolwire::conformance
