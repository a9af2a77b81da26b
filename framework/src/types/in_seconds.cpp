#include "types/in_seconds.hpp"

#include <fmt/format.h>

namespace toolwire::types {

std::string in_seconds(std::chrono::milliseconds duration) {
  return fmt::format("{} s", static_cast<double>(duration.count()) / 1000.0);
}

}  // namespace toolwire::types
