#include "workspace/system/opened_folders.hpp"

#include <sys/stat.h>

#include <optional>

namespace workspace {
namespace {

/// Of something opened without the right to read it, which fchmod(2) does not take.
bool set_mode(const FileDescriptor& opened, mode_t mode) {
  return ::chmod(("/proc/self/fd/" + std::to_string(opened.get())).c_str(), mode) == 0;
}

}  // namespace

OpenedFolders::~OpenedFolders() {
  for (auto closed = closed_.rbegin(); closed != closed_.rend(); ++closed) {
    const Opened folder = root_.try_look_at(closed->path);
    const auto state = folder.error == 0 ? state_of(folder.descriptor.get()) : std::nullopt;
    if (state && state->device == closed->state.device && state->number == closed->state.number)
      set_mode(folder.descriptor, closed->state.mode);
  }
}

bool OpenedFolders::open(const std::string& path) {
  const Opened folder = root_.try_look_at(path);
  const auto state = folder.error == 0 ? state_of(folder.descriptor.get()) : std::nullopt;
  if (!state || state->kind != FileKind::directory) return false;
  if ((state->mode & S_IRWXU) == S_IRWXU) return true;
  if (!set_mode(folder.descriptor, state->mode | S_IRWXU)) return false;
  closed_.push_back({path, *state});
  return true;
}

void OpenedFolders::open_above(const std::string& path) {
  open(".");
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
    open(path.substr(0, slash));
}

}  // namespace workspace
