// The names in an open directory, as the kernel gives them. Independent of paths and of what the names mean.
#pragma once

#include <functional>
#include <string_view>

#include "workspace/system/root.hpp"

namespace workspace {

/// Called with each name but "." and ".."; the kind is unknown where the file system does not tell. Returns whether it
/// wants more.
using TakeName = std::function<bool(std::string_view name, FileKind kind)>;

/// From the directory's position, in no order. False if the directory cannot be read (errno says why).
bool read_names(int directory, const TakeName& take);

/// Opens what has this name, for reading; never waits, and follows no link. Not open if that fails.
FileDescriptor open_in(int directory, const char* name);

/// A kind that the names alone did not tell; a symbolic link is itself.
FileKind kind_in(int directory, const char* name);

}  // namespace workspace
