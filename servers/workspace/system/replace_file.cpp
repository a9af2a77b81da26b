#include "workspace/system/replace_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <string>
#include <system_error>
#include <thread>
#include <toolwire/error.hpp>
#include <toolwire/system/new_file.hpp>

#include "workspace/system/attributes.hpp"
#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

constexpr std::size_t shown_bytes = 300;

// A lock on the directory, from the last check of a file to its replacement, for servers in all processes; otherwise
// one could replace what another has just written. Waits a bounded time: a lock that another program holds for long
// must not prevent writing.
class Turn {
 public:
  explicit Turn(const Place& place)
      : directory_(::openat(place.parent.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    for (int i = 0; i < max_tries && directory_.is_open() && ::flock(directory_.get(), LOCK_EX | LOCK_NB) != 0; ++i) {
      if (errno != EWOULDBLOCK && errno != EINTR) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

 private:
  static constexpr int max_tries = 2000;
  FileDescriptor directory_;  // closing it ends the turn
};

[[noreturn]] void refuse_owner(const Place& place) {
  throw toolwire::ToolError("path: " + shown_path(place.shown(), shown_bytes) +
                            " belongs to a user or group that this server may not give files to, and would become the "
                            "server's own; nothing was changed");
}

// Gives the new file what the old one has besides its content: owner, group, attributes, and then the mode, of which
// the access control list is a part.
void take_after(int file, const Place& place, const FileState& old) {
  const auto now = state_of(file);
  const bool has_owner = now && now->owner == old.owner && now->group == old.group;
  if (!has_owner && ::fchown(file, old.owner, old.group) != 0) refuse_owner(place);
  keep_attributes(place, file);
  if (::fchmod(file, old.mode) != 0) throw std::system_error(errno, std::generic_category());
}

// The system's times go on in steps of some milliseconds: two changes within one could not be told apart by them.
void give_time_of_its_own(int file, const FileState& old) {
  const auto now = state_of(file);
  if (!now || now->modified != old.modified) return;
  struct timespec exact {};
  ::clock_gettime(CLOCK_REALTIME, &exact);
  const std::array<struct timespec, 2> times{{{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, exact}};
  ::futimens(file, times.data());
}

// Writes the directory to the disk, so that the rename survives a power failure. Best effort: the file itself is safe.
void keep_rename(const Place& place) {
  const FileDescriptor directory{::openat(place.parent.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (directory.is_open()) ::fsync(directory.get());
}

void refuse_if_changed(const Place& place, const FileState& old) {
  const std::optional<FileState> now = state_at(place.parent.get(), place.leaf);
  if (now && is_same_version(*now, old)) return;
  throw toolwire::ToolError("path: " + shown_path(place.shown(), shown_bytes) +
                            " was changed by somebody else meanwhile, and is left as they made it; read it again");
}

// Throws std::system_error, and ToolError if another program has changed the file meanwhile.
FileState put_in_place(const Place& place, std::string_view content, const std::optional<FileState>& old) {
  // The mode of a new file is what the umask leaves; that of a replacement is set after its owner.
  toolwire::system::NewFile file{place.parent.get(), place.leaf, old ? 0600U : 0666U};
  file.write(content);
  if (old) take_after(file.descriptor(), place, *old);
  if (old) give_time_of_its_own(file.descriptor(), *old);
  file.keep_content();
  const Turn turn{place};
  if (old) {
    refuse_if_changed(place, *old);
    file.replace();
  } else {
    file.put_at_free_name();
  }
  keep_rename(place);
  return state_of(file.descriptor()).value_or(FileState{});
}

}  // namespace

FileState replace_file(const Place& place, std::string_view content, const std::optional<FileState>& old) {
  try {
    return put_in_place(place, content, old);
  } catch (const std::system_error& error) {
    throw toolwire::ToolError(change_error_text(place.shown(), error.code().value()));
  }
}

}  // namespace workspace
