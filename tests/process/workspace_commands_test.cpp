// What a command can do, whatever it is: each of these does its worst. Where the kernel cannot confine commands the
// server runs none, and there is nothing to test.
#include "workspace/commands/commands.hpp"

#define BOOST_TEST_MODULE workspace_commands_test
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>
#include <toolwire/error.hpp>
#include <vector>

#include "command_runner.hpp"
#include "file_content.hpp"
#include "listening_socket.hpp"
#include "scratch_folder.hpp"

using namespace toolwire_test::commands;
using workspace::Commands;
using workspace::CommandSettings;
using workspace::EndedFor;
using workspace::Roots;

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// In the order in which they were forked.
std::vector<pid_t> children_of(pid_t process) {
  const std::string number = std::to_string(process);
  std::istringstream list(toolwire_test::content_of("/proc/" + number + "/task/" + number + "/children"));
  std::vector<pid_t> all;
  for (pid_t one = 0; list >> one;) all.push_back(one);
  return all;
}

/// What puts back what runs later. Behind the one that removes the folders of commands.
pid_t guard() {
  const std::vector<pid_t> all = children_of(::getpid());
  BOOST_TEST_REQUIRE(all.size() == 3U);
  return all[1];
}

void kill_and_wait(pid_t process) {
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  BOOST_TEST_REQUIRE(handle >= 0);
  ::kill(process, SIGKILL);
  pollfd ended{handle, POLLIN, 0};
  BOOST_TEST(::poll(&ended, 1, 20'000) == 1);
  ::close(handle);
}

}  // namespace

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(confines))
BOOST_AUTO_TEST_SUITE(confined)

BOOST_FIXTURE_TEST_CASE(words_reach_the_program_as_they_are, Runner) {
  const Ran ran = run({"printf", "%s|", "a b", "", "$HOME", "*", ";"});
  BOOST_TEST(ran.text == "a b||$HOME|*|;|");
  BOOST_TEST(ran.status.value_or(-1) == 0);
  BOOST_TEST(shell("exit 7").status.value_or(-1) == 7);
  BOOST_TEST(shell("echo out; echo err >&2; echo out").text == "out\nerr\nout\n");
  BOOST_TEST(shell("pwd").text == top + "\n");
  BOOST_TEST(says(end_text(shell("kill -SEGV $$").end), "ended by the signal \"Segmentation fault\""));
}

BOOST_FIXTURE_TEST_CASE(files_are_changed_below_the_root_and_nowhere_else, Runner) {
  file("outside/there", "precious");
  const std::string there = outside("there");
  const Ran ran =
      shell("echo a >inside; mkdir -p d; mv inside d/moved; chmod 600 d/moved; touch -d @1000 d/moved; echo b >" +
            outside("new") + "; rm " + there + "; : >" + there + "; mv " + there + " .; ln " + there +
            " linked; mkdir " + outside("made") + "; ln -s ../outside way; echo c >way/there");
  BOOST_TEST(content("top/d/moved") == "a\n");
  BOOST_TEST((fs::status(*this / "top/d/moved").permissions() == fs::perms(0600)));
  BOOST_TEST(content("outside/there") == "precious", ran.text);
  BOOST_TEST(!fs::exists(*this / "outside/new"));
  BOOST_TEST(!fs::exists(*this / "outside/made"));
  BOOST_TEST(!fs::exists(*this / "top/linked"));
}

BOOST_FIXTURE_TEST_CASE(modes_times_and_owners_outside_stay, Runner) {
  file("outside/there", "precious");
  fs::permissions(*this / "outside/there", fs::perms(0640));
  struct stat before {};
  BOOST_REQUIRE(::stat(outside("there").c_str(), &before) == 0);
  const Ran ran = shell("ln -s " + outside("there") + " way; chmod 777 way; chmod 777 " + outside("there") +
                        "; touch -d @1000 way; touch -h -d @1000 " + outside("there") +
                        "; chown 1234 way; cd / && chmod 777 " + outside("there").substr(1));
  struct stat after {};
  BOOST_REQUIRE(::stat(outside("there").c_str(), &after) == 0);
  BOOST_TEST(before.st_mode == after.st_mode, ran.text);
  BOOST_TEST(before.st_mtime == after.st_mtime);
  BOOST_TEST(before.st_uid == after.st_uid);
  BOOST_TEST(says(ran.text, "Operation not permitted"), ran.text);
}

