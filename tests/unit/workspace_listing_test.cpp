#include "workspace/search/listing.hpp"

#define BOOST_TEST_MODULE workspace_listing_test
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <string>
#include <toolwire/error.hpp>

#include "scratch_folder.hpp"

using workspace::EntryKind;
using workspace::ListRequest;
using workspace::Root;
using workspace::Roots;
using workspace::Secrets;
using workspace::TextBudget;
using workspace::WalkReport;

namespace {

struct Tree {
  toolwire_test::ScratchFolder folder{toolwire_test::ScratchFolder::in_memory()};
  Roots roots{Root::at(folder.text())};

  std::string list(const ListRequest& request = {}, TextBudget budget = {}) const {
    return workspace::list_entries(roots, request, {}, budget).text;
  }
};

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_FIXTURE_TEST_CASE(each_kind_of_entry_can_be_told_from_its_line, Tree) {
  folder.file("dir/file.txt");
  folder.link("dir", "link");
  BOOST_REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  BOOST_TEST(list() == "dir/\ndir/file.txt\nlink (symbolic link)\npipe (named pipe)");
  BOOST_TEST(list({.path = "dir"}) == "dir/file.txt");
}

BOOST_FIXTURE_TEST_CASE(an_empty_directory_is_said_to_be_empty, Tree) {
  BOOST_TEST(list() == "[The directory is empty.]");
}

BOOST_FIXTURE_TEST_CASE(a_directory_of_which_all_is_left_out_is_not_called_empty, Tree) {
  folder.file("hidden/.gitignore", "*\n");
  BOOST_TEST(list({.path = "hidden", .include_ignored = false}) ==
             "[Nothing to show.]\n[Left out: 1 entry that a .gitignore names; includeIgnored shows them.]");
}

BOOST_FIXTURE_TEST_CASE(what_the_depth_hides_is_said, Tree) {
  folder.file("a/b/c/d");
  BOOST_TEST(list() ==
             "a/\na/b/\n[At depth 2, what is in 1 deeper directory is not shown; give a larger depth, or one of them "
             "as path.]");
  BOOST_TEST(list({.depth = 4}) == "a/\na/b/\na/b/c/\na/b/c/d");
  BOOST_CHECK_THROW(list({.depth = 0}), toolwire::ToolError);
  std::string deep;
  for (int i = 0; i < 128; ++i) deep += "d/";
  folder.file(deep + "e");
  BOOST_TEST(says(list({.depth = 128}), "1 deeper directory is not shown; give one of them as path.]"));
}

BOOST_FIXTURE_TEST_CASE(following_the_notices_shows_every_entry_once, Tree) {
  for (const char* name : {"a/1", "a/2", "a.txt", "a b", "b/c/d", "\nodd", "z"}) folder.file(name);
  const std::string all = list({.depth = 9});
  std::string collected;
  std::string cursor;
  for (int answers = 0; answers < 20; ++answers) {
    const std::string answer = list({.depth = 9, .cursor = cursor}, {.lines = 2, .bytes = 1000});
    const std::size_t notice = answer.find("[More entries follow. Continue with cursor: ");
    collected += answer.substr(0, notice);
    if (notice == std::string::npos) break;
    cursor = answer.substr(notice + 44, answer.find(", or narrow", notice) - notice - 44);
  }
  BOOST_TEST(collected == all);
}

BOOST_FIXTURE_TEST_CASE(going_on_after_the_last_entry_says_so, Tree) {
  folder.file("a");
  BOOST_TEST(list({.cursor = "a"}) == "[No more entries.]");
  BOOST_TEST(list({.cursor = "zzz"}) == "[No more entries.]");
  BOOST_CHECK_THROW(list({.cursor = "/etc"}), toolwire::ToolError);
}

BOOST_FIXTURE_TEST_CASE(at_the_budget_nothing_is_said_and_one_over_it_is, Tree) {
  for (int i = 0; i < 2000; ++i) folder.file("f" + std::to_string(10'000 + i));
  BOOST_TEST(!says(list(), "["));
  folder.file("g");
  BOOST_TEST(says(
      list(), "\nf11999\n[More entries follow. Continue with cursor: f11999, or narrow with path, glob or depth.]"));
}

BOOST_FIXTURE_TEST_CASE(odd_names_stay_on_one_line, Tree) {
  folder.file("a\nb");
  folder.file("c\x1B[2J");
  folder.file("d\xFF");
  const std::string text = list();
  BOOST_TEST(text == "a\\u{A}b\nc\\u{1B}[2J\nd\\xFF");
}

BOOST_FIXTURE_TEST_CASE(what_is_not_a_directory_is_refused_naming_the_right_tool, Tree) {
  folder.file("file");
  BOOST_CHECK_EXCEPTION(list({.path = "file"}), toolwire::ToolError, [](const auto& error) {
    return says(error.what(), "is a file; expected a directory (read_file");
  });
  BOOST_CHECK_THROW(list({.path = "nothing"}), toolwire::ToolError);
  BOOST_CHECK_THROW(list({.path = ".."}), toolwire::ToolError);
}

BOOST_AUTO_TEST_CASE(each_thing_a_walk_left_out_has_a_notice) {
  BOOST_TEST(workspace::walk_notices({}).empty());
  std::string text;
  for (const std::string& notice : workspace::walk_notices(
           {.entries = 7, .unreadable = 2, .overfull = 1, .ignored = 1, .secret = 3, .ran_out = true}))
    text += notice;
  BOOST_TEST(says(text, "2 directories that could not be opened"));
  BOOST_TEST(says(text, "more than 100000 entries"));
  BOOST_TEST(says(text, "1 entry that a .gitignore names"));
  BOOST_TEST(says(text, "3 entries that hold secrets"));
  BOOST_TEST(says(text, "Ended after 7 entries"));
}

BOOST_FIXTURE_TEST_CASE(names_and_kinds_are_found_at_any_depth, Tree) {
  for (const char* name : {"a/b/c.cpp", "a/c.hpp", "c.cpp", "c/x"}) folder.file(name);
  BOOST_TEST(list({.depth = 9, .names = {.glob = "*.cpp"}}) == "a/b/c.cpp\nc.cpp");
  BOOST_TEST(list({.depth = 9, .names = {.glob = "a/**"}}) == "a/b/\na/b/c.cpp\na/c.hpp");
  BOOST_TEST(list({.depth = 9, .kind = EntryKind::directory}) == "a/\na/b/\nc/");
  BOOST_TEST(list({.depth = 9, .names = {.glob = "c*"}, .kind = EntryKind::file}) == "a/b/c.cpp\na/c.hpp\nc.cpp");
  BOOST_TEST(list({.depth = 9, .names = {.glob = "nothing"}}) == "[Nothing matches.]");
  BOOST_TEST(list({.depth = 9, .names = {.glob = "b/*"}}) == "[Nothing matches.]");
  BOOST_TEST(list({.path = "a", .depth = 9, .names = {.glob = "b/*"}}) ==
             "[Nothing matches.]\n[A glob with a slash is the whole path from the root, also when path is given.]");
  BOOST_TEST(says(list({.depth = 9, .names = {.glob = "*.cpp"}, .limit = 1}), "a/b/c.cpp\n[More entries follow."));
  BOOST_TEST(list({.depth = 9, .names = {.glob = "*.cpp"}, .cursor = "a/b/c.cpp"}) == "c.cpp");
}

BOOST_FIXTURE_TEST_CASE(secrets_are_left_out_where_the_root_does, Tree) {
  folder.file(".env");
  folder.file(".ssh/config");
  folder.file("a.txt");
  BOOST_TEST(list() == ".env\n.ssh/\n.ssh/config\na.txt");
  const Roots careful{Root::at(folder.text(), Secrets::left_out)};
  BOOST_TEST(workspace::list_entries(careful, {}, {}).text ==
             "a.txt\n[Left out: 2 entries that hold secrets by name; the server was started without --secrets.]");
}

BOOST_FIXTURE_TEST_CASE(several_roots_are_listed_as_one_tree, Tree) {
  folder.file("one/f");
  folder.file("two/g/h");
  const Roots both = Roots::from({(folder / "two").string(), (folder / "one").string()}, Secrets::shown);
  const auto list_both = [&](const ListRequest& request) { return workspace::list_entries(both, request, {}).text; };
  BOOST_TEST(list_both({}) == "one/f\ntwo/g/\ntwo/g/h");
  BOOST_TEST(list_both({.cursor = "one/f"}) == "two/g/\ntwo/g/h");
  BOOST_TEST(list_both({.path = "two/g"}) == "two/g/h");
  BOOST_TEST(list_both({.path = (folder / "two/g").string()}) == "two/g/h");
  BOOST_CHECK_THROW(list_both({.path = "three"}), toolwire::ToolError);
  BOOST_CHECK_THROW(list_both({.path = "one/../two"}), toolwire::ToolError);
}
