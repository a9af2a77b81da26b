// Paths made to write, move or delete outside the root, or to do harm inside it: each is refused and nothing changes.
#include "workspace/changes/writer.hpp"

#define BOOST_TEST_MODULE workspace_write_attacks_test
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <toolwire/error.hpp>
#include <vector>

#include "scratch_folder.hpp"
#include "workspace/changes/mover.hpp"
#include "workspace/system/leftovers.hpp"

using workspace::Root;
using workspace::Secrets;

namespace {

// A root "top", and beside it what must stay as it is.
struct Tree {
  toolwire_test::ScratchFolder folder{toolwire_test::ScratchFolder::in_memory()};
  Root root = (folder.file("top/a/b/f.txt", "a"), folder.file("secret.txt", "a"), folder.file("top_evil/f.txt", "a"),
               Root::at((folder / "top").string(), Secrets::left_out));

  // All paths below the folder with what is in them.
  std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
      std::string& content = all[entry.path().string()];
      if (entry.is_symlink() || !entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      content = {std::istreambuf_iterator<char>(file), {}};
    }
    return all;
  }

  template <class Act>
  static bool is_refused(Act act) {
    try {
      act();
    } catch (const toolwire::ToolError&) {
      return true;
    }
    return false;
  }

  // By every tool that changes things, and without any change.
  void expect_refused(const std::string& path) const {
    const auto before = everything();
    BOOST_TEST(is_refused([&] {
                 workspace::write_file({&root, path, ""}, {.content = "x", .overwrite = true}, {});
               }),
               path);
    BOOST_TEST(is_refused([&] { workspace::edit_file({&root, path, ""}, {.edits = {{"a", "b"}}}, {}); }), path);
    BOOST_TEST(is_refused([&] { workspace::move_path({&root, path, ""}, {&root, "taken", ""}, false); }), path);
    BOOST_TEST(is_refused([&] { workspace::move_path({&root, "a/b/f.txt", ""}, {&root, path, ""}, true); }), path);
    BOOST_TEST(is_refused([&] { workspace::delete_path({&root, path, ""}); }), path);
    BOOST_TEST((everything() == before), path);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(going_up_is_refused_at_every_depth, Tree) {
  std::string up;
  for (int depth = 1; depth <= 40; ++depth) {
    up += "../";
    expect_refused(up + "secret.txt");
    expect_refused("a/b/" + up + "../../secret.txt");
  }
  expect_refused("..");
  expect_refused("a/..");
}

BOOST_FIXTURE_TEST_CASE(absolute_paths_elsewhere_and_prefix_siblings_are_refused, Tree) {
  for (const std::string& path :
       {(folder / "secret.txt").string(), (folder / "top").string() + "_evil/f.txt", std::string("../top_evil/f.txt"),
        std::string("/proc/self/root") + (folder / "secret.txt").string(), std::string("/dev/fd/0")}) {
    expect_refused(path);
  }
}

BOOST_FIXTURE_TEST_CASE(folders_that_are_links_to_the_outside_lead_nowhere, Tree) {
  folder.link("..", "top/up");
  folder.link(folder.path(), "top/absolute");
  folder.link("up", "top/chain");
  folder.link("loop", "top/loop");
  folder.link("../nowhere", "top/dangling");
  folder.link("/proc/self/root", "top/proc");
  for (const char* link : {"up", "absolute", "chain", "loop", "dangling", "proc"}) {
    expect_refused(std::string(link) + "/secret.txt");
    expect_refused(std::string(link) + "/new/folder/file");
  }
  BOOST_TEST(!std::filesystem::exists(folder / "nowhere"));
}

BOOST_FIXTURE_TEST_CASE(names_that_no_file_can_have_are_refused, Tree) {
  for (const std::string& path : {std::string(), std::string("a\0b", 3), std::string(256, 'x'), std::string(5000, 'x'),
                                  "a/" + std::string(300, 'y') + "/z"}) {
    expect_refused(path);
  }
}

BOOST_FIXTURE_TEST_CASE(odd_names_are_names_like_any_other, Tree) {
  for (const std::string& name : {std::string("%2e%2e"), std::string("..\\x"), std::string("new\nline"),
                                  // NOLINTNEXTLINE(misc-misleading-bidirectional): its subject
                                  std::string("\u202Ebidi\u200B"), std::string("-rf"), std::string("...")}) {
    workspace::write_file({&root, name, ""}, {.content = "x"}, {});
    BOOST_TEST(std::filesystem::exists(folder / "top" / name), name);
    workspace::delete_path({&root, name, ""});
    BOOST_TEST(!std::filesystem::exists(folder / "top" / name), name);
  }
}

BOOST_FIXTURE_TEST_CASE(secrets_are_neither_written_nor_moved_to_where_they_could_be_read, Tree) {
  folder.file("top/.env", "a");
  folder.file("top/keys/server.PEM", "a");
  folder.file("top/.ssh/config", "a");
  folder.link(".ssh", "top/innocent");
  for (const char* path : {".env", "keys/server.PEM", ".ssh/config", "innocent/config", "a/.env.local"})
    expect_refused(path);
  BOOST_TEST(!is_refused([&] { workspace::write_file({&root, ".env.example", ""}, {.content = "x"}, {}); }));
}

BOOST_FIXTURE_TEST_CASE(a_folder_that_holds_a_repository_is_neither_moved_nor_deleted, Tree) {
  folder.file("top/nested/deep/lib/.git/config", "a");
  folder.file("top/worktree/.git", "gitdir: ../a/.git/worktrees/worktree");
  folder.file("top/odd/.GIT/hooks/x", "a");
  folder.file("top/behind/.ssh/.git/config", "a");
  folder.file("top/linked/x", "a");
  folder.link("../nested/deep/lib/.git", "top/linked/.git");
  for (const char* path : {"nested", "nested/deep", "nested/deep/lib", "worktree", "odd", "behind", "linked"}) {
    const auto before = everything();
    BOOST_TEST(is_refused([&] { workspace::delete_path({&root, path, ""}); }), path);
    BOOST_TEST(is_refused([&] { workspace::move_path({&root, path, ""}, {&root, "new/name", ""}, false); }), path);
    BOOST_TEST((everything() == before), path);
  }
  const Root with_secrets = Root::at((folder / "top").string(), Secrets::shown);
  BOOST_TEST(is_refused([&] { workspace::delete_path({&with_secrets, "behind", ""}); }));
}

BOOST_FIXTURE_TEST_CASE(a_folder_from_the_trash_that_holds_a_repository_stays_there, Tree) {
  folder.file("top/.workspace-trash/1/lib/.git/config", "a");
  BOOST_TEST(is_refused([&] {
    workspace::move_path({&root, ".workspace-trash/1/lib", ""}, {&root, "lib", ""}, false);
  }));
}

BOOST_FIXTURE_TEST_CASE(a_folder_too_deep_to_be_looked_through_is_not_moved, Tree) {
  std::string deep = "top/deep";
  for (int level = 0; level < 140; ++level) deep += "/d";
  folder.file(deep + "/.git/config", "a");
  BOOST_TEST(is_refused([&] { workspace::delete_path({&root, "deep", ""}); }));
}

BOOST_FIXTURE_TEST_CASE(a_secret_does_not_lose_its_name_with_its_folder, Tree) {
  folder.file("top/home/.config/gh/hosts.yml", "token");
  folder.file("top/home/.config/gh/other.yml", "x");
  BOOST_TEST(is_refused([&] { workspace::move_path({&root, "home/.config", ""}, {&root, "home/c", ""}, false); }));
  BOOST_TEST(is_refused([&] { workspace::move_path({&root, "home/.config/gh", ""}, {&root, "x", ""}, false); }));
  BOOST_TEST(!is_refused([&] { workspace::move_path({&root, "home", ""}, {&root, "house", ""}, false); }));
  BOOST_TEST(!is_refused([&] { workspace::delete_path({&root, "house", ""}); }));
}

BOOST_FIXTURE_TEST_CASE(what_killed_servers_left_is_removed_and_nothing_that_is_in_use, Tree) {
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::minutes(2);
  for (const char* name :
       {"top/.toolwire-1.tmp", "top/a/b/.toolwire-2.tmp", "top/.ssh/.toolwire-3.tmp",
        "top/.workspace-trash/1/a/.toolwire-5.tmp", "top/mine.tmp", "top/.workspace-trash/1/mine.tmp"})
    std::filesystem::last_write_time(folder.file(name, "x"), old);
  for (const char* name : {"top/a/.toolwire-4.tmp", "top/.workspace-trash/1/.toolwire-6.tmp"})
    folder.file(name, "being written");
  workspace::remove_leftovers(workspace::Roots(Root::at((folder / "top").string(), Secrets::left_out)));
  const auto now = everything();
  for (const char* name : {"top/.toolwire-1.tmp", "top/a/b/.toolwire-2.tmp", "top/.ssh/.toolwire-3.tmp",
                           "top/.workspace-trash/1/a/.toolwire-5.tmp"})
    BOOST_TEST(!now.contains((folder / name).string()), name);
  for (const char* name : {"top/mine.tmp", "top/a/.toolwire-4.tmp", "top/.workspace-trash/1/mine.tmp",
                           "top/.workspace-trash/1/.toolwire-6.tmp"})
    BOOST_TEST(now.contains((folder / name).string()), name);
}

BOOST_FIXTURE_TEST_CASE(the_root_replaced_by_a_link_is_still_the_directory_that_was_opened, Tree) {
  std::filesystem::rename(folder / "top", folder / "moved");
  folder.link("top_evil", "top");
  workspace::write_file({&root, "new.txt", ""}, {.content = "x"}, {});
  BOOST_TEST(std::filesystem::exists(folder / "moved/new.txt"));
  BOOST_TEST(!std::filesystem::exists(folder / "top_evil/new.txt"));
}

BOOST_FIXTURE_TEST_CASE(thousands_of_levels_are_an_error, Tree) {
  std::string deep;
  for (int level = 0; level < 2000; ++level) deep += "d/";
  expect_refused(deep + "/" + std::string(200, 'x'));
}
