#include "driver/server_process.hpp"

#define BOOST_TEST_MODULE conformance_server_process_test
#include <boost/test/unit_test.hpp>

#include <sys/wait.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "driver/descendants.hpp"
#include "file_content.hpp"
#include "scratch_folder.hpp"

using namespace toolwire::conformance;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<ServerProcess> start(std::vector<std::string> command) {
  return std::make_unique<ServerProcess>(Launch{.command = std::move(command)}, [](std::string_view, bool) {});
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_end_of_one_run_leaves_those_with_longer_numbers_alone) {
  std::vector<std::unique_ptr<ServerProcess>> runs(25);
  for (auto& run : runs) run = start({"/bin/sleep", "100"});
  runs.erase(runs.begin(), runs.begin() + 5);
  for (const auto& run : runs) BOOST_TEST(!run->ending().exited);
}

BOOST_AUTO_TEST_CASE(cpu_time_counts_what_a_wrapper_started) {
  const auto run = start({"/bin/sh", "-c", "sh -c 'while :; do :; done'; :"});
  run->pump(20s, [&] { return run->cpu_time() > 100ms; });
  BOOST_TEST((run->cpu_time() > 100ms));
}

BOOST_AUTO_TEST_CASE(lines_come_whole_and_the_last_one_without_its_end) {
  std::vector<std::pair<std::string, bool>> lines;
  ServerProcess run(Launch{.command = {"/bin/sh", "-c", "printf 'one\\ntwo'"}},
                    [&](std::string_view line, bool ended) { lines.emplace_back(line, ended); });
  run.pump(20s, [&] { return run.output_ended(); });
  const std::vector<std::pair<std::string, bool>> expected{{"one", true}, {"two", false}};
  BOOST_TEST((lines == expected));
}

/// A busy machine shows a process that has ended and its last words at the same time.
BOOST_AUTO_TEST_CASE(the_last_words_have_come_once_the_end_is_seen) {
  std::vector<std::pair<std::string, bool>> lines;
  ServerProcess run(Launch{.command = {"/bin/sh", "-c", "printf 'one\\ntwo'; printf three >&2"}},
                    [&](std::string_view line, bool ended) { lines.emplace_back(line, ended); });
  siginfo_t end{};
  BOOST_REQUIRE(::waitid(P_PID, static_cast<id_t>(run.id()), &end, WEXITED | WNOWAIT) == 0);
  BOOST_TEST(run.wait_for_end(20s));
  const std::vector<std::pair<std::string, bool>> expected{{"one", true}, {"two", false}};
  BOOST_TEST((lines == expected));
  BOOST_TEST(run.errors() == "three");
}

/// The processes that run a file.
std::vector<pid_t> running(const std::string& file) {
  std::vector<pid_t> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    if (toolwire_test::content_of(entry.path() / "cmdline").find(file) != std::string::npos)
      found.push_back(std::stoi(entry.path().filename().string()));
  }
  return found;
}

/// As daemons begin. Who ends after the list of processes was read, and before it is looked at, hides what it started.
BOOST_AUTO_TEST_CASE(a_descendant_whose_parent_ends_meanwhile_is_ended) {
  const toolwire_test::ScratchFolder folder;
  const std::string daemon = folder.file("daemon.sh", "sleep 100\n:\n").string();
  adopt_orphans();
  for (int i = 0; i < 150; ++i) {
    bool begins = false;
    auto run = std::make_unique<ServerProcess>(
        Launch{.command = {"/bin/sh", "-c",
                           "echo begins; setsid /bin/sh -c '/bin/sh \"$0\" & exit' \"$0\" & exec sleep 100", daemon}},
        [&](std::string_view, bool) { begins = true; });
    run->pump(20s, [&] { return begins; });
  }
  const auto left = running(daemon);
  BOOST_TEST(left.empty(), left.size() << " are left");
  for (const pid_t process : left) ::kill(process, SIGKILL);
}
