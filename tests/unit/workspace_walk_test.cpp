#include "workspace/system/walk.hpp"

#define BOOST_TEST_MODULE workspace_walk_test
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <toolwire/error.hpp>
#include <vector>

#include "scratch_folder.hpp"

using toolwire::system::FileDescriptor;
using workspace::Entry;
using workspace::FileKind;
using workspace::Root;
using workspace::Step;
using workspace::WalkBounds;
using workspace::WalkReport;

namespace {

struct Tree {
  toolwire_test::ScratchFolder folder{toolwire_test::ScratchFolder::in_memory()};
  Root root = Root::at(folder.text());
  std::vector<std::string> seen = {};

  WalkReport walk(const std::string& start = ".", const WalkBounds& bounds = {}) {
    seen.clear();
    return workspace::walk(root, start, bounds, {}, [this](const Entry& entry) {
      seen.push_back(order_key(entry));
      return Step::proceed;
    });
  }
};

using Names = std::vector<std::string>;

}  // namespace

BOOST_FIXTURE_TEST_CASE(entries_come_in_the_order_of_the_sorted_paths, Tree) {
  for (const char* name : {"b", "a/z", "a/B", "a.txt", "a-b/x", "Z", "a/sub/y", "\u00e9"}) folder.file(name);
  walk();
  BOOST_TEST(seen == (Names{"Z", "a-b/", "a-b/x", "a.txt", "a/", "a/B", "a/sub/", "a/sub/y", "a/z", "b", "\u00e9"}));
  BOOST_TEST(std::is_sorted(seen.begin(), seen.end()));
}

BOOST_FIXTURE_TEST_CASE(paths_are_relative_to_the_root_wherever_the_walk_starts, Tree) {
  folder.file("a/b/c.txt");
  walk("a");
  BOOST_TEST(seen == (Names{"a/b/", "a/b/c.txt"}));
}

BOOST_FIXTURE_TEST_CASE(links_are_seen_and_not_followed, Tree) {
  folder.file("dir/file");
  folder.link("dir", "to_dir");
  folder.link("..", "dir/up");
  folder.link("nowhere", "dangling");
  walk();
  BOOST_TEST(seen == (Names{"dangling", "dir/", "dir/file", "dir/up", "to_dir"}));
}

BOOST_FIXTURE_TEST_CASE(kinds_and_depths_are_told, Tree) {
  folder.file("dir/file");
  folder.link("dir", "link");
  BOOST_REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  std::vector<std::pair<FileKind, int>> kinds;
  workspace::walk(root, ".", {}, {}, [&](const Entry& entry) {
    kinds.emplace_back(entry.kind, entry.depth);
    return Step::proceed;
  });
  const std::vector<std::pair<FileKind, int>> expected{
      {FileKind::directory, 1}, {FileKind::regular, 2}, {FileKind::symlink, 1}, {FileKind::fifo, 1}};
  BOOST_TEST((kinds == expected));
}

BOOST_FIXTURE_TEST_CASE(the_repository_folder_is_seen_but_not_entered_unless_it_is_the_start, Tree) {
  folder.file(".git/config");
  folder.file("sub/.git/config");
  folder.file(".gitignore");
  folder.file("x.git/config");
  walk();
  BOOST_TEST(seen == (Names{".git/", ".gitignore", "sub/", "sub/.git/", "x.git/", "x.git/config"}));
  walk(".git");
  BOOST_TEST(seen == (Names{".git/config"}));
}

BOOST_FIXTURE_TEST_CASE(directories_at_the_bound_of_depth_are_counted_not_entered, Tree) {
  folder.file("a/b/c/d");
  folder.file("x/y");
  const WalkReport report = walk(".", {.depth = 2});
  BOOST_TEST(seen == (Names{"a/", "a/b/", "x/", "x/y"}));
  BOOST_TEST(report.below_depth == 1U);
  BOOST_TEST(walk(".", {.depth = 4}).below_depth == 0U);
}

BOOST_FIXTURE_TEST_CASE(the_bound_on_entries_ends_the_walk, Tree) {
  for (int i = 0; i < 5; ++i) folder.file("f" + std::to_string(i));
  const WalkReport cut = walk(".", {.entries = 3});
  BOOST_TEST(seen.size() == 3U);
  BOOST_TEST(cut.ran_out);
  BOOST_TEST(!walk(".", {.entries = 5}).ran_out);
}

