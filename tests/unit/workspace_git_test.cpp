// What the tools for git answer, on repositories as people have them.
#include "workspace/git/answers.hpp"

#define BOOST_TEST_MODULE workspace_git_test
#include <fcntl.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <string>
#include <thread>
#include <toolwire/error.hpp>
#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/testing.hpp>
#include <vector>

#include "git_repository.hpp"
#include "workspace/git/records.hpp"
#include "workspace/tools/tools.hpp"

using workspace::Git;
using workspace::GitResult;

namespace {

struct Repository : toolwire_test::GitRepository {
  Git git(const std::string& path = ".") const { return Git{programs, find_repository(roots, path), {}}; }

  std::string status(const std::string& path = ".") const { return status_answer(git(path)).text; }
  std::string diff(const std::string& path = ".", const workspace::DiffRequest& request = {}) const {
    return diff_answer(git(path), request).text;
  }
  std::string blame(const std::string& path, const workspace::BlameRequest& request = {}) const {
    return blame_answer(git(path), request).text;
  }
  std::string log(const std::string& path = ".", const workspace::LogRequest& request = {}) const {
    return log_answer(git(path), request).text;
  }
  template <class Act>
  std::string error_of(Act act) const {
    try {
      act();
    } catch (const toolwire::ToolError& error) {
      return error.what();
    }
    return "no error";
  }
  std::string name_of(const std::string& revision) const { return shell("git rev-parse " + revision).substr(0, 10); }
};

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_FIXTURE_TEST_CASE(git_is_installed_and_can_be_confined_here, Repository) {
  BOOST_TEST(programs.problem("git") == "");
}

BOOST_FIXTURE_TEST_CASE(changed_files_are_listed_as_git_does, Repository) {
  shell("git rm -q --cached b.txt; echo new >'c d.txt'; git add 'c d.txt'; mkdir e; echo x >e/f");
  BOOST_TEST(status() == "## main\n M a.txt\nD  b.txt\nA  c d.txt\n?? b.txt\n?? e/f");
  BOOST_TEST(status("e") == "## main\n?? e/f");
  BOOST_TEST(status("a.txt") == "## main\n M a.txt");
  shell("git add .; git commit -q -m Second; git checkout -q --detach");
  BOOST_TEST(status() == "## (detached)\n[Nothing is changed.]");
  const GitResult result = status_answer(git());
  BOOST_TEST(result.answer.head.value_or("").size() == 40U);
  BOOST_TEST(result.answer.repository == ".");
}

BOOST_FIXTURE_TEST_CASE(paths_stand_as_other_tools_take_them, Repository) {
  shell(
      "mkdir -p nested; cd nested; git init -q -b main .; printf 'x\\n' >'tab\tname'; git add .; git commit -q -m N; "
      "printf 'y\\n' >'tab\tname'");
  BOOST_TEST(status("nested") == "## main\n M nested/tab\\u{9}name");
  BOOST_TEST(says(diff("nested"), "diff --git \"a/nested/tab\\tname\" \"b/nested/tab\\tname\"\n"));
  BOOST_TEST(says(blame("nested/tab\tname"), "not committed\n1: y"));
}

BOOST_FIXTURE_TEST_CASE(the_difference_to_head_or_another_commit_is_shown, Repository) {
  const std::string changes = "@@ -1,2 +1,3 @@\n one\n-two\n+TWO\n+three";
  BOOST_TEST(diff().starts_with("diff --git a/a.txt b/a.txt\nindex "));
  BOOST_TEST(diff().ends_with(changes));
  BOOST_TEST(diff("a.txt").ends_with(changes));
  BOOST_TEST(diff("a.txt", {.context = 0}).ends_with("@@ -2 +2,2 @@ one\n-two\n+TWO\n+three"));
  BOOST_TEST(diff("b.txt") == "[No tracked file differs. git_status also shows files that are not tracked.]");
  BOOST_TEST(diff(".", {.staged = true}).starts_with("[No tracked file differs."));
  shell("git commit -q -a -m Second");
  BOOST_TEST(diff().starts_with("[No tracked file differs."));
  BOOST_TEST(diff(".", {.revision = "HEAD~1"}).ends_with(changes));
  BOOST_TEST(diff(".", {.revision = "HEAD~1", .output = workspace::DiffOutput::files}) == "+2 -1 a.txt");
  for (const char* revision : {"nothing", "--output=made", "-p", "HEAD:a.txt"}) {
    const std::string error = error_of([&] { diff(".", {.revision = revision}); });
    BOOST_TEST(error.starts_with("revision: "), error);
  }
}

BOOST_FIXTURE_TEST_CASE(a_long_difference_goes_on_where_it_was_cut, Repository) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + '\n';
  folder.file("top/b.txt", text);
  const GitResult first = diff_answer(git("b.txt"), {});
  BOOST_TEST(first.answer.next_offset.value_or(0) == 2001U);
  BOOST_TEST(says(first.text, "[More follows. Continue with offset 2001"));
  const std::string next = diff("b.txt", {.offset = 2001});
  const std::string last = first.text.substr(0, first.text.find("\n["));
  const int shown = std::stoi(last.substr(last.rfind('+') + 1));
  BOOST_TEST(next.starts_with("+" + std::to_string(shown + 1) + "\n"), next.substr(0, 20));
  BOOST_TEST(says(diff("b.txt", {.offset = 9999}), "has no line 9999"));
}

