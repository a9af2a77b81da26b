// Which commands a pattern approves: words fit words, whatever is in them, and nothing that runs text is approved by a
// star.
#include "workspace/commands/command_pattern.hpp"

#define BOOST_TEST_MODULE workspace_command_pattern_test
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <vector>

using workspace::AskedCommand;
using workspace::CommandPattern;
using workspace::ProgramKind;

namespace {

using Words = std::vector<std::string>;

AskedCommand asked(const Words& words, const std::string& file = {}) {
  return {.words = words, .file = file.empty() ? "/usr/bin/" + words.front() : file, .program = words.front()};
}

bool fits(const std::string& pattern, const Words& words) { return CommandPattern::parse(pattern).fits(asked(words)); }

/// What is wrong with the pattern; empty if nothing is.
std::string mistake(const std::string& pattern) {
  try {
    CommandPattern::parse(pattern);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(without_a_star_exactly_these_words_fit) {
  BOOST_TEST(fits("cargo test", {"cargo", "test"}));
  BOOST_TEST(fits("  cargo \t test ", {"cargo", "test"}));
  BOOST_TEST(!fits("cargo test", {"cargo"}));
  BOOST_TEST(!fits("cargo test", {"cargo", "test", "--lib"}));
  BOOST_TEST(!fits("cargo test", {"cargo test"}));
  BOOST_TEST(!fits("cargo test", {"cargo", "tests"}));
  BOOST_TEST(!fits("cargo test", {"Cargo", "test"}));
}

BOOST_AUTO_TEST_CASE(a_star_is_one_plain_word) {
  BOOST_TEST(fits("cargo test *", {"cargo", "test", "parser"}));
  BOOST_TEST(fits("cat *", {"cat", "src/a b; rm -rf /"}));  // nothing reads it as a line
  BOOST_TEST(fits("cat *", {"cat", ""}));
  BOOST_TEST(!fits("cargo test *", {"cargo", "test"}));
  BOOST_TEST(!fits("cargo test *", {"cargo", "test", "a", "b"}));
  for (const char* const word : {"--config=x", "-c", "-", "+nightly", "@file", "SHELL=/tmp/x", "CC=evil"})
    BOOST_TEST(!fits("make *", {"make", word}), word);
  BOOST_TEST(fits("make *", {"make", "a.b=c"}));  // no name of a variable
}

BOOST_AUTO_TEST_CASE(two_stars_are_all_the_rest) {
  BOOST_TEST(fits("npm run **", {"npm", "run"}));
  BOOST_TEST(fits("npm run **", {"npm", "run", "build", "--", "-x", "A=b"}));
  BOOST_TEST(!fits("npm run **", {"npm", "install"}));
  BOOST_TEST(!fits("npm run **", {"npm"}));
  BOOST_TEST(says(mistake("npm ** run"), "elsewhere than as its last word"));
  BOOST_TEST(says(mistake("npm a**"), "elsewhere than as its last word"));
}

BOOST_AUTO_TEST_CASE(a_star_in_a_word_matches_no_slash_and_climbs_nowhere) {
  BOOST_TEST(fits("clang-format src/*.cpp", {"clang-format", "src/a.cpp"}));
  BOOST_TEST(!fits("clang-format src/*.cpp", {"clang-format", "src/a/b.cpp"}));
  BOOST_TEST(!fits("clang-format src/*.cpp", {"clang-format", "src/../.cpp"}));
  BOOST_TEST(!fits("cat a/*/b", {"cat", "a/../b"}));
  BOOST_TEST(fits("cat a*b*c", {"cat", "a-b-b-c"}));
  BOOST_TEST(!fits("cat a*b*c", {"cat", "acb"}));
  BOOST_TEST(!fits("cat ab*ba", {"cat", "aba"}));
  BOOST_TEST(!fits("cat *.txt", {"cat", "-x.txt"}));
  BOOST_TEST(fits("tool -*", {"tool", "-v"}));
  BOOST_TEST(!fits("tool -*", {"tool", "v"}));
}

BOOST_AUTO_TEST_CASE(quotes_keep_blanks_and_stars) {
  BOOST_TEST(fits("grep 'a b' \"*\"", {"grep", "a b", "*"}));
  BOOST_TEST(!fits("grep '*'", {"grep", "x"}));
  BOOST_TEST(fits("grep ''", {"grep", ""}));
  BOOST_TEST(says(mistake("grep 'a"), "a quote without its end"));
}

BOOST_AUTO_TEST_CASE(a_pattern_names_its_program) {
  for (const char* const pattern : {"", "   ", "*", "**", "* test", "car*", "'' x"})
    BOOST_TEST(says(mistake(pattern), "names no program"), pattern);
  AskedCommand own = asked({"tools/check", "a"}, "/w/tools/check");
  own.program = "./tools/check";
  BOOST_TEST(CommandPattern::parse("./tools/check *").fits(own));
  BOOST_TEST(CommandPattern::parse("tools/check *").fits(own));
  BOOST_TEST(!CommandPattern::parse("check *").fits(own));
}

BOOST_AUTO_TEST_CASE(no_pattern_approves_a_shell) {
  for (const char* const program : {"sh", "bash", "busybox", "/bin/dash", "zsh", "su", "script", "watch", "ssh"}) {
    for (const char* const rest : {"", " -c 'echo a'", " -c *", " **"})
      BOOST_TEST(says(mistake(program + std::string(rest)), "what a shell is given"), program << rest);
  }
  for (const char* const pattern : {"env sh -c 'echo a'",
                                    "env A=b /bin/bash x",
                                    "env -S 'sh -c x'",
                                    "timeout 5 busybox sh",
                                    "nice script -c x f",
                                    "xargs sh",
                                    "find . -exec sh -c x ';'",
                                    "/lib64/ld-linux-x86-64.so.2 /bin/sh -c x",
                                    "npx sh -c 'echo a'",
                                    "npx -y -p x bash",
                                    "npx -c 'echo a'",
                                    "npm exec --call='echo a'",
                                    "npm exec -yc 'echo a'",
                                    "uv run bash -c 'echo a'",
                                    "git -c alias.x=!ls x",
                                    "git -p -c core.pager=x log",
                                    "git -C . -c alias.x=!ls x",
                                    "npx -p x -c 'echo a'",
                                    "git -c **",
                                    "npx sh **",
                                    "git bisect run sh x"})
    BOOST_TEST(says(mistake(pattern), "what a shell is given"), pattern);
  for (const char* const pattern :
       {"npm run watch", "npm run sh.js", "git log -c", "git switch -c new", "npx eslint -c rules .",
        "python3 check.py bash", "./tools/check.sh", "make -s check", "npm test"})
    BOOST_TEST(mistake(pattern) == "", pattern);
  BOOST_TEST(!CommandPattern::parse("checker -c x").fits(asked({"checker", "-c", "x"}, "/usr/bin/bash")));
}

BOOST_AUTO_TEST_CASE(no_star_approves_what_runs_text_or_other_programs) {
  for (const char* const program : {"env", "xargs", "find", "awk", "sudo", "/usr/bin/timeout", "ld.so"}) {
    BOOST_TEST(says(mistake(std::string(program) + " **"), "would approve whatever text or program"), program);
    BOOST_TEST(says(mistake(std::string(program) + " -c *"), "expected one command without a star"), program);
    BOOST_TEST(mistake(std::string(program) + " -c x") == "", program);
  }
  BOOST_TEST(fits("find . -name '*.o'", {"find", ".", "-name", "*.o"}));
  BOOST_TEST(!fits("find . -name '*.o'", {"find", ".", "-delete"}));
}

BOOST_AUTO_TEST_CASE(an_interpreter_has_to_name_its_script_before_a_star) {
  for (const char* const pattern :
       {"python3 *", "python3 **", "python3 -c *", "python3 -W ignore **", "node -e *", "perl **", "python3.11 **",
        "python3 -m **", "python3 -m timeit *", "ruby -m x *", "/opt/py/bin/ruby -m x *", "node --test **",
        "deno eval *", "deno run *", "bun x **", "node inspect *", "python3 '' *", "python3 @file *"})
    BOOST_TEST(says(mistake(pattern), "expected its script before the first star"), pattern);
  BOOST_TEST(fits("python3 -m pytest **", {"python3", "-m", "pytest", "-x"}));
  BOOST_TEST(fits("python3 tools/check.py *", {"python3", "tools/check.py", "a"}));
  BOOST_TEST(!fits("python3 -m pytest **", {"python3", "-c", "pytest"}));
  BOOST_TEST(fits("node -e 1", {"node", "-e", "1"}));
}

BOOST_AUTO_TEST_CASE(what_runs_other_programs_has_to_name_one_before_a_star) {
  for (const char* const pattern : {"npx **", "npx * a", "npm **", "npm exec **", "npm exec -- **", "uv run **",
                                    "git **", "bundle exec *", "uvx --from **"})
    BOOST_TEST(says(mistake(pattern), "expected it before the first star"), pattern);
  for (const char* const pattern : {"npx env **", "uv run python **", "uv run python -c *", "bundle exec ruby *",
                                    "npm exec env *", "poetry run npx **"})
    BOOST_TEST(says(mistake(pattern), "would approve whatever"), pattern);
  BOOST_TEST(fits("npx eslint **", {"npx", "eslint", "--fix", "."}));
  BOOST_TEST(fits("npm run **", {"npm", "run", "build"}));
  BOOST_TEST(fits("npm test", {"npm", "test"}));
  BOOST_TEST(fits("git log **", {"git", "log", "-p"}));
  BOOST_TEST(!fits("git log **", {"git", "-c", "alias.log=!sh", "log"}));
  BOOST_TEST(fits("uv run pytest **", {"uv", "run", "pytest", "-x"}));
  BOOST_TEST(fits("uv run python tools/check.py *", {"uv", "run", "python", "tools/check.py", "a"}));
  BOOST_TEST(fits("deno run tools/check.ts *", {"deno", "run", "tools/check.ts", "a"}));
}

BOOST_AUTO_TEST_CASE(a_program_under_another_name_is_what_its_file_is) {
  const CommandPattern pattern = CommandPattern::parse("checker **");
  BOOST_TEST(pattern.fits(asked({"checker", "-c", "x"}, "/usr/bin/checker")));
  BOOST_TEST(!pattern.fits(asked({"checker", "-c", "x"}, "/usr/bin/bash")));
  BOOST_TEST(!pattern.fits(asked({"checker", "-c", "x"}, "/usr/bin/python3.11")));
  BOOST_TEST((workspace::program_kind("ls", "/bin/busybox") == ProgramKind::plain));
  BOOST_TEST((workspace::program_kind("sh", "/bin/busybox") == ProgramKind::shell));
  BOOST_TEST((workspace::program_kind("busybox", "/bin/busybox") == ProgramKind::shell));
  BOOST_TEST((workspace::program_kind("python3.12") == ProgramKind::interpreter));
  BOOST_TEST((workspace::program_kind("gcc-12") == ProgramKind::plain));
}

BOOST_AUTO_TEST_CASE(a_person_sees_each_word_and_all_that_is_in_it) {
  BOOST_TEST(workspace::shown_command({"cargo", "test", "--lib"}) == "cargo test --lib");
  BOOST_TEST(workspace::shown_command({"a b", "", "c\"d\\"}) == R"("a b" "" "c\"d\\")");
  BOOST_TEST(workspace::shown_command({"x\xE2\x80\xAEy\n", "\xFF"}) == R"("x\u{202E}y\n" "\xFF")");
}