BOOST_FIXTURE_TEST_CASE(no_bit_is_set_that_lends_a_user_s_rights, Runner) {
  const Ran ran = shell("touch f; chmod 4755 f; chmod 2755 f; chmod 755 f");
  BOOST_TEST(says(ran.text, "Operation not permitted"));
  BOOST_TEST((fs::status(*this / "top/f").permissions() == fs::perms(0755)));
}

BOOST_FIXTURE_TEST_CASE(files_outside_are_not_read, Runner) {
  file("outside/secret", "SECRET");
  file("outside/tool", "#!/bin/sh\necho RAN\n");
  fs::permissions(*this / "outside/tool", fs::perms(0755));
  const Ran ran = shell("cat " + outside("secret") + "; ls " + outside("") + "; cat /proc/" +
                        std::to_string(::getpid()) + "/environ /proc/1/cmdline; " + outside("tool"));
  BOOST_TEST(!says(ran.text, "SECRET"), ran.text);
  BOOST_TEST(!says(ran.text, "RAN"), ran.text);
  BOOST_TEST(!says(ran.text, "PATH="), ran.text);
  BOOST_TEST(says(ran.text, "Permission denied"));
}

BOOST_FIXTURE_TEST_CASE(a_server_that_only_reads_runs_commands_that_change_nothing_of_it, ReadingRunner) {
  file("top/f", "a");
  const Ran ran = shell("cat f; echo b >f; echo c >g; rm f; echo t >$TMPDIR/t && cat $TMPDIR/t");
  BOOST_TEST(content("top/f") == "a");
  BOOST_TEST(!fs::exists(*this / "top/g"));
  BOOST_TEST(ran.text.starts_with("a"));
  BOOST_TEST(ran.text.ends_with("t\n"), ran.text);
}

BOOST_FIXTURE_TEST_CASE(temporary_folders_are_a_command_s_own_and_go_with_it, Runner) {
  const auto other = start({"sh", "-c", "echo mine >$TMPDIR/mine; echo $TMPDIR; exec sleep 1000"});
  other->wait_for_more(0, 30s, {});
  std::string folder_of_other = other->written(0).text;
  folder_of_other.pop_back();
  const Ran ran = shell("cat " + folder_of_other + "/mine; touch " + folder_of_other + "/x; echo $TMPDIR");
  BOOST_TEST(!says(ran.text, "mine\n"), ran.text);
  BOOST_TEST(!fs::exists(folder_of_other + "/x"));
  BOOST_TEST(fs::exists(folder_of_other + "/mine"));
  other->stop();
  other->wait({});
  BOOST_TEST(!fs::exists(folder_of_other));
  const fs::path top_of_all = fs::path(folder_of_other).parent_path();
  BOOST_TEST(fs::exists(top_of_all));
  commands.reset();
  BOOST_TEST(!fs::exists(top_of_all));
}

BOOST_FIXTURE_TEST_CASE(there_is_no_network, Runner) {
  const toolwire_test::ListeningSocket listening;
  file("top/net.py",
       "import socket, sys\n"
       "for family, address in ((socket.AF_INET, ('127.0.0.1', " +
           std::to_string(listening.port()) +
           ")), (socket.AF_UNIX, '/run/x'), (socket.AF_NETLINK, (0, 0))):\n"
           "    try:\n"
           "        socket.socket(family, socket.SOCK_STREAM if family != 16 else socket.SOCK_RAW).connect(address)\n"
           "        print('reached', family)\n"
           "    except OSError as error:\n"
           "        print('refused', error)\n"
           "a, b = socket.socketpair()\n"
           "a.sendall(b'pair')\n"
           "print(b.recv(4))\n");
  const Ran ran = run({"python3", "net.py"});
  BOOST_TEST(!says(ran.text, "reached"), ran.text);
  BOOST_TEST(says(ran.text, "b'pair'"), ran.text);
}

