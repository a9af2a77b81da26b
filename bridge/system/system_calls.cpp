#include "system/system_calls.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::bridge {
namespace {

/// Calls that reach other processes, the kernel, its clocks and mounts; most are refused to ordinary users anyway.
constexpr int beyond_the_program[] = {SCMP_SYS(ptrace),
                                      SCMP_SYS(process_vm_readv),
                                      SCMP_SYS(process_vm_writev),
                                      SCMP_SYS(process_madvise),
                                      SCMP_SYS(process_mrelease),
                                      SCMP_SYS(pidfd_getfd),
                                      SCMP_SYS(kcmp),
                                      SCMP_SYS(perf_event_open),
                                      SCMP_SYS(bpf),
                                      SCMP_SYS(userfaultfd),
                                      SCMP_SYS(mount),
                                      SCMP_SYS(umount2),
                                      SCMP_SYS(pivot_root),
                                      SCMP_SYS(chroot),
                                      SCMP_SYS(move_mount),
                                      SCMP_SYS(open_tree),
                                      SCMP_SYS(fsopen),
                                      SCMP_SYS(fsconfig),
                                      SCMP_SYS(fsmount),
                                      SCMP_SYS(fspick),
                                      SCMP_SYS(mount_setattr),
                                      SCMP_SYS(unshare),
                                      SCMP_SYS(setns),
                                      SCMP_SYS(swapon),
                                      SCMP_SYS(swapoff),
                                      SCMP_SYS(reboot),
                                      SCMP_SYS(init_module),
                                      SCMP_SYS(finit_module),
                                      SCMP_SYS(delete_module),
                                      SCMP_SYS(kexec_load),
                                      SCMP_SYS(kexec_file_load),
                                      SCMP_SYS(add_key),
                                      SCMP_SYS(request_key),
                                      SCMP_SYS(keyctl),
                                      SCMP_SYS(quotactl),
                                      SCMP_SYS(quotactl_fd),
                                      SCMP_SYS(open_by_handle_at),
                                      SCMP_SYS(acct),
                                      SCMP_SYS(settimeofday),
                                      SCMP_SYS(clock_settime),
                                      SCMP_SYS(clock_adjtime),
                                      SCMP_SYS(adjtimex),
                                      SCMP_SYS(sethostname),
                                      SCMP_SYS(setdomainname),
                                      SCMP_SYS(iopl),
                                      SCMP_SYS(ioperm),
                                      SCMP_SYS(vhangup),
                                      SCMP_SYS(syslog),
                                      SCMP_SYS(fanotify_init),
                                      SCMP_SYS(lookup_dcookie)};

/// Calls that set something of the process their first argument names, or of the calling thread if it is 0. Only that
/// is let through, as a filter cannot know which other numbers are of the program's own threads.
constexpr int on_a_process[] = {SCMP_SYS(prlimit64),      SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setscheduler),
                                SCMP_SYS(sched_setparam), SCMP_SYS(sched_setattr),     SCMP_SYS(migrate_pages),
                                SCMP_SYS(move_pages),     SCMP_SYS(get_robust_list)};
/// The same by the second argument; the first says whether that is a process, a group or a user.
constexpr int on_processes[] = {SCMP_SYS(setpriority), SCMP_SYS(ioprio_set)};

/// io_uring does work past this filter. Programs fall back to the ordinary calls.
constexpr int past_the_filter[] = {SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register)};

/// Landlock cannot restrict these, so they are refused everywhere.
constexpr int metadata_of_files[] = {
    SCMP_SYS(chmod),       SCMP_SYS(fchmod),       SCMP_SYS(fchmodat), SCMP_SYS(chown),     SCMP_SYS(fchown),
    SCMP_SYS(lchown),      SCMP_SYS(fchownat),     SCMP_SYS(setxattr), SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr),
    SCMP_SYS(removexattr), SCMP_SYS(lremovexattr), SCMP_SYS(utime),    SCMP_SYS(utimes),    SCMP_SYS(futimesat),
    SCMP_SYS(utimensat),   SCMP_SYS(fremovexattr)};

