// The workspace's root: the only access to the file system. Every path is resolved by the kernel (openat2) below a
// directory descriptor opened once, so neither "..", nor a symbolic link, nor a rename during the call leads out of it.
// Comparing path strings or calling realpath first would lose to a rename between check and use. Independent of
// contents.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <toolwire/system/file_descriptor.hpp>
#include <utility>
#include <vector>

#include "workspace/names/secrets.hpp"

namespace workspace {

using toolwire::system::FileDescriptor;

enum class FileKind { regular, directory, symlink, fifo, socket, device, unknown };

FileKind file_kind(mode_t mode);
/// "directory", "symbolic link", …
std::string_view kind_name(FileKind kind);

/// What to do when the last part of a path is a symbolic link. Links further up are followed while they stay inside.
enum class LastLink { follow, refuse };

/// Whether anything in a root may be changed, whatever the server may do elsewhere.
enum class Changes { allowed, refused };

/// An opened path, or the errno of the attempt.
struct Opened {
  FileDescriptor descriptor;
  int error = 0;
};

/// Why this kernel or sandbox cannot confine paths (openat2 is missing or filtered), or empty if it can. A server that
/// gets a reason must not start: there is no weaker mode.
std::string confinement_problem();

/// A directory everything is confined to. Immutable once made, so any number of threads may use one. One that could not
/// be opened, or was removed since, is still a Root: each use throws the reason, which the client gets as an answer.
class Root {
 public:
  /// Opens `directory` (absolute or relative to the working directory). Never throws for a directory that is not there.
  static Root at(const std::string& directory, Secrets secrets = Secrets::shown, Changes changes = Changes::allowed);

  /// The working directory, as the root of a server that was given none. "/" is refused: hosts start servers there when
  /// they have no better place, and no person has chosen it.
  static Root working_directory(Secrets secrets = Secrets::shown);

  /// A root every use of which throws ToolError with `reason`.
  static Root unavailable(std::string reason);

  /// Why the root cannot be used; empty if it can.
  const std::string& problem() const { return problem_; }

  /// Whether it could be opened, and was not removed since.
  bool is_there() const;

  /// Whether it is for reading only.
  bool is_read_only() const { return changes_ == Changes::refused; }

  /// Absolute path, for messages.
  const std::string& path() const { return path_; }

  /// What has to stay open in a process that is forked and closes the rest; -1 of one that cannot be used.
  int descriptor() const { return directory_.get(); }

  /// What stands before its paths in messages: "name/" of one of several roots.
  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }
  /// `path`, as from a caller or relative to the root, in messages.
  std::string named(std::string_view path) const;

  /// `path` as the caller gave it, relative to the root and without empty or "." parts; the root itself is ".". An
  /// absolute path is accepted below the root's own path. Throws ToolError if it is empty, too long, has a NUL, or lies
  /// elsewhere.
  std::string relative(std::string_view path) const;

  /// Whether files that hold secrets are left out. Walks look at each name themselves.
  Secrets secrets() const { return secrets_; }

  /// Throws ToolError if `relative` holds secrets and the root leaves those out.
  void refuse_secret(std::string_view path, std::string_view relative) const;

  /// The present path of something open, relative to the root and with all links resolved; "." for the root, empty if
  /// it is no longer inside.
  std::string real_path(int descriptor) const;

  /// A regular file, for reading; never blocks and never opens anything else, not even for a moment. Throws ToolError.
  FileDescriptor open_file(std::string_view path) const;

  /// A directory, for listing. Throws ToolError.
  FileDescriptor open_directory(std::string_view path) const;

  /// The kind of what `path` leads to. Throws ToolError if that is nothing, or outside.
  FileKind kind_of(std::string_view path) const;

  /// `try_open` of whatever is there, which gives no right to read it; a symbolic link that is not followed is itself.
  Opened try_look_at(const std::string& relative, LastLink last = LastLink::refuse) const;
  /// `try_open` for reading.
  Opened try_read(const std::string& relative, LastLink last) const;

  /// openat2 of a path from `relative()` or a walk, with O_CLOEXEC, O_NOCTTY and O_NONBLOCK added. Tries again a
  /// bounded number of times when a rename got in the way.
  Opened try_open(const std::string& relative, int flags, LastLink last) const;

 private:
  Root() = default;
  FileDescriptor open(std::string_view path, const std::string& relative, int flags) const;

  FileDescriptor directory_;
  bool had_links_ = false;  // see has_links
  std::string path_;
  std::string prefix_;
  std::vector<std::string> spellings_;  // absolute paths that mean the root: as given, and with links resolved
  std::string problem_;
  Secrets secrets_ = Secrets::shown;
  Changes changes_ = Changes::allowed;
};

/// The text for the model when opening `path` failed with `error`: the problem, and what to do instead.
std::string open_error_text(std::string_view path, int error);

}  // namespace workspace
