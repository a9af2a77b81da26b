#include "workspace/system/command_helper.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <toolwire/system/program_start.hpp>
#include <utility>

#include "workspace/system/call_frames.hpp"
#include "workspace/system/descendants.hpp"
#include "workspace/system/metadata_calls.hpp"

namespace workspace {
namespace {

using toolwire::system::FileDescriptor;
using toolwire::system::StartedProgram;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto time_to_end = 2s;       // from the request to the end by force
constexpr auto between_looks = 500ms;  // at what its processes use
constexpr int between_glances = 20;    // at how many processes the machine has, in milliseconds

/// Threads and processes of the whole machine, told by one small file.
std::uint64_t threads_of_machine() {
  std::array<char, 128> bytes{};
  FILE* const file = std::fopen("/proc/loadavg", "re");
  if (file == nullptr) return 0;
  const bool is_read = std::fgets(bytes.data(), static_cast<int>(bytes.size()), file) != nullptr;
  std::fclose(file);
  const std::string_view text(bytes.data());
  const std::size_t slash = text.find('/');
  return is_read && slash != std::string_view::npos ? std::strtoull(bytes.data() + slash + 1, nullptr, 10) : 0;
}

/// Sees when a command has more processes or memory than it may. The kernel bounds the processes of ordinary users, not
/// those of root.
class Watch {
 public:
  Watch(const CommandRights& rights, pid_t program) : rights_(rights), program_(program) {}

  std::optional<FrameKind> look() {
    const std::uint64_t now = threads_of_machine();
    if (Clock::now() < next_ && now < others_ + rights_.processes) return std::nullopt;
    const bool is_flood = now > others_ + times_for_flood * rights_.processes;
    if (is_flood) ::kill(-program_, SIGSTOP);  // else it would grow while it is counted
    const auto excess = look_at_all(now);
    if (is_flood && !excess) ::kill(-program_, SIGCONT);
    next_ = Clock::now() + between_looks;
    return excess;
  }

 private:
  static constexpr std::uint64_t times_for_flood = 2;

  std::optional<FrameKind> look_at_all(std::uint64_t now) {
    const std::vector<Descendant> all = descendants();
    collect_ended_but(program_, all);
    std::uint64_t threads = 0, memory = 0;
    for (const Descendant& one : all) {
      threads += one.threads;
      memory += one.memory;
    }
    others_ = now - std::min(now, threads);
    if (threads > rights_.processes) return FrameKind::too_many;
    if (memory > rights_.memory) return FrameKind::too_large;
    return std::nullopt;
  }

  const CommandRights& rights_;
  pid_t program_;
  std::uint64_t others_ = threads_of_machine();
  Clock::time_point next_ = Clock::now() + between_looks;
};

/// Everything about one command while it runs. One thread.
class Attendance {
 public:
  Attendance(int call, StartedProgram& program, int listener, const CommandRights& rights)
      : call_(call), program_(program), listener_(listener), rights_(rights), watch_(rights, program.process) {}

  /// Until the program has ended or is to be ended. False if nobody listens any more.
  bool attend() {
    while (program_.ended.is_open()) {
      std::array<pollfd, 4> waited{{{call_, static_cast<short>(is_asked_ ? 0 : POLLIN), 0},
                                    {program_.output.get(), POLLIN, 0},
                                    {listener_, POLLIN, 0},
                                    {program_.ended.get(), POLLIN, 0}}};
      if (::poll(waited.data(), waited.size(), between_glances) < 0) continue;
      if ((waited[0].revents & (POLLHUP | POLLERR)) != 0) return false;
      if (waited[0].revents != 0 && !ask_to_end()) return true;
      if (waited[1].revents != 0 && !pass_on()) return false;
      if ((waited[2].revents & POLLIN) != 0) answer_metadata_call(listener_, rights_.change);
      if (waited[3].revents != 0 || is_over()) program_.ended.reset();
    }
    return true;
  }

  /// What it wrote last, once nothing can write any more.
  bool pass_on_rest() {
    while (program_.output.is_open()) {
      pollfd waited{program_.output.get(), POLLIN, 0};
      if (::poll(&waited, 1, 1000) == 0) return true;  // somebody holds it who cannot be ended
      if (!pass_on()) return false;
    }
    return true;
  }

 private:
  bool pass_on() {
    const ssize_t got = ::read(program_.output.get(), buffer_.data(), buffer_.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (got <= 0) {
      program_.output.reset();
      return true;
    }
    return send_frame(call_, FrameKind::output, 0, {buffer_.data(), static_cast<std::size_t>(got)});
  }

  /// False if it is not to be asked.
  bool ask_to_end() {
    char byte = 0;
    if (::recv(call_, &byte, 1, MSG_DONTWAIT) > 0) return false;
    is_asked_ = true;
    last_moment_ = Clock::now() + time_to_end;
    ::kill(-program_.process, SIGTERM);
    ::kill(-program_.process, SIGCONT);  // a stopped program would not take it
    return true;
  }

  bool is_over() {
    if (is_asked_ && Clock::now() >= last_moment_) return true;
    const auto excess = watch_.look();
    if (excess) send_frame(call_, *excess, 0, {});
    return excess.has_value();
  }

  int call_;
  StartedProgram& program_;
  int listener_;
  const CommandRights& rights_;
  Watch watch_;
  bool is_asked_ = false;
  Clock::time_point last_moment_;
  std::array<char, std::size_t{64} * 1024> buffer_{};
};

/// In the new process: standard errors go where the output goes, in the order they are written.
bool join_errors(const void* /*with*/) { return ::dup2(STDOUT_FILENO, STDERR_FILENO) >= 0; }

struct Confining {
  const CommandConfinement& confinement;
  int socket;
};

bool confine(const void* with) {
  const auto& confining = *static_cast<const Confining*>(with);
  return confining.confinement.put_into_force(confining.socket);
}

/// The program's folder for temporary files, which goes with it.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& top) : path_(top + "/XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr)
      throw std::system_error(errno, std::generic_category(), "cannot make a temporary folder");
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { remove(); }

