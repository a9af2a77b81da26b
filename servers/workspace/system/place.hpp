// Where something is to be written: an opened directory inside the root and a name in it. Changes are made by that name
// in that directory, so no path is resolved a second time. Independent of what is written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "workspace/system/roots.hpp"

namespace workspace {

/// The folder inside the root that keeps deleted and replaced files.
inline constexpr std::string_view trash_folder = ".workspace-trash";

/// Owns the directory's descriptor (O_PATH). One thread.
struct Place {
  FileDescriptor parent;
  std::string leaf;
  std::string path;         // of both, relative to the root
  std::string prefix = {};  // the root's, where there are several

  /// As answers show it.
  std::string shown() const { return prefix + path; }
};

enum class MissingFolders { refused, made };
enum class TrashPaths { refused, allowed };

/// Opens the directory above a path, following links while they stay inside the root; the last part is not looked at.
/// Throws ToolError for a root that is for reading only, the root itself, a path that ends in "..", one in a folder
/// ".git" or (unless allowed) in the trash, one that holds secrets if the root leaves those out, and one that leads
/// outside.
Place place_of(const Located& where, MissingFolders missing = MissingFolders::refused,
               TrashPaths trash = TrashPaths::refused);

/// Opens the file at a place, which may not be a symbolic link, without waiting. Closed, with errno, if that fails.
FileDescriptor open_to_read(const Place& place);

/// Makes a directory at a place. Returns 0 or the system's error.
int make_directory(const Place& place);

/// True for ".git" in any case: git's folder, or the file that stands for it in worktrees and submodules.
bool is_repository_folder(std::string_view name);

/// Whether a path ends as only those of directories do: in "/" or "/.".
bool is_of_directory(std::string_view path);

/// What follows the last slash.
std::string_view last_part(std::string_view path);

/// Throws ToolError for what `place_of` refuses by its path alone. `shown` is how the caller spelled it.
void check_protected(const Root& root, std::string_view shown, std::string_view relative, TrashPaths trash);

/// Makes a directory and those above it, each below the root, and opens it (O_PATH).
FileDescriptor make_directories(const Root& root, std::string_view shown, const std::string& relative);

/// Removes a folder below the root and those above it, as far as they are empty, up to one that stays.
void remove_empty_folders(const Root& root, std::string folder, std::string_view stays);

/// Folders that were made above a path, relative to the root: the one at the bottom, and the one above all of them,
/// which was there.
struct MadeFolders {
  std::string bottom, above;
};

/// The folders above a path that are missing, made in its lifetime by whoever needs them: unless they are kept, those
/// that are empty go with it. The root must live longer.
class NewFolders {
 public:
  /// `path` is relative to the root.
  NewFolders(const Root& root, const std::string& path);
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders();

  /// Nothing if none was missing.
  std::optional<MadeFolders> keep();

 private:
  const Root& root_;
  std::string folder_, stays_;
};

/// The text for the model when a change of `path` failed with `error`.
std::string change_error_text(std::string_view path, int error);

}  // namespace workspace
