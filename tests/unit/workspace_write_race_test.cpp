// A directory swapped with a symbolic link to the outside while things are written, moved and deleted in it: nothing
// outside may be made, changed or removed.
#include "workspace/changes/writer.hpp"

#define BOOST_TEST_MODULE workspace_write_race_test
#include <fcntl.h>
#include <stdio.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <toolwire/error.hpp>

#include "scratch_folder.hpp"
#include "workspace/changes/mover.hpp"

using workspace::Root;

namespace {

// top/swapped is a directory and top/link a link; another thread exchanges the two in a loop, each time in one step.
class Swapping {
 public:
  explicit Swapping(const std::string& target) {
    folder_.file("top/swapped/file.txt", "a");
    folder_.file("top/swapped/sub/file.txt", "a");
    folder_.file("outside/file.txt", "a");
    folder_.file("outside/sub/file.txt", "a");
    folder_.link(target.empty() ? (folder_ / "outside").string() : target, "top/link");
    root = Root::at((folder_ / "top").string());
    before_ = outside();
    thread_ = std::jthread([this](const std::stop_token& stop) { swap(stop); });
  }

  bool is_outside_untouched() const { return outside() == before_; }

  Root root = Root::unavailable("");
  std::atomic<unsigned> swaps = 0;

 private:
  // Every file there with what is in it.
  std::map<std::string, std::string> outside() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "outside")) {
      if (entry.is_directory()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      all[entry.path().string()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return all;
  }

  void swap(const std::stop_token& stop) {
    const std::string one = (folder_ / "top/swapped").string();
    const std::string other = (folder_ / "top/link").string();
    while (!stop.stop_requested()) {
      if (::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0) ++swaps;
    }
  }

  toolwire_test::ScratchFolder folder_{toolwire_test::ScratchFolder::in_memory()};
  std::map<std::string, std::string> before_;
  std::jthread thread_;
};

struct Tally {
  int done = 0, refused = 0;
};

template <class Act>
void attempt(Tally& tally, Act act) {
  try {
    act();
    ++tally.done;
  } catch (const toolwire::ToolError&) {
    ++tally.refused;
  }
}

// Four changes a round, 10 000 in all and beside as many swaps, and more until both outcomes of the race were seen.
void change_while_swapping(const std::string& target, const std::string& folder) {
  const Swapping swapping{target};
  const Root& root = swapping.root;
  Tally tally;
  const auto is_enough = [&] { return tally.done > 0 && tally.refused > 0 && swapping.swaps >= 10'000U; };
  for (int i = 0; i < 2'500 || (!is_enough() && i < 1'000'000); ++i) {
    const std::string name = folder + "new" + std::to_string(i);
    attempt(tally, [&] { workspace::write_file({&root, name, ""}, {.content = "x"}, {}); });
    attempt(tally, [&] {
      const std::vector<workspace::TextEdit> edits{i % 2 == 0 ? workspace::TextEdit{"a", "b"}
                                                              : workspace::TextEdit{"b", "a"}};
      workspace::edit_file({&root, folder + "file.txt", ""}, {.edits = edits}, {});
    });
    attempt(tally, [&] { workspace::move_path({&root, name, ""}, {&root, name + "m", ""}, false); });
    attempt(tally, [&] { workspace::delete_path({&root, name + "m", ""}); });
  }
  BOOST_TEST_MESSAGE(swapping.swaps << " swaps, " << tally.done << " changes made, " << tally.refused << " refused");
  BOOST_TEST(swapping.is_outside_untouched());
  BOOST_TEST(tally.done > 0);
  BOOST_TEST(tally.refused > 0);
  BOOST_TEST(swapping.swaps >= 10'000U);
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_change_escapes_through_an_absolute_link) { change_while_swapping("", "swapped/"); }

BOOST_AUTO_TEST_CASE(no_change_escapes_through_a_relative_link) { change_while_swapping("../outside", "swapped/sub/"); }

BOOST_AUTO_TEST_CASE(no_change_escapes_through_dots_inside_the_swapped_directory) {
  change_while_swapping("../outside/sub", "swapped/sub/../");
}
