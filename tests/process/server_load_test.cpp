// Many calls at once: threads, memory and descriptors stay bounded, and every call is answered or refused.
#include "conversation.hpp"

#define BOOST_TEST_MODULE server_load_test
#include <boost/test/unit_test.hpp>

#include <set>
#include <string>
#include <thread>

#include "process_status.hpp"

using namespace toolwire_test;

BOOST_AUTO_TEST_CASE(five_thousand_slow_calls_hold_few_threads_and_little_memory) {
  Conversation talk(Era::modern);
  constexpr int count = 5000;
  std::string burst;
  for (int i = 0; i < count; ++i) burst += talk.call(std::to_string(i), "wait", R"({"gate":"g"})") + "\n";
  std::thread writer([&] { talk.send_bytes(burst); });
  writer.join();
  talk.send(talk.request("\"marker\"", "tools/list"));
  talk.answer("\"marker\"");  // all were read: whatever was refused has been said before
  BOOST_TEST(status_of(talk.process().id(), "Threads") <= 16);
  BOOST_TEST((!memory_is_ours || status_of(talk.process().id(), "VmHWM") < 50L * 1024));
  for (int i = 0; i < count - 1; ++i) {
    talk.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + std::to_string(i) +
              "}}");
  }
  talk.send(talk.call("\"key\"", "open", R"({"gate":"g"})"));
  BOOST_TEST(talk.text_of("\"key\"") == "g");
  BOOST_TEST(talk.text_of(std::to_string(count - 1)) == "opened");
  talk.check_alive();
  BOOST_TEST(talk.end().code == 0);
}

BOOST_AUTO_TEST_CASE(more_calls_than_the_bound_are_each_answered_or_refused) {
  Conversation talk(Era::modern, fixture_program(R"({"limits":{"calls_in_flight":1000}})"));
  constexpr int count = 5000;
  for (int i = 0; i < count; ++i) talk.send(talk.call(std::to_string(i), "wait", R"({"gate":"g"})"));
  // `open` would be refused as well while the table is full: cancelling one call makes room for it.
  talk.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}})");
  talk.send(talk.call("\"key\"", "echo", R"({"text":"queued"})"));
  for (int i = 1000; i < count; ++i) BOOST_REQUIRE(talk.answer(std::to_string(i)).at("result").at("isError") == true);
  for (int i = 1; i < 999; ++i) {
    talk.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + std::to_string(i) +
              "}}");
  }
  BOOST_TEST(talk.text_of("\"key\"") == "queued");
  talk.send(talk.call("\"open\"", "open", R"({"gate":"g"})"));
  BOOST_TEST(talk.text_of("999") == "opened");
  BOOST_TEST(talk.end().code == 0);
}

BOOST_AUTO_TEST_CASE(ten_thousand_calls_leave_memory_threads_and_descriptors_as_they_were) {
  Conversation talk(Era::legacy);
  auto round = [&](int calls) {
    for (int i = 0; i < calls; ++i) {
      talk.send(talk.call("1", "echo", R"({"text":"some text that is a little longer"})"));
      talk.answer("1");
    }
  };
  auto descriptors = [&] {
    talk.send(talk.call("1", "descriptors"));
    return talk.text_of("1");
  };
  round(2000);
  const long memory = status_of(talk.process().id(), "VmRSS");
  const std::string open = descriptors();
  round(10'000);
  BOOST_TEST((!memory_is_ours || status_of(talk.process().id(), "VmRSS") <= memory + memory / 5));
  BOOST_TEST(descriptors() == open);
  BOOST_TEST(status_of(talk.process().id(), "Threads") <= 16);
}
