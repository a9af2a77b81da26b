// Whole servers under random load: tools of all durations, cancellations, floods, clients that do not read, the end of
// input at any moment. What is judged are invariants, never times.
#include <toolwire/server.hpp>

#define BOOST_TEST_MODULE server_stress_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <ostream>
#include <string>
#include <thread>

#include "stress_client.hpp"

using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

enum class Ending { answered, at_once, within_a_line, short_drain, client_gone };
constexpr const char* ending_names[] = {"all is answered, then the input ends", "the input ends while calls run",
                                        "the input ends within a line", "the input ends and calls are cut short",
                                        "the client goes away"};

/// Whether everything that was not cancelled is to be answered.
bool is_complete(Ending ending) { return ending != Ending::short_drain && ending != Ending::client_gone; }

/// How the client reads: as fast as it can, slowly, or only when nothing else can go on.
enum class Reading { eager, slow, reluctant };

struct Plan {
  std::uint64_t seed;
  Ending ending;
  unsigned threads;
  Reading reading;
  NarrowTransport::Room room;
  toolwire::ServerOptions options;
};

Plan plan_of(std::uint64_t seed, Ending ending) {
  Chance chance(seed);
  Plan plan{.seed = seed,
            .ending = ending,
            .threads = 1 + static_cast<unsigned>(chance.one_in(2) ? chance.up_to(3) : chance.up_to(15)),
            .reading = static_cast<Reading>(chance.up_to(2)),
            .room = {1 + chance.up_to(8000), 1 + chance.up_to(8000), 1 + chance.up_to(5000)},
            .options = {}};
  toolwire::Limits& limits = plan.options.limits;
  plan.options.threads = plan.threads;
  limits.line = 10'000;
  limits.output_soft = 10'000;
  limits.output_hard = 20'000;
  limits.calls_in_flight = chance.one_in(3) ? 20 : 10'000;
  limits.progress_per_second = chance.one_in(2) ? 20 : 100'000;
  limits.drain = is_complete(ending) ? 10min : std::chrono::milliseconds(chance.up_to(3));
  return plan;
}

/// Reads whole lines until the server has left, or until it is told to go away.
class Reader {
 public:
  Reader(NarrowTransport& transport, Ledger& ledger, const Plan& plan)
      : transport_(transport), ledger_(ledger), reading_(plan.reading), chance_(plan.seed + 1), thread_([this] {
          read();
        }) {}
  ~Reader() { finish(); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  void go_away() {
    gone_ = true;
    transport_.stop_receiving();
  }
  void finish() {
    if (thread_.joinable()) thread_.join();
  }
  bool ended_within_a_line() const { return !partial_.empty(); }

 private:
  void read() {
    while (!gone_) {
      if (reading_ == Reading::slow) pass(chance_.up_to(1000));
      if (reading_ == Reading::reluctant) transport_.wait_until_sender_is_stuck();
      const std::string bytes = transport_.receive(1 + chance_.up_to(8000));
      if (bytes.empty()) return;
      take(bytes);
    }
  }

  void take(std::string_view bytes) {
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
      ledger_.came(partial_.append(bytes.substr(0, end)));
      partial_.clear();
      bytes.remove_prefix(end + 1);
    }
    partial_.append(bytes);
  }

  NarrowTransport& transport_;
  Ledger& ledger_;
  const Reading reading_;
  Chance chance_;
  std::string partial_;
  std::atomic<bool> gone_{false};
  std::thread thread_;
};

void end(const Plan& plan, NarrowTransport& transport, StressClient& client, Ledger& ledger, Reader& reader) {
  if (is_complete(plan.ending)) client.let_all_go();
  if (plan.ending == Ending::answered) {
    transport.sender_is_done();
    ledger.wait_for_answers();
  }
  if (plan.ending == Ending::within_a_line) client.half_a_message();
  if (plan.ending == Ending::client_gone) reader.go_away();
  transport.end_input();
}

void play(const Plan& plan) {
  Witness witness;
  Ledger ledger;
  NarrowTransport transport(plan.room);
  toolwire::Server server({.name = "stress", .version = "0"}, plan.options);
  {
    Outsiders outsiders;
    add_stress_tools(server, witness, outsiders);
    unsigned still_inside = 0;
    std::thread serving([&] {
      server.run(transport);
      still_inside = witness.inside();
      transport.server_has_left();
    });
    Chance chance(plan.seed + 2);
    Reader reader(transport, ledger, plan);
    StressClient client(transport, ledger, Chance(plan.seed + 3), chance.one_in(3));
    for (std::uint64_t left = chance.up_to(120); left > 0; --left) client.act();
    end(plan, transport, client, ledger, reader);
    serving.join();
    reader.finish();
    BOOST_TEST(still_inside == 0u);
    BOOST_TEST((plan.ending == Ending::client_gone || !reader.ended_within_a_line()));
  }
  for (const std::string& complaint : ledger.complaints(witness, is_complete(plan.ending))) BOOST_ERROR(complaint);
  if (is_complete(plan.ending)) BOOST_TEST(ledger.unaddressed() == (plan.ending == Ending::within_a_line ? 1u : 0u));
  BOOST_TEST(witness.peak_concurrency() <= plan.threads);
  BOOST_TEST(witness.threads() <= plan.threads + 2u);
}

void play_rounds(Ending ending) {
  const std::uint64_t seed = stress_seed();
  const std::uint64_t rounds = stress_rounds(12);
  BOOST_TEST_MESSAGE("seed " << seed << ", " << rounds
                             << " rounds; TOOLWIRE_STRESS_SEED and TOOLWIRE_STRESS_ROUNDS choose others");
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const Plan plan = plan_of(seed + 1000 * round + static_cast<std::uint64_t>(ending), ending);
    const std::string what = std::string(ending_names[static_cast<int>(ending)]) + ", round " + std::to_string(round) +
                             " of seed " + std::to_string(seed) + ", " + std::to_string(plan.threads) + " threads";
    const Watchdog watchdog(what);
    BOOST_TEST_CONTEXT(what) { play(plan); }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_is_left_unanswered_while_the_connection_lasts) { play_rounds(Ending::answered); }
BOOST_AUTO_TEST_CASE(the_end_of_input_at_any_moment_loses_no_answer) { play_rounds(Ending::at_once); }
BOOST_AUTO_TEST_CASE(half_a_message_at_the_end_loses_no_answer) { play_rounds(Ending::within_a_line); }
BOOST_AUTO_TEST_CASE(calls_that_are_cut_short_are_answered_once_at_most) { play_rounds(Ending::short_drain); }
BOOST_AUTO_TEST_CASE(a_client_that_goes_away_at_any_moment_leaves_nothing_running) { play_rounds(Ending::client_gone); }
