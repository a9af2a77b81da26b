#include "workspace/system/metadata_calls.hpp"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utime.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <optional>
#include <string_view>
#include <toolwire/system/file_descriptor.hpp>

namespace workspace {
namespace {

using toolwire::system::FileDescriptor;

/// Of the thread that waits for its call.
class Caller {
 public:
  Caller(int listener, const seccomp_notif& call) : listener_(listener), call_(call) {}

  std::uint64_t argument(int number) const { return call_.data.args[number]; }
  int number() const { return call_.data.nr; }

  template <class T>
  bool read(std::uint64_t address, T& into) const {
    return read_bytes(address, &into, sizeof into) == static_cast<ssize_t>(sizeof into);
  }

  /// Ended by a NUL; nothing if it has none or cannot be read.
  std::optional<std::string> text(std::uint64_t address) const {
    constexpr std::uint64_t page = 4096;
    std::array<char, PATH_MAX> bytes{};
    for (std::size_t size = 0; size < bytes.size();) {
      const std::size_t in_page = page - (address + size) % page;  // what follows may not be there
      const ssize_t got = read_bytes(address + size, bytes.data() + size, std::min(in_page, bytes.size() - size));
      if (got <= 0) return std::nullopt;
      const auto* const begin = bytes.data() + size;
      if (std::find(begin, begin + got, '\0') != begin + got) return std::string(bytes.data());
      size += static_cast<std::size_t>(got);
    }
    return std::nullopt;
  }

  /// The file a descriptor of the program is open on, or below which its relative paths begin.
  FileDescriptor opened(std::uint64_t descriptor) const {
    const int number = static_cast<int>(static_cast<std::uint32_t>(descriptor));
    const std::string folder = "/proc/" + std::to_string(call_.pid);
    const std::string path = number == AT_FDCWD ? folder + "/cwd" : folder + "/fd/" + std::to_string(number);
    return FileDescriptor{::open(path.c_str(), O_PATH | O_CLOEXEC)};
  }

  /// A path as this process has to say it: what is the program's own there is this process's own here.
  std::string path(const std::string& given) const {
    const std::string own = "/proc/" + std::to_string(call_.pid) + '/';
    for (const std::string_view start : {"/proc/self/", "/proc/thread-self/"}) {
      if (given.starts_with(start)) return own + given.substr(start.size());
    }
    constexpr std::string_view descriptors = "/dev/fd/";
    return given.starts_with(descriptors) ? own + "fd/" + given.substr(descriptors.size()) : given;
  }

  /// False once the thread is gone, whose number may be another's then.
  bool is_waiting() const { return ::ioctl(listener_, SECCOMP_IOCTL_NOTIF_ID_VALID, &call_.id) == 0; }

 private:
  ssize_t read_bytes(std::uint64_t address, void* into, std::size_t size) const {
    const iovec ours{into, size};
    const iovec theirs{reinterpret_cast<void*>(address), size};  // NOLINT(performance-no-int-to-ptr): not ours
    return ::process_vm_readv(static_cast<pid_t>(call_.pid), &ours, 1, &theirs, 1, 0);
  }

  int listener_;
  const seccomp_notif& call_;
};

/// The file a call means.
struct Target {
  std::uint64_t folder = static_cast<std::uint32_t>(AT_FDCWD);
  std::uint64_t path = 0;  // an address; 0: the descriptor `folder` itself
  std::uint64_t flags = 0;
};

FileDescriptor open_target(const Caller& caller, const Target& target) {
  FileDescriptor folder = caller.opened(target.folder);
  if (target.path == 0 || !folder.is_open()) return folder;
  const auto path = caller.text(target.path);
  if (!path) return errno = EFAULT, FileDescriptor{};
  if (path->empty() && (target.flags & AT_EMPTY_PATH) != 0) return folder;
  const int last = (target.flags & AT_SYMLINK_NOFOLLOW) != 0 ? O_NOFOLLOW : 0;
  return FileDescriptor{::openat(folder.get(), caller.path(*path).c_str(), O_PATH | O_CLOEXEC | last)};
}

std::string name_of(const FileDescriptor& file) { return "/proc/self/fd/" + std::to_string(file.get()); }

bool is_in(const FileDescriptor& file, const std::vector<std::string>& folders) {
  std::array<char, PATH_MAX> place{};
  const ssize_t size = ::readlink(name_of(file).c_str(), place.data(), place.size());
  if (size <= 0 || static_cast<std::size_t>(size) == place.size()) return false;
  const std::string_view path(place.data(), static_cast<std::size_t>(size));
  return std::any_of(folders.begin(), folders.end(), [path](const std::string& folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
  });
}

int result_of(int done) { return done == 0 ? 0 : errno; }

int set_mode(const FileDescriptor& file, std::uint64_t mode) {
  constexpr mode_t of_others = S_ISUID | S_ISGID;
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) return errno;
  const auto wanted = static_cast<mode_t>(mode) & 07777U;
  if ((wanted & of_others & ~about.st_mode) != 0) return EPERM;  // what a folder has it keeps
  if (S_ISLNK(about.st_mode)) return EOPNOTSUPP;
  return result_of(::chmod(name_of(file).c_str(), wanted));
}

/// The owner stays: what unpacks an archive as root may say whose a file is.
int set_owner(const FileDescriptor& file, std::uint64_t owner, std::uint64_t group) {
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) return errno;
  const auto stays = [](std::uint64_t wanted, std::uint32_t present) {
    const auto number = static_cast<std::uint32_t>(wanted);
    return number == present || number == ~std::uint32_t{0};
  };
  return stays(owner, about.st_uid) && stays(group, about.st_gid) ? 0 : EPERM;
}

