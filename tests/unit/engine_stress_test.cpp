// An engine under random load: work of all durations, work posted and written from outside, timers, a client that stops
// listening, the end of input or a stop at any moment. What is judged are invariants, never times.
#include "engine/engine.hpp"

#define BOOST_TEST_MODULE engine_stress_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "engine_bench.hpp"
#include "line_peer.hpp"
#include "stress_rounds.hpp"
#include "stress_tools.hpp"

using namespace toolwire_test;
using toolwire::engine::Timers;

namespace {

/// What was asked of an engine, and how often it was done.
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
  EngineBench& bench;
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

/// A thread outside the engine: posts, writes, sets timers, stops listening and listens again.
void meddle(Load& load, Chance chance) {
  for (std::uint64_t left = chance.up_to(60); left > 0; --left) {
    pass(chance.up_to(300));
    const std::uint64_t what = chance.up_to(4);
    if (what == 0) load.bench.channel->post(load.piece(chance.micros(), 10));
    if (what == 1) load.bench.transport.stop_listening();
    if (what == 2) load.bench.transport.listen_again();
    if (what == 3) load.bench.channel->at(Timers::Clock::now() + std::chrono::microseconds(chance.up_to(2000)), [] {});
    if (what == 4) {
      load.piece(0, chance.up_to(1500))();
      load.bench.channel->flush_from_outside();
    }
  }
  load.bench.transport.listen_again();
}

void play(std::uint64_t seed, bool stopped) {
  Chance chance(seed);
  const unsigned threads = 1 + static_cast<unsigned>(chance.one_in(2) ? chance.up_to(3) : chance.up_to(15));
  Pieces pieces(max_pieces);
  Witness witness;
  EngineBench bench(threads);
  bench.answered = [&] { return pieces.all_done_once(); };
  Load load{bench, witness, pieces};
  for (std::uint64_t left = chance.up_to(40); left > 0; --left) load.turn(chance);
  std::thread running([&] { bench.engine->run(); });
  std::thread meddler([&] { meddle(load, Chance(seed + 1)); });
  if (stopped) {
    pass(chance.up_to(5000));
    bench.engine->stop_now();
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

/// A client of one of several peers: sends jobs of all durations, large messages, and pings; now and then it does not
/// read for a while, ends its input with answers outstanding, or leaves.
struct Client {
  explicit Client(const std::shared_ptr<toolwire::engine::Engine>& engine, std::uint64_t seed)
      : peer(
            engine,
            [](LinePeer& own, const std::string& line) {
              if (line.starts_with("ping") || line.starts_with('!')) return own.answer(line);
              own.enqueue([&own, line] {
                pass(static_cast<std::uint64_t>(line.size()) * 10);
                own.answer(line);
              });
            },
            4000),
        chance(seed) {}

  void act() {
    for (std::uint64_t left = chance.up_to(40); left > 0; --left) {
      if (chance.one_in(20)) pass(chance.up_to(3000));
      peer.say((chance.one_in(4)    ? "ping"
                : chance.one_in(10) ? "!"
                                    : "") +
               std::to_string(++said) + std::string(chance.up_to(chance.one_in(10) ? 900 : 9), 'x') + "\n");
      if (chance.one_in(4)) hear_one();
    }
    leaves = chance.one_in(4);
    if (leaves) return peer.leave();
    peer.end_input();
    while (heard < said && hear_one()) {
    }
  }
  bool hear_one() {
    if (heard == said) return true;
    const bool is_there = peer.hear().has_value();
    heard += is_there ? 1 : 0;
    return is_there;
  }

  LinePeer peer;
  Chance chance;
  std::uint64_t said = 0;
  std::uint64_t heard = 0;
  bool leaves = false;
};

/// `stopped`: the engine is, at any moment. Clients come while it runs; the first keeps it running until the end.
void play_with_peers(std::uint64_t seed, bool stopped) {
  Chance chance(seed);
  const auto engine = toolwire::engine::Engine::make({.threads = 1 + static_cast<unsigned>(chance.up_to(7)),
                                                      .drain = std::chrono::minutes(10),
                                                      .grace = std::chrono::minutes(10),
                                                      .idle = std::chrono::milliseconds(1 + chance.up_to(20))});
  std::deque<Client> clients;
  const std::uint64_t count = 1 + chance.up_to(chance.one_in(8) ? 63 : 6);
  for (std::uint64_t i = 0; i < count; ++i) clients.emplace_back(engine, seed + i);
  clients.front().peer.attach();
  std::thread running([&] { engine->run(); });
  std::vector<std::thread> acting;
  for (std::size_t i = 1; i < clients.size(); ++i) {
    clients[i].peer.attach();
    acting.emplace_back([&, i] { clients[i].act(); });
  }
  if (stopped) {
    pass(chance.up_to(5000));
    chance.one_in(2) ? engine->stop() : engine->stop_now();
  }
  for (std::thread& client : acting) client.join();
  clients.front().act();
  running.join();
  for (const Client& client : clients) {
    BOOST_TEST(client.heard <= client.said);
    if (!stopped && !client.leaves) BOOST_TEST(client.heard == client.said);
  }
}

void play_rounds(bool stopped, void (*play_one)(std::uint64_t, bool)) {
  const std::uint64_t seed = stress_seed();
  const std::uint64_t rounds = stress_rounds(25);
  BOOST_TEST_MESSAGE("seed " << seed << ", " << rounds << " rounds");
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::string what = std::string(stopped ? "stopped" : "ended") + ", round " + std::to_string(round) +
                             " of seed " + std::to_string(seed);
    const Watchdog watchdog(what);
    BOOST_TEST_CONTEXT(what) { play_one(seed + 1000 * round + (stopped ? 500 : 0), stopped); }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_work_is_done_once_and_written_before_an_engine_ends) { play_rounds(false, play); }
BOOST_AUTO_TEST_CASE(an_engine_that_is_stopped_at_any_moment_does_nothing_twice_and_ends) { play_rounds(true, play); }
BOOST_AUTO_TEST_CASE(each_of_several_peers_gets_all_its_answers) { play_rounds(false, play_with_peers); }
BOOST_AUTO_TEST_CASE(an_engine_with_several_peers_can_be_stopped_at_any_moment) { play_rounds(true, play_with_peers); }
