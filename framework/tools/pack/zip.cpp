#include "zip.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>

#include "deflate.hpp"
#include "packed_name.hpp"

namespace toolwire::pack {
namespace {

// APPNOTE.TXT 6.3.9, sections 4.3 and 4.4.
constexpr std::uint32_t local_mark = 0x04034b50, directory_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr std::uint16_t needs_version = 20, made_by_unix = (3U << 8U) | 20U, names_are_utf8 = 1U << 11U;
constexpr std::uint16_t stored = 0, deflated = 8;
constexpr std::uint32_t regular_file = 0100000, type_and_rights_shift = 16, rights = 0777;
constexpr std::size_t local_bytes = 30, directory_bytes = 46, end_bytes = 22;

/// Little-endian numbers, one behind the other.
class Record {
 public:
  Record& two(std::uint64_t value) { return number(value, 2); }
  Record& four(std::uint64_t value) { return number(value, 4); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  Record& number(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i, value >>= 8U) bytes_ += static_cast<char>(value & 0xffU);
    return *this;
  }
  std::string bytes_ = {};
};

struct DosTime {
  std::uint16_t date = 0, time = 0;
};

DosTime dos_time(std::int64_t seconds) {
  using namespace std::chrono;
  const sys_seconds first = sys_days(year(1980) / January / 1);
  const sys_seconds last = sys_days(year(2107) / December / 31);
  const sys_seconds at = std::clamp(sys_seconds(std::chrono::seconds(seconds)), first, last);
  const sys_days midnight = floor<days>(at);
  const year_month_day day(midnight);
  const hh_mm_ss hour(at - midnight);
  const auto years = static_cast<unsigned>(static_cast<int>(day.year()) - 1980);
  return {.date = static_cast<std::uint16_t>((years << 9U) | (static_cast<unsigned>(day.month()) << 5U) |
                                             static_cast<unsigned>(day.day())),
          .time = static_cast<std::uint16_t>((static_cast<unsigned>(hour.hours().count()) << 11U) |
                                             (static_cast<unsigned>(hour.minutes().count()) << 5U) |
                                             (static_cast<unsigned>(hour.seconds().count()) / 2))};
}

/// What the local header and the directory say of a file in the same order: from "version needed" to the length of the
/// name; nothing of the further fields.
Record common_part(const PackedFile& file, DosTime time, std::uint16_t method, std::size_t packed_bytes) {
  Record part;
  part.two(needs_version).two(names_are_utf8).two(method).two(time.time).two(time.date);
  part.four(checksum(file.content)).four(packed_bytes).four(file.content.size()).two(file.name.size()).two(0);
  return part;
}

/// Numbers of an archive that may be cut or damaged.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] std::uint32_t number(std::size_t at, std::size_t count) const {
    std::uint32_t value = 0;
    const std::string_view digits = part(at, count);
    for (std::size_t i = count; i > 0; --i) value = (value << 8U) | static_cast<unsigned char>(digits[i - 1]);
    return value;
  }

  [[nodiscard]] std::string_view part(std::size_t at, std::size_t count) const {
    if (at > bytes_.size() || bytes_.size() - at < count) throw std::runtime_error("the archive is cut or damaged");
    return bytes_.substr(at, count);
  }

  void expect(std::size_t at, std::uint32_t mark) const {
    if (number(at, 4) != mark) throw std::runtime_error("the archive is cut or damaged");
  }

 private:
  std::string_view bytes_;
};

/// The content of the file that the directory describes at `at`.
std::string content_of(const Reader& zip, std::size_t at) {
  const std::uint32_t flags = zip.number(at + 8, 2), method = zip.number(at + 10, 2);
  const std::uint32_t sum = zip.number(at + 16, 4), packed_bytes = zip.number(at + 20, 4);
  const std::uint32_t bytes = zip.number(at + 24, 4), local = zip.number(at + 42, 4);
  if ((flags & 1U) != 0) throw std::runtime_error("the archive is encrypted");
  if (method != stored && method != deflated) throw std::runtime_error("the archive is compressed in an unknown way");
  zip.expect(local, local_mark);
  const std::size_t begin = local + local_bytes + zip.number(local + 26, 2) + zip.number(local + 28, 2);
  const std::string_view packed = zip.part(begin, packed_bytes);
  std::string content = method == stored ? std::string(packed) : uncompressed(packed, Wrapping::none, bytes);
  if (content.size() != bytes || checksum(content) != sum)
    throw std::runtime_error("the archive is damaged: a checksum does not fit");
  return content;
}

}  // namespace

std::string zip_of(const std::vector<PackedFile>& files, std::int64_t seconds) {
  constexpr std::size_t most_in_two = std::numeric_limits<std::uint16_t>::max();
  constexpr std::size_t most_in_four = std::numeric_limits<std::uint32_t>::max();
  const DosTime time = dos_time(seconds);
  std::string archive, directory;
  for (const PackedFile& file : files) {
    if (file.name.size() > most_in_two) throw std::length_error("expected names of at most 64 KiB in a zip");
    const std::string smaller = compressed(file.content, Wrapping::none);
    const bool is_smaller = smaller.size() < file.content.size();
    const std::string& packed = is_smaller ? smaller : file.content;
    const Record part = common_part(file, time, is_smaller ? deflated : stored, packed.size());
    directory += Record().four(directory_mark).two(made_by_unix).bytes() + part.bytes();
    // No comment, the first part, not a text, its type and rights, where its header is.
    directory += Record()
                     .two(0)
                     .two(0)
                     .two(0)
                     .four((regular_file | (file.mode & rights)) << type_and_rights_shift)
                     .four(archive.size())
                     .bytes();
    directory += file.name;
    archive += Record().four(local_mark).bytes() + part.bytes() + file.name;
    archive += packed;
    if (archive.size() > most_in_four) throw std::length_error("expected at most 4 GiB in a zip");
  }
  if (files.size() >= most_in_two) throw std::length_error("expected fewer than 65535 files in a zip");
  const std::size_t begin = archive.size();
  archive += directory;
  archive += Record()
                 .four(end_mark)
                 .two(0)
                 .two(0)
                 .two(files.size())
                 .two(files.size())
                 .four(directory.size())
                 .four(begin)
                 .two(0)
                 .bytes();
  return archive;
}

std::vector<PackedFile> files_of_zip(std::string_view zip) {
  const Reader reader(zip);
  if (zip.size() < end_bytes) throw std::runtime_error("the archive is cut or damaged");
  const std::size_t end = zip.size() - end_bytes;  // our archives have no comment behind it
  reader.expect(end, end_mark);
  const std::uint32_t count = reader.number(end + 10, 2);
  std::size_t at = reader.number(end + 16, 4);
  std::vector<PackedFile> files;
  for (std::uint32_t i = 0; i < count; ++i) {
    reader.expect(at, directory_mark);
    const std::uint32_t name_bytes = reader.number(at + 28, 2);
    PackedFile file{.name = std::string(reader.part(at + directory_bytes, name_bytes)),
                    .mode = (reader.number(at + 38, 4) >> type_and_rights_shift) & rights,
                    .content = content_of(reader, at)};
    require_inner_name(file.name);
    files.push_back(std::move(file));
    at += directory_bytes + name_bytes + reader.number(at + 30, 2) + reader.number(at + 32, 2);
  }
  return files;
}

}  // namespace toolwire::pack
