// Finds the file of a program that is known by its name.
#pragma once

#include <optional>
#include <string>

namespace toolwire::system {

/// What becomes of folders in PATH that are not absolute; an empty one means the working directory.
enum class RelativeFolders { searched, skipped };

/// Where programs are looked for when there is no PATH.
inline constexpr const char* usual_folders = "/usr/local/bin:/usr/bin:/bin";

/// `name` itself if it has a slash, else the first executable file of that name in `folders`, which are separated by
/// colons as in PATH. No value if there is none.
std::optional<std::string> find_program(const std::string& name, const std::string& folders, RelativeFolders relative);

}  // namespace toolwire::system