/// Ways to reach other programs on this machine, besides sockets.
constexpr int shared_between_programs[] = {SCMP_SYS(shmget),   SCMP_SYS(shmat),  SCMP_SYS(msgget), SCMP_SYS(msgsnd),
                                           SCMP_SYS(msgrcv),   SCMP_SYS(semget), SCMP_SYS(semop),  SCMP_SYS(mq_open),
                                           SCMP_SYS(shmctl),   SCMP_SYS(msgctl), SCMP_SYS(semctl), SCMP_SYS(semtimedop),
                                           SCMP_SYS(mq_unlink)};
constexpr int to_sockets[] = {SCMP_SYS(socket), SCMP_SYS(connect), SCMP_SYS(bind),
                              SCMP_SYS(listen), SCMP_SYS(accept),  SCMP_SYS(accept4)};

constexpr unsigned namespaces[] = {CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                   CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};

/// Calls from this number on (Linux 6.6, fchmodat2) are not known here: programs are told that they do not exist, so
/// that no new call allows what is refused here. Numbers are the same on all architectures.
constexpr unsigned first_unknown_call = 452;

/// Compares the bits of `mask` in an argument of a call.
scmp_arg_cmp argument(unsigned index, unsigned mask, unsigned value) {
  return {.arg = index, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
}

class Filter {
 public:
  Filter() : context_(::seccomp_init(SCMP_ACT_ALLOW), &::seccomp_release) {
    if (!context_) throw std::bad_alloc();
    // Calls of another architecture (32 bits) have other numbers: none is allowed.
    check(::seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
    check(::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2));  // a binary tree: quick for allowed calls
  }

  template <class Calls>
  void refuse(const Calls& calls, int error) {
    for (const int call : calls) refuse(call, error, {});
  }
  void refuse(int call, int error, std::initializer_list<scmp_arg_cmp> arguments) {
    if (call < 0) return;  // not on this architecture
    check(::seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(static_cast<std::uint16_t>(error)), call,
                                   static_cast<unsigned>(arguments.size()), arguments.begin()));
  }

  std::vector<sock_filter> take() const {
    const system::FileDescriptor file(::memfd_create("filter", MFD_CLOEXEC));
    check(file.is_open() ? 0 : -errno);
    check(::seccomp_export_bpf(context_.get(), file.get()));
    std::vector<sock_filter> program(static_cast<std::size_t>(::lseek(file.get(), 0, SEEK_END)) / sizeof(sock_filter));
    const auto bytes = static_cast<ssize_t>(program.size() * sizeof(sock_filter));
    check(::pread(file.get(), program.data(), static_cast<std::size_t>(bytes), 0) == bytes ? 0 : -EIO);
    return program;
  }

 private:
  static void check(int result) {
    if (result < 0) throw std::system_error(-result, std::generic_category(), "cannot make a filter of system calls");
  }

  std::unique_ptr<void, decltype(&::seccomp_release)> context_;
};

void refuse_processes(Filter& filter, bool all) {
  // Its flags lie in memory, where no filter sees them; the C library falls back to clone, also for threads.
  filter.refuse(SCMP_SYS(clone3), ENOSYS, {});
  if (!all) {
    for (const unsigned flag : namespaces) filter.refuse(SCMP_SYS(clone), EPERM, {argument(0, flag, flag)});
    return;
  }
  for (const int call : {SCMP_SYS(fork), SCMP_SYS(vfork)}) filter.refuse(call, EPERM, {});
  filter.refuse(SCMP_SYS(clone), EPERM, {argument(0, CLONE_THREAD, 0)});
}

scmp_arg_cmp is_not_0(unsigned index) { return {.arg = index, .op = SCMP_CMP_NE, .datum_a = 0, .datum_b = 0}; }

