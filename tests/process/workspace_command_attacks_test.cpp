// What a command may try against what confines it, and what ordinary programs need of that all the same.
#include "workspace/commands/commands.hpp"

#define BOOST_TEST_MODULE workspace_command_attacks_test
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <toolwire/error.hpp>

#include "command_runner.hpp"
#include "file_content.hpp"
#include "scratch_folder.hpp"

using namespace toolwire_test::commands;
using workspace::Commands;
using workspace::EndedFor;
using workspace::Roots;

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

struct SettingRunner : Runner {
  SettingRunner() : Runner({.environment = {"LANG=of-the-person", "TMPDIR=/elsewhere", "OWN=a=b"}, .write = true}) {}
};

}  // namespace

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(confines))
BOOST_AUTO_TEST_SUITE(confined)

BOOST_FIXTURE_TEST_CASE(a_command_that_ends_its_own_group_ends_nothing_else, Runner) {
  const Ran ran = shell("sleep 1000 & echo begun; kill -KILL 0");
  BOOST_TEST(ran.text == "begun\n");
  BOOST_TEST(says(end_text(ran.end), "ended by the signal \"Killed\""), end_text(ran.end));
  BOOST_TEST(shell("echo alive").text == "alive\n");
}

BOOST_FIXTURE_TEST_CASE(there_is_no_terminal_to_wait_for, Runner) {
  const Ran ran = shell("read x; echo $?; (read x </dev/tty) 2>/dev/null; echo $?; tty; exec <&-; read x; echo $?");
  BOOST_TEST(ran.text.starts_with("1\n2\nnot a tty\n"), ran.text);
  BOOST_TEST(ran.status.value_or(-1) == 0);
}

BOOST_FIXTURE_TEST_CASE(who_closes_its_streams_runs_on_and_is_seen_to_end, Runner) {
  const Ran ran = shell("echo said; exec >&- 2>&- <&-; sleep 0.2; : >made; exit 3");
  BOOST_TEST(ran.text == "said\n");
  BOOST_TEST(ran.status.value_or(-1) == 3);
  BOOST_TEST(fs::exists(*this / "top/made"));
}

BOOST_FIXTURE_TEST_CASE(no_descriptor_of_the_server_is_handed_on, Runner) {
  const Ran ran = run({"python3", "-c",
                       "import os\n"
                       "for number in range(3, 4096):\n"
                       "    try:\n"
                       "        os.fstat(number)\n"
                       "        print(number)\n"
                       "    except OSError:\n"
                       "        pass\n"});
  BOOST_TEST(ran.text == "");
}

BOOST_FIXTURE_TEST_CASE(memory_without_a_process_is_not_to_be_had, SmallRunner) {
  const Ran ran = run({"python3", "-c",
                       "import os\n"
                       "file = os.memfd_create('much')\n"
                       "print('got it')\n"});
  BOOST_TEST(!says(ran.text, "got it"), ran.text);
}

BOOST_FIXTURE_TEST_CASE(flags_of_files_that_are_only_read_stay, ReadingRunner) {
  file("top/f", "a");
  const Ran ran = run({"python3", "-c",
                       "import errno, fcntl, os, struct\n"
                       "file = os.open('f', os.O_RDONLY)\n"
                       "for call in (0x40086602, 0x40046602, 0x401c5820):\n"
                       "    try:\n"
                       "        fcntl.ioctl(file, call, bytes(28))\n"
                       "        print('set')\n"
                       "    except OSError as error:\n"
                       "        print(errno.errorcode[error.errno])\n"});
  BOOST_TEST(ran.text == "EPERM\nEPERM\nEPERM\n");
}

BOOST_FIXTURE_TEST_CASE(archives_are_unpacked_and_files_copied_with_their_modes, Runner) {
  const Ran ran = shell(
      "mkdir d && echo a >d/a && chmod 750 d && chmod 640 d/a && tar cf t d && mkdir out && tar xpf t -C out && "
      "cp -a d copy && install -m 700 d/a installed && ln -s a d/way && cp -a d again && stat -c %a out/d out/d/a copy "
      "copy/a installed");
  BOOST_TEST(ran.text == "750\n640\n750\n640\n700\n");
  BOOST_TEST(ran.status.value_or(-1) == 0);
}

