#include "system/random_text.hpp"

#include <array>
#include <cstdio>
#include <random>

namespace toolwire::bridge {

std::string random_text(std::size_t parts) {
  std::random_device source;
  std::string text;
  for (std::size_t i = 0; i < parts; ++i) {
    std::array<char, 9> part{};
    std::snprintf(part.data(), part.size(), "%08x", static_cast<unsigned>(source()));
    text += part.data();
  }
  return text;
}

}  // namespace toolwire::bridge