BOOST_FIXTURE_TEST_CASE(each_line_has_its_commit, Repository) {
  shell("git commit -q -a -m 'Second subject'; printf 'one\\nTWO\\nthree\\nfour\\n' >a.txt; mkdir folder");
  BOOST_TEST(blame("a.txt") == name_of("HEAD~1") + " 2026-01-02 Ada: First\n1: one\n" + name_of("HEAD") +
                                   " 2026-01-02 Ada: Second subject\n2: TWO\n3: three\nnot committed\n4: four");
  BOOST_TEST(
      blame("a.txt", {.offset = 2, .limit = 1}) ==
      name_of("HEAD") +
          " 2026-01-02 Ada: Second subject\n2: TWO\n[More follows. Continue with offset 3, if the file is longer.]");
  BOOST_TEST(says(error_of([&] { blame("a.txt", {.offset = 9}); }), "has only 4 lines"));
  for (const char* const path : {".", "folder"})
    BOOST_TEST(error_of([&] { blame(path); }) == "path: is a folder; expected a file");
}

BOOST_FIXTURE_TEST_CASE(the_history_of_a_file_is_shown_under_earlier_names_too, Repository) {
  shell("git mv b.txt c.txt; git commit -q -m 'Renamed\n\nbecause of this' c.txt b.txt; git commit -q -a -m Third");
  BOOST_TEST(log("c.txt") ==
             name_of("HEAD~1") + " 2026-01-02 Ada: Renamed\n" + name_of("HEAD~2") + " 2026-01-02 Ada: First");
  BOOST_TEST(log(".", {.limit = 1}) ==
             name_of("HEAD") + " 2026-01-02 Ada: Third\n[More follows. Continue with offset 2.]");
  BOOST_TEST(log("c.txt", {.limit = 1, .whole_messages = true}) ==
             name_of("HEAD~1") +
                 " 2026-01-02 Ada: Renamed\n\n    because of this\n[More follows. Continue with offset 2.]");
  BOOST_TEST(log(".", {.revision = "HEAD~2"}) == name_of("HEAD~2") + " 2026-01-02 Ada: First");
  BOOST_TEST(log("nothing") == "[No commit changed this path.]");
}

BOOST_FIXTURE_TEST_CASE(before_the_first_commit_there_is_a_difference_but_no_history, Repository) {
  shell("rm -rf .git; git init -q -b main .; git add a.txt");
  BOOST_TEST(status() == "## main (no commit yet)\nA  a.txt\n?? b.txt");
  BOOST_TEST(diff().ends_with("@@ -0,0 +1,3 @@\n+one\n+TWO\n+three"));
  BOOST_TEST(says(error_of([&] { log(); }), "no commit yet"));
  BOOST_TEST(says(error_of([&] { blame("a.txt"); }), "no commit yet"));
}

BOOST_FIXTURE_TEST_CASE(files_that_hold_secrets_stay_secret, Repository) {
  shell(
      "echo 'KEY=SECRET' >.env; mkdir .ssh; echo SECRET >.ssh/key; echo SECRET >'id_rsa \"quoted\"'; "
      "git add -f .; git commit -q -m Secrets; echo SECRET2 >.env; echo SECRET2 >.ssh/key; rm id_rsa*; echo z >z.txt; "
      "git add z.txt; echo 'https://me:SECRET3@example.com/' >b.txt; echo SECRET >secret.pem");
  const std::string all = status() + diff() + diff(".", {.revision = "HEAD~1"}) +
                          diff(".", {.output = workspace::DiffOutput::files}) + blame("b.txt");
  BOOST_TEST(!says(all, "SECRET"), all);
  for (const char* name : {".env", ".ssh", "id_rsa", ".pem"}) BOOST_TEST(!says(all, name), all);
  BOOST_TEST(says(status(), "[Left out: 4 files that hold secrets.]"));
  BOOST_TEST(says(diff(), "[Left out: 3 files that hold secrets.]"));
  BOOST_TEST(says(diff(), "+++ b/z.txt\n@@ -0,0 +1 @@\n+z"));
  for (const char* path : {".env", ".ssh/key"}) {
    BOOST_TEST(says(error_of([&] { blame(path); }), "holds secrets"));
    BOOST_TEST(says(error_of([&] { log(path); }), "holds secrets"));
    BOOST_TEST(says(error_of([&] { diff(path); }), "holds secrets"));
  }
  workspace::Roots shown{workspace::Root::at(top, workspace::Secrets::shown)};
  BOOST_TEST(says(diff_answer(Git{programs, find_repository(shown, "."), {}}, {}).text, "+SECRET2"));
}

