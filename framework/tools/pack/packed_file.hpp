// A file as it stands in an archive.
#pragma once

#include <string>

namespace toolwire::pack {

/// A plain value.
struct PackedFile {
  std::string name = {};  ///< Relative, with slashes.
  unsigned mode = 0644;   ///< The rights alone.
  std::string content = {};

  bool operator==(const PackedFile&) const = default;
};

}  // namespace toolwire::pack
