// The last change is taken back, whatever made it.

#define BOOST_TEST_MODULE workspace_undo_test
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <toolwire/error.hpp>

#include "scratch_folder.hpp"
#include "workspace/changes/change_history.hpp"
#include "workspace/changes/mover.hpp"
#include "workspace/changes/writer.hpp"

using workspace::Changed;

namespace {

struct Workspace {
  workspace::Located at(const std::string& path) const { return roots.locate(path); }

  void keep(Changed change) { history.add({std::move(change)}); }

  void write(const std::string& path, const std::string& text) {
    keep(workspace::write_file(at(path), {.content = text, .overwrite = true}, {}));
  }

  std::string content(const char* name) const {
    std::ifstream file{folder / name, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
  }

  std::string refusal() {
    try {
      history.undo_last(roots);
    } catch (const toolwire::ToolError& error) {
      return error.what();
    }
    return {};
  }

  toolwire_test::ScratchFolder folder;
  workspace::Roots roots{workspace::Root::at(folder.text())};
  workspace::ChangeHistory history;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(changes_are_undone_one_by_one_the_last_first, Workspace) {
  folder.file("a", "one\n");
  write("a", "two\n");
  keep(workspace::edit_file(at("a"), {.edits = {{"two", "three", false}}}, {}));
  write("new/b", "b\n");
  keep(workspace::move_path(at("new/b"), at("c"), false));
  keep(workspace::delete_path(at("a")));
  BOOST_TEST(!exists(folder / "a"));
  history.undo_last(roots);
  BOOST_TEST(content("a") == "three\n");
  history.undo_last(roots);
  BOOST_TEST(content("new/b") == "b\n");
  history.undo_last(roots);
  BOOST_TEST(!exists(folder / "new/b"));
  history.undo_last(roots);
  BOOST_TEST(content("a") == "two\n");
  history.undo_last(roots);
  BOOST_TEST(content("a") == "one\n");
  BOOST_TEST(refusal().find("nothing to undo") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(folders_that_were_made_go_with_what_they_were_made_for, Workspace) {
  folder.folder("there");
  folder.file("f", "f\n");
  keep(workspace::create_directory(at("there/a/b")));
  write("there/a/c/d/g", "g\n");
  keep(workspace::move_path(at("f"), at("x/y/f"), false));
  BOOST_TEST((history.undo_last(roots).back() == "removed the empty folder that was made for it, x/y"));
  BOOST_TEST(!exists(folder / "x"));
  BOOST_TEST(content("f") == "f\n");
  folder.file("there/a/c/mine", "m\n");
  history.undo_last(roots);
  BOOST_TEST(!exists(folder / "there/a/c/d"));
  BOOST_TEST(content("there/a/c/mine") == "m\n");
  std::filesystem::remove_all(folder / "there/a/c");
  history.undo_last(roots);
  BOOST_TEST(!exists(folder / "there/a"));
  BOOST_TEST(exists(folder / "there"));
}

BOOST_FIXTURE_TEST_CASE(a_folder_in_which_others_have_put_something_stays, Workspace) {
  keep(workspace::create_directory(at("d/e")));
  folder.file("d/e/.env", "theirs\n");
  const std::string why = refusal();
  BOOST_TEST(why.find("d/e is not empty any more, so nothing was undone (there is .env in it)") != std::string::npos,
             why);
  BOOST_TEST(content("d/e/.env") == "theirs\n");
  std::filesystem::remove(folder / "d/e/.env");
  BOOST_TEST(refusal().empty());
  BOOST_TEST(!exists(folder / "d"));
}

BOOST_FIXTURE_TEST_CASE(a_move_over_a_file_gives_both_back, Workspace) {
  folder.file("a", "a\n");
  folder.file("b", "b\n");
  keep(workspace::move_path(at("a"), at("b"), true));
  history.undo_last(roots);
  BOOST_TEST(content("a") == "a\n");
  BOOST_TEST(content("b") == "b\n");
}

BOOST_FIXTURE_TEST_CASE(what_one_call_changed_is_undone_together, Workspace) {
  folder.file("a", "x\n");
  folder.file("b", "x\n");
  const auto twice = [](std::string_view text, std::string_view) { return std::string(text) + std::string(text); };
  history.add(workspace::rewrite_files({at("a"), at("b")}, twice, false, {}));
  BOOST_TEST(content("b") == "x\nx\n");
  BOOST_TEST(history.undo_last(roots).size() == 2U);
  BOOST_TEST(content("a") == "x\n");
  BOOST_TEST(content("b") == "x\n");
}

BOOST_FIXTURE_TEST_CASE(what_was_changed_since_is_left_as_it_is, Workspace) {
  folder.file("a", "x\n");
  folder.file("b", "x\n");
  const auto twice = [](std::string_view text, std::string_view) { return std::string(text) + std::string(text); };
  history.add(workspace::rewrite_files({at("a"), at("b")}, twice, false, {}));
  folder.file("a", "mine\n");
  BOOST_TEST(refusal().find("a is not as the last change left it") != std::string::npos);
  BOOST_TEST(content("a") == "mine\n");
  BOOST_TEST(content("b") == "x\nx\n");
}

BOOST_FIXTURE_TEST_CASE(a_dry_run_is_nothing_to_undo, Workspace) {
  folder.file("a", "x\n");
  keep(workspace::write_file(at("a"), {.content = "y\n", .overwrite = true, .dry_run = true}, {}));
  BOOST_TEST(refusal().find("nothing to undo") != std::string::npos);
}
