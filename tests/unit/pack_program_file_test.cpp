#include "pack/program_file.hpp"

#define BOOST_TEST_MODULE pack_program_file_test
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "file_content.hpp"

using namespace toolwire::pack;

namespace {

void put(std::string& bytes, std::size_t at, std::uint64_t value, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, value >>= 8U) bytes[at + i] = static_cast<char>(value & 0xffU);
}

/// Headers, two segments, entries of the dynamic linker, and names, without a line of code.
std::string elf(const std::vector<std::string>& libraries, std::uint64_t machine = 62) {
  constexpr std::uint64_t address = 0x400000, segments = 64, segment_bytes = 56, entries = 256;
  std::string names(1, '\0');
  std::string bytes(entries + 16 * (libraries.size() + 2), '\0');
  std::size_t at = entries;
  for (const std::string& library : libraries) {
    put(bytes, at, 1, 8);
    put(bytes, at + 8, names.size(), 8);
    names += library + '\0';
    at += 16;
  }
  put(bytes, at, 5, 8);
  put(bytes, at + 8, address + bytes.size(), 8);
  const std::size_t size = bytes.size() + names.size();
  bytes.replace(0, 6,
                "\x7f"
                "ELF\x02\x01");
  put(bytes, 16, 3, 2);
  put(bytes, 18, machine, 2);
  put(bytes, 32, segments, 8);
  put(bytes, 54, segment_bytes, 2);
  put(bytes, 56, 2, 2);
  put(bytes, segments, 1, 4);
  put(bytes, segments + 16, address, 8);
  put(bytes, segments + 32, size, 8);
  put(bytes, segments + segment_bytes, 2, 4);
  put(bytes, segments + segment_bytes + 8, entries, 8);
  put(bytes, segments + segment_bytes + 32, 16 * (libraries.size() + 2), 8);
  return bytes + names;
}

std::string mistake_in(const std::string& content) {
  try {
    program_of(content);
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(libraries_are_read_and_those_that_not_every_system_has_are_named) {
  const Names all{"libc.so.6",     "libstdc++.so.6",       "libsodium.so.23",
                  "libgcc_s.so.1", "ld-linux-x86-64.so.2", "libre2.so.9"};
  const ProgramFile program = program_of(elf(all));
  BOOST_TEST(program.libraries == all, boost::test_tools::per_element());
  BOOST_TEST(uncommon_libraries(program) == (Names{"libsodium.so.23", "libre2.so.9"}),
             boost::test_tools::per_element());
  BOOST_TEST(program.content == elf(all));
}

BOOST_AUTO_TEST_CASE(machines_have_the_names_of_node) {
  BOOST_TEST(program_of(elf({}, 62)).architecture == "x64");
  BOOST_TEST(program_of(elf({}, 183)).architecture == "arm64");
  BOOST_TEST(program_of(elf({}, 243)).architecture == "riscv64");
  BOOST_TEST(mistake_in(elf({}, 8)) == "expected a program for x86-64, ARM, RISC-V or LoongArch of 64 bits");
}

BOOST_AUTO_TEST_CASE(the_c_library_is_known) {
  BOOST_TEST((c_library_of(program_of(elf({"libc.so.6"}))) == CLibrary::glibc));
  BOOST_TEST((c_library_of(program_of(elf({"libc.musl-x86_64.so.1"}))) == CLibrary::musl));
  BOOST_TEST((c_library_of(program_of(elf({}))) == CLibrary::none));
}

BOOST_AUTO_TEST_CASE(this_program_is_one) {
  const ProgramFile program = read_program("/proc/self/exe");
  BOOST_TEST(!program.architecture.empty());
  BOOST_TEST((c_library_of(program) != CLibrary::none));
}

BOOST_AUTO_TEST_CASE(what_is_no_program_is_refused) {
  BOOST_TEST(mistake_in("") == "expected a native program for Linux (ELF)");
  BOOST_TEST(mistake_in("#!/bin/sh\n") == "expected a native program for Linux (ELF)");
  std::string other = elf({});
  other[4] = 1;
  BOOST_TEST(mistake_in(other) == "expected a program of 64 bits, little-endian");
  other = elf({});
  other[16] = 1;
  BOOST_TEST(mistake_in(other) == "expected a program, found another kind of ELF file");
  try {
    read_program("/nowhere/x");
    BOOST_ERROR("a file that is not there was read");
  } catch (const std::runtime_error& error) {
    BOOST_TEST(std::string(error.what()).starts_with("/nowhere/x: cannot be read"), error.what());
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_was_cut_or_changed_anywhere_is_read_or_refused) {
  const std::string whole = elf({"libc.so.6", "libm.so.6"});
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) BOOST_TEST(!mistake_in(whole.substr(0, bytes)).empty());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int change : {1, 0x80, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ change);
      mistake_in(changed);
    }
  }
}
