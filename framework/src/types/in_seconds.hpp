// A duration in the words of a message: "30 s", "0.05 s".
#pragma once

#include <chrono>
#include <string>

namespace toolwire::types {

std::string in_seconds(std::chrono::milliseconds duration);

}  // namespace toolwire::types