BOOST_FIXTURE_TEST_CASE(with_a_network_still_no_sockets_of_this_machine_are_reached, NetworkRunner) {
  const toolwire_test::ListeningSocket listening;
  file("top/net.py",
       "import socket\n"
       "socket.create_connection(('127.0.0.1', " +
           std::to_string(listening.port()) +
           "))\n"
           "print('reached')\n"
           "socket.socket(socket.AF_UNIX)\n");
  const Ran ran = run({"python3", "net.py"});
  BOOST_TEST(ran.text.starts_with("reached\n"), ran.text);
  BOOST_TEST(says(ran.text, "PermissionError"), ran.text);
}

BOOST_FIXTURE_TEST_CASE(what_runs_later_is_put_back, Runner) {
  file("top/.git/config", "[core]\n");
  const Words plants{
      "sh", "-c",
      "mkdir -p .git/hooks .vscode; echo evil >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; echo "
      "evil >>.git/config; echo {} >.vscode/tasks.json; echo fine >result"};
  const Ran ran = run(plants);
  BOOST_TEST(says(ran.end.changes, ".git/hooks/pre-commit was made; what the command made is in .workspace-trash/"));
  BOOST_TEST(says(ran.end.changes, ".git/config was changed"));
  BOOST_TEST(says(ran.end.changes, ".vscode/tasks.json was made"));
  BOOST_TEST(!fs::exists(*this / "top/.git/hooks/pre-commit"));
  BOOST_TEST(content("top/.git/config") == "[core]\n");
  BOOST_TEST(content("top/result") == "fine\n");
  const Ran kept = run(plants, 30s, true);
  BOOST_TEST(says(kept.end.changes, ".git/hooks/pre-commit was made"));
  BOOST_TEST(content("top/.git/hooks/pre-commit") == "evil\n");
}

BOOST_FIXTURE_TEST_CASE(without_what_puts_back_what_runs_later_no_command_is_run, Runner) {
  kill_and_wait(guard());
  try {
    start({"true"});
    BOOST_ERROR("it was run");
  } catch (const toolwire::ToolError& error) {
    BOOST_TEST(says(error.what(), "not run, because the process that puts back what runs later has ended"));
  }
}

BOOST_FIXTURE_TEST_CASE(what_nobody_looked_at_is_said, Runner) {
  const auto command = start({"sh", "-c", "echo up; exec sleep 1000"});
  command->wait_for_more(0, 30s, {});
  const std::vector<pid_t> looking = children_of(guard());
  BOOST_TEST_REQUIRE(looking.size() == 1U);
  kill_and_wait(looking.front());
  command->end_now();
  command->wait({});
  BOOST_TEST(says(command->end()->changes, "NOTHING of it was looked at"));
}

BOOST_FIXTURE_TEST_CASE(a_process_that_leaves_for_the_background_ends_with_its_command, Runner) {
  file("top/daemon.py",
       "import os, signal, sys, time\n"
       "ready = os.pipe()\n"
       "if os.fork() == 0:\n"
       "    os.setsid()\n"
       "    if os.fork() == 0:\n"
       "        signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
       "        open('daemon', 'w').write(str(os.getpid()))\n"
       "        os.write(ready[1], b'1')\n"
       "        time.sleep(1000)\n"
       "    os._exit(0)\n"
       "os.read(ready[0], 1)\n"
       "print('done')\n");
  // Numbers are this machine's, since no command has a namespace of its own.
  const Ran ran = run({"python3", "daemon.py"});
  BOOST_TEST(ran.text == "done\n");
  BOOST_TEST(ran.end.left_behind >= 1);
  BOOST_TEST(!is_there(*this / "top/daemon"));
}

BOOST_FIXTURE_TEST_CASE(time_is_bounded_also_for_who_does_not_listen, Runner) {
  const Ran ran = run({"sh", "-c", "trap '' TERM; echo $$ >number; while :; do sleep 0.1; done"}, 1s);
  BOOST_TEST((ran.end.ended_for == EndedFor::time));
  BOOST_TEST(says(end_text(ran.end), "ended because its time was over: ended by the signal \"Killed\""));
  BOOST_TEST(!is_there(*this / "top/number"));
}

