#include "program_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <toolwire/system/file_text.hpp>

#include "deflate.hpp"

namespace toolwire::pack {
namespace {

// System V ABI, "Object Files" and "Program Loading and Dynamic Linking", in the form of 64 bits.
constexpr std::uint64_t executable = 2, shared_object = 3;
constexpr std::uint64_t loaded = 1, dynamic = 2;
constexpr std::uint64_t end_of_entries = 0, needed = 1, string_table = 5;
constexpr std::size_t header_bytes = 64, entry_bytes = 16;

struct Machine {
  std::uint64_t number;
  std::string_view name;
};
constexpr std::array machines{Machine{62, "x64"}, Machine{183, "arm64"}, Machine{243, "riscv64"},
                              Machine{258, "loong64"}};

struct Segment {
  std::uint64_t type = 0, offset = 0, address = 0, bytes = 0;
};

/// Little-endian, and checked for each access: the file may be cut.
class Elf {
 public:
  explicit Elf(std::string_view bytes) : bytes_(bytes) {
    constexpr std::string_view mark(
        "\x7f"
        "ELF",
        4);
    constexpr char of_64_bits = 2, little_endian = 1;
    if (!bytes.starts_with(mark)) throw std::runtime_error("expected a native program for Linux (ELF)");
    if (bytes.size() < header_bytes) cut();
    if (bytes[4] != of_64_bits || bytes[5] != little_endian)
      throw std::runtime_error("expected a program of 64 bits, little-endian");
    if (const std::uint64_t type = number(16, 2); type != executable && type != shared_object)
      throw std::runtime_error("expected a program, found another kind of ELF file");
    read_segments();
  }

  [[nodiscard]] std::string architecture() const {
    const auto* const machine = std::ranges::find(machines, number(18, 2), &Machine::number);
    if (machine == machines.end())
      throw std::runtime_error("expected a program for x86-64, ARM, RISC-V or LoongArch of 64 bits");
    return std::string(machine->name);
  }

  [[nodiscard]] std::vector<std::string> libraries() const {
    std::vector<std::string> names;
    const auto part = std::ranges::find(segments_, dynamic, &Segment::type);
    if (part == segments_.end()) return names;
    std::vector<std::uint64_t> places;
    std::optional<std::uint64_t> table;
    for (std::uint64_t at = 0; part->bytes - at >= entry_bytes && part->bytes >= at; at += entry_bytes) {
      const std::uint64_t tag = number(part->offset + at, 8), value = number(part->offset + at + 8, 8);
      if (tag == end_of_entries) break;
      if (tag == needed) places.push_back(value);
      if (tag == string_table) table = offset_of(value);
    }
    if (!table && !places.empty()) cut();
    names.reserve(places.size());
    for (const std::uint64_t place : places) names.push_back(text(*table + place));
    return names;
  }

 private:
  [[noreturn]] static void cut() { throw std::runtime_error("the program's file is cut or damaged"); }

  [[nodiscard]] std::uint64_t number(std::uint64_t at, std::size_t count) const {
    if (at > bytes_.size() || bytes_.size() - at < count) cut();
    std::uint64_t value = 0;
    for (std::size_t i = count; i > 0; --i) value = (value << 8U) | static_cast<unsigned char>(bytes_[at + i - 1]);
    return value;
  }

  [[nodiscard]] std::string text(std::uint64_t at) const {
    if (at >= bytes_.size()) cut();
    const std::size_t end = bytes_.find('\0', at);
    if (end == std::string_view::npos) cut();
    return std::string(bytes_.substr(at, end - at));
  }

  void read_segments() {
    const std::uint64_t first = number(32, 8), bytes = number(54, 2), count = number(56, 2);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t at = first + i * bytes;
      segments_.push_back({.type = number(at, 4),
                           .offset = number(at + 8, 8),
                           .address = number(at + 16, 8),
                           .bytes = number(at + 32, 8)});
    }
  }

  /// Where in the file stands what is at this address when the program runs.
  [[nodiscard]] std::uint64_t offset_of(std::uint64_t address) const {
    const auto holder = std::ranges::find_if(segments_, [&](const Segment& one) {
      return one.type == loaded && address >= one.address && address - one.address < one.bytes;
    });
    if (holder == segments_.end()) cut();
    return holder->offset + (address - holder->address);
  }

  std::string_view bytes_;
  std::vector<Segment> segments_ = {};
};

}  // namespace

bool is_architecture(std::string_view name) {
  return std::ranges::find(machines, name, &Machine::name) != machines.end();
}

ProgramFile program_of(std::string content) {
  const Elf elf(content);
  ProgramFile program{.architecture = elf.architecture(), .libraries = elf.libraries()};
  program.content = std::move(content);
  return program;
}

ProgramFile read_program(const std::string& path) {
  std::string content = system::text_of_file(path, most_bytes);
  try {
    return program_of(std::move(content));
  } catch (const std::runtime_error& mistake) {
    throw std::runtime_error(path + ": " + mistake.what());
  }
}

CLibrary c_library_of(const ProgramFile& program) {
  const auto is_linked_to = [&](std::string_view name) {
    return std::ranges::any_of(program.libraries, [&](const std::string& one) { return one.starts_with(name); });
  };
  return is_linked_to("libc.so.6") ? CLibrary::glibc : is_linked_to("libc.") ? CLibrary::musl : CLibrary::none;
}

std::vector<std::string> uncommon_libraries(const ProgramFile& program) {
  constexpr std::array common{"libc.",    "libm.",     "libpthread.", "libdl.",   "librt.",  "libresolv.",
                              "libutil.", "libgcc_s.", "libstdc++.",  "ld-linux", "ld-musl", "linux-vdso."};
  std::vector<std::string> uncommon;
  std::ranges::copy_if(program.libraries, std::back_inserter(uncommon), [&](const std::string& one) {
    return std::ranges::none_of(common, [&](std::string_view start) { return one.starts_with(start); });
  });
  return uncommon;
}

}  // namespace toolwire::pack