BOOST_FIXTURE_TEST_CASE(modes_are_set_through_descriptors_by_name, Runner) {
  file("outside/there", "precious");
  fs::permissions(outside("there"), fs::perms(0640));
  const Ran ran =
      run({"python3", "-c",
           "import os\n"
           "file = os.open('made', os.O_CREAT | os.O_RDONLY)\n"
           "for mode, folder in ((0o600, '/proc/self/fd'), (0o610, '/dev/fd'), (0o620, '/proc/thread-self/fd'),\n"
           "                     (0o630, '/proc/%d/fd' % os.getpid())):\n"
           "    os.chmod('%s/%d' % (folder, file), mode)\n"
           "    print(oct(os.fstat(file).st_mode & 0o777))\n"
           "try:\n"
           "    os.chmod('/proc/self/fd/../../../' + '" +
               outside("there").substr(1) +
               "', 0o666)\n"
               "except OSError as error:\n"
               "    print(error.strerror)\n"});
  BOOST_TEST(ran.text == "0o600\n0o610\n0o620\n0o630\nOperation not permitted\n");
  BOOST_TEST((fs::status(outside("there")).permissions() == fs::perms(0640)));
}

BOOST_FIXTURE_TEST_CASE(a_character_is_not_told_in_halves, Runner) {
  const auto command =
      start({"sh", "-c", "printf 'a\\303'; until [ -e go ]; do sleep 0.05; done; printf '\\244b\\303'"});
  while (command->size() < 2) command->wait_for_more(command->size(), 30s, {});
  const auto first = command->written(0);
  BOOST_TEST(first.text == "a");
  BOOST_TEST(first.next == 1U);
  file("top/go", "");
  command->wait({});
  BOOST_TEST(command->written(first.next).text == "\xC3\xA4\x62\xEF\xBF\xBD");
}

BOOST_FIXTURE_TEST_CASE(what_tells_a_system_s_version_is_read, Runner) {
  for (const char* const file : {"/etc/debian_version", "/etc/os-release", "/etc/lsb-release"}) {
    if (fs::exists(file)) BOOST_TEST(run({"cat", file}).status.value_or(-1) == 0, file);
  }
}

BOOST_FIXTURE_TEST_CASE(who_may_see_processes_sees_none_of_their_secrets_and_changes_nothing, ProcRunner) {
  const std::string self = "/proc/" + std::to_string(::getpid());
  const Ran ran =
      shell("grep -c . /proc/self/maps >/dev/null && echo own; cat " + self + "/environ " + self + "/maps; ls " + self +
            "/fd " + self + "/root/; echo 0 >" + self + "/oom_score_adj; echo x >" + self + "/mem; echo end");
  BOOST_TEST(ran.text.starts_with("own\n"), ran.text);
  BOOST_TEST(ran.text.ends_with("end\n"), ran.text);
  BOOST_TEST(!says(ran.text, "PATH="), ran.text);
  BOOST_TEST(!says(ran.text, "r-xp"), ran.text);
  BOOST_TEST(!says(ran.text, "\nusr\n"), ran.text);
}

BOOST_FIXTURE_TEST_CASE(who_may_reserve_memory_gets_no_more_of_it, ProcRunner) {
  const Ran reserving = run({"python3", "-c",
                             "import mmap\n"
                             "mmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)\n"
                             "print('reserved')\n"});
  BOOST_TEST(reserving.text == "reserved\n");
  const Ran using_it = run({"python3", "-c", "import time; x = bytearray(b'x') * (512 << 20); time.sleep(1000)"});
  BOOST_TEST((using_it.end.ended_for == EndedFor::memory), end_text(using_it.end));
}

BOOST_FIXTURE_TEST_CASE(a_variable_is_set_once, SettingRunner) {
  const Ran ran = run({"env"});
  BOOST_TEST(says(ran.text, "\nLANG=of-the-person\n"), ran.text);
  BOOST_TEST(says(ran.text, "\nOWN=a=b\n"), ran.text);
  BOOST_TEST(!says(ran.text, "LANG=C"), ran.text);
  BOOST_TEST(!says(ran.text, "elsewhere"), ran.text);
}

