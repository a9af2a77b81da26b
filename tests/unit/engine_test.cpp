#include "engine/engine.hpp"

#define BOOST_TEST_MODULE engine_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine_bench.hpp"
#include "runtime/in_flight.hpp"

using namespace std::chrono_literals;
using namespace toolwire::engine;
using toolwire::runtime::Call;
using toolwire::runtime::InFlight;
using toolwire_test::EngineBench;

namespace {

/// Accepts everything, but a write that may not wait lasts from the gate "writing" to the gate "go on".
class SlowTransport : public toolwire::Transport {
 public:
  std::ptrdiff_t read(char*, std::size_t) override { return end_of_input; }
  std::ptrdiff_t write(const char*, std::size_t count, Blocking blocking) override {
    if (blocking == Blocking::no) {
      gates.open("writing");
      gates.wait("go on", {});
    }
    bytes += count;
    return static_cast<std::ptrdiff_t>(count);
  }
  void interrupt() override {}
  bool input_closed() override { return false; }

  toolwire_test::Gates gates;
  std::atomic<std::size_t> bytes{0};
};

}  // namespace

BOOST_AUTO_TEST_CASE(without_threads_work_runs_in_order_where_it_is_asked_for) {
  EngineBench bench(0);
  std::string ran;
  auto note = [&, here = std::this_thread::get_id()](char letter) {
    BOOST_TEST((std::this_thread::get_id() == here));
    ran += letter;
  };
  bench.turn([&] {
    bench.enqueue([&] { note('a'); });
    bench.enqueue([&] {
      note('b');
      bench.channel->post([&] { note('d'); });
    });
    bench.enqueue([&] { note('c'); });
  });
  bench.turn([&] { BOOST_TEST(ran == "abcd"); });
  bench.turn([&] { bench.enqueue([&] { note('e'); }); });
  bench.end();
  bench.engine->run();
  BOOST_TEST(ran == "abcde");
  BOOST_TEST(!bench.cancelled);
}

BOOST_AUTO_TEST_CASE(what_is_queued_at_the_end_of_input_still_runs) {
  for (unsigned threads : {0u, 1u, 4u}) {
    EngineBench bench(threads);
    std::atomic<int> ran{0};
    bench.turn([&] {
      for (int i = 0; i < 100; ++i) bench.enqueue([&] { bench.output.append(std::to_string(++ran)); });
    });
    bench.end();
    bench.engine->run();
    BOOST_TEST(ran == 100);
    BOOST_TEST(bench.lines().size() == 100u);
  }
}

BOOST_AUTO_TEST_CASE(work_of_cancelled_calls_leaves_the_queue) {
  EngineBench bench(0);
  InFlight table(bench.output, 100);
  std::vector<std::shared_ptr<Call>> calls;
  int ran = 0;
  bench.turn([&] {
    for (int i = 0; i < 10; ++i) {
      calls.push_back(table.begin({std::to_string(i), "n" + std::to_string(i)}, nullptr).call);
      bench.channel->enqueue(std::make_shared<toolwire_test::FunctionJob>(
                                 [&] { ++ran; }, [call = calls.back()] { return call->is_over(); }),
                             100);
    }
    BOOST_TEST(bench.channel->queued_bytes() == 1000u);
    for (int i = 0; i < 9; ++i) {
      calls[static_cast<std::size_t>(i)]->cancel();
      bench.channel->job_over();
    }
    BOOST_TEST(bench.channel->queued_bytes() <= 500u);  // swept when half of it is over, not at every cancellation
  });
  bench.turn([&] { BOOST_TEST(bench.channel->queued_bytes() == 0u); });
  bench.end();
  bench.engine->run();
  BOOST_TEST(ran < 10);
  BOOST_TEST(ran >= 1);
  calls.back()->cancel();
}

BOOST_AUTO_TEST_CASE(a_slow_piece_does_not_hold_a_fast_one) {
  EngineBench bench(2);
  std::string order;
  bench.turn([&] {
    bench.enqueue([&] {
      bench.gates.wait("fast is done", {});
      order += 's';
    });
    bench.enqueue([&] {
      order += 'f';
      bench.gates.open("fast is done");
    });
  });
  bench.end();
  bench.engine->run();
  BOOST_TEST(order == "fs");
}

BOOST_AUTO_TEST_CASE(a_slow_piece_does_not_hold_reading) {
  for (unsigned threads : {1u, 2u}) {
    EngineBench bench(threads);
    bench.turn([&] {
      for (unsigned i = 0; i < threads + 2; ++i) bench.enqueue([&] { bench.gates.wait("read again", {}); });
    });
    bench.turn([&] { bench.gates.open("read again"); });
    bench.end();
    bench.engine->run();
    BOOST_TEST(!bench.cancelled);
  }
}

