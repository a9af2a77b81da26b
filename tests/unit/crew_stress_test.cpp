// A crew under random load: work of all durations, work posted and written from outside, timers, a client that stops
// listening, the end of input or a stop at any moment. What is judged are invariants, never times.
#include "runtime/crew.hpp"

#define BOOST_TEST_MODULE crew_stress_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "crew_bench.hpp"
#include "stress_rounds.hpp"
#include "stress_tools.hpp"

using namespace toolwire_test;
using toolwire::runtime::Timers;

namespace {

/// What was asked of a crew, and how often it was done.
class Pieces {
 public:
  explicit Pieces(std::size_t most) : done_(most) {}
  std::size_t next() { return asked_++; }
  void did(std::size_t piece) { ++done_[piece]; }
  bool all_done_once() const {
    return std::all_of(done_.begin(), done_.begin() + static_cast<std::ptrdiff_t>(asked_.load()),
                       [](const std::atomic<int>& times) { return times == 1; });
  }
  bool none_done_twice() const {
    return std::none_of(done_.begin(), done_.end(), [](const std::atomic<int>& times) { return times > 1; });
  }
  std::size_t asked() const { return asked_; }

 private:
  std::vector<std::atomic<int>> done_;
  std::atomic<std::size_t> asked_{0};
};

constexpr std::size_t max_pieces = 2000;

struct Load {
  CrewBench& bench;
  Witness& witness;
  Pieces& pieces;

  std::function<void()> piece(std::uint64_t micros, std::size_t bytes) {
    return [this, micros, bytes, number = pieces.next()] {
      const Witness::Visit visit(witness);
      pass(micros);
      bench.output.append(std::to_string(number) + ":" + std::string(bytes, 'x'));
      pieces.did(number);
    };
  }

  void turn(Chance& chance) {
    std::vector<std::function<void()>> work;
    const std::uint64_t many = chance.one_in(10) ? 60 : 3;
    for (std::uint64_t left = chance.up_to(many); left > 0; --left)
      work.push_back(piece(chance.micros(), chance.up_to(300)));
    bench.turn([this, work = std::move(work)] {
      for (const auto& one : work) bench.enqueue(one);
    });
  }
};

/// A thread outside the crew: posts, writes, sets timers, stops listening and listens again.
void meddle(Load& load, Chance chance) {
  for (std::uint64_t left = chance.up_to(60); left > 0; --left) {
    pass(chance.up_to(300));
    const std::uint64_t what = chance.up_to(4);
    if (what == 0) load.bench.crew.post(load.piece(chance.micros(), 10));
    if (what == 1) load.bench.transport.stop_listening();
    if (what == 2) load.bench.transport.listen_again();
    if (what == 3) load.bench.crew.at(Timers::Clock::now() + std::chrono::microseconds(chance.up_to(2000)), [] {});
    if (what == 4) {
      load.piece(0, chance.up_to(1500))();
      load.bench.crew.flush_from_outside();
    }
  }
  load.bench.transport.listen_again();
}

void play(std::uint64_t seed, bool stopped) {
  Chance chance(seed);
  const unsigned threads = 1 + static_cast<unsigned>(chance.one_in(2) ? chance.up_to(3) : chance.up_to(15));
  Pieces pieces(max_pieces);
  Witness witness;
  CrewBench bench(threads);
  bench.all_answered = [&] { return pieces.all_done_once(); };
  Load load{bench, witness, pieces};
  for (std::uint64_t left = chance.up_to(40); left > 0; --left) load.turn(chance);
  std::thread running([&] { bench.crew.run(); });
  std::thread meddler([&] { meddle(load, Chance(seed + 1)); });
  if (stopped) {
    pass(chance.up_to(5000));
    bench.crew.stop();
    meddler.join();
  } else {
    meddler.join();
    bench.end();
  }
  running.join();
  BOOST_TEST(witness.inside() == 0u);
  BOOST_TEST(witness.threads() <= threads + 3u);  // and the one that meddles
  BOOST_TEST(bench.cancelled == stopped);
  BOOST_TEST(pieces.none_done_twice());
  if (stopped) return;
  BOOST_TEST(pieces.all_done_once());
  BOOST_TEST(bench.lines().size() == pieces.asked());
}

void play_rounds(bool stopped) {
  const std::uint64_t seed = stress_seed();
  const std::uint64_t rounds = stress_rounds(25);
  BOOST_TEST_MESSAGE("seed " << seed << ", " << rounds << " rounds");
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::string what = std::string(stopped ? "stopped" : "ended") + ", round " + std::to_string(round) +
                             " of seed " + std::to_string(seed);
    const Watchdog watchdog(what);
    BOOST_TEST_CONTEXT(what) { play(seed + 1000 * round + (stopped ? 500 : 0), stopped); }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_work_is_done_once_and_written_before_a_crew_ends) { play_rounds(false); }
BOOST_AUTO_TEST_CASE(a_crew_that_is_stopped_at_any_moment_does_nothing_twice_and_ends) { play_rounds(true); }
