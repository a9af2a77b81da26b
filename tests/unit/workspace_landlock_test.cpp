// The second barrier, in child processes because it cannot be removed again. Where the kernel has no Landlock the cases
// only check what is reported.
#include "workspace/system/confine_process.hpp"

#define BOOST_TEST_MODULE workspace_landlock_test
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <toolwire/error.hpp>

#include "scratch_folder.hpp"
#include "workspace/changes/mover.hpp"
#include "workspace/changes/writer.hpp"

using workspace::Allowed;
using workspace::confine_process;
using workspace::Root;

namespace {

// Exit status of a child that runs `act`, which returns it.
template <class Act>
int in_child(Act act) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(act());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool has_landlock() {
  return in_child([] { return confine_process({}).empty() ? 0 : 1; }) == 0;
}

bool can_open(const std::string& path, int flags) {
  const int number = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (number >= 0) ::close(number);
  return number >= 0;
}

struct Tree {
  toolwire_test::ScratchFolder folder;
  std::string top = (folder.file("top/f", "a"), folder.file("outside/f", "a"), (folder / "top").string());
  std::string outside = (folder / "outside").string();
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(for_reading_only_the_inside_is_read_and_nothing_is_written, Tree) {
  if (!has_landlock()) return;
  BOOST_TEST(in_child([&] {
               if (!confine_process({.read = {top}}).empty()) return 1;
               if (!can_open(top + "/f", O_RDONLY)) return 2;
               if (can_open(outside + "/f", O_RDONLY) || can_open("/etc/passwd", O_RDONLY)) return 3;
               if (can_open(top + "/f", O_WRONLY) || can_open(top + "/new", O_WRONLY | O_CREAT)) return 4;
               return 0;
             }) == 0);
}

BOOST_FIXTURE_TEST_CASE(for_writing_everything_the_tools_do_works_inside, Tree) {
  if (!has_landlock()) return;
  BOOST_TEST(in_child([&] {
               const Root root = Root::at(top);
               if (!confine_process({.write = {top}}).empty()) return 1;
               try {
                 workspace::write_file({&root, "x/y", ""}, {.content = "a"}, {});
                 workspace::edit_file({&root, "x/y", ""}, {.edits = {{"a", "b"}}}, {});
                 workspace::move_path({&root, "x/y", ""}, {&root, "z/y", ""}, false);
                 workspace::delete_path({&root, "z", ""});
               } catch (const toolwire::ToolError&) {
                 return 2;
               }
               return can_open(outside + "/f", O_WRONLY) || can_open(outside + "/new", O_WRONLY | O_CREAT) ? 3 : 0;
             }) == 0);
}

BOOST_FIXTURE_TEST_CASE(a_directory_that_was_moved_out_is_out_of_reach_though_it_is_open, Tree) {
  if (!has_landlock()) return;
  folder.file("top/d/f", "a");
  BOOST_TEST(in_child([&] {
               const int inside = ::open((top + "/d").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
               int gate[2], back[2];
               if (::pipe(gate) != 0 || ::pipe(back) != 0) return 1;
               // A process that is not confined moves it; the confined one may not move things out itself.
               const pid_t mover = ::fork();
               char byte = 0;
               if (mover == 0) {
                 const bool moved =
                     ::read(gate[0], &byte, 1) == 1 && ::rename((top + "/d").c_str(), (outside + "/d").c_str()) == 0;
                 ::_exit(moved && ::write(back[1], "x", 1) == 1 ? 0 : 1);
               }
               if (!confine_process({.write = {top}}).empty()) return 2;
               if (::write(gate[1], "x", 1) != 1 || ::read(back[0], &byte, 1) != 1) return 3;
               return ::openat(inside, "new", O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0 ? 4 : 0;
             }) == 0);
  BOOST_TEST(!std::filesystem::exists(folder / "outside/d/new"));
}

BOOST_FIXTURE_TEST_CASE(files_to_append_to_are_made_and_can_be_opened_again, Tree) {
  if (!has_landlock()) return;
  const std::string log = (folder / "log").string();
  BOOST_TEST(in_child([&] {
               if (!confine_process({.read = {top}, .append = {log}}).empty()) return 1;
               return can_open(log, O_WRONLY | O_APPEND) ? 0 : 2;
             }) == 0);
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_allowed_is_said_and_nothing_is_confined, Tree) {
  BOOST_TEST(in_child([&] {
               if (confine_process({.read = {outside + "/nothing"}}).empty()) return 1;
               return can_open(outside + "/f", O_RDONLY) ? 0 : 2;
             }) == 0);
}
