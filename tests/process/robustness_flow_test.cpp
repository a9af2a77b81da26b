// The rows of the group robustness-flow: many, large, slow and contrary requests.
//
// Not here: rb-idle-then-serve would have to wait a minute; nothing in a server counts idle time.
#define BOOST_TEST_MODULE robustness_flow_test
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rows.hpp"

using namespace toolwire_test;

namespace {

std::string cancel(const std::string& id) {
  return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id + "}}";
}

std::string id_of(int number) { return std::to_string(number); }

void backpressure_reader_stops(Era era) {
  Conversation talk(era);
  for (int i = 0; i < 2000; ++i) talk.send(talk.call(id_of(i), "big", R"({"bytes":16384})"));
  for (int i = 0; i < 2000; ++i) BOOST_REQUIRE(talk.text_of(id_of(i)).size() == 16384u);
}

void backpressure_no_deadlock(Era era) {
  Conversation talk(era);
  std::thread writer([&] {
    for (int i = 0; i < 500; ++i)
      talk.send(talk.call(id_of(i), "echo", "{\"text\":\"" + std::string(10'000, 'x') + "\"}"));
  });
  for (int i = 0; i < 500; ++i) BOOST_CHECK(talk.text_of(id_of(i)).size() == 10'000u);
  writer.join();
}

/// Reads a byte at a time.
void slow_reader(Era era) {
  Conversation talk(era);
  talk.check_alive();
  talk.send(talk.call("7", "big", R"({"bytes":1000000})"));
  std::string line;
  for (char byte = 0; talk.process().transport().read(&byte, 1) == 1 && byte != '\n';) line.push_back(byte);
  BOOST_TEST(toolwire::parse_json(line).at("id") == 7);
  BOOST_TEST(line.size() > 1'000'000u);
  talk.check_alive();
}

void big_output(Era era) {
  Conversation talk(era);
  talk.send(talk.call("1", "big", R"({"bytes":10000000})"));
  BOOST_TEST(talk.text_of("1").size() == 10'000'000u);
  talk.check_alive();
}

void concurrent_1000(Era era) {
  Conversation talk(era);
  std::string burst;
  for (int i = 0; i < 1000; ++i) burst += talk.call(id_of(i), "echo", "{\"text\":\"" + id_of(i) + "\"}") + "\n";
  std::thread writer([&] { talk.send_bytes(burst); });
  for (int i = 0; i < 1000; ++i) BOOST_CHECK(talk.text_of(id_of(i)) == id_of(i));
  writer.join();
}

void concurrent_no_interleave(Era era) {
  Conversation talk(era);
  for (int i = 0; i < 200; ++i) {
    talk.send(talk.call(id_of(i), "big", R"({"bytes":100000})"));
    talk.send(talk.call(id_of(1000 + i), "progress", R"({"steps":[1,2,3]})", "\"progressToken\":" + id_of(i)));
  }
  for (int i = 0; i < 200; ++i) {
    BOOST_REQUIRE(talk.text_of(id_of(i)).size() == 100'000u);
    BOOST_REQUIRE(talk.text_of(id_of(1000 + i)) == "reported");
  }
  BOOST_TEST(talk.others().size() >= 400u);  // the first and the last report of each
}

void head_of_line(Era era) {
  Conversation talk(era);
  for (int i = 0; i < 8; ++i) talk.send(talk.call(id_of(i), "wait", R"({"gate":"g"})"));
  talk.send(talk.request("100", "tools/list"));
  BOOST_TEST(talk.code_of("100") == 0);
  talk.send(cancel("0"));
  talk.send(talk.call("101", "open", R"({"gate":"g"})"));
  for (int i = 1; i < 8; ++i) BOOST_TEST(talk.text_of(id_of(i)) == "opened");
}

void sequential_order(Era era) {
  Conversation talk(era);
  std::string burst;
  for (int i = 0; i < 100; ++i) burst += talk.request(id_of(i), "tools/list") + "\n";
  talk.send_bytes(burst);
  for (int i = 0; i < 100; ++i) BOOST_TEST(talk.code_of(id_of(i)) == 0);
}

void cancel_storm(Era era) {
  Conversation talk(era);
  for (int i = 0; i < 500; ++i) talk.send(talk.call(id_of(i), "wait", R"({"gate":"g"})"));
  for (int i = 0; i < 500; ++i) talk.send(cancel(id_of((i * 7) % 500)));
  talk.check_alive();
  talk.send(talk.call("1000", "open", R"({"gate":"g"})"));
  BOOST_TEST(talk.text_of("1000") == "g");
  BOOST_TEST(talk.answers_kept() == (era == Era::legacy ? 1u : 0u));  // that of the handshake
  BOOST_TEST(talk.end().code == 0);
}

void cancel_before_request(Era era) {
  Conversation talk(era);
  talk.send(cancel("50"));
  talk.send(talk.call("50", "echo", R"({"text":"x"})"));
  BOOST_TEST(talk.text_of("50") == "x");
}

void cancel_twice(Era era) {
  Conversation talk(era);
  talk.send(talk.call("1", "wait", R"({"gate":"g"})"));
  talk.send(cancel("1"));
  talk.send(cancel("1"));
  talk.check_alive();
}

void progress_flood_client(Era era) {
  Conversation talk(era);
  for (int i = 0; i < 1000; ++i) {
    talk.send(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":)" +
              id_of(i) + "}}");
  }
  talk.check_alive();
  BOOST_TEST(talk.unaddressed().empty());
}

void rapid_restart(Era era) {
  for (int i = 0; i < 50; ++i) {
    Conversation talk(era);
    talk.check_alive();
    BOOST_TEST(talk.end().code == 0);
  }
}

void two_instances(Era era) {
  Conversation one(era);
  Conversation other(era);
  one.send(one.call("1", "wait", R"({"gate":"g"})"));
  other.send(other.call("1", "open", R"({"gate":"g"})"));
  BOOST_TEST(other.text_of("1") == "g");
  one.send(one.call("2", "open", R"({"gate":"g"})"));
  BOOST_TEST(one.text_of("1") == "opened");
  BOOST_TEST(other.end().code == 0);
  one.check_alive();
}

void startup_time(Era era) {
  Conversation talk(era);
  talk.check_alive();  // the first answer; how long it takes is measured by the benchmark
}

void tool_crash_contained(Era era) {
  Conversation talk(era);
  for (int i = 0; i < 7; ++i) talk.send(talk.call(id_of(i), "wait", R"({"gate":"g"})"));
  for (int i = 10; i < 20; ++i) talk.send(talk.call(id_of(i), i % 2 == 0 ? "throws" : "throws_int"));
  for (int i = 10; i < 20; ++i) BOOST_TEST(talk.text_of(id_of(i)).find("failed unexpectedly") != std::string::npos);
  talk.send(talk.call("30", "open", R"({"gate":"g"})"));
  for (int i = 0; i < 7; ++i) BOOST_TEST(talk.text_of(id_of(i)) == "opened");
}

const Row rows[] = {
    {"rb-backpressure-reader-stops", backpressure_reader_stops},
    {"rb-backpressure-no-deadlock", backpressure_no_deadlock},
    {"rb-slow-reader", slow_reader},
    {"rb-big-output", big_output},
    {"rb-concurrent-1000", concurrent_1000},
    {"rb-concurrent-no-interleave", concurrent_no_interleave},
    {"rb-head-of-line", head_of_line},
    {"rb-sequential-order-same-client", sequential_order},
    {"rb-cancel-storm", cancel_storm},
    {"rb-cancel-before-request", cancel_before_request},
    {"rb-cancel-twice", cancel_twice},
    {"rb-progress-flood-client", progress_flood_client},
    {"rb-rapid-restart", rapid_restart},
    {"rb-two-instances", two_instances},
    {"rb-startup-time", startup_time},
    {"rb-tool-crash-contained", tool_crash_contained},
};

const bool registered = register_rows(rows);

}  // namespace
