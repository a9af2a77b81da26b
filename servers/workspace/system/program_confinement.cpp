#include "workspace/system/program_confinement.hpp"

#include <elf.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <toolwire/system/file_descriptor.hpp>

namespace workspace {
namespace {

using toolwire::system::FileDescriptor;
using toolwire::system::LandlockRules;

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

/// Processes, sockets, other processes, the kernel, and what Landlock does not know: owners, modes and times of files.
constexpr int refused[] = {
#if defined(__x86_64__)
    SYS_fork,
    SYS_vfork,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_iopl,
    SYS_ioperm,
#endif
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_shmget,
    SYS_shmat,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
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
    SYS_fsmount,
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
    SYS_open_by_handle_at,
    SYS_acct,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_utimensat,
    SYS_truncate,
    SYS_memfd_create,
    SYS_io_uring_setup,
    SYS_io_uring_enter};

constexpr sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
}
constexpr sock_filter answer(std::uint32_t action) { return BPF_STMT(BPF_RET | BPF_K, action); }
/// Goes on with the next statement if the loaded word compares so, else with the one behind it.
constexpr sock_filter if_so(unsigned comparison, std::uint32_t value) {
  return BPF_JUMP(static_cast<unsigned short>(BPF_JMP | comparison | BPF_K), value, 0, 1);
}

std::vector<sock_filter> make_filter() {
  constexpr std::uint32_t allowed = SECCOMP_RET_ALLOW, error = SECCOMP_RET_ERRNO;
  std::vector<sock_filter> filter{
      load(offsetof(seccomp_data, arch)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own_architecture, 1, 0),
      answer(SECCOMP_RET_KILL_PROCESS),   load(offsetof(seccomp_data, nr)),
      if_so(BPF_JGE, first_unknown_call), answer(error | ENOSYS)};
  for (const int call : refused) {
    filter.push_back(if_so(BPF_JEQ, static_cast<std::uint32_t>(call)));
    filter.push_back(answer(error | EPERM));
  }
  // Its flags lie in memory, where no filter sees them; the C library falls back to clone, also for threads.
  filter.push_back(if_so(BPF_JEQ, SYS_clone3));
  filter.push_back(answer(error | ENOSYS));
  // A thread is made, a process is not.
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
  filter.push_back(load(offsetof(seccomp_data, args)));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
  filter.push_back(answer(error | EPERM));
  filter.push_back(answer(allowed));
  return filter;
}

struct Bound {
  __rlimit_resource resource;
  rlim_t value;
};

/// Of the program: its own memory, time of a processor, no file written. Packs of git are mapped, not counted as data.
constexpr Bound bounds[] = {
    {RLIMIT_DATA, rlim_t{1} << 30}, {RLIMIT_CPU, 60}, {RLIMIT_FSIZE, 0}, {RLIMIT_NOFILE, 512}, {RLIMIT_CORE, 0}};

template <class T>
bool read_at(int file, std::uint64_t offset, T& into) {
  return ::pread(file, &into, sizeof into, static_cast<off_t>(offset)) == static_cast<ssize_t>(sizeof into);
}

/// The program of the system that loads a program's libraries; empty for one that needs none.
std::string loader_of(const std::string& program) {
  const FileDescriptor file{::open(program.c_str(), O_RDONLY | O_CLOEXEC)};
  Elf64_Ehdr header{};
  if (!file.is_open() || !read_at(file.get(), 0, header)) return {};
  constexpr std::string_view magic{ELFMAG, SELFMAG};
  if (!std::equal(magic.begin(), magic.end(), std::begin(header.e_ident))) return {};
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part{};
    if (!read_at(file.get(), header.e_phoff + std::uint64_t{i} * header.e_phentsize, part)) return {};
    if (part.p_type != PT_INTERP) continue;
    std::array<char, 256> path{};
    const std::size_t most = std::min<std::size_t>(part.p_filesz, path.size() - 1);
    return ::pread(file.get(), path.data(), most, static_cast<off_t>(part.p_offset)) > 0 ? path.data() : "";
  }
  return {};
}

void allow_libraries(LandlockRules& rules, const std::string& program) {
  for (const char* const path : {"/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib",
                                 "/nix/store", "/etc/ld.so.cache", "/sys/devices/system/cpu"})
    rules.allow_if_there(path, {.read = true});
  const std::filesystem::path folder = std::filesystem::path(program).parent_path().parent_path();
  for (const char* const name : {"lib", "lib64"}) rules.allow_if_there((folder / name).string(), {.read = true});
}

void allow(LandlockRules& rules, const ProgramRights& rights) {
  allow_libraries(rules, rights.program);
  rules.allow_if_there("/dev/null", {.read = true, .change = true});
  rules.allow(rights.program, {.read = true, .execute = true});
  if (const std::string loader = loader_of(rights.program); !loader.empty())
    rules.allow_if_there(loader, {.read = true, .execute = true});
  for (const std::string& path : rights.read) rules.allow_if_there(path, {.read = true});
}

LandlockRules no_rights() {
  return {
      {.files = {.read = true, .change = true, .devices = true, .execute = true}, .tcp = true, .other_domains = true},
      toolwire::system::landlock_version()};
}

LandlockRules rules_for(const ProgramRights& rights) {
  LandlockRules rules = no_rights();
  allow(rules, rights);
  return rules;
}

bool enforce(const LandlockRules& rules) {
  return toolwire::system::give_up_new_privileges() && toolwire::system::enforce_landlock(rules.rules().get());
}

}  // namespace

std::string program_confinement_problem() {
  if (own_architecture == 0) return "this build of the server knows no filter of system calls for its processor";
  const std::uint32_t action = SECCOMP_RET_ERRNO;
  if (::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0)
    return "this kernel or sandbox has no filters of system calls (seccomp), without which no program is started";
  if (toolwire::system::landlock_version() < 1)
    return "this kernel or sandbox has no Landlock, without which no program is started";
  return {};
}

bool confine_to(const std::vector<ProgramRights>& programs) {
  LandlockRules rules = no_rights();
  for (const ProgramRights& rights : programs) allow(rules, rights);
  return enforce(rules);
}

ProgramConfinement::ProgramConfinement(const ProgramRights& rights)
    : rules_(rules_for(rights)), filter_(std::make_unique<std::vector<sock_filter>>(make_filter())) {}

bool ProgramConfinement::put_into_force() const {
  for (const Bound& bound : bounds) {
    const rlimit both{bound.value, bound.value};
    if (::setrlimit(bound.resource, &both) != 0) return false;
  }
  if (!enforce(rules_)) return false;
  // Last, because it refuses calls made above.
  const sock_fprog program{static_cast<unsigned short>(filter_->size()), filter_->data()};
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

}  // namespace workspace
