// A server that has nothing to do does nothing: none of its threads wakes up, whatever is open or under way.
#include "conversation.hpp"

#define BOOST_TEST_MODULE idle_test
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>

using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

/// How often each thread of a process has gone to sleep voluntarily.
std::map<std::string, long> sleeps_of(pid_t process) {
  std::map<std::string, long> sleeps;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
    std::ifstream status(task.path() / "status");
    const std::string name = "voluntary_ctxt_switches:";
    for (std::string line; std::getline(status, line);) {
      if (line.rfind(name, 0) == 0) sleeps[task.path().filename()] = std::stol(line.substr(name.size()));
    }
  }
  return sleeps;
}

/// Whether there comes a while in which no thread wakes up, and then another. A while is long against the millisecond
/// of the monitor; nothing else depends on its length, and a server that needs longer to come to rest is given time.
bool comes_to_rest(Conversation& talk) {
  const auto a_while = [] { std::this_thread::sleep_for(200ms); };  // what is measured is that it passes
  const auto limit = std::chrono::steady_clock::now() + 30s;
  int quiet = 0;
  for (auto before = sleeps_of(talk.process().id()); quiet < 2 && std::chrono::steady_clock::now() < limit;) {
    a_while();
    auto after = sleeps_of(talk.process().id());
    quiet = after == before ? quiet + 1 : 0;
    before = std::move(after);
  }
  return quiet == 2;
}

/// This many calls that never return; one for each thread is known to have begun.
void begin_waiting(Conversation& talk, int calls) {
  for (int i = 0; i < calls; ++i) {
    const std::string gate = "g" + std::to_string(i);
    talk.send(talk.call("\"" + gate + "\"", "wait", R"({"gate":")" + gate + R"("})"));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_server_that_was_just_started_sleeps) {
  Conversation talk(Era::modern, {.command = {std::string(TOOLWIRE_BIN_DIR) + "/hello"}});
  BOOST_TEST(comes_to_rest(talk));
  BOOST_TEST(talk.end().code == 0);
}

BOOST_AUTO_TEST_CASE(a_server_sleeps_between_calls) {
  for (const Era era : {Era::legacy, Era::modern}) {
    Conversation talk(era, {.command = {std::string(TOOLWIRE_BIN_DIR) + "/hello"}});
    for (const char* id : {"1", "2"}) {
      talk.send(talk.call(id, "add", R"({"a":1,"b":2})"));
      BOOST_TEST(talk.text_of(id) == "3");
      BOOST_TEST(comes_to_rest(talk));
    }
    BOOST_TEST(talk.end().code == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_server_sleeps_while_a_subscription_is_open) {
  Conversation talk(Era::modern);
  talk.send(talk.request("1", "subscriptions/listen", R"("notifications":{"toolsListChanged":true})"));
  while (talk.others().empty()) BOOST_REQUIRE(talk.read_one());
  BOOST_TEST(talk.others().front().at("method") == "notifications/subscriptions/acknowledged");
  BOOST_TEST(comes_to_rest(talk));
  BOOST_TEST(talk.end().code == 0);
}

BOOST_AUTO_TEST_CASE(a_server_sleeps_while_slow_calls_are_under_way_or_wait_for_a_thread) {
  for (const int calls : {1, 8, 12}) {  // of eight threads
    Conversation talk(Era::modern, fixture_program(R"({"limits":{"drain":20}})"));
    begin_waiting(talk, calls);
    talk.send(talk.request("\"read\"", "tools/list"));
    BOOST_TEST(talk.code_of("\"read\"") == 0);
    BOOST_TEST(comes_to_rest(talk), calls << " calls");
    BOOST_TEST(talk.end().code == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_server_sleeps_while_a_call_is_to_be_answered_later) {
  Conversation talk(Era::modern, fixture_program(R"({"limits":{"drain":20}})"));
  talk.send(talk.call("1", "later", R"({"gate":"g"})"));
  talk.send(talk.call("2", "wait", R"({"gate":"g is kept"})"));
  BOOST_TEST(talk.text_of("2") == "opened");
  BOOST_TEST(comes_to_rest(talk));
  talk.send(talk.call("3", "settle", R"({"gate":"g","text":"at last"})"));
  BOOST_TEST(talk.text_of("1") == "at last");
  BOOST_TEST(talk.end().code == 0);
}

BOOST_AUTO_TEST_CASE(a_server_sleeps_while_its_client_does_not_read) {
  Conversation talk(Era::modern);
  talk.send(talk.call("1", "big", R"({"bytes":1000000})"));
  talk.send(talk.call("2", "wait", R"({"gate":"g"})"));
  BOOST_TEST(comes_to_rest(talk));
  talk.send(talk.call("3", "open", R"({"gate":"g"})"));
  BOOST_TEST(talk.text_of("2") == "opened");
  BOOST_TEST(talk.text_of("1").size() == 1'000'000u);
  BOOST_TEST(talk.end().code == 0);
}

BOOST_AUTO_TEST_CASE(a_server_sleeps_while_a_question_is_open) {
  Conversation talk(Era::legacy, fixture_program(R"({"limits":{"drain":20}})"));
  talk.send(talk.call("1", "ask", R"({"target":"this"})"));
  while (talk.others().empty()) BOOST_REQUIRE(talk.read_one());
  BOOST_TEST(talk.others().front().at("method") == "elicitation/create");
  BOOST_TEST(comes_to_rest(talk));
  BOOST_TEST(talk.end().code == 0);
}
