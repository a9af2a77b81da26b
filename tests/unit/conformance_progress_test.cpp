#include "report/progress.hpp"

#define BOOST_TEST_MODULE conformance_progress_test
#include <boost/test/unit_test.hpp>

#include <chrono>

#include "conformance_report.hpp"

using namespace toolwire::conformance;
using toolwire_test::finding;
using namespace std::chrono_literals;

namespace {

struct Watched {
  std::chrono::steady_clock::time_point time{};
  std::string text;

  Progress progress(bool to_terminal) {
    return Progress(
        to_terminal, [this](const std::string& more) { text += more; }, [this] { return time; });
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(without_a_terminal_there_is_a_line_every_five_seconds) {
  Watched watched;
  {
    Progress progress = watched.progress(false);
    progress.say("starting the server");
    progress.count(finding("ping-empty-result", Verdict::fail));
    BOOST_TEST(watched.text == "");
    watched.time += 5s;
    progress.count(finding("ping-prompt", Verdict::pass));
    progress.count(finding("ping-string-id", Verdict::pass));
    watched.time += 7s;
    progress.count(finding("ping-string-id", Verdict::pass, "2025-06-18"));
  }
  BOOST_TEST(watched.text ==
             "5 s: 2 judged, 1 FAIL or WARN; 2025-11-25 ping\n"
             "12 s: 4 judged, 1 FAIL or WARN; 2025-06-18 ping\n");
}

/// Looking at a slow server, and playing cases with a host, takes longer than that.
BOOST_AUTO_TEST_CASE(what_takes_long_before_the_first_finding_is_told_without_a_terminal_too) {
  Watched watched;
  {
    Progress progress = watched.progress(false);
    progress.say("starting the host");
    watched.time += 6s;
    progress.say("8 of 112 cases played");
    watched.time += 1s;
    progress.say("9 of 112 cases played");
  }
  BOOST_TEST(watched.text == "6 s: 8 of 112 cases played\n");
}

BOOST_AUTO_TEST_CASE(on_a_terminal_a_line_changes_and_goes) {
  Watched watched;
  {
    Progress progress = watched.progress(true);
    progress.say("starting the server");
    watched.time += 50ms;
    progress.count(finding("ping-prompt", Verdict::pass));
    progress.count(finding("ping-string-id", Verdict::pass));
  }
  BOOST_TEST(watched.text == "\r\x1b[Kstarting the server\r\x1b[K1 judged, 0 FAIL or WARN; 2025-11-25 ping\r\x1b[K");
}

BOOST_AUTO_TEST_CASE(a_short_run_says_nothing_in_between) {
  Watched watched;
  watched.progress(false).count(finding("ping-prompt", Verdict::pass));
  BOOST_TEST(watched.text == "");
}
