// What a program can do that the server starts, whatever it is told: here git is asked outright for what it must not
// do.
#include "workspace/system/programs.hpp"

#define BOOST_TEST_MODULE workspace_programs_test
#include <boost/test/unit_test.hpp>
#include <string>
#include <thread>
#include <toolwire/error.hpp>
#include <vector>

#include "git_repository.hpp"

using workspace::ProgramOutput;
using workspace::Programs;

namespace {

struct Confined : toolwire_test::GitRepository {
  ProgramOutput git(const std::vector<std::string>& arguments, const std::string& input = {},
                    std::size_t most = Programs::default_most) const {
    return programs.run({.program = "git",
                         .arguments = arguments,
                         .environment = {"GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "HOME=/nonexistent"},
                         .directory = top,
                         .input = input},
                        {}, most);
  }
};

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string error_of(const Programs& programs, const std::string& program) {
  try {
    programs.run({.program = program, .directory = "/"}, {});
  } catch (const toolwire::ToolError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(no_further_program_is_started, Confined) {
  shell("git -c diff.external=$EVIL diff");
  BOOST_TEST_REQUIRE(is_marked());
  std::filesystem::remove(marker());
  const ProgramOutput ran = git({"-c", "diff.external=" + (folder / "evil.sh").string(), "diff", "--ext-diff"});
  BOOST_TEST(ran.exit_status != 0);
  BOOST_TEST(!is_marked(), ran.output + ran.errors);
}

BOOST_FIXTURE_TEST_CASE(not_even_one_that_may_be_executed_itself, Confined) {
  shell("printf '\\n[alias]\\nloop = !git version\\n' >>.git/config");
  BOOST_TEST_REQUIRE(says(shell("git loop"), "git version 2"));
  const ProgramOutput ran = git({"loop"});
  BOOST_TEST(!says(ran.output, "git version 2"));
}

BOOST_FIXTURE_TEST_CASE(nothing_outside_is_read, Confined) {
  folder.file("outside/secret", "SECRET\n");
  const std::string secret = (folder / "outside/secret").string();
  BOOST_TEST_REQUIRE(says(shell("git diff --no-index /dev/null $OUT/secret"), "SECRET"));
  const ProgramOutput ran = git({"diff", "--no-index", "/dev/null", secret});
  BOOST_TEST(!says(ran.output, "SECRET"));
  BOOST_TEST(says(ran.errors, "Permission denied"), ran.errors);
  BOOST_TEST(says(git({"diff", "--no-index", "/dev/null", top + "/a.txt"}).output, "+TWO"));
}

BOOST_FIXTURE_TEST_CASE(nothing_is_written, Confined) {
  const std::string before = shell("find . | sort; cat a.txt .git/index | cksum");
  BOOST_TEST(git({"init", "new"}).exit_status != 0);
  BOOST_TEST(git({"checkout", "HEAD", "a.txt"}).exit_status != 0);
  BOOST_TEST(git({"diff", "--output=made"}).exit_status != 0);
  git({"update-index", "--refresh"});
  BOOST_TEST(shell("find . | sort; cat a.txt .git/index | cksum") == before);
}

BOOST_FIXTURE_TEST_CASE(no_network_is_reached, Confined) {
  BOOST_TEST(!says(shell("git ls-remote git://127.0.0.1:1/x"), "Operation not permitted"));
  const ProgramOutput ran = git({"ls-remote", "git://127.0.0.1:1/x"});
  BOOST_TEST(ran.exit_status != 0);
  BOOST_TEST(says(ran.errors, "Operation not permitted"), ran.errors);
}

BOOST_FIXTURE_TEST_CASE(input_and_output_pass_whole_and_output_is_bounded, Confined) {
  std::string input(std::size_t{4} << 20, 'x');
  input += "SECRET end\n";
  folder.file("big", input);
  BOOST_TEST(git({"hash-object", "--stdin"}, input).output == shell("git hash-object ../big"));
  BOOST_TEST(git({"stripspace"}, input).output.size() == input.size());
  BOOST_TEST(git({"version"}, input).output.starts_with("git version"));  // which reads no input
  const ProgramOutput cut = git({"stripspace"}, input, 1000);
  BOOST_TEST(cut.is_cut);
  BOOST_TEST(cut.output == std::string(1000, 'x'));
}

BOOST_FIXTURE_TEST_CASE(many_threads_run_programs_at_once, Confined) {
  std::vector<std::string> said(8);
  std::vector<std::thread> threads;
  for (std::string& one : said)
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) one += git({"stripspace"}, std::to_string(i) + "\n").output;
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& one : said) BOOST_TEST(one == "0\n1\n2\n3\n4\n");
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_run_is_said, Confined) {
  BOOST_TEST(git({"nothing of the kind"}).exit_status == 1);
  BOOST_TEST(says(error_of(Programs{"no reason"}, "git"), "no reason"));
  const Programs missing = Programs::start({{"no-such-program", {}}}, "/usr/bin:/bin");
  BOOST_TEST(says(missing.problem("no-such-program"), "not installed"));
  BOOST_TEST(says(error_of(missing, "no-such-program"), "not installed"));
  // A script needs an interpreter, which may not be executed.
  folder.file("bin/script", "#!/bin/sh\necho ran\n");
  shell("chmod +x ../bin/script");
  const Programs script = Programs::start({{"script", {}}}, (folder / "bin").string());
  BOOST_TEST(script.problem("script") == "");
  BOOST_TEST(says(error_of(script, "script"), "cannot be started"), error_of(script, "script"));
}
