#include "filter.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

namespace mutants {
namespace {

using toolwire::Json;
using toolwire::JsonObject;

constexpr std::size_t max_judged_line = std::size_t{12} << 20;  // longer lines pass as they are

int copy_of(int standard) {
  const int copy = ::fcntl(standard, F_DUPFD_CLOEXEC, 3);
  if (copy < 0) throw std::system_error(errno, std::generic_category(), "a standard stream");
  return copy;
}

/// A pipe of which one end becomes the standard stream; returns the other.
int pipe_for(int standard) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const bool is_input = standard == STDIN_FILENO;
  ::dup2(is_input ? ends[0] : ends[1], standard);
  ::close(is_input ? ends[0] : ends[1]);
  return is_input ? ends[1] : ends[0];
}

/// False once the reader is gone.
bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// Calls `line` with each line, and `part` with pieces of one that is too long to be judged; a last line without line
/// feed is a part too.
void read_lines(int descriptor, const std::function<void(std::string_view)>& line,
                const std::function<void(std::string_view)>& part) {
  std::vector<char> buffer(std::size_t{64} << 10);
  std::string partial;
  bool too_long = false;
  while (true) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    std::string_view chunk(buffer.data(), static_cast<std::size_t>(count));
    for (std::size_t end = 0; (end = chunk.find('\n')) != std::string_view::npos; chunk.remove_prefix(end + 1)) {
      partial.append(chunk.substr(0, end));
      if (std::exchange(too_long, false))
        part(partial.append("\n"));
      else
        line(partial);
      partial.clear();
    }
    partial.append(chunk);
    if (!too_long && partial.size() < max_judged_line) continue;
    too_long = true;
    part(std::exchange(partial, {}));
  }
  if (!partial.empty()) part(partial);
}

void spin() {
  for (std::atomic<bool> going = true; going;) {
  }
}

/// Until this thread has used so much CPU time.
void work(std::chrono::milliseconds time) {
  const auto used = [] {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  };
  for (const auto end = used() + time; used() < end;) {
  }
}

/// {"bytes": n} of memory, whole pages that are really there, {"descriptors": n}.
void leak(const Json& what) {
  if (const Json* bytes = what.as_object().if_contains("bytes")) {
    const void* memory = ::mmap(nullptr, bytes->to_number<std::size_t>(), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "memory to leak");
  }
  if (const Json* descriptors = what.as_object().if_contains("descriptors")) {
    for (int i = 0; i < descriptors->to_number<int>(); ++i) ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  }
}

[[noreturn]] void wait_for_ever() {
  while (true) ::pause();
}

}  // namespace

Filter::Filter(Fault fault) : reactions_(std::move(fault)), host_in_(copy_of(0)), host_out_(copy_of(1)) {
  const Reaction start = reactions_.to_moment("start", Direction::to_host);
  // NOLINTBEGIN(cppcoreguidelines-prefer-member-initializer): "where" may look at the host's streams before
  server_in_ = pipe_for(STDIN_FILENO);
  server_out_ = pipe_for(STDOUT_FILENO);
  // NOLINTEND(cppcoreguidelines-prefer-member-initializer)
  carry_out(start, Direction::to_host);
  sigset_t all;
  sigset_t now;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &now);  // signals are for the server's threads
  from_host_ = std::thread([this] { read_host(); });
  from_server_ = std::thread([this] { read_server(); });
  timer_ = std::thread([this] { send_what_is_due(); });
  ::pthread_sigmask(SIG_SETMASK, &now, nullptr);
}

void Filter::leave(int status) {
  from_server_.join();
  {
    std::lock_guard lock(later_mutex_);
    ending_ = true;
  }
  later_changed_.notify_one();
  timer_.join();
  carry_out(reactions_.to_moment("exit", Direction::to_host), Direction::to_host);
  std::fflush(nullptr);
  std::_Exit(status);  // the thread that reads from the host may never return
}

void Filter::read_host() {
  read_lines(
      host_in_, [this](std::string_view line) { pass_line(Direction::to_server, line); },
      [this](std::string_view part) { write_all(server_in_, part); });
  const Reaction reaction = reactions_.to_moment("end", Direction::to_server);
  carry_out(reaction, Direction::to_server);
  if (!reaction.drop) ::close(server_in_);
}

