// The bundle of a server (.mcpb, manifest of version 0.3): a zip with manifest.json and the program.
#pragma once

#include <string>
#include <toolwire/json.hpp>
#include <vector>

#include "hosts/host_entry.hpp"
#include "package.hpp"
#include "packed_file.hpp"

namespace toolwire::pack {

/// manifest.json, the program and what was added to them, in the order of the archive.
std::vector<PackedFile> bundle_files(const Package& package);

/// The server as a host starts it: `manifest` is that of a bundle that is unpacked into `folder`.
hosts::Server server_in_bundle(const Json& manifest, const std::string& folder, const ChosenValues& chosen);

}  // namespace toolwire::pack
