// How commands of `toolwire` that have started a server end, when they are asked to and when they are killed: nothing
// that they have started is left, and nothing that they have written.
#define BOOST_TEST_MODULE toolwire_ending_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <toolwire/child_process.hpp>
#include <vector>

#include "process_status.hpp"
#include "tools_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto limit = 20s;  // after which a test has failed

bool comes_true(const auto& what) {
  const auto end = Clock::now() + limit;
  while (!what() && Clock::now() < end) std::this_thread::sleep_for(2ms);
  return what();
}

struct Fixture : ToolsBench {
  const std::string pids = project + "/pids", told = project + "/told";
  const std::string temporary = folder.folder("temporary").string();

  ~Fixture() {  // what a failed test has left
    for (const pid_t pid : started()) ::kill(pid, SIGKILL);
  }

  Program toolwire(std::vector<std::string> words, const std::string& server) const {
    words.insert(words.begin(), TOOLWIRE_BIN_DIR "/toolwire");
    words.insert(words.end(), {"--", server});
    Program program{.command = words, .environment = environment, .inherit_environment = false, .directory = project};
    program.environment["PATH"] = "/usr/bin:/bin";
    program.environment["TMPDIR"] = temporary;
    return program;
  }

  /// Does not answer, does not look at its input, and has started another one.
  std::string silent_server() const {
    return script("silent", "sleep 300 &\necho $! >> '" + pids + "'\necho $$ >> '" + pids + "'\nexec sleep 300\n");
  }

  /// Does not look at its input, and says that it was told to end. Nothing that it starts is left to wait for.
  std::string told_server() const {
    return script("told", "trap 'echo yes > \"" + told + "\"; exit 0' TERM\necho $$ >> '" + pids + "'\necho $$ >> '" +
                              pids + "'\nwhile :; do sleep 0.02; done\n");
  }

  /// The processes that servers have said they are.
  std::set<pid_t> started() const {
    std::set<pid_t> processes;
    const std::string text = content_of(pids);
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
      processes.insert(std::stoi(text.substr(at, end - at)));
    return processes;
  }

  bool has_started() const {
    const std::string text = content_of(pids);
    return std::count(text.begin(), text.end(), '\n') >= 2;
  }

  bool nothing_is_left() const {
    return comes_true([&] {
      const auto all = started();
      return std::all_of(all.begin(), all.end(), [](pid_t pid) { return has_ended(pid); });
    });
  }
};

const std::vector<std::vector<std::string>> commands{
    {"dev"},
    {"inspect"},
    {"install", "cursor"},
    {"pack", "--name", "io.github.me/x", "--author", "Me", "--description", "d"},
};

}  // namespace

// As the hosts of the TypeScript SDK do: the end of input, SIGTERM after 2 s, SIGKILL after 4 s.
BOOST_FIXTURE_TEST_CASE(a_host_that_sends_a_signal_after_the_end_of_input_ends_the_server, Fixture) {
  ChildProcess dev(toolwire({"dev"}, told_server()));
  BOOST_TEST_REQUIRE(comes_true([&] { return has_started(); }));
  dev.close_input();
  std::this_thread::sleep_for(100ms);
  dev.signal(SIGTERM);
  BOOST_TEST(dev.wait().code == 0);
  BOOST_TEST(content_of(told) == "yes\n");
  BOOST_TEST(nothing_is_left());
}

BOOST_FIXTURE_TEST_CASE(a_server_that_heeds_no_signal_is_killed, Fixture) {
  const std::string server = script("deaf", "trap '' TERM\nsleep 300 &\necho $! >> '" + pids + "'\necho $$ >> '" +
                                                pids + "'\nwhile :; do sleep 300; done\n");
  for (const bool with_end_of_input : {true, false}) {
    fs::remove(pids);
    ChildProcess dev(toolwire({"dev"}, server));
    BOOST_TEST_REQUIRE(comes_true([&] { return has_started(); }));
    if (with_end_of_input) dev.close_input();
    if (with_end_of_input) std::this_thread::sleep_for(100ms);
    dev.signal(SIGTERM);
    BOOST_TEST(dev.wait().code == 0);
    BOOST_TEST(nothing_is_left());
  }
}