  const std::string& path() const { return path_; }
  /// Nobody may be using it.
  void remove() const {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

 private:
  std::string path_;
};

struct Sockets {
  Sockets() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
      throw std::system_error(errno, std::generic_category(), "no connection to a new process");
    ours.reset(ends[0]);
    theirs.reset(ends[1]);
  }
  FileDescriptor ours, theirs;
};

std::vector<std::string> environment_of(const ProgramRun& run, const std::string& temporary) {
  std::vector<std::string> all = run.environment;
  for (const std::string name : {"TMPDIR=", "TMP=", "TEMP="}) {
    std::erase_if(all, [&name](const std::string& one) { return one.starts_with(name); });
    all.push_back(name + temporary);
  }
  return all;
}

/// All that is below this process ends here, whatever happened.
void end_all(int call, StartedProgram& program, const TemporaryFolder& temporary, Attendance& attendance,
             bool is_heard) {
  ::kill(-program.process, SIGKILL);  // in one moment, as far as they stayed together
  int status = 0;
  ::kill(program.process, SIGKILL);  // unless it has ended by itself
  while (::waitpid(program.process, &status, 0) < 0 && errno == EINTR) {
  }
  const std::size_t others = end_descendants();
  temporary.remove();
  if (!is_heard || !attendance.pass_on_rest()) return;
  if (others > 0) send_frame(call, FrameKind::left_behind, static_cast<int>(others), {});
  send_frame(call, FrameKind::ended, status, {});
}

void run_command(int call, const ProgramRun& run, CommandRights rights, const CommandFolders& folders) {
  const TemporaryFolder temporary{folders.top};
  rights.change.insert(rights.change.end(), {folders.home, temporary.path()});
  const CommandConfinement confinement{rights, threads_of_user() + rights.processes};
  Sockets sockets;
  const Confining confining{confinement, sockets.theirs.get()};
  const toolwire::system::ProgramImage image{run.program, run.arguments, environment_of(run, temporary.path())};
  const std::array<toolwire::system::StartStep, 2> steps{{{join_errors, nullptr}, {confine, &confining}}};
  StartedProgram program = toolwire::system::start_program({.image = image,
                                                            .name = run.program,
                                                            .directory = run.directory,
                                                            .input = toolwire::system::ProgramStart::Input::nothing,
                                                            .errors = toolwire::system::ProgramStart::Errors::discarded,
                                                            .group = toolwire::system::ProgramStart::Group::session,
                                                            .ends_with_parent = true,
                                                            .steps = steps});
  sockets.theirs.reset();
  const FileDescriptor listener{receive_descriptor(sockets.ours.get())};
  if (const auto failure = toolwire::system::wait_for_start(program)) {
    send_frame(call, FrameKind::not_started, failure->error, {});
    ::waitpid(program.process, nullptr, 0);
    return;
  }
  Attendance attendance{call, program, listener.get(), rights};
  const bool is_heard = attendance.attend();
  end_all(call, program, temporary, attendance, is_heard);
}

void answer(int call, const CommandRights& rights, const CommandFolders& folders) {
  constexpr int before_commands = -10;  // where it may, which is where the kernel does not bound processes
  ::setpriority(PRIO_PROCESS, 0, before_commands);
  ::signal(SIGPIPE, SIG_IGN);
  adopt_orphans();
  const auto run = receive_run(call);
  if (!run) return;
  try {
    run_command(call, *run, rights, folders);
  } catch (const std::system_error& error) {
    send_frame(call, FrameKind::not_started, error.code().value(), {});
  }
}

std::vector<int> prepare(CommandRights rights, const CommandFolders& folders, int kept) {
  adopt_orphans();  // of a process that watches over a command, should it be killed
  rights.change.push_back(folders.top);
  if (!confine_command_helper(rights))
    throw std::system_error(errno, std::generic_category(), "the helper cannot be confined");
  return {kept};
}

}  // namespace

CommandFolders make_command_folders() {
  std::string top = (std::filesystem::canonical(std::filesystem::temp_directory_path()) / "workspace-XXXXXX").string();
  if (::mkdtemp(top.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), "cannot make a temporary folder");
  CommandFolders folders{.top = top, .home = top + "/home"};
  std::filesystem::create_directory(folders.home);
  return folders;
}

HelperProcess start_command_helper(const CommandRights& rights, const CommandFolders& folders, int kept) {
  return HelperProcess::start({.prepare = [&] { return prepare(rights, folders, kept); },
                               .answer = [&](int call) { answer(call, rights, folders); },
                               .finish = [] { end_descendants(); }});
}

}  // namespace workspace
