// Compressed bytes (RFC 1950 to 1952), by zlib. The same bytes always give the same ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace toolwire::pack {

/// No file and no archive here is larger: sizes of 32 bits are enough for all formats.
inline constexpr std::size_t most_bytes = std::size_t{1} << 30U;

/// How compressed bytes are wrapped: not at all, as in zip, or as a file of gzip.
enum class Wrapping { none, gzip };

/// Throws std::length_error above `most_bytes`.
std::string compressed(std::string_view bytes, Wrapping wrapping);

/// Throws std::runtime_error if these are no such bytes, something stands behind them, or they become more than `most`.
std::string uncompressed(std::string_view bytes, Wrapping wrapping, std::size_t most = most_bytes);

/// CRC-32 as zip and gzip have it.
std::uint32_t checksum(std::string_view bytes);

}  // namespace toolwire::pack
