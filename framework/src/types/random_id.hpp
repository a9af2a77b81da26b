// Unguessable names: knowing one grants access to what it names.
#pragma once

#include <string>

namespace toolwire::types {

/// 128 random bits as 32 hexadecimal digits. Throws std::runtime_error if the system has no source of randomness.
std::string random_id();

}  // namespace toolwire::types
