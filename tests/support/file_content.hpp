// What a file holds, for tests.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

namespace toolwire_test {

/// What can be read of it: nothing if it cannot be opened, less if reading fails (as of a process that ends meanwhile).
inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string content;
  for (char bytes[4096]; stream.read(bytes, sizeof bytes) || stream.gcount() > 0;)
    content.append(bytes, static_cast<std::size_t>(stream.gcount()));
  return content;
}

}  // namespace toolwire_test
