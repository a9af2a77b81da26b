// All bytes of an open file, within a bound, and their digest. Independent of paths or encodings.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace workspace {

/// Files larger than this are not edited, and their digests are not told.
inline constexpr std::uint64_t max_bytes_edited = 64ULL << 20;

/// Everything from the descriptor's position on. Throws ToolError if that is more than `max_bytes`, if reading fails,
/// or when a stop is requested.
std::string all_bytes(int descriptor, std::uint64_t max_bytes, const std::stop_token& stop);

/// "sha256:" and 64 hexadecimal digits.
std::string digest(std::string_view bytes);

}  // namespace workspace
