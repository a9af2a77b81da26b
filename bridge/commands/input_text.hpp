// The text that a command is given: a file, or standard input.
#pragma once

#include <iostream>
#include <iterator>
#include <string>

#include <toolwire/system/file_text.hpp>

namespace toolwire::bridge {

/// All of it; "-" is standard input. Throws as `system::text_of_file`.
inline std::string input_text(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  return system::text_of_file(path);
}

}  // namespace toolwire::bridge
