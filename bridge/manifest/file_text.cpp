#include "manifest/file_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <utility>

#include <toolwire/bridge/manifest.hpp>

namespace toolwire::bridge {

std::optional<std::string> text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return std::nullopt;
  constexpr std::size_t most = max_manifest + 1;
  std::string text;
  std::array<char, std::size_t{64} << 10> piece{};
  while (text.size() < most && file) {
    file.read(piece.data(), static_cast<std::streamsize>(std::min(piece.size(), most - text.size())));
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  return file.bad() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace toolwire::bridge