BOOST_AUTO_TEST_CASE(answers_leave_while_a_slow_piece_runs) {
  EngineBench bench(2);
  bench.turn([&] {
    bench.output.append(std::string("handled at once"));
    bench.enqueue([&] { bench.gates.wait("answer was seen", {}); });
  });
  std::thread client([&] {
    BOOST_TEST(bench.transport.next().value() == "handled at once");
    bench.gates.open("answer was seen");
  });
  bench.end();
  bench.engine->run();
  client.join();
}

BOOST_AUTO_TEST_CASE(a_driver_that_is_stuck_in_a_write_is_replaced) {
  EngineBench bench(2);
  bench.transport.stop_listening();
  bench.turn([&] { bench.enqueue([&] { bench.output.append(std::string("first")); }); });
  std::thread client([&] {
    BOOST_TEST(bench.transport.comes_to_block_a_writer());
    bench.turn([&] {
      bench.output.append(std::string("second"));
      bench.transport.listen_again();
    });
    bench.end();
  });
  bench.engine->run();
  client.join();
  BOOST_TEST(bench.lines() == (std::vector<std::string>{"first", "second"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_more_pieces_run_at_once_than_there_are_threads) {
  constexpr int threads = 3;
  EngineBench bench(threads);
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  bench.turn([&] {
    for (int i = 0; i < 20; ++i) {
      bench.enqueue([&] {
        const int now = ++running;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        if (now == threads) bench.gates.open("all at work");
        bench.gates.wait("all at work", {});
        --running;
      });
    }
  });
  bench.end();
  bench.engine->run();
  BOOST_TEST(most == threads);
}

BOOST_AUTO_TEST_CASE(reading_pauses_while_the_client_is_too_far_behind) {
  EngineBench bench(2);
  bench.transport.stop_listening();
  bench.turn([&] {
    bench.output.append(std::string(3000, 'x'));
    bench.gates.open("appended");
  });
  bench.turn([&] { BOOST_TEST(!bench.output.above_hard()); });
  bench.end();
  std::thread client([&] {
    bench.gates.wait("appended", {});
    bench.transport.listen_again();
  });
  bench.engine->run();
  client.join();
  BOOST_TEST(bench.lines().size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_came_before_a_hang_up_is_read_even_while_the_client_is_too_far_behind) {
  EngineBench bench(2);
  bench.transport.stop_listening();
  bench.turn([&] {
    bench.output.append(std::string(3000, 'x'));
    bench.hung_up = true;
  });
  bench.turn([&] { bench.transport.listen_again(); });
  bench.end();
  bench.engine->run();
  BOOST_TEST(bench.lines().size() == 1u);
}

BOOST_AUTO_TEST_CASE(work_begins_when_a_thread_outside_has_written_what_was_too_much) {
  SlowTransport transport;
  EngineBench bench(2, transport);
  bench.turn([&] {
    bench.gates.open("reading");
    transport.gates.wait("writing", {});
    bench.output.append(std::string(1500, 'x'));
    bench.enqueue([&] { bench.gates.open("ran"); });
    bench.channel->at(Timers::Clock::now() + 5ms, [&] { transport.gates.open("go on"); });
  });
  bench.turn([&] { bench.gates.wait("ran", {}); });
  bench.end();
  std::thread outside([&] {
    bench.gates.wait("reading", {});
    bench.output.append(std::string("from outside"));
    bench.channel->flush_from_outside();
  });
  bench.engine->run();
  outside.join();
  BOOST_TEST(transport.bytes.load() == 1514u);
}

BOOST_AUTO_TEST_CASE(no_work_begins_while_the_client_is_behind) {
  EngineBench bench(2);
  bench.transport.stop_listening();
  bench.turn([&] {
    bench.output.append(std::string(1500, 'x'));
    bench.enqueue([&] { BOOST_TEST(!bench.output.above_soft()); });
  });
  bench.turn([&] { bench.transport.listen_again(); });
  bench.end();
  bench.engine->run();
  BOOST_TEST(!bench.cancelled);
}

BOOST_AUTO_TEST_CASE(an_engine_that_is_stopped_cancels_and_returns) {
  for (bool at_work : {false, true}) {
    EngineBench bench(2);
    bench.turn([&] {
      if (at_work) bench.enqueue([&] { bench.gates.wait("cancelled", {}); });
      bench.gates.open("begun");
    });
    std::thread stopper([&] {
      bench.gates.wait("begun", {});
      bench.engine->stop_now();
    });
    bench.engine->run();
    stopper.join();
    BOOST_TEST(bench.cancelled);
    BOOST_TEST(!bench.abandoned);
  }
}

BOOST_AUTO_TEST_CASE(a_stop_waits_for_the_turn_that_is_being_handled) {
  EngineBench bench(2, 10min, 1ms);
  bool ran = false;
  bench.turn([&] {
    bench.engine->stop_now();
    bench.gates.wait("abandoned", {});  // comes only while the engine has not ended
    bench.cancelled = false;
    bench.enqueue([&] { ran = true; });
  });
  bench.engine->run();
  BOOST_TEST(ran);
  BOOST_TEST(bench.cancelled, "what began in that turn is cancelled like all that was there before");
}

BOOST_AUTO_TEST_CASE(a_client_that_has_gone_stops_the_engine) {
  EngineBench bench(2);
  bench.transport.leave();
  bench.turn([&] {
    bench.output.append(std::string("lost"));
    bench.enqueue([&] { bench.gates.wait("cancelled", {}); });
  });
  bench.engine->run();
  BOOST_TEST(bench.cancelled);
}

BOOST_AUTO_TEST_CASE(an_answer_that_comes_while_the_engine_looks_whether_all_is_answered_is_written) {
  EngineBench bench(2);
  bool asked = false;
  bench.answered = [&] {
    if (!std::exchange(asked, true)) bench.output.append(std::string("late"));
    return true;
  };
  bench.end();
  bench.engine->run();
  BOOST_TEST(bench.lines().size() == 1u);
}

BOOST_AUTO_TEST_CASE(work_that_does_not_end_is_cancelled_and_then_abandoned) {
  EngineBench bench(2, 1ms, 1ms);
  bench.turn([&] {
    bench.enqueue([&] {
      bench.gates.wait("abandoned", {});
      BOOST_TEST(bench.cancelled.load());
    });
  });
  bench.end();
  bench.engine->run();
  BOOST_TEST(bench.abandoned);
}

BOOST_AUTO_TEST_CASE(a_client_that_reads_slowly_gets_all_after_the_end_of_input) {
  struct Slow final : SlowTransport {
    std::ptrdiff_t write(const char*, std::size_t count, Blocking) override {
      std::this_thread::sleep_for(150ms);
      bytes += count;
      return static_cast<std::ptrdiff_t>(count);
    }
  } transport;
  EngineBench bench(2, transport, 1s, 1ms);  // in all less than it takes to write, but many times one write
  const std::string large(std::size_t{3} << 20, 'x');
  bench.turn([&] {
    bench.output.append(large);
    bench.hung_up = true;
  });
  bench.end();
  bench.engine->run();
  BOOST_TEST(!bench.abandoned);
  BOOST_TEST(transport.bytes.load() == large.size() + 1);
}

BOOST_AUTO_TEST_CASE(a_client_that_does_not_read_gets_no_more_than_the_grace) {
  for (bool hurried : {false, true}) {
    EngineBench bench(2, 1ms, 1ms);
    bench.transport.stop_listening();
    bench.turn([&] { bench.output.append(std::string("never read")); });
    bench.end();
    std::thread client([&] {
      bench.gates.wait("cancelled", {});
      if (hurried) bench.engine->stop_now();
      bench.gates.wait("abandoned", {});
      bench.transport.leave();
    });
    bench.engine->run();
    client.join();
    BOOST_TEST(bench.abandoned);
  }
}

BOOST_AUTO_TEST_CASE(timers_run_and_what_is_forgotten_does_not) {
  EngineBench bench(1);
  bench.turn([&] {
    auto forgotten = bench.channel->at(Timers::Clock::now() + 1h, [] { BOOST_ERROR("this was forgotten"); });
    bench.channel->forget(forgotten);
    bench.channel->at(Timers::Clock::now(), [&] { bench.gates.open("due"); });
    bench.enqueue([&] { bench.gates.wait("due", {}); });
  });
  bench.end();
  bench.engine->run();
  BOOST_TEST(!bench.cancelled);
}

BOOST_AUTO_TEST_CASE(work_posted_from_outside_runs_while_the_driver_reads) {
  EngineBench bench(1);
  std::thread outside([&] {
    bench.gates.wait("reading", {});
    bench.channel->post([&] { bench.end(); });
  });
  bench.turn([&] { bench.gates.open("reading"); });
  bench.engine->run();
  outside.join();
  BOOST_TEST(!bench.cancelled);
}
