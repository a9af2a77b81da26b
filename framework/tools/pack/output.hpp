// Puts all packages in place together.
#pragma once

#include <string>
#include <vector>

#include "packed_file.hpp"

namespace toolwire::pack {

/// Writes the files into the folder, which is made if it is missing, each in the place of what is there: all are
/// written under other names before the first gets its own. Throws std::runtime_error naming the file that cannot be
/// written.
void write_all(const std::string& folder, const std::vector<PackedFile>& files);

}  // namespace toolwire::pack
