#include "workspace/system/root.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <toolwire/error.hpp>
#include <utility>

#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

constexpr int attempts = 100;
constexpr std::size_t shown_bytes = 300;

int open_beneath(int directory, const char* path, int flags) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(static_cast<unsigned>(flags));
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(::syscall(SYS_openat2, directory, path, &how, sizeof how));
}

// Without empty and "." parts. ".." stays: what it means depends on links, and only the kernel may decide that.
std::string tidy(std::string_view path) {
  std::string result;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    if (part.empty() || part == ".") continue;
    if (!result.empty()) result += '/';
    result += part;
  }
  return result.empty() ? "." : result;
}

// What remains of `path` below `base`, or nothing; "/root_evil" is not below "/root".
const char* below(const std::string& path, const std::string& base) {
  if (base == "/") return path.c_str();
  if (path.compare(0, base.size(), base) != 0) return nullptr;
  const char* rest = path.c_str() + base.size();
  return *rest == '\0' || *rest == '/' ? rest : nullptr;
}

FileKind kind_of_descriptor(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 ? file_kind(status.st_mode) : FileKind::unknown;
}

// The absolute path as the kernel knows it now; empty if there is none.
std::string path_of_descriptor(int descriptor) {
  std::array<char, PATH_MAX> target{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = ::readlink(link.c_str(), target.data(), target.size());
  return length > 0 && target[0] == '/' ? std::string(target.data(), static_cast<std::size_t>(length)) : std::string();
}

// Of a directory; none once it is removed, and none at all in some file systems of user space.
bool has_links(int directory) {
  struct stat status {};
  return ::fstat(directory, &status) != 0 || status.st_nlink > 0;
}

std::string in_quotes(std::string_view path) {
  return path.empty() ? "\"\"" : '"' + shown_path(path, shown_bytes) + '"';
}

[[noreturn]] void refuse_kind(std::string_view path, FileKind kind) {
  std::string text = "path: " + in_quotes(path) + " is a " + std::string(kind_name(kind));
  text +=
      kind == FileKind::directory ? "; expected a file (list_files shows what is in it)" : "; expected a regular file";
  throw toolwire::ToolError(text);
}

}  // namespace

FileKind file_kind(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::regular;
  if (S_ISDIR(mode)) return FileKind::directory;
  if (S_ISLNK(mode)) return FileKind::symlink;
  if (S_ISFIFO(mode)) return FileKind::fifo;
  if (S_ISSOCK(mode)) return FileKind::socket;
  return S_ISCHR(mode) || S_ISBLK(mode) ? FileKind::device : FileKind::unknown;
}

std::string_view kind_name(FileKind kind) {
  switch (kind) {
    case FileKind::regular:
      return "file";
    case FileKind::directory:
      return "directory";
    case FileKind::symlink:
      return "symbolic link";
    case FileKind::fifo:
      return "named pipe";
    case FileKind::socket:
      return "socket";
    case FileKind::device:
      return "device";
    case FileKind::unknown:
      break;
  }
  return "thing of unknown kind";
}