BOOST_FIXTURE_TEST_CASE(a_worktree_inside_the_root_works_and_no_repository_is_an_error, Repository) {
  shell("git worktree add -q -b other tree");
  BOOST_TEST(status("tree") == "## other\n[Nothing is changed.]");
  BOOST_TEST(says(log("tree/a.txt"), "Ada: First"));
  shell("rm -rf .git");
  BOOST_TEST(says(error_of([&] { status(); }), "is in no git repository"));
}

BOOST_FIXTURE_TEST_CASE(a_cancelled_call_ends_git, Repository) {
  shell("mkfifo pipe");
  std::stop_source source;
  std::atomic<bool> has_ended = false;
  std::thread canceller{[&] {
    // Once git has opened the pipe it waits for what nobody writes.
    toolwire::system::FileDescriptor writer;
    while (!writer.is_open() && !has_ended) {
      writer = toolwire::system::FileDescriptor{::open((top + "/pipe").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)};
      std::this_thread::yield();
    }
    source.request_stop();
    while (!has_ended) std::this_thread::yield();
  }};
  const std::string error = error_of([&] {
    const workspace::ProgramOutput ran =
        programs.run({.program = "git",
                      .arguments = {"hash-object", "pipe"},
                      .environment = {"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"},
                      .directory = top},
                     source.get_token());
    BOOST_TEST_MESSAGE(ran.exit_status << ' ' << ran.errors);
  });
  has_ended = true;
  canceller.join();
  BOOST_TEST(says(error, "cancelled"), error);
}

BOOST_FIXTURE_TEST_CASE(the_tools_are_offered_where_git_is_and_said_to_be_missing_where_not, Repository) {
  toolwire::Server server{{.name = "workspace", .version = "1"}};
  workspace::add_tools(server, roots, {.programs = &programs});
  toolwire::testing::Client client{server};
  for (const auto& tool : client.list_tools()) {
    BOOST_TEST(tool.raw.at("annotations").at("readOnlyHint").as_bool(), tool.name);
    BOOST_TEST(tool.description.size() < 2048U, tool.name);
  }
  BOOST_TEST(says(client.call("git_status", {}).text(), " M a.txt"));
  BOOST_TEST(says(client.call("git_diff", {{"path", "a.txt"}}).text(), "+TWO"));
  BOOST_TEST(says(client.call("git_blame", {{"path", "a.txt"}}).text(), "1: one"));
  BOOST_TEST(says(client.call("git_log", {{"limit", 5}}).text(), "Ada: First"));
  BOOST_TEST(client.call("git_log", {{"path", "../outside"}}).is_error);
  const workspace::Programs none = workspace::Programs::start({{"git", {}}}, "/nonexistent");
  toolwire::Server without{{.name = "workspace", .version = "1"}};
  workspace::add_tools(without, roots, {.programs = &none});
  toolwire::testing::Client other{without};
  BOOST_TEST(other.list_tools().size() == 6U);
  BOOST_TEST(says(workspace::instructions(roots, {.programs = &none}), "git is not installed"));
  BOOST_CHECK_EXCEPTION(workspace::add_tools(without, roots, {.only = {"git_log"}, .programs = &none}),
                        std::invalid_argument,
                        [](const std::invalid_argument& e) { return says(e.what(), "git is not installed"); });
}

BOOST_AUTO_TEST_CASE(what_git_quotes_is_read_again) {
  BOOST_TEST(workspace::unquoted("plain") == "plain");
  BOOST_TEST(workspace::unquoted("\"a\\tb\\\"\\\\\\303\\244\"") == "a\tb\"\\\xC3\xA4");
  BOOST_TEST(workspace::path_of_diff("diff --git a/x b/x") == "x");
  BOOST_TEST(workspace::path_of_diff("diff --git a/x b/y b/x b/y") == "x b/y");
  BOOST_TEST(workspace::path_of_diff("diff --git \"a/\\303\\244\" \"b/\\303\\244\"") == "\xC3\xA4");
  BOOST_TEST(workspace::path_of_diff("+diff --git a/x b/x") == "");
}
