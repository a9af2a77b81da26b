#include "tar.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>

#include "deflate.hpp"
#include "packed_name.hpp"

namespace toolwire::pack {
namespace {

// POSIX.1-2017, pax, "ustar Interchange Format".
constexpr std::size_t block = 512;
struct Field {
  std::size_t at, bytes;
};
constexpr Field name_field{0, 100}, mode_field{100, 8}, owner_field{108, 8}, group_field{116, 8}, size_field{124, 12},
    time_field{136, 12}, sum_field{148, 8}, type_field{156, 1}, magic_field{257, 8};
constexpr std::string_view magic("ustar\00000", 8);

void put(std::string& header, Field field, std::string_view text) {
  header.replace(field.at, std::min(text.size(), field.bytes), text.substr(0, field.bytes));
}

/// Octal digits that fill the field up to a byte of 0.
void put_number(std::string& header, Field field, std::uint64_t value) {
  std::string digits(field.bytes - 1, '0');
  for (std::size_t i = digits.size(); i > 0; value >>= 3U) digits[--i] = static_cast<char>('0' + (value & 7U));
  put(header, field, digits);
}

std::uint64_t number_in(std::string_view header, Field field) {
  std::uint64_t value = 0;
  for (const char c : header.substr(field.at, field.bytes)) {
    if (c == '\0' || c == ' ') break;
    if (c < '0' || c > '7') throw std::runtime_error("the archive is damaged: expected octal digits");
    value = (value << 3U) | static_cast<unsigned>(c - '0');
  }
  return value;
}

/// Of a header, its own field counted as blanks.
std::uint64_t sum_of(std::string_view header) {
  std::string counted(header);
  put(counted, sum_field, std::string(sum_field.bytes, ' '));
  return std::accumulate(counted.begin(), counted.end(), std::uint64_t{0},
                         [](std::uint64_t sum, char c) { return sum + static_cast<unsigned char>(c); });
}

std::string header_of(const PackedFile& file, std::int64_t seconds) {
  constexpr std::int64_t most_seconds = (std::int64_t{1} << 33U) - 1;
  if (file.name.size() > name_field.bytes) throw std::length_error("expected names of at most 100 bytes in a tar");
  if (file.content.size() > most_bytes) throw std::length_error("expected at most 1 GiB");
  std::string header(block, '\0');
  put(header, name_field, file.name);
  put_number(header, mode_field, file.mode & 0777U);
  put_number(header, owner_field, 0);
  put_number(header, group_field, 0);
  put_number(header, size_field, file.content.size());
  put_number(header, time_field, static_cast<std::uint64_t>(std::clamp<std::int64_t>(seconds, 0, most_seconds)));
  put(header, type_field, "0");
  put(header, magic_field, magic);
  put_number(header, sum_field, sum_of(header));
  return header;
}

std::size_t padded(std::size_t bytes) { return (bytes + block - 1) / block * block; }

void require_good_header(std::string_view header) {
  if (header.substr(magic_field.at, magic_field.bytes) != magic)
    throw std::runtime_error("the archive is no tar of the form ustar");
  if (number_in(header, sum_field) != sum_of(header))
    throw std::runtime_error("the archive is damaged: a checksum does not fit");
  if (header[type_field.at] != '0') throw std::runtime_error("the archive holds something else than regular files");
}

}  // namespace

std::string tar_gz_of(const std::vector<PackedFile>& files, std::int64_t seconds) {
  std::string tar;
  for (const PackedFile& file : files) {
    tar += header_of(file, seconds);
    tar += file.content;
    tar.resize(padded(tar.size()), '\0');
  }
  tar.append(2 * block, '\0');
  return compressed(tar, Wrapping::gzip);
}

std::vector<PackedFile> files_of_tar_gz(std::string_view archive) {
  const std::string tar = uncompressed(archive, Wrapping::gzip);
  const std::string_view bytes = tar;
  std::vector<PackedFile> files;
  for (std::size_t at = 0;;) {
    if (bytes.size() - at < block) throw std::runtime_error("the archive is cut: its end is missing");
    const std::string_view header = bytes.substr(at, block);
    if (header.find_first_not_of('\0') == std::string_view::npos) return files;
    require_good_header(header);
    const std::uint64_t size = number_in(header, size_field);
    at += block;
    if (size > most_bytes || bytes.size() - at < padded(size)) throw std::runtime_error("the archive is cut");
    const std::string_view name = header.substr(name_field.at, name_field.bytes);
    PackedFile file{.name = std::string(name.substr(0, name.find('\0'))),
                    .mode = static_cast<unsigned>(number_in(header, mode_field)),
                    .content = std::string(bytes.substr(at, size))};
    require_inner_name(file.name);
    files.push_back(std::move(file));
    at += padded(size);
  }
}

}  // namespace toolwire::pack
