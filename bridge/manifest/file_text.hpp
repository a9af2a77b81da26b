// The text of a file with tools, however long the file is.
#pragma once

#include <optional>
#include <string>

namespace toolwire::bridge {

/// One byte more than a manifest may have (max_manifest) at most, so that a longer one is seen to be too long. Nothing,
/// and errno, if the file cannot be read.
std::optional<std::string> text_of_file(const std::string& path);

}  // namespace toolwire::bridge