void refuse_other_processes(Filter& filter) {
  constexpr unsigned all_bits = 0xffffffffU, priority_of_user = 2, io_priority_of_user = 3;
  for (const int call : on_a_process) filter.refuse(call, EPERM, {is_not_0(0)});
  for (const int call : on_processes) filter.refuse(call, EPERM, {is_not_0(1)});
  filter.refuse(SCMP_SYS(setpriority), EPERM, {argument(0, all_bits, priority_of_user)});
  filter.refuse(SCMP_SYS(ioprio_set), EPERM, {argument(0, all_bits, io_priority_of_user)});
  filter.refuse(SCMP_SYS(prctl), EPERM, {argument(0, all_bits, PR_SCHED_CORE), is_not_0(2)});
}

void refuse_network(Filter& filter) {
  filter.refuse(to_sockets, EACCES);
  filter.refuse(shared_between_programs, EACCES);
  // A pair is connected already; but datagrams of one can be sent elsewhere.
  constexpr unsigned kind = 0xf;
  filter.refuse(SCMP_SYS(socketpair), EACCES, {{.arg = 0, .op = SCMP_CMP_NE, .datum_a = AF_UNIX, .datum_b = 0}});
  for (unsigned type = 0; type <= kind; ++type) {
    if (type != SOCK_STREAM) filter.refuse(SCMP_SYS(socketpair), EACCES, {argument(1, kind, type)});
  }
}

void refuse_truncation(Filter& filter) {
  filter.refuse(SCMP_SYS(truncate), EPERM, {});
  filter.refuse(SCMP_SYS(openat2), ENOSYS, {});  // its flags lie in memory
  // O_TRUNC empties a file even when it is opened for reading, or with both bits of the access mode.
  constexpr unsigned looked_at = O_TRUNC | O_ACCMODE;
  for (const unsigned access : {unsigned{O_RDONLY}, unsigned{O_ACCMODE}}) {
    filter.refuse(SCMP_SYS(open), EPERM, {argument(1, looked_at, O_TRUNC | access)});
    filter.refuse(SCMP_SYS(openat), EPERM, {argument(2, looked_at, O_TRUNC | access)});
  }
}

void refuse_calls(Filter& filter, const RefusedCalls& refused) {
  filter.refuse(beyond_the_program, EPERM);
  filter.refuse(past_the_filter, ENOSYS);
  for (const unsigned request : {unsigned{TIOCSTI}, unsigned{TIOCLINUX}})  // these put input into a terminal
    filter.refuse(SCMP_SYS(ioctl), EPERM, {argument(1, 0xffffffffU, request)});
  refuse_other_processes(filter);
  refuse_processes(filter, refused.processes);
  if (refused.network) refuse_network(filter);
  if (refused.file_metadata) filter.refuse(metadata_of_files, EPERM);
  if (refused.truncation) refuse_truncation(filter);
  if (refused.memory_files) filter.refuse(SCMP_SYS(memfd_create), ENOSYS, {});
}

std::vector<sock_filter> statements_for(const RefusedCalls& refused) {
  Filter filter;
  refuse_calls(filter, refused);
  std::vector<sock_filter> program{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                   BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first_unknown_call, 0, 1),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS)};
  std::ranges::copy(filter.take(), std::back_inserter(program));
  return program;
}

}  // namespace

struct SystemCallFilter::Program {
  explicit Program(std::vector<sock_filter> all)
      : statements(std::move(all)), header{static_cast<unsigned short>(statements.size()), statements.data()} {}

  std::vector<sock_filter> statements;
  sock_fprog header;
};

SystemCallFilter::SystemCallFilter(const RefusedCalls& refused)
    : program_(std::make_unique<const Program>(statements_for(refused))) {}

SystemCallFilter::SystemCallFilter(SystemCallFilter&&) noexcept = default;
SystemCallFilter& SystemCallFilter::operator=(SystemCallFilter&&) noexcept = default;
SystemCallFilter::~SystemCallFilter() = default;

bool SystemCallFilter::put_into_force() const {
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program_->header) == 0;
}

}  // namespace toolwire::bridge
