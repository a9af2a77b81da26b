#include "pack/zip.hpp"

#define BOOST_TEST_MODULE pack_zip_test
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace toolwire::pack;

namespace {

constexpr std::int64_t beginning_of_1980 = 315'532'800;

/// One that becomes smaller, one that does not, one without content.
std::vector<PackedFile> some_files() {
  std::string noise;
  for (std::uint32_t state = 1; noise.size() < 5000; state = state * 1664525U + 1013904223U)
    noise += static_cast<char>(state >> 24U);
  return {{.name = "manifest.json", .mode = 0644, .content = std::string(100'000, 'a')},
          {.name = "server/näme", .mode = 0755, .content = noise},
          {.name = "empty", .mode = 0600}};
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_written_is_read) {
  BOOST_TEST((files_of_zip(zip_of(some_files(), beginning_of_1980)) == some_files()));
  BOOST_TEST(files_of_zip(zip_of({}, 0)).empty());
}

// APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16. CRC-32 of "hello" is 3610a686.
BOOST_AUTO_TEST_CASE(each_byte_is_where_the_format_has_it) {
  using namespace std::string_literals;
  const std::string local =
      "PK\x03\x04"
      "\x14\0"
      "\0\x08"
      "\0\0"
      "\0\0"
      "\x21\0"
      "\x86\xa6\x10\x36"
      "\x05\0\0\0"
      "\x05\0\0\0"
      "\x01\0"
      "\0\0"
      "a"
      "hello"s;
  const std::string directory =
      "PK\x01\x02"
      "\x14\x03"
      "\x14\0"
      "\0\x08"
      "\0\0"
      "\0\0"
      "\x21\0"
      "\x86\xa6\x10\x36"
      "\x05\0\0\0"
      "\x05\0\0\0"
      "\x01\0"
      "\0\0"
      "\0\0"
      "\0\0"
      "\0\0"
      "\0\0\xed\x81"
      "\0\0\0\0"
      "a"s;
  const std::string end =
      "PK\x05\x06"
      "\0\0"
      "\0\0"
      "\x01\0"
      "\x01\0"
      "\x2f\0\0\0"
      "\x24\0\0\0"
      "\0\0"s;
  BOOST_TEST(zip_of({{.name = "a", .mode = 0755, .content = "hello"}}, beginning_of_1980) == local + directory + end);
}

BOOST_AUTO_TEST_CASE(times_are_those_of_dos) {
  const auto time_of = [](std::int64_t seconds) {
    const std::string zip = zip_of({{.name = "a"}}, seconds);
    const auto two = [&](std::size_t at) {
      return static_cast<unsigned char>(zip[at]) |
             (static_cast<unsigned>(static_cast<unsigned char>(zip[at + 1])) << 8U);
    };
    return std::pair(two(12), two(10));
  };
  const auto date = [](unsigned year, unsigned month, unsigned day) {
    return ((year - 1980) << 9U) | (month << 5U) | day;
  };
  // 2026-11-26 01:02:03 UTC
  BOOST_TEST((time_of(1'795'654'923) == std::pair(date(2026, 11, 26), (1U << 11U) | (2U << 5U) | 1U)));
  BOOST_TEST((time_of(0) == std::pair(date(1980, 1, 1), 0U)));
  BOOST_TEST((time_of(std::int64_t{1} << 60U) == std::pair(date(2107, 12, 31), 0U)));
}

BOOST_AUTO_TEST_CASE(an_archive_that_was_cut_anywhere_is_refused) {
  const std::string zip = zip_of(some_files(), 0);
  for (std::size_t bytes = 0; bytes < zip.size(); ++bytes)
    BOOST_CHECK_THROW(files_of_zip(std::string_view(zip).substr(0, bytes)), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(no_other_content_is_read_from_an_archive_that_was_changed) {
  const PackedFile stored{.name = "a", .content = "0123456789abcdef"};
  const PackedFile deflated{.name = "b", .content = std::string(300, 'b')};
  const std::string zip = zip_of({stored, deflated}, 0);
  const std::size_t begin = zip.find(stored.content), end = begin + stored.content.size();
  BOOST_TEST_REQUIRE(begin != std::string::npos);
  for (std::size_t at = 0; at < zip.size(); ++at) {
    std::string changed = zip;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    std::vector<PackedFile> read;
    try {
      read = files_of_zip(changed);
    } catch (const std::runtime_error&) {
      continue;
    }
    BOOST_TEST((at < begin || at >= end), "the change of byte " << at << " was not noticed");
    for (std::size_t i = 0; i < read.size(); ++i) BOOST_TEST(read[i].content == (i == 0 ? stored : deflated).content);
  }
}

BOOST_AUTO_TEST_CASE(names_that_lead_out_are_refused) {
  const std::string zip = zip_of({{.name = "aa/bb", .content = "x"}}, 0);
  BOOST_TEST(files_of_zip(zip).size() == 1U);
  for (const char* const name : {"../bb", "/a/bb", "aa/..", "./abb", "aa//b", "aabb/", "aa/./"}) {
    BOOST_TEST_REQUIRE(std::string_view(name).size() == 5U);
    BOOST_CHECK_THROW(files_of_zip(replaced(zip, "aa/bb", name)), std::runtime_error);
  }
}
