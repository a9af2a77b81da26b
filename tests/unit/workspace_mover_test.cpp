#include "workspace/changes/mover.hpp"

#define BOOST_TEST_MODULE workspace_mover_test
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <toolwire/error.hpp>

#include "file_content.hpp"
#include "scratch_folder.hpp"

using workspace::Changed;
using workspace::Root;

namespace {

struct Tree {
  toolwire_test::ScratchFolder folder{toolwire_test::ScratchFolder::in_memory()};
  Root root = Root::at(folder.text());

  Changed move(const std::string& from, const std::string& to, bool overwrite = false) const {
    return workspace::move_path({&root, from, ""}, {&root, to, ""}, overwrite);
  }
  Changed remove(const std::string& path) const { return workspace::delete_path({&root, path, ""}); }

  std::string content(const std::string& path) const { return toolwire_test::content_of(folder / path); }
  bool is_there(const std::string& path) const {
    return std::filesystem::exists(std::filesystem::symlink_status(folder / path));
  }

  template <class Act>
  static std::string refusal(Act act) {
    try {
      act();
    } catch (const toolwire::ToolError& error) {
      return error.what();
    }
    return "done";
  }
};

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_file_is_not_given_the_path_of_a_directory, Tree) {
  folder.file("f", "1");
  folder.folder("d");
  BOOST_TEST(says(refusal([&] { move("f", "new/"); }), "to: new/ ends as the path of a directory does"));
  BOOST_TEST(!is_there("new"));
  move("d", "e/");
  BOOST_TEST(is_there("e"));
}

BOOST_FIXTURE_TEST_CASE(files_and_directories_get_a_new_path, Tree) {
  folder.file("a/f", "x");
  BOOST_TEST(move("a/f", "b/c/g").path == "b/c/g");
  BOOST_TEST(content("b/c/g") == "x");
  BOOST_TEST(!is_there("a/f"));
  BOOST_TEST(move("b", "a/b").undo.value() == R"(move {"from":"a/b","to":"b"})");
  BOOST_TEST(content("a/b/c/g") == "x");
}

BOOST_FIXTURE_TEST_CASE(what_is_there_is_replaced_only_when_that_is_said_and_is_kept, Tree) {
  folder.file("f", "new");
  folder.file("g", "old");
  BOOST_TEST(says(refusal([&] { move("f", "g"); }), "to: g exists already"));
  const Changed moved = move("f", "g", true);
  BOOST_TEST(content("g") == "new");
  BOOST_TEST(content(moved.kept.value()) == "old");
  BOOST_TEST(says(moved.undo.value(), R"(move {"from":"g","to":"f"}, then move {"from":".workspace-trash/)"));
}

BOOST_FIXTURE_TEST_CASE(bringing_a_file_back_over_another_is_undone_by_one_call, Tree) {
  folder.file("f", "edited");
  folder.file(".workspace-trash/t/f", "old");
  const Changed back = move(".workspace-trash/t/f", "f", true);
  BOOST_TEST(back.undo.value() == R"(move {"from":")" + back.kept.value() + R"(","to":"f","overwrite":true})");
  const Changed again = move(back.kept.value(), "f", true);
  BOOST_TEST(content("f") == "edited");
  BOOST_TEST(content(again.kept.value()) == "old");
}

BOOST_FIXTURE_TEST_CASE(directories_neither_replace_nor_are_replaced, Tree) {
  folder.file("d/x");
  folder.file("f", "f");
  folder.folder("e");
  BOOST_TEST(says(refusal([&] { move("f", "d", true); }), "only files are replaced"));
  BOOST_TEST(says(refusal([&] { move("d", "f", true); }), "only files replace files"));
  BOOST_TEST(says(refusal([&] { move("d", "e"); }), "exists already"));
  BOOST_TEST(says(refusal([&] { move("d", "d/sub/d"); }), "inside what is to be moved"));
  BOOST_TEST(says(refusal([&] { move("f", "f", true); }), "the same file"));
  BOOST_TEST(content("f") == "f");
  BOOST_TEST(is_there("d/x"));
}

BOOST_FIXTURE_TEST_CASE(links_are_moved_and_deleted_themselves, Tree) {
  folder.file("f", "x");
  folder.link("f", "link");
  folder.link("/etc/passwd", "out");
  move("link", "sub/link");
  BOOST_TEST(std::filesystem::is_symlink(folder / "sub/link"));
  const Changed gone = remove("out");
  BOOST_TEST(std::filesystem::read_symlink(folder / gone.kept.value()) == "/etc/passwd");
  BOOST_TEST(content("f") == "x");
}

BOOST_FIXTURE_TEST_CASE(what_is_deleted_is_in_the_trash_and_can_come_back, Tree) {
  folder.file("d/e/f", "x");
  folder.file("d/g", "y");
  const Changed gone = remove("d");
  BOOST_TEST(!is_there("d"));
  BOOST_TEST(content(gone.kept.value() + "/e/f") == "x");
  BOOST_TEST(gone.kept->ends_with("/d"));
  move(*gone.kept, "d");
  BOOST_TEST(content("d/e/f") == "x");
  BOOST_TEST(content("d/g") == "y");
  const Changed one = remove("d/e/f");
  BOOST_TEST(one.kept->ends_with("/d/e/f"));
}

BOOST_FIXTURE_TEST_CASE(the_root_the_trash_and_the_repository_folder_stay, Tree) {
  folder.file("f");
  folder.file(".git/config", "x");
  folder.file("sub/.GIT/config", "x");
  folder.link(".git", "innocent");
  remove("f");
  for (const std::string& path :
       {std::string("."), std::string("./"), std::string(".workspace-trash"),
        std::string(".workspace-trash/.gitignore"), std::string(".git"), std::string(".git/config"),
        std::string("sub/.GIT/config"), std::string("x/.."), std::string("innocent/config")}) {
    BOOST_TEST(refusal([&] { remove(path); }) != "done", path);
    if (path != ".workspace-trash/.gitignore") BOOST_TEST(refusal([&] { move(path, "elsewhere"); }) != "done", path);
  }
  BOOST_TEST(says(refusal([&] { move("sub", ".git/hooks"); }), ".git folder"));
  BOOST_TEST(says(refusal([&] { move("sub", ".workspace-trash/sub"); }), "in the trash"));
  BOOST_TEST(content(".git/config") == "x");
}

BOOST_FIXTURE_TEST_CASE(a_trash_that_is_a_link_is_not_used, Tree) {
  const toolwire_test::ScratchFolder outside;
  folder.file("f", "x");
  folder.folder("inside");
  for (const std::filesystem::path& target : {outside.path(), std::filesystem::path("inside")}) {
    std::filesystem::remove(folder / ".workspace-trash");
    folder.link(target, ".workspace-trash");
    BOOST_TEST(refusal([&] { remove("f"); }) != "done");
  }
  BOOST_TEST(content("f") == "x");
  BOOST_TEST(std::filesystem::is_empty(outside.path()));
  BOOST_TEST(std::filesystem::is_empty(folder / "inside"));
}

BOOST_FIXTURE_TEST_CASE(between_two_roots_things_move_too, Tree) {
  const toolwire_test::ScratchFolder other{toolwire_test::ScratchFolder::in_memory()};
  const Root second = Root::at(other.text());
  folder.file("f", "x");
  BOOST_TEST(workspace::move_path({&root, "f", "a/"}, {&second, "g", "b/"}, false).undo.value() ==
             R"(move {"from":"b/g","to":"a/f"})");
  BOOST_TEST(std::filesystem::exists(other / "g"));
}
