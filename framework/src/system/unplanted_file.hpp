// Opening files by paths on which other users may have planted something. Independent of what is in the files.
#pragma once

#include <sys/types.h>

#include <string>
#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::system {

/// Opens the file as ::open does, but follows a symbolic link in a folder where everybody may make files (sticky and
/// writable for all, as /tmp is) only if it is this user's, root's or the folder owner's, whatever
/// fs.protected_symlinks is; and opens a regular file there only if it is one of theirs and has no second name. Closed,
/// with errno, if it cannot be opened: ELOOP for what was planted, and for links that lead in a circle.
FileDescriptor open_unplanted(const std::string& path, int flags, mode_t mode);

}  // namespace toolwire::system
