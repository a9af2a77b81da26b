#include "system/file_watch.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

namespace toolwire::bridge {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t edits =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_ONLYDIR;

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

FileWatch::FileWatch(const std::vector<std::string>& paths, std::function<void()> changed,
                     std::chrono::milliseconds quiet)
    : changed_(std::move(changed)), quiet_(quiet) {
  try {
    inotify_ = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    wake_ = ::eventfd(0, EFD_CLOEXEC);
    if (inotify_ < 0 || wake_ < 0) fail("files cannot be watched");
    watch(paths);
  } catch (...) {
    if (inotify_ >= 0) ::close(inotify_);
    if (wake_ >= 0) ::close(wake_);
    throw;
  }
  thread_ = std::thread([this] { run(); });
}

FileWatch::~FileWatch() {
  const std::uint64_t one = 1;
  while (::write(wake_, &one, sizeof one) < 0 && errno == EINTR) {
  }
  thread_.join();
  ::close(inotify_);
  ::close(wake_);
}

void FileWatch::watch(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::error_code ignored;
    const bool whole = fs::is_directory(path, ignored);
    const fs::path file = fs::path(path);
    const fs::path folder = whole ? file : file.has_parent_path() ? file.parent_path() : fs::path(".");
    const int number = ::inotify_add_watch(inotify_, folder.c_str(), edits);
    if (number < 0) fail(folder.string());
    names_.emplace_back(number, whole ? "" : file.filename().string());
    if (whole || !fs::is_symlink(file, ignored)) continue;
    const fs::path target = fs::weakly_canonical(file, ignored);
    const int other = ::inotify_add_watch(inotify_, target.parent_path().c_str(), edits);
    if (other >= 0) names_.emplace_back(other, target.filename().string());
  }
}

/// Until somebody wakes it to end.
void FileWatch::run() {
  bool pending = false;
  while (wait(pending ? static_cast<int>(quiet_.count()) : -1)) {
    if (take_events()) {
      pending = true;
    } else if (pending) {
      pending = false;
      changed_();
    }
  }
}

/// False when it is time to end.
bool FileWatch::wait(int milliseconds) const {
  std::array<pollfd, 2> waited{{{inotify_, POLLIN, 0}, {wake_, POLLIN, 0}}};
  while (::poll(waited.data(), waited.size(), milliseconds) < 0) {
    if (errno != EINTR) return false;
  }
  return (waited[1].revents & POLLIN) == 0;
}

/// Whether one of the files was among them. Events that were lost count as if.
bool FileWatch::take_events() const {
  alignas(inotify_event) std::array<char, 8192> buffer{};
  bool ours = false;
  for (;;) {
    const ssize_t count = ::read(inotify_, buffer.data(), buffer.size());
    if (count <= 0) return ours;
    for (std::size_t at = 0; at < static_cast<std::size_t>(count);) {
      const auto* const event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      const std::string name = event->len > 0 ? event->name : "";
      for (const auto& [number, watched] : names_)
        ours = ours || (event->wd == number && (watched.empty() || watched == name));
      ours = ours || (event->mask & IN_Q_OVERFLOW) != 0;
      at += sizeof(inotify_event) + event->len;
    }
  }
}

}  // namespace toolwire::bridge
