// A process that edits is killed before and after each of its system calls in turn, in a thousand edits: whenever it
// dies, the file holds the old content or the new.
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "workspace/changes/mover.hpp"
#include "workspace/changes/writer.hpp"

#define BOOST_TEST_MODULE workspace_killed_edit_test
#include <boost/test/unit_test.hpp>

#include "file_content.hpp"
#include "scratch_folder.hpp"

using workspace::Root;

namespace {

// How a traced child ended.
enum class End { killed, finished, failed };

// Runs `act` in a child and kills it at its `stop`th stop: each system call has one before and one after it.
template <class Act>
End run_and_kill(int stop, Act act) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::raise(SIGSTOP);
    ::_exit(act() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return End::failed;
  for (int seen = 0; seen < stop; ++seen) {
    ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    if (::waitpid(child, &status, 0) != child) return End::failed;
    if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? End::finished : End::failed;
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? End::killed : End::failed;
}

// Parent and child take turns; on one processor that is many times as quick.
void stay_on_one_processor() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(std::max(::sched_getcpu(), 0)), &one);
  ::sched_setaffinity(0, sizeof one, &one);
}

struct Tree {
  Tree() { stay_on_one_processor(); }

  toolwire_test::ScratchFolder folder{toolwire_test::ScratchFolder::in_memory()};
  Root root = Root::at(folder.text());
  std::string old_content = "START\n" + std::string(50'000, 'a');
  std::string new_content = "BEGIN\n" + std::string(50'000, 'a');
  int kills = 0;

  std::string content(const std::string& name) const { return toolwire_test::content_of(folder / name); }

  // Kills `act` at its first stop, its second and so on, until it gets through; `check` looks after each death.
  template <class Act, class Check>
  void kill_everywhere(Act act, Check check) {
    for (int stop = 0;; ++stop) {
      folder.file("f", old_content);
      const End end = run_and_kill(stop, act);
      BOOST_REQUIRE((end != End::failed));
      check();
      if (end == End::finished) return;
      ++kills;
    }
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(whenever_an_editing_process_dies_the_file_is_old_or_new, Tree) {
  bool seen_old = false, seen_new = false;
  const auto check = [&] {
    const std::string now = content("f");
    seen_old = seen_old || now == old_content;
    seen_new = seen_new || now == new_content;
    BOOST_REQUIRE((now == old_content || now == new_content));
  };
  while (kills < 1000) {
    kill_everywhere(
        [&] {
          return workspace::edit_file({&root, "f", ""}, {.edits = {{"START", "BEGIN"}}}, {}).changed;
        },
        check);
    kill_everywhere(
        [&] {
          return workspace::write_file({&root, "f", ""}, {.content = new_content, .overwrite = true}, {}).changed;
        },
        check);
  }
  BOOST_TEST_MESSAGE(kills << " kills");
  BOOST_TEST(seen_old);
  BOOST_TEST(seen_new);
}

BOOST_FIXTURE_TEST_CASE(whenever_a_process_that_changes_several_files_dies_each_is_old_or_new, Tree) {
  folder.file("g", old_content);
  kill_everywhere(
      [&] {
        return workspace::rewrite_files({{&root, "f", ""}, {&root, "g", ""}}, [&](auto, auto) { return new_content; },
                                        false, {})
                   .size() == 2U;
      },
      [&] {
        for (const char* const name : {"f", "g"})
          BOOST_REQUIRE((content(name) == old_content || content(name) == new_content));
        folder.file("g", old_content);
      });
  BOOST_TEST(kills > 40);
}

BOOST_FIXTURE_TEST_CASE(whenever_a_creating_process_dies_the_file_is_missing_or_whole, Tree) {
  kill_everywhere(
      [&] {
        return workspace::write_file({&root, "new", ""}, {.content = new_content}, {}).created;
      },
      [&] {
        BOOST_REQUIRE((!std::filesystem::exists(folder / "new") || content("new") == new_content));
        std::filesystem::remove(folder / "new");
      });
  BOOST_TEST(kills > 10);
}

BOOST_FIXTURE_TEST_CASE(whenever_a_moving_or_deleting_process_dies_nothing_is_lost, Tree) {
  const auto copies = [&] {
    std::size_t whole = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
      whole += entry.is_regular_file() && entry.file_size() == old_content.size() ? 1U : 0U;
    return whole;
  };
  const auto start_again = [&] {
    BOOST_REQUIRE(copies() >= 1U);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) std::filesystem::remove_all(entry);
  };
  kill_everywhere([&] { return workspace::delete_path({&root, "f", ""}).changed; }, start_again);
  kill_everywhere(
      [&] {
        return workspace::move_path({&root, "f", ""}, {&root, "a/b/g", ""}, false).changed;
      },
      start_again);
  BOOST_TEST(kills > 20);
}
