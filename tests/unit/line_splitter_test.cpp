#include "transport/line_splitter.hpp"

#define BOOST_TEST_MODULE line_splitter_test
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

using toolwire::transport::LineSplitter;

namespace {

struct Seen {
  std::string text;
  bool too_long;
  bool operator==(const Seen&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Seen& seen) {
  return out << '"' << seen.text.substr(0, 40) << "\" (" << seen.text.size() << (seen.too_long ? ", too long)" : ")");
}

void take_all(LineSplitter& lines, std::vector<Seen>& into) {
  while (auto line = lines.next()) into.push_back({std::string{line->text}, line->too_long});
}

std::vector<Seen> split(LineSplitter& lines, std::string_view bytes, std::size_t piece) {
  std::vector<Seen> seen;
  while (!bytes.empty()) {
    const std::span<char> room = lines.room();
    const std::size_t count = std::min({piece, room.size(), bytes.size()});
    std::memcpy(room.data(), bytes.data(), count);
    lines.added(count);
    bytes.remove_prefix(count);
    take_all(lines, seen);
  }
  if (auto line = lines.rest()) seen.push_back({std::string{line->text}, line->too_long});
  return seen;
}

std::vector<Seen> split(std::string_view bytes, std::size_t max_line = 1000, std::size_t piece = 1 << 20) {
  LineSplitter lines{max_line};
  return split(lines, bytes, piece);
}

}  // namespace

BOOST_AUTO_TEST_CASE(lines_end_at_a_line_feed_and_lose_one_carriage_return) {
  const std::vector<Seen> expected{{"one", false}, {"two", false}, {"", false}, {"th\rree", false}, {"four\r", false}};
  BOOST_TEST(split("one\ntwo\r\n\nth\rree\nfour\r\r\n") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_follows_the_last_line_feed_comes_out_at_the_end_of_input_only) {
  LineSplitter lines{100};
  std::ranges::copy(std::string_view{"a\nlast\r"}, lines.room().begin());
  lines.added(7);
  BOOST_TEST(lines.next()->text == "a");
  BOOST_TEST(!lines.next());
  BOOST_TEST(lines.rest()->text == "last");
  BOOST_TEST(!lines.rest());
}

BOOST_AUTO_TEST_CASE(empty_input_has_no_rest) {
  LineSplitter lines{100};
  BOOST_TEST(!lines.next());
  BOOST_TEST(!lines.rest());
}

BOOST_AUTO_TEST_CASE(a_line_of_exactly_the_limit_is_whole_with_either_line_end) {
  const std::string text(1000, 'x');
  const std::vector<Seen> expected{{text, false}, {text, false}, {text, false}};
  for (const std::size_t piece : {1U, 7U, 5000U}) {
    BOOST_TEST(split(text + "\n" + text + "\r\n" + text, 1000, piece) == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_longer_line_is_reported_once_and_the_next_one_is_whole) {
  const std::string text(1001, 'x');
  const std::string huge(500'000, 'y');
  for (const std::size_t piece : {1U, 7U, 1001U, 1003U, 1U << 20}) {
    const auto seen = split(text + "\nshort\n" + huge + "\nafter\n" + huge, 1000, piece);
    BOOST_REQUIRE_EQUAL(seen.size(), 5U);
    BOOST_TEST((seen[0].too_long && text.starts_with(seen[0].text)));
    BOOST_TEST(seen[1] == (Seen{"short", false}));
    BOOST_TEST((seen[2].too_long && huge.starts_with(seen[2].text) && !seen[2].text.empty()));
    BOOST_TEST(seen[3] == (Seen{"after", false}));
    BOOST_TEST(seen[4].too_long);
  }
}

BOOST_AUTO_TEST_CASE(of_a_line_that_is_too_long_at_most_4_KiB_are_kept) {
  const auto seen = split(std::string(100'000, 'z') + "\n", 50'000);
  BOOST_REQUIRE_EQUAL(seen.size(), 1U);
  BOOST_TEST(seen[0].text.size() == 4096U);
}

BOOST_AUTO_TEST_CASE(a_line_that_is_too_long_is_reported_before_its_end_has_come) {
  LineSplitter lines{10};
  std::ranges::copy(std::string_view{"0123456789ab"}, lines.room().begin());
  lines.added(12);
  const auto line = lines.next();
  BOOST_REQUIRE(line);
  BOOST_TEST(line->too_long);
  BOOST_TEST(line->text == "0123456789ab");
  BOOST_TEST(!lines.next());
}

BOOST_AUTO_TEST_CASE(any_cutting_of_the_bytes_gives_the_same_lines) {
  std::mt19937 random{42};
  std::string bytes;
  for (int i = 0; i < 400; ++i) bytes += std::string(random() % 3000, 'a') + (random() % 3 == 0 ? "\r\n" : "\n");
  const auto whole = split(bytes, 2500);
  for (const std::size_t piece : {1U, 2U, 3U, 100U, 4096U, 65536U}) {
    const auto seen = split(bytes, 2500, piece);
    BOOST_REQUIRE_EQUAL(seen.size(), whole.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      BOOST_TEST(seen[i].too_long == whole[i].too_long);
      if (!seen[i].too_long) BOOST_TEST(seen[i] == whole[i]);
    }
  }
}

BOOST_AUTO_TEST_CASE(there_is_always_room_for_a_chunk) {
  LineSplitter lines{100'000};
  for (int i = 0; i < 50; ++i) {
    const auto room = lines.room();
    BOOST_TEST(room.size() >= LineSplitter::chunk);
    std::ranges::fill(room, 'x');
    lines.added(room.size());
    while (lines.next()) {
    }
  }
}

BOOST_AUTO_TEST_CASE(a_line_in_place_is_not_copied_while_it_grows) {
  LineSplitter lines{std::size_t{64} << 20};
  const char* front = lines.room().data();
  std::size_t filled = 0;
  while (filled < (std::size_t{64} << 20)) {
    const auto room = lines.room();
    BOOST_REQUIRE(room.data() == front + filled);
    const std::size_t count = std::min<std::size_t>(room.size(), (std::size_t{64} << 20) - filled);
    std::ranges::fill(room.first(count), 'x');
    lines.added(count);
    filled += count;
    BOOST_REQUIRE(!lines.next());
  }
  lines.room()[0] = '\n';
  lines.added(1);
  BOOST_TEST(lines.next()->text.size() == std::size_t{64} << 20);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TOOLWIRE_TEST_IS_SANITIZED
#endif
#endif

// Sanitizers need address space and memory of their own, so what a process has in all says nothing under them.
#if !defined(TOOLWIRE_TEST_IS_SANITIZED) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {

std::size_t resident_kib() {
  std::ifstream status{"/proc/self/statm"};
  std::size_t size = 0;
  std::size_t resident = 0;
  status >> size >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 1024;
}

}  // namespace

BOOST_AUTO_TEST_CASE(memory_is_given_back_after_a_long_line) {
  LineSplitter lines{std::size_t{64} << 20};
  const std::size_t before = resident_kib();
  const std::string piece(1 << 20, 'x');
  for (int i = 0; i < 60; ++i) {
    const auto room = lines.room();
    std::memcpy(room.data(), piece.data(), std::min(piece.size(), room.size()));
    lines.added(std::min(piece.size(), room.size()));
    BOOST_REQUIRE(!lines.next());
  }
  const std::size_t during = resident_kib();
  lines.room()[0] = '\n';
  lines.added(1);
  BOOST_TEST(lines.next().has_value());
  BOOST_TEST(!lines.next());  // so the line has been looked at; nothing need be read before
  BOOST_TEST(during > before + 40'000);
  BOOST_TEST(resident_kib() < before + 8'000);
}

BOOST_AUTO_TEST_CASE(a_limit_that_cannot_be_reserved_is_bad_alloc) {
  rlimit before{};
  ::getrlimit(RLIMIT_AS, &before);
  rlimit low = before;
  low.rlim_cur = 1;
  ::setrlimit(RLIMIT_AS, &low);
  bool refused = false;
  try {
    const LineSplitter lines{std::size_t{1} << 30};
  } catch (const std::bad_alloc&) {
    refused = true;
  }
  ::setrlimit(RLIMIT_AS, &before);
  BOOST_TEST(refused);
}
#endif
