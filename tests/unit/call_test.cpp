#include "runtime/call.hpp"

#define BOOST_TEST_MODULE call_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "engine/send_queue.hpp"
#include "runtime/batch_answers.hpp"
#include "runtime/in_flight.hpp"
#include "script_transport.hpp"

using namespace toolwire::runtime;

namespace {

struct Fixture {
  std::vector<std::string> lines() {
    output.flush(toolwire::Transport::Blocking::yes);
    transport.server_has_left();
    std::vector<std::string> all;
    while (auto line = transport.next()) all.push_back(*line);
    return all;
  }
  std::shared_ptr<Call> begin(const std::string& id_text, std::shared_ptr<BatchAnswers> batch = nullptr) {
    return table.begin({id_text, "n" + id_text}, std::move(batch)).call;
  }

  toolwire_test::ScriptTransport transport;
  toolwire::engine::SendQueue output{transport, {}, [] {}};
  InFlight table{output, 100};
};

void write_true(std::string& out) { out.append("true"); }

using Lines = std::vector<std::string>;

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_call_is_answered_with_its_id_as_it_was_sent, Fixture) {
  BOOST_TEST(begin("1e0")->answer(write_true));
  BOOST_TEST(lines() == Lines{R"({"jsonrpc":"2.0","id":1e0,"result":true})"}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_call_is_answered_once, Fixture) {
  auto call = begin("1");
  BOOST_TEST(call->answer(write_true));
  BOOST_TEST(!call->answer(write_true));
  BOOST_TEST(!call->fail(-1, "no"));
  BOOST_TEST(!call->cancel());
  BOOST_TEST(lines().size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_cancelled_call_sends_no_reply_and_is_told_to_stop, Fixture) {
  auto call = begin("1");
  BOOST_TEST(call->cancel());
  BOOST_TEST(call->stop_token().stop_requested());
  BOOST_TEST(!call->answer(write_true));
  BOOST_TEST(table.unsettled() == 0u);
  BOOST_TEST(lines().empty());
}

BOOST_FIXTURE_TEST_CASE(a_stop_token_is_told_whenever_it_was_asked_for, Fixture) {
  auto call = begin("1");
  const std::stop_token before = call->stop_token();
  BOOST_TEST(!before.stop_requested());
  BOOST_TEST(!call->stop_requested());
  bool called = false;
  const std::stop_callback on_stop(before, [&] { called = true; });
  call->request_stop();
  BOOST_TEST(called);
  BOOST_TEST(before.stop_requested());
  BOOST_TEST(call->stop_requested());
  BOOST_TEST((call->stop_token() == before));
  auto unasked = begin("2");
  unasked->request_stop();
  BOOST_TEST(unasked->stop_requested());
  BOOST_TEST(unasked->stop_token().stop_requested());
  BOOST_TEST(call->cancel());
  BOOST_TEST(unasked->cancel());
}

BOOST_FIXTURE_TEST_CASE(who_is_told_to_stop_may_use_the_call, Fixture) {
  auto call = begin("1");
  bool open = false;
  const std::stop_callback on_stop(call->stop_token(), [&] {
    open = call->stop_token().stop_requested() && call->while_open([] {});
    call->answer(write_true);
  });
  call->request_stop();
  BOOST_TEST(open);
  BOOST_TEST(lines().size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_stop_and_the_first_look_at_the_token_at_once_meet, Fixture) {
  for (int i = 0; i < 200; ++i) {
    auto call = begin("1");
    std::atomic<bool> told = false;
    std::thread other([&] { call->request_stop(); });
    {
      const std::stop_callback on_stop(call->stop_token(), [&] { told = true; });
      other.join();
    }
    BOOST_TEST(told);
    call->cancel();
  }
}

BOOST_FIXTURE_TEST_CASE(a_call_that_is_told_to_stop_may_still_answer, Fixture) {
  auto call = begin("1");
  call->request_stop();
  BOOST_TEST(call->answer(write_true));
}

BOOST_FIXTURE_TEST_CASE(an_error_has_its_data_if_there_are_any, Fixture) {
  begin("1")->fail(-5, "no \"more\"");
  begin("2")->fail(-6, "x", R"({"a":1})");
  BOOST_TEST(lines() == (Lines{R"({"jsonrpc":"2.0","id":1,"error":{"code":-5,"message":"no \"more\""}})",
                               R"({"jsonrpc":"2.0","id":2,"error":{"code":-6,"message":"x","data":{"a":1}}})"}),
             boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_call_that_is_dropped_is_an_internal_error, Fixture) {
  begin("1").reset();
  BOOST_TEST(table.unsettled() == 0u);
  BOOST_TEST(lines().at(0).find("-32603") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_result_that_cannot_be_written_is_an_internal_error, Fixture) {
  begin("1")->answer([](std::string& out) {
    out.append("{half");
    throw std::runtime_error("no");
  });
  const Lines all = lines();
  BOOST_TEST(all.at(0).find(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,)") == 0u);
  BOOST_TEST(all.at(0).find("half") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(no_notification_follows_the_answer, Fixture) {
  auto call = begin("1");
  BOOST_TEST(call->while_open([&] { output.append(std::string("before")); }));
  call->answer(write_true);
  BOOST_TEST(!call->while_open([&] { output.append(std::string("after")); }));
  BOOST_TEST(lines().size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(no_notification_follows_an_answer_of_another_thread, Fixture) {
  constexpr int rounds = 500;
  std::size_t notes = 0;
  for (int i = 0; i < rounds; ++i) {
    auto call = begin("1");
    std::thread other([&] {
      while (call->while_open([&] { output.append(std::string("note")), ++notes; })) {
      }
    });
    call->answer(write_true);
    output.append(std::string("answered"));
    other.join();
  }
  std::size_t seen = 0;
  bool is_over = false;
  for (const std::string& line : lines()) {
    if (line == "answered") is_over = false;  // the next round may have begun
    if (line.find("result") != std::string::npos) is_over = true;
    if (line != "note") continue;
    BOOST_TEST(!is_over);
    ++seen;
  }
  BOOST_TEST(seen == notes);
}

BOOST_FIXTURE_TEST_CASE(of_an_answer_and_a_cancellation_at_once_one_takes_effect, Fixture) {
  std::size_t answered = 0;
  for (int i = 0; i < 200; ++i) {
    auto call = begin("1");
    bool cancelled = false;
    std::thread other([&] { cancelled = call->cancel(); });
    const bool sent = call->answer(write_true);
    other.join();
    BOOST_REQUIRE(sent != cancelled);
    answered += sent ? 1 : 0;
  }
  BOOST_TEST(lines().size() == answered);
  BOOST_TEST(table.unsettled() == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_batch_is_answered_when_its_last_call_is, Fixture) {
  auto answers = std::make_shared<BatchAnswers>(output, 3);
  auto first = begin("1", answers);
  auto second = begin("2", answers);
  auto third = begin("3", answers);
  third->answer(write_true);
  second->cancel();
  BOOST_TEST(output.empty());
  first->answer(write_true);
  BOOST_TEST(lines() == Lines{R"([{"jsonrpc":"2.0","id":3,"result":true},{"jsonrpc":"2.0","id":1,"result":true}])"},
             boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_batch_of_which_nothing_remains_is_not_answered, Fixture) {
  auto answers = std::make_shared<BatchAnswers>(output, 1);
  begin("1", answers)->cancel();
  BOOST_TEST(lines().empty());
}
