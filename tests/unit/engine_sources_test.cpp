// An engine with several peers: each gets its own, and nobody waits behind somebody else.
#include "engine/engine.hpp"

#define BOOST_TEST_MODULE engine_sources_test
#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gates.hpp"
#include "line_peer.hpp"
#include "stress_tools.hpp"

using namespace std::chrono_literals;
using namespace toolwire::engine;
using toolwire::system::FileDescriptor;
using toolwire_test::EngineBench;
using toolwire_test::Gates;
using toolwire_test::LinePeer;

namespace {

std::shared_ptr<Engine> engine_with(unsigned threads) {
  return Engine::make({.threads = threads, .drain = 10min, .grace = 10min});
}

/// Runs an engine on a thread of its own until its peers have ended.
class Running {
 public:
  explicit Running(std::shared_ptr<Engine> engine) : engine_{std::move(engine)}, thread_{[this] { engine_->run(); }} {}
  ~Running() { thread_.join(); }

 private:
  const std::shared_ptr<Engine> engine_;
  std::thread thread_;
};

/// A "job" that answers after the gate of its name was opened, and all else at once.
LinePeer::OnLine with_gates(Gates& gates) {
  return [&gates](LinePeer& peer, const std::string& line) {
    if (line.starts_with("ping")) return peer.answer(line);
    peer.enqueue([&gates, &peer, line] {
      gates.open("begun " + line);
      gates.wait(line, {});
      peer.answer(line);
    });
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_of_many_peers_gets_its_own_answers) {
  for (const unsigned threads : {0u, 1u, 4u}) {
    const auto engine = engine_with(threads);
    std::deque<LinePeer> peers;
    for (int i = 0; i < 200; ++i) {
      peers.emplace_back(engine, [i](LinePeer& peer, const std::string& line) {
        peer.enqueue([&peer, i, line] { peer.answer(line + " of " + std::to_string(i)); });
      });
      peers.back().attach();
    }
    {
      const Running running(engine);
      for (LinePeer& peer : peers) peer.say("1\n2\n");
      for (std::size_t i = 0; i < peers.size(); ++i) {
        const std::set heard{peers[i].hear().value_or("nothing"), peers[i].hear().value_or("nothing")};
        BOOST_TEST(heard == (std::set{"1 of " + std::to_string(i), "2 of " + std::to_string(i)}),
                   boost::test_tools::per_element());
      }
      for (const LinePeer& peer : peers) peer.end_input();
    }
    for (const LinePeer& peer : peers) BOOST_TEST(!peer.cancelled);
  }
}

BOOST_AUTO_TEST_CASE(a_peer_that_comes_while_the_first_is_waited_for_is_read) {
  for (int round = 0; round < 50; ++round) {
    const auto engine = engine_with(1);
    Gates gates;
    LinePeer first(engine, with_gates(gates));
    LinePeer second(engine, with_gates(gates));
    first.attach();
    {
      const Running running(engine);
      first.say("ping 1\n");
      BOOST_TEST(first.hear().value_or("nothing") == "ping 1");
      second.attach();  // with the first in a plain read, or about to begin one
      second.say("ping 2\n");
      BOOST_TEST(second.hear().value_or("nothing") == "ping 2");
      second.end_input();
      BOOST_TEST(!second.hear());
      first.say("ping 3\n");
      BOOST_TEST(first.hear().value_or("nothing") == "ping 3");
      first.end_input();
    }
  }
}

BOOST_AUTO_TEST_CASE(threads_that_are_not_needed_any_more_end_and_new_ones_come_when_they_are) {
  const auto threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
  };
  const auto before = threads();
  const auto engine = Engine::make({.threads = 6, .drain = 10min, .grace = 10min, .idle = 5ms});
  Gates gates;
  LinePeer peer(engine, with_gates(gates));
  peer.attach();
  const Running running(engine);
  for (const std::string round : {"a", "b", "c"}) {
    for (int i = 0; i < 6; ++i) peer.say(round + std::to_string(i) + "\n");
    for (int i = 0; i < 6; ++i) gates.wait("begun " + round + std::to_string(i), {});
    BOOST_TEST(threads() - before >= 7);
    for (int i = 0; i < 6; ++i) gates.open(round + std::to_string(i));
    for (int i = 0; i < 6; ++i) BOOST_TEST(peer.hear().has_value());
    while (threads() - before > 3) std::this_thread::sleep_for(1ms);  // who runs it, who reads, the monitor
  }
  peer.end_input();
}

BOOST_AUTO_TEST_CASE(a_stop_answers_what_was_read_and_ends_all_peers) {
  for (const unsigned threads : {0u, 1u, 4u}) {
    const auto engine = engine_with(threads);
    Gates gates;
    LinePeer one(engine, with_gates(gates));
    LinePeer other(engine, with_gates(gates));
    one.attach();
    other.attach();
    {
      const Running running(engine);
      one.say("job\n");
      gates.wait("begun job", {});
      engine->stop();
      other.say("ping\n");
      gates.open("job");
      BOOST_TEST(one.hear().value_or("nothing") == "job");
      BOOST_TEST(!one.hear());
      BOOST_TEST(!other.hear());
    }
    BOOST_TEST(!one.cancelled);
    LinePeer late(engine, with_gates(gates));
    late.attach();
    BOOST_TEST(!late.hear());
  }
}

BOOST_AUTO_TEST_CASE(a_peer_does_not_hold_all_threads_while_there_are_others) {
  const auto engine = engine_with(4);
  Gates gates;
  std::atomic<int> most{0};
  std::atomic<int> running_now{0};
  LinePeer greedy(engine, [&](LinePeer& peer, const std::string&) {
    peer.enqueue([&] {
      most = std::max(most.load(), ++running_now);
      gates.wait("go on", {});
      --running_now;
    });
  });
  LinePeer modest(engine,
                  [&](LinePeer& peer, const std::string& line) { peer.enqueue([&peer, line] { peer.answer(line); }); });
  greedy.attach();
  modest.attach();
  {
    const Running running(engine);
    std::string many;
    for (int i = 0; i < 100; ++i) many += "job\n";
    greedy.say(many);
    for (int i = 0; i < 100; ++i) {
      modest.say("quick\n");
      BOOST_TEST(modest.hear().value_or("nothing") == "quick");
    }
    BOOST_TEST(most <= 2);
    gates.open("go on");
    greedy.end_input();
    BOOST_TEST(!greedy.hear());
    modest.end_input();
  }
  BOOST_TEST(greedy.lines == 100u);
}

BOOST_AUTO_TEST_CASE(a_peer_that_does_not_read_is_not_read_and_nobody_else_notices) {
  const auto engine = engine_with(2);
  Gates gates;
  const std::string large(100'000, 'x');
  LinePeer deaf(
      engine, [&](LinePeer& peer, const std::string& line) { peer.answer(line + large); }, 1'000'000);
  LinePeer other(engine, with_gates(gates));
  deaf.attach();
  other.attach();
  {
    const Running running(engine);
    std::thread talking([&] {
      for (int i = 0; i < 100; ++i) deaf.say("line\n");
      deaf.end_input();
    });
    for (int i = 0; i < 100; ++i) {
      other.say("ping\n");
      BOOST_TEST(other.hear().value_or("nothing") == "ping");
    }
    talking.join();
    std::size_t heard = 0;
    while (deaf.hear()) ++heard;
    BOOST_TEST(heard == 100u);
    other.end_input();
  }
}

BOOST_AUTO_TEST_CASE(a_large_message_holds_up_its_own_source_only) {
  for (const unsigned threads : {1u, 4u}) {
    const auto engine = engine_with(threads);
    Gates gates;
    std::string order;
    LinePeer heavy(engine, [&](LinePeer& peer, const std::string& line) {
      if (line.starts_with('!')) {
        gates.open("parsing");
        gates.wait("parsed", {});
      }
      order += line + " ";
      peer.answer(line);
    });
    LinePeer other(engine, with_gates(gates));
    heavy.attach();
    other.attach();
    {
      const Running running(engine);
      heavy.say("a\n!b\nc\n");
      gates.wait("parsing", {});
      heavy.say("d\n");
      for (int i = 0; i < 20; ++i) {
        other.say("ping\n");
        BOOST_TEST(other.hear().value_or("nothing") == "ping");
      }
      BOOST_TEST(heavy.lines <= 2u);
      gates.open("parsed");
      for (const char* line : {"a", "!b", "c", "d"}) BOOST_TEST(heavy.hear().value_or("nothing") == line);
      heavy.end_input();
      other.end_input();
    }
    BOOST_TEST(order == "a !b c d ");
  }
}

BOOST_AUTO_TEST_CASE(a_large_message_is_parsed_although_all_threads_have_work) {
  const auto engine = engine_with(1);
  Gates gates;
  LinePeer one(engine, [&](LinePeer& peer, const std::string& line) {
    if (line.starts_with('!')) return gates.open("go on");
    peer.enqueue([&] { gates.wait("go on", {}); });
  });
  LinePeer other(engine, with_gates(gates));
  one.attach();
  other.attach();
  {
    const Running running(engine);
    one.say("job\njob\n!what lets them go\n");
    one.end_input();
    BOOST_TEST(!one.hear());
    other.end_input();
  }
  BOOST_TEST(!one.cancelled);
}

BOOST_AUTO_TEST_CASE(channels_take_turns) {
  const auto engine = engine_with(0);  // one thread, so one order
  std::string order;
  const auto takes_a_while = [&](char letter) {
    return [&order, letter](LinePeer& peer, const std::string&) {
      peer.enqueue([&order, letter] {
        const auto end = std::chrono::steady_clock::now() + 1ms;
        while (std::chrono::steady_clock::now() < end) {
        }
        order += letter;
      });
    };
  };
  LinePeer busy(engine, takes_a_while('b'));
  LinePeer other(engine, takes_a_while('o'));
  busy.attach();
  other.attach();
  std::string many;
  for (int i = 0; i < 40; ++i) many += "job\n";
  busy.say(many);
  other.say("job\n");
  busy.end_input();
  other.end_input();
  engine->run();
  BOOST_TEST(order.size() == 41u);
  BOOST_TEST(order.find('o') < 10u);
}

BOOST_AUTO_TEST_CASE(a_peer_that_goes_ends_its_channel_only_and_what_is_answered_later_is_dropped) {
  const auto engine = engine_with(4);
  Gates gates;
  LinePeer leaving(engine, with_gates(gates));
  LinePeer staying(engine, with_gates(gates));
  leaving.attach();
  staying.attach();
  {
    const Running running(engine);
    leaving.say("late\n");
    gates.wait("begun late", {});
    leaving.leave();
    staying.say("ping\n");
    BOOST_TEST(staying.hear().value_or("nothing") == "ping");
    gates.open("late");
    staying.say("last\n");
    gates.open("last");
    BOOST_TEST(staying.hear().value_or("nothing") == "last");
    staying.end_input();
  }
  BOOST_TEST(!staying.cancelled);
}

BOOST_AUTO_TEST_CASE(a_channel_that_is_removed_is_over_at_once_whatever_its_jobs_do) {
  for (const bool alone : {false, true}) {
    const auto engine = engine_with(4);
    Gates gates;
    LinePeer removed(engine, with_gates(gates));
    LinePeer staying(engine, with_gates(gates));
    removed.attach();
    if (!alone) staying.attach();
    {
      const Running running(engine);
      removed.say("job\n");
      gates.wait("begun job", {});
      engine->detach(removed.channel);
      BOOST_TEST(removed.cancelled);
      removed.channel->post([] { BOOST_ERROR("the channel is over"); });
      removed.answer("too late");
      BOOST_TEST(removed.output.empty());
      if (!alone) {
        staying.say("ping\n");
        BOOST_TEST(staying.hear().value_or("nothing") == "ping");
      }
      gates.open("job");
      staying.end_input();
    }
  }
}

BOOST_AUTO_TEST_CASE(what_was_accepted_is_answered_after_the_end_of_an_input) {
  const auto engine = engine_with(1);
  Gates gates;
  LinePeer first(engine, with_gates(gates));
  LinePeer second(engine, with_gates(gates));
  first.attach();
  second.attach();
  const Running running(engine);
  first.say("slow\nlast\n");
  first.end_input();
  gates.wait("begun slow", {});
  second.say("ping\n");
  BOOST_TEST(second.hear().value_or("nothing") == "ping");
  gates.open("slow");
  gates.open("last");
  BOOST_TEST(first.hear().value_or("nothing") == "slow");
  BOOST_TEST(first.hear().value_or("nothing") == "last");
  second.end_input();
}

BOOST_AUTO_TEST_CASE(a_stop_ends_an_engine_wherever_it_waits) {
  for (const std::size_t peers : {1u, 2u}) {
    for (int round = 0; round < 20; ++round) {
      const auto engine = engine_with(2);
      Gates gates;
      std::deque<LinePeer> all;
      for (std::size_t i = 0; i < peers; ++i) all.emplace_back(engine, with_gates(gates)).attach();
      {
        const Running running(engine);
        all.front().say("ping\n");
        if (round % 2 == 0) BOOST_TEST(all.front().hear().value_or("nothing") == "ping");
        engine->stop_now();
      }
      for (const LinePeer& peer : all) BOOST_TEST(peer.cancelled);
      LinePeer late(engine, with_gates(gates));
      late.attach();
      late.answer("nobody hears it");
      BOOST_TEST(late.output.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_file_is_a_source_like_others) {
  const auto engine = engine_with(1);
  Gates gates;
  FileDescriptor file{::open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)};
  BOOST_REQUIRE(file.is_open());
  const std::string text = "ping 1\nping 2\n";
  BOOST_REQUIRE(::pwrite(file.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
  LinePeer from_file(engine, with_gates(gates), std::move(file));
  LinePeer other(engine, with_gates(gates));
  from_file.attach();
  other.attach();
  const Running running(engine);
  BOOST_TEST(from_file.hear().value_or("nothing") == "ping 1");
  BOOST_TEST(from_file.hear().value_or("nothing") == "ping 2");
  other.say("ping 3\n");
  BOOST_TEST(other.hear().value_or("nothing") == "ping 3");
  other.end_input();
}

BOOST_AUTO_TEST_CASE(a_source_that_cannot_be_waited_for_with_others_is_refused) {
  EngineBench bench(1);
  Gates gates;
  LinePeer other(bench.engine, with_gates(gates));
  BOOST_CHECK_THROW(other.attach(), std::logic_error);
  bench.end();
  bench.engine->run();
}

BOOST_AUTO_TEST_CASE(a_large_message_of_the_one_source_is_parsed_in_its_place) {
  for (const unsigned threads : {0u, 2u}) {
    EngineBench bench(threads);
    std::string order;
    bench.turn([&] { order += 'a'; });
    bench.large([&] { order += 'b'; });
    bench.turn([&] { order += 'c'; });
    bench.end();
    bench.engine->run();
    BOOST_TEST(order == "abc");
  }
}

BOOST_AUTO_TEST_CASE(an_engine_without_peers_ends_at_once) { engine_with(2)->run(); }
