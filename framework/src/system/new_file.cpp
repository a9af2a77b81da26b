#include <toolwire/system/new_file.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace toolwire::system {
namespace {

constexpr std::size_t max_at_once = 1U << 20;
constexpr std::string_view draft_start = ".toolwire-", draft_end = ".tmp";

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

/// A random name in the folder of `path`, so that nobody can prepare something under that name.
std::string draft_beside(const std::string& path) {
  const std::string name = std::string(draft_start) + std::to_string(::randombytes_random()) +
                           std::to_string(::randombytes_random()) + std::string(draft_end);
  return path.substr(0, path.rfind('/') + 1) + name;
}

constexpr const char* access_list = "system.posix_acl_access";
constexpr std::size_t most_of_access_list = std::size_t{64} << 10;  // bytes, as of any attribute (xattr(7))

/// Which other users and groups may do what, in the kernel's form. Nothing if the file has no such list. With errno 0,
/// or what kept it from being read.
std::optional<std::string> access_list_of(int file) {
  std::string list(most_of_access_list, '\0');
  const ssize_t size = ::fgetxattr(file, access_list, list.data(), list.size());
  const bool has_none = size < 0 && (errno == ENODATA || errno == ENOTSUP);
  if (size >= 0 || has_none) errno = 0;
  if (size < 0) return std::nullopt;
  list.resize(static_cast<std::size_t>(size));
  return list;
}

/// Of a file with a list, the rights of the group in its mode are the most that anybody on the list has, so it is alike
/// only with the list; in a folder that gives new files a list, a file without one is alike only without. 0, or errno.
int take_access_list(int from, int to) {
  const std::optional<std::string> list = access_list_of(from);
  if (errno != 0) return errno;
  if (list) return ::fsetxattr(to, access_list, list->data(), list->size(), 0) == 0 ? 0 : errno;
  return !access_list_of(to) || ::fremovexattr(to, access_list) == 0 ? 0 : errno;
}

/// Whether nobody has the file open for writing, now or within a moment. A lease is given only then; where there are
/// none, nobody is waited for.
bool is_written_by_nobody(int file) {
  constexpr int patience = 200;
  constexpr std::chrono::milliseconds pause{1};
  ::fcntl(file, F_SETSIG, SIGURG);  // which does nothing to a process, should somebody open it in between
  for (int i = 0; i < patience; ++i) {
    if (::fcntl(file, F_SETLEASE, F_RDLCK) == 0) return ::fcntl(file, F_SETLEASE, F_UNLCK) == 0;
    if (errno != EAGAIN) return true;
    std::this_thread::sleep_for(pause);
  }
  return false;
}

/// Whether the file holds just that, and nobody is about to write it.
bool holds(int directory, const std::string& path, std::string_view expected) {
  const FileDescriptor file{::openat(directory, path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
  if (!file.is_open() || !is_written_by_nobody(file.get())) return false;
  std::string text(std::min(expected.size() + 1, max_at_once), '\0');
  for (;;) {
    const ssize_t count = ::read(file.get(), text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0 && expected.empty();
    if (!expected.starts_with(std::string_view(text.data(), static_cast<std::size_t>(count)))) return false;
    expected.remove_prefix(static_cast<std::size_t>(count));
  }
}

bool cannot_exchange(int error) { return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP; }

}  // namespace

NewFile::NewFile(int directory, std::string path, unsigned mode)
    : directory_(directory),
      path_(std::move(path)),
      draft_(draft_beside(path_)),
      file_(::openat(directory_, draft_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)) {
  if (!file_.is_open()) fail(errno);
}

NewFile::NewFile(std::string path, unsigned mode) : NewFile(AT_FDCWD, std::move(path), mode) {}

NewFile::~NewFile() {
  if (!in_place_) ::unlinkat(directory_, draft_.c_str(), 0);
}

void NewFile::write(std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file_.get(), content.data(), std::min(content.size(), max_at_once));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

void NewFile::take_after(const std::string& existing) const {
  struct stat about {};
  if (::fstatat(directory_, existing.c_str(), &about, 0) != 0) fail(errno);
  const bool is_kept = ::fchown(file_.get(), about.st_uid, about.st_gid) == 0;
  const mode_t rights = about.st_mode & 07777U;
  if (::fchmod(file_.get(), is_kept ? rights : rights & ~static_cast<mode_t>(S_ISUID | S_ISGID)) != 0) fail(errno);
  const FileDescriptor old{::openat(directory_, existing.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)};
  if (!old.is_open()) fail(errno);
  if (const int error = take_access_list(old.get(), file_.get()); error != 0) fail(error);
}

void NewFile::keep_content() const {
  if (::fsync(file_.get()) != 0) fail(errno);
}

void NewFile::close() {
  content_ = content_of(file_.get());
  if (::close(file_.release()) != 0) fail(errno);
}

void NewFile::replace() {
  if (::renameat(directory_, draft_.c_str(), directory_, path_.c_str()) != 0) fail(errno);
  in_place_ = true;
}

NewFile::Content NewFile::content_of(int file) {
  struct stat about {};
  if (::fstat(file, &about) != 0) return {};
  return {about.st_dev, about.st_ino, about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
}

int NewFile::exchange() const {
  const int status = ::renameat2(directory_, draft_.c_str(), directory_, path_.c_str(), RENAME_EXCHANGE);
  return status == 0 ? 0 : errno;
}

bool NewFile::replace_expected(std::string_view expected) {
  const int error = exchange();
  if (error == ENOENT) return false;  // somebody has removed it
  if (cannot_exchange(error)) return replace(), true;
  if (error != 0) fail(error);
  if (holds(directory_, draft_, expected)) return true;  // what was there goes with the draft's name
  put_back();
  return false;
}

/// Whoever has written in the place of this file meanwhile was the last to write, so that stays.
void NewFile::put_back() {
  const int error = exchange();
  if (error == ENOENT) return;
  in_place_ = error != 0;  // what was there stays under the draft's name at least
  if (error != 0) fail(error);
  const FileDescriptor draft{::openat(directory_, draft_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
  const bool is_this = draft.is_open() && is_written_by_nobody(draft.get()) && content_of(draft.get()) == content_;
  if (!is_this) static_cast<void>(exchange());
}

void NewFile::put_at_free_name() {
  if (const int error = rename_to_free_name(directory_, draft_, directory_, path_); error != 0) fail(error);
  in_place_ = true;
}

void NewFile::fail(int error) const { throw std::system_error(error, std::generic_category(), path_); }

bool is_draft_name(std::string_view name) {
  if (!name.starts_with(draft_start) || !name.ends_with(draft_end)) return false;
  name.remove_prefix(draft_start.size());
  const std::size_t digits = name.find_first_not_of("0123456789");
  return digits > 0 && name.substr(std::min(digits, name.size())) == draft_end;
}

void remove_old_drafts(int directory) {
  FileDescriptor listed{::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  const std::unique_ptr<DIR, CloseFolder> folder(listed.is_open() ? ::fdopendir(listed.get()) : nullptr);
  if (!folder) return;
  const int number = listed.release();
  const std::time_t newest = std::time(nullptr) - 60;
  while (const dirent* const entry = ::readdir(folder.get())) {
    struct stat about {};
    const bool is_old = is_draft_name(entry->d_name) &&
                        ::fstatat(number, entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(about.st_mode) &&
                        about.st_uid == ::geteuid() && about.st_mtime < newest;
    if (is_old) ::unlinkat(number, entry->d_name, 0);
  }
}

void remove_old_drafts(const std::string& folder) {
  const FileDescriptor opened{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (opened.is_open()) remove_old_drafts(opened.get());
}

void replace_file(const std::string& path, std::string_view content) {
  constexpr unsigned mode = 0644;
  const std::size_t slash = path.rfind('/');
  remove_old_drafts(slash == std::string::npos ? "." : path.substr(0, slash + 1));
  NewFile file(path, mode);
  file.write(content);
  file.close();
  file.replace();
}

bool remove_expected(const std::string& path, std::string_view expected) {
  const std::string draft = draft_beside(path);
  int error = rename_to_free_name(AT_FDCWD, path, AT_FDCWD, draft);
  if (error == ENOENT) return false;  // somebody was first
  const bool is_expected = error == 0 && holds(AT_FDCWD, draft, expected);
  if (error == 0 && !is_expected) error = rename_to_free_name(AT_FDCWD, draft, AT_FDCWD, path);
  if (is_expected || error == EEXIST) error = ::unlink(draft.c_str()) == 0 ? 0 : errno;
  if (error != 0) throw std::system_error(error, std::generic_category(), path);
  return is_expected;
}

int rename_over(int from_directory, const std::string& from, int to_directory, const std::string& to) {
  return ::renameat(from_directory, from.c_str(), to_directory, to.c_str()) == 0 ? 0 : errno;
}

int rename_to_free_name(int from_directory, const std::string& from, int to_directory, const std::string& to) {
  if (::renameat2(from_directory, from.c_str(), to_directory, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL) return errno;
  // Some file systems do not know RENAME_NOREPLACE; a link never replaces anything either. Directories have no links,
  // so there the rename fails as it did.
  if (::linkat(from_directory, from.c_str(), to_directory, to.c_str(), 0) != 0) return errno == EPERM ? EINVAL : errno;
  return ::unlinkat(from_directory, from.c_str(), 0) == 0 ? 0 : errno;
}

}  // namespace toolwire::system
