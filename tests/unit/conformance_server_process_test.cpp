#include "driver/server_process.hpp"

#define BOOST_TEST_MODULE conformance_server_process_test
#include <boost/test/unit_test.hpp>

#include <sys/wait.h>

#include <memory>
#include <string>
#include <vector>

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
