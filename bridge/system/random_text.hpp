// Texts that nobody can guess, as marks of this process.
#pragma once

#include <cstddef>
#include <string>

namespace toolwire::bridge {

/// So many times eight random hexadecimal digits, from the system's source.
std::string random_text(std::size_t parts);

}  // namespace toolwire::bridge
