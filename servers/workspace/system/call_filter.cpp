#include "workspace/system/call_filter.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace workspace {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t own_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t own_architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t own_architecture = 0;
#endif

/// Calls from this number on (Linux 6.6) are told not to exist: no new call allows what is refused here. It also covers
/// the numbers of x32.
constexpr std::uint32_t first_unknown_call = 452;

/// Other processes, the kernel, and memory shared through it.
constexpr int always_refused[] = {
#if defined(__x86_64__)
    SYS_iopl,
    SYS_ioperm,
#endif
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_semget,
    SYS_semop,
    SYS_semtimedop,
    SYS_semctl,
    SYS_mq_open,
    SYS_mq_unlink,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_pidfd_getfd,
    SYS_kcmp,
    SYS_perf_event_open,
    SYS_bpf,
    SYS_userfaultfd,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_unshare,
    SYS_setns,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_quotactl,
    SYS_open_by_handle_at,
    SYS_acct,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_syslog,
    SYS_fanotify_init};

/// Attributes of files, which Landlock does not know. What copies files takes this for a file system without them.
constexpr int of_attributes[] = {SYS_setxattr,    SYS_lsetxattr,    SYS_fsetxattr,
                                 SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr};

/// Flags of files, which need no right to write: FS_IOC_SETFLAGS, the same of 32 bits, FS_IOC_FSSETXATTR.
constexpr std::uint32_t flags_of_files[] = {FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS, FS_IOC_FSSETXATTR};

/// They work past filters, or take memory that no limit of a process counts. Programs fall back to the ordinary calls.
constexpr int past_the_bounds[] = {SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_memfd_create,
                                   SYS_memfd_secret};

constexpr int of_sockets[] = {SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4};

/// Modes, times and owners.
constexpr int of_metadata[] = {
#if defined(__x86_64__)
    SYS_chmod,  SYS_utime,    SYS_utimes,    SYS_futimesat, SYS_chown,   SYS_lchown,
#endif
    SYS_fchmod, SYS_fchmodat, SYS_utimensat, SYS_fchown,    SYS_fchownat};

#if defined(__x86_64__)
constexpr int of_processes[] = {SYS_fork, SYS_vfork};
#endif

/// They set something of the process their first argument names, or of the caller if it is 0. Which other numbers are
/// of the program's own threads a filter cannot know.
constexpr int on_a_process[] = {SYS_prlimit64,     SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam,
                                SYS_sched_setattr, SYS_migrate_pages,     SYS_move_pages};

constexpr std::uint32_t namespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

constexpr std::uint32_t allowed = SECCOMP_RET_ALLOW;
constexpr std::uint32_t refused_with(int error) { return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error); }

constexpr sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
}
/// The lower half of an argument, which is all of an int.
constexpr sock_filter load_argument(std::size_t number) {
  return load(offsetof(seccomp_data, args) + number * sizeof(std::uint64_t));
}
constexpr sock_filter answer(std::uint32_t action) { return BPF_STMT(BPF_RET | BPF_K, action); }
constexpr sock_filter keep_bits(std::uint32_t bits) { return BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits); }
/// Goes on with the next statement if the loaded word compares so, else with the one behind it.
constexpr sock_filter if_so(unsigned comparison, std::uint32_t value) {
  return BPF_JUMP(static_cast<unsigned short>(BPF_JMP | comparison | BPF_K), value, 0, 1);
}

/// Puts a filter together, call by call. What is not said is allowed.
class Statements {
 public:
  Statements() {
    add({load(offsetof(seccomp_data, arch)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own_architecture, 1, 0),
         answer(SECCOMP_RET_KILL_PROCESS), load(offsetof(seccomp_data, nr)), if_so(BPF_JGE, first_unknown_call),
         answer(refused_with(ENOSYS))});
  }

  template <class Calls>
  void each(const Calls& calls, std::uint32_t action) {
    for (const int call : calls) one(call, action);
  }
  void one(int call, std::uint32_t action) { add({if_so(BPF_JEQ, static_cast<std::uint32_t>(call)), answer(action)}); }
  /// The answer to a call is what these statements, all of whose ways end, say.
  void look(int call, std::initializer_list<sock_filter> statements) {
    const auto count = static_cast<unsigned char>(statements.size());
    add({BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, count)});
    add(statements);
  }

  std::vector<sock_filter> take() {
    add({answer(allowed)});
    return std::move(all_);
  }

 private:
  void add(std::initializer_list<sock_filter> statements) { all_.insert(all_.end(), statements); }

  std::vector<sock_filter> all_;
};