BOOST_FIXTURE_TEST_CASE(a_server_that_does_not_heed_the_end_of_input_is_asked_before_it_is_killed, Fixture) {
  ChildProcess dev(toolwire({"dev"}, told_server()));
  BOOST_TEST_REQUIRE(comes_true([&] { return has_started(); }));
  dev.close_input();
  BOOST_TEST(dev.wait().code == 0);
  BOOST_TEST(content_of(told) == "yes\n");
}

BOOST_FIXTURE_TEST_CASE(a_server_does_not_outlive_what_was_killed_between_it_and_the_host, Fixture) {
  ChildProcess dev(toolwire({"dev"}, told_server()));
  BOOST_TEST_REQUIRE(comes_true([&] { return has_started(); }));
  dev.signal(SIGKILL);
  BOOST_TEST(dev.wait().signal == SIGKILL);
  BOOST_TEST(nothing_is_left());
}

// SIGHUP: the terminal was closed; SIGQUIT: Ctrl-\.
BOOST_FIXTURE_TEST_CASE(every_signal_that_asks_a_command_to_end_leaves_nothing_behind, Fixture) {
  for (const auto& command : commands) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) {
      fs::remove(pids);
      // A package is only made of a program, so that one starts the script.
      const bool is_pack = command.front() == "pack";
      Program program = toolwire(command, is_pack ? "/bin/sh" : silent_server());
      if (is_pack) program.command.push_back(silent_server());
      ChildProcess process(program);
      BOOST_TEST_REQUIRE(comes_true([&] { return has_started(); }), command.front() << process.error_tail());
      process.signal(signal);
      BOOST_TEST(process.wait_for(limit).has_value());
      BOOST_TEST(nothing_is_left(), command.front() << " " << signal);
      BOOST_TEST(fs::is_empty(temporary), command.front() << " " << signal);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_signal_that_comes_while_a_server_is_started_ends_it_too, Fixture) {
  const std::string server = script("quick", "kill -HUP $PPID\nexec sleep 300\n");
  for (int i = 0; i < 15; ++i) {
    ChildProcess install(toolwire({"install", "cursor"}, server));
    BOOST_TEST(install.wait().signal == SIGINT);  // by which it says that it was interrupted
  }
}

// As nohup does, and a shell that starts something in the background.
BOOST_FIXTURE_TEST_CASE(a_signal_that_was_ignored_from_the_beginning_stays_so, Fixture) {
  Program program = toolwire({"dev"}, told_server());
  program.command.insert(program.command.begin(), {"/bin/sh", "-c", R"(trap '' HUP INT QUIT; exec "$@")", "sh"});
  ChildProcess dev(program);
  BOOST_TEST_REQUIRE(comes_true([&] { return has_started(); }));
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT}) dev.signal(signal);
  BOOST_TEST(!dev.wait_for(500ms).has_value());
  BOOST_TEST(!fs::exists(told));
  dev.signal(SIGTERM);
  BOOST_TEST(dev.wait().code == 0);
  BOOST_TEST(nothing_is_left());
}

BOOST_FIXTURE_TEST_CASE(packages_that_are_half_made_are_removed_at_any_time, Fixture) {
  Program program = toolwire({"pack", "--name", "io.github.me/x", "--author", "Me", "--description", "d"}, hello);
  BOOST_TEST_REQUIRE(ChildProcess(program).wait().code == 0);  // the first one takes longer
  fs::remove_all(project + "/packages");
  const auto begin = Clock::now();
  BOOST_TEST_REQUIRE(ChildProcess(program).wait().code == 0);
  const auto whole = Clock::now() - begin;
  constexpr int times = 20;
  int interrupted = 0;
  for (int i = 0; i < times; ++i) {
    fs::remove_all(project + "/packages");
    ChildProcess process(program);
    std::this_thread::sleep_for(whole * i / times);
    process.signal(SIGINT);
    interrupted += process.wait().signal == SIGINT ? 1 : 0;
    BOOST_TEST(fs::is_empty(temporary), "after " << i << " of " << times << " parts of its time");
  }
  BOOST_TEST(interrupted > 0);
}
