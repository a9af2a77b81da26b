// All bytes of an open file, within a bound, and their digest. Independent of paths or encodings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace workspace {

/// Files larger than this are not edited, and no digests are made of them.
inline constexpr std::uint64_t max_bytes_edited = 64ULL << 20;

/// Everything from the descriptor's position on. Throws ToolError if that is more than `max_bytes`, if reading fails,
/// or when a stop is requested.
std::string all_bytes(int descriptor, std::uint64_t max_bytes, const std::stop_token& stop);

/// Reads up to `room` bytes from the descriptor's position on. Returns their number, 0 at the end of the file, or -1
/// with errno.
std::ptrdiff_t read_some(int descriptor, char* into, std::size_t room);

/// The same from a place in the file; the descriptor's position stays.
std::ptrdiff_t read_some_at(int descriptor, std::uint64_t offset, char* into, std::size_t room);

/// `count` bytes from a place in the file, or as many as there are. Throws ToolError.
std::string bytes_at(int descriptor, std::uint64_t offset, std::size_t count);

/// Moves the descriptor's position. False if the file cannot be positioned.
bool go_to(int descriptor, std::uint64_t offset);

/// "sha256:" and 64 hexadecimal digits.
std::string digest(std::string_view bytes);

}  // namespace workspace
