#include <toolwire/system/private_file.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

namespace toolwire::system {
namespace {

constexpr mode_t for_its_user = S_IRUSR | S_IWUSR;

bool is_ours_alone(const struct stat& about) {
  return S_ISREG(about.st_mode) && about.st_uid == ::geteuid() && (about.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

/// Empty if it is there afterwards.
std::string make_private_folder(const std::string& folder) {
  struct stat about {};
  if (::mkdir(folder.c_str(), S_IRWXU) == 0 || errno == EEXIST) return {};
  const int error = errno;  // a folder that is there may be refused in other words, as where nothing can be written
  return ::stat(folder.c_str(), &about) == 0 ? std::string()
                                             : "the folder " + folder + " cannot be made: " + std::strerror(error);
}

}  // namespace

std::string make_private_folders(const std::string& folder) {
  for (std::size_t slash = folder.find('/', 1); slash != std::string::npos; slash = folder.find('/', slash + 1)) {
    if (std::string problem = make_private_folder(folder.substr(0, slash)); !problem.empty()) return problem;
  }
  return make_private_folder(folder);
}

void make_private_file(const std::string& path) {
  const FileDescriptor made(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, for_its_user));
}

PrivateFile::PrivateFile(const std::string& path, Access access) {
  const int how = access == Access::read ? O_RDONLY : O_RDWR | (access == Access::existing ? 0 : O_CREAT);
  FileDescriptor opened(::open(path.c_str(), how | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, for_its_user));
  is_missing_ = !opened.is_open() && errno == ENOENT;
  struct stat about {};
  if (opened.is_open() && ::fstat(opened.get(), &about) == 0 && is_ours_alone(about)) file_ = std::move(opened);
}

bool PrivateFile::lock(std::chrono::milliseconds patience) const {
  const auto give_up = std::chrono::steady_clock::now() + patience;
  while (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    if (std::chrono::steady_clock::now() >= give_up) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

std::optional<std::string> PrivateFile::read_all(std::size_t max_bytes) const {
  struct stat about {};
  if (::fstat(file_.get(), &about) != 0 || static_cast<std::size_t>(about.st_size) > max_bytes) return std::nullopt;
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t count = ::pread(file_.get(), text.data() + have, text.size() - have, static_cast<off_t>(have));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    have += static_cast<std::size_t>(count);
  }
  return text;
}

bool PrivateFile::write(std::string_view text, std::size_t at) const {
  while (!text.empty()) {
    const ssize_t count = ::pwrite(file_.get(), text.data(), text.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += static_cast<std::size_t>(count);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool PrivateFile::cut(std::size_t size) const { return ::ftruncate(file_.get(), static_cast<off_t>(size)) == 0; }

bool PrivateFile::keep() const { return ::fdatasync(file_.get()) == 0; }

}  // namespace toolwire::system
