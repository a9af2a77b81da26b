#include "pack/tar.hpp"

#define BOOST_TEST_MODULE pack_tar_test
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "pack/deflate.hpp"

using namespace toolwire::pack;

namespace {

std::vector<PackedFile> some_files() {
  return {{.name = "package/package.json", .mode = 0644, .content = "{}\n"},
          {.name = "package/bin/program", .mode = 0755, .content = std::string(1024, 'x')},
          {.name = "package/" + std::string(92, 'n'), .mode = 0600, .content = ""},
          {.name = "package/last", .mode = 0644, .content = std::string(513, 'y')}};
}

std::string tar_of(const std::vector<PackedFile>& files, std::int64_t seconds = 0) {
  return uncompressed(tar_gz_of(files, seconds), Wrapping::gzip);
}

std::vector<PackedFile> files_of(const std::string& tar) { return files_of_tar_gz(compressed(tar, Wrapping::gzip)); }

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_written_is_read) {
  BOOST_TEST((files_of_tar_gz(tar_gz_of(some_files(), 1'000'000'000)) == some_files()));
  BOOST_TEST(files_of_tar_gz(tar_gz_of({}, 0)).empty());
}

// POSIX.1-2017, pax, "ustar Interchange Format".
BOOST_AUTO_TEST_CASE(each_field_is_where_the_format_has_it) {
  using namespace std::string_literals;
  const std::string tar = tar_of({{.name = "package/a", .mode = 0755, .content = "hello"}}, 8);
  BOOST_TEST(tar.size() == 4U * 512U);
  BOOST_TEST(tar.substr(0, 10) == "package/a\0"s);
  BOOST_TEST(tar.substr(100, 24) ==
             "0000755\0"
             "0000000\0"
             "0000000\0"s);
  BOOST_TEST(tar.substr(124, 24) ==
             "00000000005\0"
             "00000000010\0"s);
  BOOST_TEST(tar[156] == '0');
  BOOST_TEST(tar.substr(257, 8) ==
             "ustar\0"
             "00"s);
  unsigned sum = 8U * ' ';
  for (std::size_t at = 0; at < 512; ++at) sum += at >= 148 && at < 156 ? 0U : static_cast<unsigned char>(tar[at]);
  BOOST_TEST(std::stoul(tar.substr(148, 8), nullptr, 8) == sum);
  BOOST_TEST(tar.substr(512, 6) == "hello\0"s);
  BOOST_TEST(tar.find_first_not_of('\0', 517) == std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_time_of_packing_is_in_the_bytes) {
  const std::string gzip = tar_gz_of(some_files(), 0);
  BOOST_TEST(gzip.substr(4, 4) == std::string(4, '\0'));  // RFC 1952: MTIME
  BOOST_TEST(gzip == tar_gz_of(some_files(), 0));
  BOOST_TEST(gzip == tar_gz_of(some_files(), -5));
  BOOST_TEST(gzip != tar_gz_of(some_files(), 1));
}

BOOST_AUTO_TEST_CASE(a_name_that_does_not_fit_is_refused) {
  BOOST_CHECK_THROW(tar_gz_of({{.name = std::string(101, 'n')}}, 0), std::length_error);
}

BOOST_AUTO_TEST_CASE(an_archive_that_was_cut_anywhere_is_refused) {
  const std::string gzip = tar_gz_of(some_files(), 0);
  for (std::size_t bytes = 0; bytes < gzip.size(); ++bytes)
    BOOST_CHECK_THROW(files_of_tar_gz(std::string_view(gzip).substr(0, bytes)), std::runtime_error);
  const std::string tar = tar_of(some_files());
  for (std::size_t bytes = 0; bytes + 1024 < tar.size(); bytes += 256)
    BOOST_CHECK_THROW(files_of(tar.substr(0, bytes)), std::runtime_error);
  BOOST_CHECK_THROW(files_of_tar_gz(gzip + "x"), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_header_that_was_changed_anywhere_is_refused) {
  const std::string tar = tar_of({{.name = "a", .content = "x"}});
  for (std::size_t at = 0; at < 512; ++at) {
    if (at >= 154 && at < 156) continue;  // what ends the digits of the sum
    std::string changed = tar;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    BOOST_CHECK_THROW(files_of(changed), std::runtime_error);
  }
}

BOOST_AUTO_TEST_CASE(names_that_lead_out_are_refused) {
  for (const char* const name : {"../a", "/a", "a/..", "./a", "a//b", "a/", "", "."})
    BOOST_CHECK_THROW(files_of_tar_gz(tar_gz_of({{.name = name, .content = "x"}}, 0)), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(bytes_that_become_too_many_are_refused) {
  const std::string bomb = compressed(std::string(1'000'000, '\0'), Wrapping::gzip);
  BOOST_TEST(uncompressed(bomb, Wrapping::gzip, 1'000'000).size() == 1'000'000U);
  BOOST_CHECK_THROW(uncompressed(bomb, Wrapping::gzip, 999'999), std::runtime_error);
}