BOOST_FIXTURE_TEST_CASE(who_listens_may_tidy_up, Runner) {
  const Ran ran = run({"sh", "-c", "trap 'echo bye; exit 5' TERM; while :; do sleep 0.1; done"}, 1s);
  BOOST_TEST(says(ran.text, "bye\n"));
  BOOST_TEST(ran.status.value_or(-1) == 5);
}

BOOST_FIXTURE_TEST_CASE(endless_output_is_bounded, Runner) {
  const Ran ran = run({"sh", "-c", "echo first; yes"}, 1s);
  BOOST_TEST(ran.text.starts_with("first\ny\n"));
  BOOST_TEST(says(ran.text, " bytes were left out here"));
  BOOST_TEST(ran.text.size() < 60'000U);
}

BOOST_FIXTURE_TEST_CASE(output_that_is_no_text_is_shown_as_text, Runner) {
  BOOST_TEST(shell("printf 'a\\377\\000b\\n'").text ==
             "a\xEF\xBF\xBD"
             "b\n");
}

BOOST_FIXTURE_TEST_CASE(processes_without_end_are_ended, Runner) {
  // Twice as many each time, and no more than this machine bears.
  const Ran ran = run({"sh", "-c", "b() { [ $1 -eq 11 ] || { b $(($1 + 1)) & b $(($1 + 1)); }; sleep 1000; }; b 0"});
  BOOST_TEST((ran.end.ended_for == EndedFor::processes || says(ran.text, "Cannot fork")), end_text(ran.end));
  BOOST_TEST(shell("echo alive").text == "alive\n");
}

BOOST_FIXTURE_TEST_CASE(memory_is_bounded, SmallRunner) {
  const Ran one = run({"python3", "-c", "x = bytearray(1 << 30); print('got it')"});
  BOOST_TEST(says(one.text, "MemoryError"), one.text);
  const Ran many = run({"python3", "-c",
                        "import os, time\n"
                        "for _ in range(8):\n"
                        "    if os.fork() == 0:\n"
                        "        x = bytearray(b'x') * (100 << 20)\n"
                        "        time.sleep(1000)\n"
                        "time.sleep(1000)\n"});
  BOOST_TEST((many.end.ended_for == EndedFor::memory), end_text(many.end));
}

BOOST_FIXTURE_TEST_CASE(other_processes_are_out_of_reach, Runner) {
  rlimit before{};
  BOOST_REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const std::string self = std::to_string(::getpid());
  const Ran ran = shell("kill -STOP $PPID; kill -TERM " + self + "; prlimit --pid " + self +
                        " --nofile=10; renice -n 5 -p " + self + "; unshare -Ur id; echo end");
  BOOST_TEST(says(ran.text, "end\n"), ran.text);
  rlimit after{};
  BOOST_REQUIRE(::getrlimit(RLIMIT_NOFILE, &after) == 0);
  BOOST_TEST(before.rlim_cur == after.rlim_cur);
  BOOST_TEST(shell("echo alive").text == "alive\n");
}

BOOST_FIXTURE_TEST_CASE(commands_in_the_background_end_with_whoever_started_them, Runner) {
  const auto id = commands->start_in_background(
      commands->resolve({"sh", "-c", "echo $$ >number; echo up; exec sleep 1000"}, ".", false));
  const auto command = commands->in_background(id);
  command->wait_for_more(0, 30s, {});
  BOOST_TEST(command->written(0).text == "up\n");
  BOOST_TEST(is_there(*this / "top/number"));
  commands->end();
  BOOST_TEST(!is_there(*this / "top/number"));
}

BOOST_FIXTURE_TEST_CASE(as_many_as_may_be_run_in_the_background, Runner) {
  const auto asked = commands->resolve({"sleep", "1000"}, ".", false);
  for (std::size_t i = 0; i < Commands::most_in_background; ++i) commands->start_in_background(asked);
  BOOST_CHECK_THROW(commands->start_in_background(asked), toolwire::ToolError);
  BOOST_CHECK_THROW(commands->in_background(99), toolwire::ToolError);
  commands->in_background(1)->stop();
  commands->in_background(1)->wait({});
  BOOST_TEST(commands->start_in_background(asked) == 9);
}

BOOST_FIXTURE_TEST_CASE(programs_are_found_and_what_cannot_be_meant_is_said, Runner) {
  file("top/sub/own", "#!/bin/sh\necho own\n");
  fs::permissions(*this / "top/sub/own", fs::perms(0755));
  BOOST_TEST(commands->resolve({"sub/own"}, ".", false).program == "./sub/own");
  BOOST_TEST(commands->resolve({"./own"}, "sub", false).program == "./sub/own");
  BOOST_TEST(run({"sub/own"}).text == "own\n");
  BOOST_TEST(says(error_of(*this, {}), "expected the program and its arguments"));
  BOOST_TEST(says(error_of(*this, {""}), "expected the program and its arguments"));
  BOOST_TEST(says(error_of(*this, {"no-such-program"}), "there is no program no-such-program in"));
  BOOST_TEST(says(error_of(*this, {"./none"}), "./none is no file; expected a program"));
  BOOST_TEST(says(error_of(*this, {"own"}), "there is no program own"));
  BOOST_TEST(says(error_of(*this, {"ls", std::string("a\0b", 3)}), "a NUL byte"));
  BOOST_TEST(says(error_of(*this, {"ls"}, "nowhere"), "nowhere"));
  BOOST_TEST(says(error_of(*this, {"ls"}, "../outside"), "outside"));
  file("top/no-program", "text");
  BOOST_TEST(says(end_text(run({"./no-program"}).end), "not started"));
}

BOOST_AUTO_TEST_CASE(settings_that_cannot_be_meant_are_refused) {
  const toolwire_test::ScratchFolder folder;
  const Roots roots{workspace::Root::at(folder.text())};
  BOOST_CHECK_THROW((Commands{{.allow = {"sh **"}}, roots}), std::invalid_argument);
  BOOST_CHECK_THROW((Commands{{.read = {"/no/such/folder"}}, roots}), std::invalid_argument);
  BOOST_CHECK_THROW((Commands{{.change = {folder.text()}}, roots}), std::invalid_argument);
  BOOST_CHECK_THROW((Commands{{.environment = {"NAME"}}, roots}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_person_s_word_holds_for_exactly_this_command_in_this_folder) {
  const toolwire_test::ScratchFolder folder;
  folder.folder("sub");
  const Roots roots{workspace::Root::at(folder.text())};
  Commands commands{{.allow = {"echo *"}, .write = true}, roots};
  BOOST_TEST(commands.is_approved(commands.resolve({"echo", "a"}, ".", false)));
  BOOST_TEST(!commands.is_approved(commands.resolve({"echo", "a"}, ".", true)));  // what a pattern never says
  const auto asked = commands.resolve({"ls", "-l"}, ".", false);
  BOOST_TEST(!commands.is_approved(asked));
  commands.approve_from_now_on(asked);
  BOOST_TEST(commands.is_approved(asked));
  BOOST_TEST(!commands.is_approved(commands.resolve({"ls", "-l"}, "sub", false)));
  BOOST_TEST(!commands.is_approved(commands.resolve({"ls", "-l"}, ".", true)));
  BOOST_TEST(!commands.is_approved(commands.resolve({"ls", "-la"}, ".", false)));
}

BOOST_AUTO_TEST_CASE(with_folders_of_their_own_commands_change_nothing_else_of_the_root) {
  const toolwire_test::ScratchFolder folder;
  const std::string build = folder.folder("build").string();
  const Roots roots{workspace::Root::at(folder.text())};
  Commands commands{{.change = {build}, .write = true}, roots};
  const auto command = commands.start(
      commands.resolve({"sh", "-c", "echo a >build/a; echo b >b; mkdir -p .git/hooks && echo c >.git/hooks/c"}, ".",
                       false),
      30s);
  command->wait({});
  BOOST_TEST(toolwire_test::content_of(folder / "build/a") == "a\n");
  BOOST_TEST(!std::filesystem::exists(folder / "b"));
  BOOST_TEST(!std::filesystem::exists(folder / ".git"));
  BOOST_TEST(command->end()->changes.empty());
}

BOOST_AUTO_TEST_SUITE_END()
