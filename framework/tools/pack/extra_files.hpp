// Files of its author's that a server is packed with: a licence, a README.
#pragma once

#include <string>
#include <vector>

#include "packed_file.hpp"

namespace toolwire::pack {

/// Reads them, each to stand at the top of a package under its own name; relative paths begin at `folder`. Throws
/// install::Misuse for two of one name and for names that packages need themselves, std::runtime_error for what cannot
/// be read.
std::vector<PackedFile> extra_files_from(const std::vector<std::string>& paths, const std::string& folder);

}  // namespace toolwire::pack
