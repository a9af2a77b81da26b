#include <toolwire/system/folder_events.hpp>

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace toolwire::system {
namespace {

constexpr std::size_t bytes_at_once = std::size_t{64} << 10;

FolderEvent event_from(const inotify_event& event) {
  constexpr std::uint32_t coming = IN_CREATE | IN_MOVED_TO;
  constexpr std::uint32_t going = IN_DELETE | IN_MOVED_FROM;
  return {.folder = event.wd,
          .name = event.len > 0 ? std::string_view(event.name) : std::string_view(),
          .is_folder = (event.mask & IN_ISDIR) != 0,
          .comes = (event.mask & coming) != 0,
          .goes = (event.mask & going) != 0,
          .is_moved = (event.mask & (IN_MOVED_TO | IN_MOVED_FROM)) != 0,
          .lost_some = (event.mask & IN_Q_OVERFLOW) != 0,
          .is_last = (event.mask & IN_IGNORED) != 0};
}

}  // namespace

FolderEvents::FolderEvents() : events_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  if (!events_.is_open()) throw std::system_error(errno, std::generic_category(), "files cannot be watched");
}

int FolderEvents::watch(const std::string& folder, FolderWatch how) {
  std::uint32_t mask = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR;
  if (how.attributes) mask |= IN_ATTRIB;
  if (!how.follows_links) mask |= IN_DONT_FOLLOW;
  if (!how.unlinked_files) mask |= IN_EXCL_UNLINK;
  return ::inotify_add_watch(events_.get(), folder.c_str(), mask);
}

void FolderEvents::unwatch(int folder) { ::inotify_rm_watch(events_.get(), folder); }

void FolderEvents::take(const std::function<void(const FolderEvent&)>& handle) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): read() fills it
  alignas(inotify_event) std::array<char, bytes_at_once> buffer;
  for (;;) {
    const ssize_t count = ::read(events_.get(), buffer.data(), buffer.size());
    if (count <= 0) return;
    for (std::size_t at = 0; at < static_cast<std::size_t>(count);) {
      const auto* const event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      handle(event_from(*event));
      at += sizeof(inotify_event) + event->len;
    }
  }
}

}  // namespace toolwire::system