BOOST_FIXTURE_TEST_CASE(of_an_overfull_directory_the_first_in_order_are_seen, Tree) {
  for (int i = 99; i >= 10; --i) folder.file("f" + std::to_string(i));
  const WalkReport report = walk(".", {.entries_per_directory = 3});
  BOOST_TEST(seen == (Names{"f10", "f11", "f12"}));
  BOOST_TEST(report.overfull == 1U);
  const WalkReport next = walk(".", {.entries_per_directory = 3, .from = "f97"});
  BOOST_TEST(seen == (Names{"f97", "f98", "f99"}));
  BOOST_TEST(next.overfull == 0U);
}

BOOST_FIXTURE_TEST_CASE(a_walk_from_a_path_is_the_rest_of_the_whole_walk, Tree) {
  for (const char* name : {"a/1", "a/b/2", "a/b/3", "a/c", "a.txt", "b", "c/d/e"}) folder.file(name);
  walk();
  const Names all = seen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    walk(".", {.from = all[i]});
    BOOST_TEST(seen == Names(all.begin() + static_cast<std::ptrdiff_t>(i), all.end()), all[i]);
  }
  walk(".", {.from = "a/b/25"});  // need not exist
  BOOST_TEST(seen == (Names{"a/b/3", "a/c", "b", "c/", "c/d/", "c/d/e"}));
}

BOOST_FIXTURE_TEST_CASE(the_visitor_and_a_stop_request_end_the_walk, Tree) {
  for (const char* name : {"a/1", "a/2", "b"}) folder.file(name);
  int visited = 0;
  workspace::walk(root, ".", {}, {}, [&](const Entry&) { return ++visited == 2 ? Step::end : Step::proceed; });
  BOOST_TEST(visited == 2);
  std::stop_source source;
  visited = 0;
  workspace::walk(root, ".", {}, source.get_token(), [&](const Entry&) {
    ++visited;
    source.request_stop();
    return Step::proceed;
  });
  BOOST_TEST(visited == 1);
}

BOOST_FIXTURE_TEST_CASE(a_directory_moved_out_during_the_walk_is_not_followed, Tree) {
  const toolwire_test::ScratchFolder outside{toolwire_test::ScratchFolder::in_memory()};
  folder.file("a/inside");
  folder.file("z");
  workspace::walk(root, ".", {}, {}, [&](const Entry& entry) {
    seen.push_back(entry.path);
    if (entry.path == "a") std::filesystem::rename(folder / "a", outside / "a");
    return Step::proceed;
  });
  BOOST_TEST(seen == (Names{"a", "z"}));
}

BOOST_FIXTURE_TEST_CASE(a_directory_replaced_by_a_link_during_the_walk_is_not_followed, Tree) {
  const toolwire_test::ScratchFolder outside{toolwire_test::ScratchFolder::in_memory()};
  outside.file("secret");
  folder.file("a/inside");
  folder.file("b/inside");
  folder.file("c/inside");
  const WalkReport report = workspace::walk(root, ".", {}, {}, [&](const Entry& entry) {
    seen.push_back(entry.path);
    if (entry.path != "a") return Step::proceed;
    std::filesystem::remove_all(folder / "a");
    folder.link(outside.path(), "a");
    std::filesystem::remove_all(folder / "b");
    folder.link("c", "b");
    return Step::proceed;
  });
  BOOST_TEST(seen == (Names{"a", "b", "c", "c/inside"}));
  BOOST_TEST(report.unreadable == 2U);
}

BOOST_FIXTURE_TEST_CASE(thousands_of_levels_neither_overflow_nor_leak_descriptors, Tree) {
  FileDescriptor at{::open(folder.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  for (int level = 0; level < 4096; ++level) {
    BOOST_REQUIRE(::mkdirat(at.get(), "d", 0700) == 0);
    at = FileDescriptor{::openat(at.get(), "d", O_PATH | O_DIRECTORY | O_CLOEXEC)};
  }
  const int next = ::dup(0);
  ::close(next);
  BOOST_TEST(walk().below_depth == 1U);
  BOOST_TEST(seen.size() == 128U);
  // However deep a walk may go, it ends at a path longer than the kernel accepts.
  BOOST_TEST(walk(".", {.depth = 5000}).unreadable == 1U);
  const int after = ::dup(0);
  ::close(after);
  BOOST_TEST(next == after);
}

BOOST_FIXTURE_TEST_CASE(what_is_not_a_directory_cannot_be_walked, Tree) {
  folder.file("file");
  BOOST_CHECK_THROW(walk("file"), toolwire::ToolError);
  BOOST_CHECK_THROW(walk("nothing"), toolwire::ToolError);
  BOOST_CHECK_THROW(walk(".."), toolwire::ToolError);
}
