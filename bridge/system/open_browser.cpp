#include "system/open_browser.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include <toolwire/system/find_program.hpp>

namespace toolwire::bridge {
namespace {

/// What posix_spawn is told besides the program.
class SpawnSettings {
 public:
  SpawnSettings() {
    ::posix_spawn_file_actions_init(&streams_);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&streams_, stream, "/dev/null", O_RDWR, 0);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&streams_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  bool start(std::string program, std::string argument) const {
    const std::array<char*, 3> words{program.data(), argument.data(), nullptr};
    pid_t started = 0;
    return ::posix_spawn(&started, program.c_str(), &streams_, &attributes_, words.data(), environ) == 0;
  }

 private:
  posix_spawn_file_actions_t streams_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

bool open_in_browser(const std::string& url) {
  if (!url.starts_with("https://") && !url.starts_with("http://")) return false;
  const char* const folders = std::getenv("PATH");
  const auto program =
      system::find_program("xdg-open", folders == nullptr ? "" : folders, system::RelativeFolders::skipped);
  return program && SpawnSettings().start(*program, url);
}

}  // namespace toolwire::bridge
