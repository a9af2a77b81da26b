#include "workspace/system/saved_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <toolwire/error.hpp>

#include "workspace/system/file_bytes.hpp"
#include "workspace/system/replace_file.hpp"
#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

std::optional<std::string> content_of(const Root& root, const std::string& path, const FileState& state) {
  if (state.kind != FileKind::regular || state.size > SavedFile::most) return std::nullopt;
  const Opened opened = root.try_read(path, LastLink::refuse);
  if (opened.error != 0) return std::nullopt;
  try {
    return all_bytes(opened.descriptor.get(), SavedFile::most, {});
  } catch (const toolwire::ToolError&) {
    return std::nullopt;
  }
}

/// Never through a link that somebody puts there meanwhile.
int set_mode(const Place& place, mode_t mode) {
  const FileDescriptor file{::openat(place.parent.get(), place.leaf.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC)};
  const auto state = file.is_open() ? state_of(file.get()) : std::nullopt;
  if (!state || state->kind != FileKind::regular) return errno = EAGAIN, -1;
  return ::chmod(("/proc/self/fd/" + std::to_string(file.get())).c_str(), mode);
}

}  // namespace

bool SavedFile::is_like(const SavedFile& other) const {
  if (state.kind != other.state.kind || content.has_value() != other.content.has_value()) return false;
  if (state.kind != FileKind::symlink && state.mode != other.state.mode) return false;
  return content ? content == other.content : is_same_version(state, other.state);
}

std::optional<SavedFile> save_file(const Root& root, const std::string& path) {
  const Opened seen = root.try_look_at(path);
  const auto state = seen.error == 0 ? state_of(seen.descriptor.get()) : std::nullopt;
  if (!state) return std::nullopt;
  if (state->kind == FileKind::symlink) return SavedFile{*state, link_target(seen.descriptor.get(), "")};
  return SavedFile{*state, content_of(root, path, *state)};
}

Place open_place(const Root& root, const std::string& path, const std::string& prefix) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
  Place place{make_directories(root, folder, folder), path.substr(slash + 1), path, prefix};
  if (root.real_path(place.parent.get()) == folder) return place;
  throw toolwire::ToolError("path: " + shown_path(place.shown()) + " is reached by a link now, which is not followed");
}

bool remove_for_good(const Place& place) { return ::unlinkat(place.parent.get(), place.leaf.c_str(), 0) == 0; }

void put_back(const Place& place, const SavedFile& saved) {
  const int folder = place.parent.get();
  int done = 0;
  if (saved.state.kind == FileKind::symlink) {
    done = ::symlinkat(saved.content.value_or("").c_str(), folder, place.leaf.c_str());
  } else {
    replace_file(place, saved.content.value_or(""), std::nullopt);
    done = set_mode(place, saved.state.mode);
  }
  if (done != 0) throw toolwire::ToolError(change_error_text(place.shown(), errno));
}

}  // namespace workspace
