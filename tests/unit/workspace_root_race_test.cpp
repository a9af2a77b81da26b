// A directory swapped with a symbolic link to the outside while it is read: no read may show what is outside.
#include "workspace/system/root.hpp"

#define BOOST_TEST_MODULE workspace_root_race_test
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <string>
#include <thread>
#include <toolwire/error.hpp>

#include "scratch_folder.hpp"
#include "workspace/search/listing.hpp"
#include "workspace/search/report.hpp"

using toolwire::system::FileDescriptor;
using workspace::Root;

namespace {

// top/swapped is a directory and top/link a link; another thread exchanges the two in a loop, each time in one step.
class Swapping {
 public:
  explicit Swapping(const std::string& target) {
    folder_.file("top/swapped/file.txt", "inside");
    folder_.file("top/swapped/sub/file.txt", "inside");
    folder_.file("outside/file.txt", "OUTSIDE");
    folder_.file("outside/sub/file.txt", "OUTSIDE");
    folder_.file("outside/only_outside.txt", "OUTSIDE");
    folder_.link(target.empty() ? (folder_ / "outside").string() : target, "top/link");
    root = Root::at((folder_ / "top").string());
    thread_ = std::jthread([this](const std::stop_token& stop) { swap(stop); });
  }

  Root root = Root::unavailable("");
  std::atomic<unsigned> swaps = 0;

 private:
  void swap(const std::stop_token& stop) {
    const std::string one = (folder_ / "top/swapped").string();
    const std::string other = (folder_ / "top/link").string();
    while (!stop.stop_requested()) {
      if (::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0) ++swaps;
    }
  }

  toolwire_test::ScratchFolder folder_;
  std::jthread thread_;
};

struct Tally {
  int inside = 0, refused = 0, escaped = 0;
};

void read_once(const Root& root, const char* path, Tally& tally) {
  try {
    const FileDescriptor file = root.open_file(path);
    std::array<char, 16> bytes{};
    const ssize_t count = ::read(file.get(), bytes.data(), bytes.size());
    const std::string text(bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    ++(text == "inside" ? tally.inside : tally.escaped);
  } catch (const toolwire::ToolError&) {
    ++tally.refused;
  }
}

void read_while_swapping(const std::string& target, const char* path) {
  const Swapping swapping{target};
  Tally tally;
  // At least 10 000 reads beside as many swaps, and more until both outcomes of the race were seen.
  const auto is_enough = [&] { return tally.inside > 0 && tally.refused > 0 && swapping.swaps >= 10'000U; };
  for (int i = 0; tally.escaped == 0 && (i < 10'000 || (!is_enough() && i < 10'000'000)); ++i) {
    read_once(swapping.root, path, tally);
  }
  BOOST_TEST_MESSAGE(swapping.swaps << " swaps, " << tally.inside << " reads, " << tally.refused << " refused");
  BOOST_TEST(tally.escaped == 0);
  BOOST_TEST(tally.inside > 0);
  BOOST_TEST(tally.refused > 0);
  BOOST_TEST(swapping.swaps >= 10'000U);
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_read_escapes_through_an_absolute_link) { read_while_swapping("", "swapped/file.txt"); }

BOOST_AUTO_TEST_CASE(no_read_escapes_through_a_relative_link) {
  read_while_swapping("../outside", "swapped/sub/file.txt");
}

BOOST_AUTO_TEST_CASE(no_read_escapes_through_dots_inside_the_swapped_directory) {
  read_while_swapping("../outside/sub", "swapped/sub/../file.txt");
}

BOOST_AUTO_TEST_CASE(no_listing_and_no_search_escapes) {
  Swapping swapping{"../outside"};
  const workspace::Roots roots{std::move(swapping.root)};
  for (int i = 0; i < 1'000; ++i) {
    const std::string listed = workspace::list_entries(roots, {.depth = 9}, {}).text;
    const std::string found = workspace::search(roots, {.pattern = "(?i)outside|inside"}, {}, {}).text;
    BOOST_REQUIRE(listed.find("only_outside") == std::string::npos);
    BOOST_REQUIRE(found.find("OUTSIDE") == std::string::npos);
  }
  BOOST_TEST(swapping.swaps > 0U);
}
