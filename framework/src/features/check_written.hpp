// Whether what is registered can be shown: one item that cannot be written would cost every list that has it.
#pragma once

#include <stdexcept>
#include <string>

#include "json/writer.hpp"

namespace toolwire::features {

/// Throws std::invalid_argument, saying why, for what has no JSON text.
inline void check_written(const Json& value) {
  std::string unused;
  json::write(unused, value);
}

/// Throws std::invalid_argument for a `_meta` with a member that has no JSON text.
inline void check_meta(const JsonObject& meta) {
  try {
    for (const auto& member : meta) check_written(member.value());
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("its meta: ") + error.what());
  }
}

}  // namespace toolwire::features
