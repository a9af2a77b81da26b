#include "attach/own_folder.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include "attach/descriptor.hpp"

namespace toolwire::attach {
namespace {

constexpr std::size_t secret_bytes = 32;
constexpr std::size_t secret_digits = 2 * secret_bytes;

std::string error_text(const std::string& path) { return "cannot use " + path + ": " + std::strerror(errno); }

Secret read_secret(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat about {};
  if (!file.is_open() || ::fstat(file.get(), &about) != 0)
    return {{}, errno == ENOENT ? std::string() : error_text(path)};
  std::array<char, secret_digits> digits{};
  const bool is_own = S_ISREG(about.st_mode) && about.st_uid == ::geteuid() && (about.st_mode & 077) == 0;
  if (!is_own || about.st_size != secret_digits ||
      ::read(file.get(), digits.data(), digits.size()) != static_cast<ssize_t>(digits.size()))
    return {{},
            "expected a file of 64 digits that nobody else may read: " + path +
                "; end the bridges (toolwire-bridge stop --all), and delete it for a new one"};
  return {std::string(digits.data(), digits.size()), {}};
}

std::string random_digits() {
  std::array<unsigned char, secret_bytes> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) text.append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
  return text;
}

/// Whole or not at all, and never in the place of another. False with errno.
bool write_secret(const std::string& path) {
  const std::string text = random_digits();
  const std::string draft = path + "." + std::to_string(::getpid());
  ::unlink(draft.c_str());  // of a process that was killed
  const Descriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (text.empty() || !file.is_open()) return false;
  const bool is_there = ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                        (::link(draft.c_str(), path.c_str()) == 0 || errno == EEXIST);
  const int error = errno;
  ::unlink(draft.c_str());
  errno = error;
  return is_there;
}

}  // namespace

std::string wrong_with_folder(const std::string& folder) {
  struct stat about {};
  if (::lstat(folder.c_str(), &about) != 0) return "the folder " + folder + " cannot be used: " + std::strerror(errno);
  if (!S_ISDIR(about.st_mode)) return "expected a folder, and no link to one: " + folder;
  if (about.st_uid != ::geteuid())
    return "the folder " + folder + " belongs to user " + std::to_string(about.st_uid) +
           "; expected one of yours, user " + std::to_string(::geteuid());
  if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return "others may enter the folder " + folder + "; expected one for you alone (chmod 700)";
  return {};
}

Secret secret_of(const std::string& folder) {
  if (std::string wrong = wrong_with_folder(folder); !wrong.empty()) return {{}, std::move(wrong)};
  const std::string path = folder + "/secret";
  Secret secret = read_secret(path);
  if (!secret.text.empty() || !secret.trouble.empty()) return secret;
  if (!write_secret(path)) return {{}, error_text(path)};
  return read_secret(path);
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace toolwire::attach