void Filter::read_server() {
  read_lines(
      server_out_, [this](std::string_view line) { pass_line(Direction::to_host, line); },
      [this](std::string_view part) { tell_host(part); });
}

void Filter::pass_line(Direction direction, std::string_view line) {
  carry_out(reactions_.to_line(direction, line), direction);
}

void Filter::carry_out(const Reaction& reaction, Direction direction) {
  for (const JsonObject& rule : reaction.process) before(rule);
  tell_host(reaction.before);
  for (std::size_t i = 0; !reaction.drop && i < reaction.copies; ++i) {
    if (direction == Direction::to_server)
      write_all(server_in_, reaction.bytes);
    else if (reaction.delay.count() > 0)
      tell_host_later(reaction.bytes, reaction.delay);
    else
      tell_host(reaction.bytes);
  }
  write_all(server_in_, reaction.to_server);
  tell_host(reaction.after);
  for (const JsonObject& rule : reaction.process) after(rule);
}

void Filter::before(const JsonObject& rule) {
  if (const Json* time = rule.if_contains("sleep"))
    std::this_thread::sleep_for(std::chrono::milliseconds(time->to_number<int>()));
  if (const Json* errors = rule.if_contains("errors")) {
    for (int i = 0; i < errors->at("times").to_number<int>(); ++i)
      write_all(STDERR_FILENO, std::string_view(errors->at("text").as_string()));
  }
  if (const Json* program = rule.if_contains("spawn")) start_program(*program);
  if (const Json* time = rule.if_contains("work")) work(std::chrono::milliseconds(time->to_number<int>()));
  if (rule.contains("spin")) std::thread(spin).detach();
  if (const Json* what = rule.if_contains("leak")) leak(*what);
}

void Filter::after(const JsonObject& rule) {
  if (rule.contains("close_output")) {
    std::lock_guard lock(host_mutex_);
    ::close(host_out_);
  }
  if (const Json* status = rule.if_contains("exit")) std::_Exit(status->to_number<int>());
  if (rule.contains("abort")) {
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
  }
  if (rule.contains("hang")) wait_for_ever();
}

/// {"command": "…", "input": true, "output": true}: a shell command, with the host's streams where asked.
void Filter::start_program(const Json& wish) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  const auto has = [&](const char* name) { return wish.as_object().contains(name); };
  if (has("input")) ::posix_spawn_file_actions_adddup2(&actions, host_in_, STDIN_FILENO);
  if (has("output")) ::posix_spawn_file_actions_adddup2(&actions, host_out_, STDOUT_FILENO);
  std::string shell = "sh";
  std::string option = "-c";
  std::string command(wish.at("command").as_string());
  char* const arguments[] = {shell.data(), option.data(), command.data(), nullptr};
  pid_t child = -1;
  ::posix_spawn(&child, "/bin/sh", &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
}

void Filter::tell_host(std::string_view bytes) {
  if (bytes.empty()) return;
  std::lock_guard lock(host_mutex_);
  if (!write_all(host_out_, bytes) && errno == EPIPE && !reactions_.fault().server.contains("output_errors")) {
    // The server is to notice that nobody reads: its next write fails.
    const int old = std::exchange(server_out_, -1);
    if (old >= 0) ::close(old);
  }
}

void Filter::tell_host_later(std::string bytes, std::chrono::milliseconds delay) {
  {
    std::lock_guard lock(later_mutex_);
    later_.emplace(std::chrono::steady_clock::now() + delay, std::move(bytes));
  }
  later_changed_.notify_one();
}

/// What is not due at the end is sent then.
void Filter::send_what_is_due() {
  std::unique_lock lock(later_mutex_);
  while (!ending_ || !later_.empty()) {
    if (later_.empty()) {
      later_changed_.wait(lock);
    } else if (!ending_ && later_.begin()->first > std::chrono::steady_clock::now()) {
      later_changed_.wait_until(lock, later_.begin()->first);
    } else {
      const std::string bytes = later_.extract(later_.begin()).mapped();
      lock.unlock();
      tell_host(bytes);
      lock.lock();
    }
  }
}

}  // namespace mutants