BOOST_FIXTURE_TEST_CASE(a_command_whose_changes_stay_lends_that_to_no_other, Runner) {
  const auto keeping = start({"sh", "-c", "echo up; exec sleep 1000"}, 30s, true);
  keeping->wait_for_more(0, 30s, {});
  BOOST_CHECK_THROW(start({"touch", ".envrc"}), toolwire::ToolError);
  BOOST_TEST(!fs::exists(*this / "top/.envrc"));
  keeping->stop();
  keeping->wait({});
  const auto other = start({"sh", "-c", "echo up; exec sleep 1000"});
  other->wait_for_more(0, 30s, {});
  BOOST_CHECK_THROW(start({"touch", ".envrc"}, 30s, true), toolwire::ToolError);
  BOOST_TEST(says(run({"touch", ".envrc"}).end.changes, ".envrc was made; what the command made is in"));
  other->stop();
  other->wait({});
  run({"touch", ".envrc"}, 30s, true);
  BOOST_TEST(fs::exists(*this / "top/.envrc"));
}

BOOST_FIXTURE_TEST_CASE(what_a_command_does_to_folders_hides_nothing_that_runs_later, Runner) {
  const Ran ran = shell(
      "mkdir -p .git/hooks deep/.vscode; echo evil >.git/hooks/pre-commit; chmod 555 .git/hooks; echo {} "
      ">deep/.vscode/tasks.json; chmod 300 deep; echo evil >.workspace-trash");
  BOOST_TEST(says(ran.end.changes, ".git/hooks/pre-commit was made"));
  BOOST_TEST(!says(ran.end.changes, "NOT"));
  BOOST_TEST(!fs::exists(*this / "top/.git/hooks/pre-commit"));
  BOOST_TEST(!fs::exists(*this / "top/deep/.vscode/tasks.json"));
}

BOOST_AUTO_TEST_CASE(a_toolchain_elsewhere_needs_the_right_to_read_it) {
  const toolwire_test::ScratchFolder folder;
  folder.file("tools/own-tool", "#!/bin/sh\necho own\n");
  fs::permissions(folder / "tools/own-tool", fs::perms(0755));
  const std::string tools = (folder / "tools").string(), path = std::getenv("PATH");
  ::setenv("PATH", (tools + ':' + path).c_str(), 1);
  const Roots roots{workspace::Root::at(folder.folder("top").string())};
  Commands without{{.write = true}, roots};
  Commands with{{.read = {tools}, .write = true}, roots};
  ::setenv("PATH", path.c_str(), 1);
  BOOST_CHECK_EXCEPTION(
      without.resolve({"own-tool"}, ".", false), toolwire::ToolError,
      [](const toolwire::ToolError& error) { return says(error.what(), "with an option --run-read"); });
  const auto command = with.start(with.resolve({"own-tool"}, ".", false), 30s);
  command->wait({});
  BOOST_TEST(command->written(0).text == "own\n");
}

BOOST_AUTO_TEST_CASE(what_commands_change_lies_in_the_roots) {
  const toolwire_test::ScratchFolder folder;
  const Roots roots{workspace::Root::at(folder.folder("top").string())};
  const std::string elsewhere = folder.folder("elsewhere").string();
  BOOST_CHECK_THROW((Commands{{.change = {elsewhere}, .write = true}, roots}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(no_program_is_found_by_its_name_where_this_server_writes) {
  const toolwire_test::ScratchFolder folder;
  folder.file("bin/planted", "#!/bin/sh\n");
  fs::permissions(folder / "bin/planted", fs::perms(0755));
  const std::string build = folder.folder("build").string(), path = std::getenv("PATH");
  ::setenv("PATH", ((folder / "bin").string() + ':' + path).c_str(), 1);
  const Roots roots{workspace::Root::at(folder.text())};
  Commands writing{{.change = {build}, .write = true}, roots};
  BOOST_CHECK_THROW(writing.resolve({"planted"}, ".", false), toolwire::ToolError);
  Commands reading{{}, roots};
  BOOST_TEST(reading.resolve({"planted"}, ".", false).program == "planted");
  ::setenv("PATH", path.c_str(), 1);
}

BOOST_AUTO_TEST_SUITE_END()