/// Null: now.
int set_times(const FileDescriptor& file, const std::optional<std::array<timespec, 2>>& times) {
  return result_of(::utimensat(AT_FDCWD, name_of(file).c_str(), times ? times->data() : nullptr, 0));
}

/// What the program passed at an address; 0: now.
template <class T, class Convert>
int set_times_at(const Caller& caller, const FileDescriptor& file, std::uint64_t address, Convert convert) {
  if (address == 0) return set_times(file, std::nullopt);
  T given{};
  if (!caller.read(address, given)) return EFAULT;
  return set_times(file, convert(given));
}

using Times = std::array<timespec, 2>;

#if defined(__x86_64__)
using GivenTimes = std::array<timeval, 2>;

Times from_microseconds(const GivenTimes& given) {
  const auto one = [](const timeval& time) { return timespec{time.tv_sec, static_cast<long>(time.tv_usec) * 1000}; };
  return {one(given[0]), one(given[1])};
}
#endif

Target target_of(const Caller& call) {
  const Target at_folder{.folder = call.argument(0), .path = call.argument(1)};
  switch (call.number()) {
    case SYS_fchmod:
    case SYS_fchown:
      return {.folder = call.argument(0)};
    case SYS_fchownat:
      return {.folder = call.argument(0), .path = call.argument(1), .flags = call.argument(4)};
    case SYS_utimensat:
      return {.folder = call.argument(0), .path = call.argument(1), .flags = call.argument(3)};
    case SYS_fchmodat:
#if defined(__x86_64__)
    case SYS_futimesat:
#endif
      return at_folder;
#if defined(__x86_64__)
    case SYS_lchown:
      return {.path = call.argument(0), .flags = AT_SYMLINK_NOFOLLOW};
#endif
    default:
      return {.path = call.argument(0)};
  }
}

int set(const Caller& call, const FileDescriptor& file) {
  switch (call.number()) {
    case SYS_fchownat:
      return set_owner(file, call.argument(2), call.argument(3));
    case SYS_fchown:
#if defined(__x86_64__)
    case SYS_chown:
    case SYS_lchown:
#endif
      return set_owner(file, call.argument(1), call.argument(2));
    case SYS_fchmodat:
      return set_mode(file, call.argument(2));
    case SYS_utimensat:
      return set_times_at<Times>(call, file, call.argument(2), [](const Times& given) { return given; });
#if defined(__x86_64__)
    case SYS_utime:
      return set_times_at<utimbuf>(call, file, call.argument(1), [](const utimbuf& given) {
        return Times{timespec{given.actime, 0}, timespec{given.modtime, 0}};
      });
    case SYS_utimes:
      return set_times_at<GivenTimes>(call, file, call.argument(1), from_microseconds);
    case SYS_futimesat:
      return set_times_at<GivenTimes>(call, file, call.argument(2), from_microseconds);
#endif
    default:
      return set_mode(file, call.argument(1));
  }
}

int error_of(const Caller& caller, const std::vector<std::string>& folders) {
  const FileDescriptor file = open_target(caller, target_of(caller));
  if (!file.is_open()) return errno;
  if (!caller.is_waiting()) return EINTR;
  return is_in(file, folders) ? set(caller, file) : EPERM;
}

}  // namespace

void answer_metadata_call(int listener, const std::vector<std::string>& folders) {
  seccomp_notif call{};
  if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) return;
  seccomp_notif_resp response{};
  response.id = call.id;
  response.error = -error_of(Caller{listener, call}, folders);
  ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

}  // namespace workspace