void restrict_processes(Statements& to, bool may_make) {
  // Its flags lie in memory, where no filter sees them; the C library falls back to clone, also for threads.
  to.one(SYS_clone3, refused_with(ENOSYS));
  for (const int call : on_a_process)
    to.look(call, {load_argument(0), if_so(BPF_JEQ, 0), answer(allowed), answer(refused_with(EPERM))});
  for (const int call : {SYS_setpriority, SYS_ioprio_set})  // the second names whom
    to.look(call, {load_argument(1), if_so(BPF_JEQ, 0), answer(allowed), answer(refused_with(EPERM))});
  if (may_make) {
    to.look(SYS_clone, {load_argument(0), if_so(BPF_JSET, namespaces), answer(refused_with(EPERM)), answer(allowed)});
    return;
  }
#if defined(__x86_64__)
  to.each(of_processes, refused_with(EPERM));
#endif
  to.look(SYS_clone, {load_argument(0), if_so(BPF_JSET, CLONE_THREAD), answer(allowed), answer(refused_with(EPERM))});
}

void restrict_sockets(Statements& to, const AllowedCalls& may) {
  constexpr std::uint32_t kind = 0xf;
  const std::uint32_t refusal = refused_with(may.pairs ? EACCES : EPERM);
  if (may.internet) {
    to.look(SYS_socket, {load_argument(0), if_so(BPF_JEQ, AF_INET), answer(allowed), if_so(BPF_JEQ, AF_INET6),
                         answer(allowed), if_so(BPF_JEQ, AF_NETLINK), answer(allowed), answer(refusal)});
  } else {
    to.one(SYS_socket, refusal);
    to.each(of_sockets, refusal);
  }
  if (!may.pairs) return to.one(SYS_socketpair, refusal);
  // Datagrams of a pair could be sent elsewhere.
  to.look(SYS_socketpair,
          {load_argument(0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0), answer(refusal), load_argument(1),
           keep_bits(kind), if_so(BPF_JEQ, SOCK_STREAM), answer(allowed), answer(refusal)});
}

void restrict_truncation(Statements& to) {
  to.one(SYS_truncate, refused_with(EPERM));
  to.one(SYS_openat2, refused_with(ENOSYS));  // its flags lie in memory
  // O_TRUNC empties a file even when it is opened for reading, or with both bits of the access mode.
  const auto look_at_flags = [&to](int call, std::size_t flags) {
    to.look(call, {load_argument(flags), keep_bits(O_TRUNC | O_ACCMODE), if_so(BPF_JEQ, O_TRUNC | O_RDONLY),
                   answer(refused_with(EPERM)), if_so(BPF_JEQ, O_TRUNC | O_ACCMODE), answer(refused_with(EPERM)),
                   answer(allowed)});
  };
#if defined(__x86_64__)
  look_at_flags(SYS_open, 1);
#endif
  look_at_flags(SYS_openat, 2);
}

std::vector<sock_filter> statements_for(const AllowedCalls& may) {
  Statements filter;
  filter.each(always_refused, refused_with(EPERM));
  filter.each(of_attributes, refused_with(EOPNOTSUPP));
  filter.each(past_the_bounds, refused_with(ENOSYS));
  filter.each(of_metadata, may.asked_metadata ? std::uint32_t{SECCOMP_RET_USER_NOTIF} : refused_with(EPERM));
  filter.look(SYS_ioctl, {load_argument(1), if_so(BPF_JEQ, TIOCSTI), answer(refused_with(EPERM)),  // a terminal's input
                          if_so(BPF_JEQ, TIOCLINUX), answer(refused_with(EPERM)), if_so(BPF_JEQ, flags_of_files[0]),
                          answer(refused_with(EPERM)), if_so(BPF_JEQ, flags_of_files[1]), answer(refused_with(EPERM)),
                          if_so(BPF_JEQ, flags_of_files[2]), answer(refused_with(EPERM)), answer(allowed)});
  restrict_processes(filter, may.processes);
  restrict_sockets(filter, may);
  if (!may.truncation) restrict_truncation(filter);
  return filter.take();
}

int install(std::vector<sock_filter>& statements, unsigned flags) {
  const sock_fprog program{static_cast<unsigned short>(statements.size()), statements.data()};
  return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
}

}  // namespace

std::string call_filter_problem() {
  if (own_architecture == 0) return "this build of the server knows no filter of system calls for its processor";
  const std::uint32_t action = SECCOMP_RET_ERRNO;
  if (::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0) return {};
  return "this kernel or sandbox has no filters of system calls (seccomp), without which no program is started";
}

CallFilter::CallFilter(const AllowedCalls& calls)
    : statements_(std::make_unique<std::vector<sock_filter>>(statements_for(calls))) {}

bool CallFilter::put_into_force() const { return install(*statements_, 0) == 0; }

int CallFilter::put_into_force_and_listen() const { return install(*statements_, SECCOMP_FILTER_FLAG_NEW_LISTENER); }

}  // namespace workspace