std::string confinement_problem() {
  const FileDescriptor probe{open_beneath(AT_FDCWD, ".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
  if (probe.is_open() || errno == ENOENT || errno == EACCES) return {};
  return std::string("the system call openat2 is not available here (") + std::strerror(errno) +
         "); it is what keeps paths inside the root, and needs Linux 5.6 or later and a sandbox that allows it";
}

std::string open_error_text(std::string_view path, int error) {
  const std::string start = "path: " + in_quotes(path);
  switch (error) {
    case ENOENT:
      return start + " does not exist in the workspace; list_files shows what does";
    case ENOTDIR:
      return start + " is not a directory, or goes through something that is not one";
    case EXDEV:
      return start +
             " leads outside the workspace; expected a path that stays below the root (neither .. nor a symbolic "
             "link may lead out of it)";
    case ELOOP:
      return start + " goes through a symbolic link that cannot be followed (a loop, or a link of the system)";
    case EACCES:
    case EPERM:
      return start + " may not be read by this server (permission denied)";
    case ENAMETOOLONG:
      return start + " has a part longer than 255 bytes, or is longer than 4095; expected a shorter path";
    case EAGAIN:
      return start + " kept being renamed while it was opened; try again";
    case ENXIO:
      return start + " is a socket or device; expected a regular file";
    default:
      return start + " cannot be opened: " + std::strerror(error);
  }
}

Root Root::at(const std::string& directory, Secrets secrets, Changes changes) {
  std::error_code error;
  const std::string given = std::filesystem::absolute(directory, error).lexically_normal().string();
  Root root;
  root.secrets_ = secrets;
  root.changes_ = changes;
  root.directory_ = FileDescriptor{::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  const FileDescriptor listed{::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (error || !root.directory_.is_open() || !listed.is_open()) {
    const std::string cause = std::strerror(error ? error.value() : errno);
    return unavailable("the workspace root " + in_quotes(directory) + " cannot be used (" + cause +
                       "); start the server with --root DIR naming a directory it may read");
  }
  root.had_links_ = has_links(root.directory_.get());
  root.path_ = given.size() > 1 && given.back() == '/' ? given.substr(0, given.size() - 1) : given;
  root.spellings_ = {root.path_};
  const std::string resolved = std::filesystem::canonical(directory, error).string();
  if (!error && resolved != root.path_) root.spellings_.push_back(resolved);
  return root;
}

Root Root::working_directory(Secrets secrets) {
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::current_path(error);
  if (error) {
    return unavailable("the server has no usable working directory (" + error.message() +
                       "); start it with --root DIR naming the directory to work in");
  }
  if (directory == "/") {
    return unavailable(
        "the server was started in / and without --root; start it with --root DIR naming the directory to "
        "work in (--root / if it is to be everything)");
  }
  return at(directory.string(), secrets);
}

Root Root::unavailable(std::string reason) {
  Root root;
  root.problem_ = std::move(reason);
  return root;
}

bool Root::is_there() const { return directory_.is_open() && (!had_links_ || has_links(directory_.get())); }

std::string Root::named(std::string_view path) const {
  if (prefix_.empty() || path.starts_with('/')) return std::string(path);
  return path == "." ? prefix_.substr(0, prefix_.size() - 1) : prefix_ + std::string(path);
}

std::string Root::relative(std::string_view path) const {
  if (!problem_.empty()) throw toolwire::ToolError(problem_);
  if (!is_there()) {  // what was made in its place since is another directory
    throw toolwire::ToolError("the workspace root " + shown_path(path_, shown_bytes) +
                              " was removed since this server started; start the server again once it is there");
  }
  if (path.empty())
    throw toolwire::ToolError("path: is empty; expected one relative to the root, such as src/main.cpp");
  if (path.find('\0') != std::string_view::npos)
    throw toolwire::ToolError("path: has a NUL byte, which no path may have");
  if (path.size() >= PATH_MAX) throw toolwire::ToolError(open_error_text(path, ENAMETOOLONG));
  if (path.front() != '/') return tidy(path);
  const std::string absolute = "/" + (tidy(path) == "." ? std::string() : tidy(path));
  for (const std::string& spelling : spellings_) {
    if (const char* rest = below(absolute, spelling)) return tidy(rest);
  }
  throw toolwire::ToolError("path: " + in_quotes(path) +
                            " is outside the workspace; expected a path relative to its root, " +
                            shown_path(path_, shown_bytes));
}

Opened Root::try_look_at(const std::string& relative, LastLink last) const { return try_open(relative, O_PATH, last); }

Opened Root::try_read(const std::string& relative, LastLink last) const { return try_open(relative, O_RDONLY, last); }

Opened Root::try_open(const std::string& relative, int flags, LastLink last) const {
  if (last == LastLink::refuse) flags |= O_NOFOLLOW;
  // With O_PATH the kernel refuses flags that mean nothing for it.
  flags |= (flags & O_PATH) != 0 ? O_CLOEXEC : O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  for (int attempt = 0;; ++attempt) {
    const int number = open_beneath(directory_.get(), relative.c_str(), flags);
    if (number >= 0) return {FileDescriptor{number}, 0};
    // EAGAIN: something was renamed while ".." was resolved, so the kernel cannot vouch for the result.
    const bool again = errno == EAGAIN || errno == EINTR;
    if (!again || attempt == attempts) return {FileDescriptor{}, errno};
  }
}

void Root::refuse_secret(std::string_view path, std::string_view relative) const {
  if (secrets_ == Secrets::shown || !holds_secrets(relative)) return;
  throw toolwire::ToolError("path: " + in_quotes(named(path)) +
                            " holds secrets, as its name says, and this server was started without --secrets");
}

std::string Root::real_path(int descriptor) const {
  const std::string top = path_of_descriptor(directory_.get());
  const std::string whole = path_of_descriptor(descriptor);
  const char* rest = top.empty() || whole.empty() ? nullptr : below(whole, top);
  return rest == nullptr ? std::string() : tidy(rest);
}

FileDescriptor Root::open(std::string_view path, const std::string& relative, int flags) const {
  refuse_secret(path, relative);
  Opened opened = try_open(relative, flags, LastLink::follow);
  if (!opened.descriptor.is_open()) throw toolwire::ToolError(open_error_text(named(path), opened.error));
  // A link with an innocent name may have led to a file that holds secrets.
  if (secrets_ == Secrets::left_out) refuse_secret(path, real_path(opened.descriptor.get()));
  return std::move(opened.descriptor);
}

FileDescriptor Root::open_file(std::string_view path) const {
  const std::string name = relative(path);
  // Opening a named pipe or a device can have effects even with O_NONBLOCK; O_PATH looks without opening. What is
  // opened then is looked at again, as another process may have swapped it.
  const FileDescriptor probe = open(path, name, O_PATH);
  if (const FileKind kind = kind_of_descriptor(probe.get()); kind != FileKind::regular) refuse_kind(named(path), kind);
  FileDescriptor file = open(path, name, O_RDONLY);
  if (const FileKind kind = kind_of_descriptor(file.get()); kind != FileKind::regular) refuse_kind(named(path), kind);
  return file;
}

FileDescriptor Root::open_directory(std::string_view path) const {
  return open(path, relative(path), O_RDONLY | O_DIRECTORY);
}

FileKind Root::kind_of(std::string_view path) const {
  return kind_of_descriptor(open(path, relative(path), O_PATH).get());
}

}  // namespace workspace
