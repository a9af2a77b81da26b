// What a hostile program tries against processes, files and the network around it, as actions of Python: the same
// whether it is a program of its own or a tool in a runtime.
#pragma once

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

namespace toolwire_test {

/// A process of the same user that only waits. It has no capabilities, which root's own would protect it by.
class Bystander {
 public:
  Bystander() {
    if (id_ != 0) {
      BOOST_REQUIRE(::waitpid(id_, nullptr, WUNTRACED) == id_);
      return;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setpgid(0, 0);  // a group that has nobody left who could let its stopped members go on is sent SIGHUP, all of it
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
    ::syscall(SYS_capset, &header, none);
    while (true) ::raise(SIGSTOP);
  }
  ~Bystander() {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }
  Bystander(const Bystander&) = delete;
  Bystander& operator=(const Bystander&) = delete;
  std::string id() const { return std::to_string(id_); }

 private:
  const pid_t id_ = ::fork();
};

/// A call by its number, as an action.
inline std::string system_call(long number, const std::string& arguments) {
  return "r = ctypes.CDLL(None, use_errno=True).syscall(" + std::to_string(number) + ", " + arguments +
         "); e = ctypes.get_errno(); r == -1 and (_ for _ in ()).throw(OSError(e, ''))";
}

/// Calls by number, with their arguments.
using Calls = std::vector<std::pair<long, std::string>>;

/// Set or read something of the process `id`, and succeed where nothing is confined.
inline Calls calls_on_process(const std::string& id) {
  const std::string zero = "ctypes.byref((ctypes.c_ulong * 16)())", one = "ctypes.byref(ctypes.c_ulong(1))";
  return {{SYS_prlimit64, id + ", 7, " + zero + ", None"},
          {SYS_prlimit64, id + ", 9, None, " + zero},
          {SYS_setpriority, "0, " + id + ", 5"},
          {SYS_ioprio_set, "1, " + id + ", 16388"},
          {SYS_sched_setaffinity, id + ", 8, " + one},
          {SYS_sched_setscheduler, id + ", 0, " + zero},
          {SYS_sched_setparam, id + ", " + zero},
          {SYS_sched_setattr, id + ", ctypes.byref((ctypes.c_uint * 14)(48)), 0"},
          {SYS_get_robust_list, id + ", " + zero + ", " + zero}};
}

/// Of a whole user, without a change if it came through; and what may not be there, or needs more to succeed.
inline Calls further_calls_on_process(const std::string& id) {
  const std::string zero = "ctypes.byref((ctypes.c_ulong * 16)())", one = "ctypes.byref(ctypes.c_ulong(1))";
  return {{SYS_setpriority, "2, 0, 0"},
          {SYS_ioprio_set, "3, 0, 0"},
          {SYS_migrate_pages, id + ", 64, " + one + ", " + one},
          {SYS_move_pages, id + ", 0, None, None, None, 0"},
          {SYS_prctl, "62, 2, " + id + ", 0, 0"},
          {SYS_process_vm_readv, id + ", None, 0, None, 0, 0"},
          {SYS_process_vm_writev, id + ", None, 0, None, 0, 0"},
          {SYS_process_madvise, "0, None, 0, 0, 0"},
          {448, "0, 0"},     // process_mrelease
          {438, "0, 0, 0"},  // pidfd_getfd
          {SYS_kcmp, id + ", " + id + ", 0, 0, 0"},
          {SYS_ptrace, "16, " + id + ", 0, 0"},
          {SYS_perf_event_open, zero + ", " + id + ", -1, -1, 0"}};
}

/// Reach beyond the program in other ways.
inline Calls calls_beyond() {
  return {{SYS_ptrace, "0, 0, 0, 0"},
          {SYS_mount, "0, 0, 0, 0, 0"},
          {SYS_unshare, "0x10000000"},
          {SYS_process_vm_readv, "1, 0, 0, 0, 0, 0"},
          {SYS_bpf, "0, 0, 0"},
          {SYS_keyctl, "0, -3, 0"},
          {SYS_clone, "0x10000011, 0, 0, 0, 0"}};
}

/// What no call of a confined program finds: io_uring_setup, and what is newer than the list of calls.
inline Calls calls_that_are_not_there() { return {{425, "1, 0"}, {460, "0, 0"}}; }

/// Actions that change files outside of the workspace. The first argument is the workspace, in which "way_out" leads to
/// "kept" in the second, where "folder" is, too.
inline std::vector<std::string> changes_outside() {
  std::vector<std::string> changes{"open(F + '/new', 'w')",
                                   "open(F + '/kept', 'a')",
                                   "os.unlink(F + '/kept')",
                                   "os.rename(F + '/kept', F + '/other')",
                                   "os.mkdir(F + '/made')",
                                   "os.rmdir(F + '/folder')",
                                   "os.symlink('a', F + '/link')",
                                   "os.mkfifo(F + '/pipe')",
                                   "os.rename(F + '/kept', sys.argv[1] + '/here')",
                                   "os.link(F + '/kept', sys.argv[1] + '/here')",
                                   "open(sys.argv[1] + '/way_out', 'w')"};
  for (std::string& change : changes) change.insert(0, "F = sys.argv[2]; ");
  return changes;
}

/// Executes a program that stands in memory only.
inline const char* const execution_from_memory =
    "f = os.memfd_create('x', 0); os.write(f, open('/bin/true', 'rb').read()); os.execve(f, ['true'], {})";

/// Sockets other than connected pairs.
inline std::vector<std::string> sockets() {
  return {"socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", "socket.socket(socket.AF_UNIX)",
          "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)"};
}

}  // namespace toolwire_test
