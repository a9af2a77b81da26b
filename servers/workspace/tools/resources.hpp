// Files as resources: file URIs that clients list, read and subscribe to.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <toolwire/server.hpp>

#include "workspace/system/file_watch.hpp"
#include "workspace/system/roots.hpp"

namespace workspace {

/// "file:///home/me/a%20b.txt".
std::string file_uri(std::string_view absolute_path);

/// Registers the resources and returns the watch that reports changes to clients; it begins when a resource is first
/// listed or read. Server and roots must outlive it.
std::unique_ptr<FileWatch> add_resources(toolwire::Server& server, const Roots& roots);

}  // namespace workspace
