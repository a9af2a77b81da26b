// Takes texts apart at a character that ends each part.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace workspace {

/// The parts that each end in `end`, the last perhaps without; the views are into `text`.
inline std::vector<std::string_view> parts_of(std::string_view text, char end) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find(end), text.size());
    parts.push_back(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return parts;
}

}  // namespace workspace
