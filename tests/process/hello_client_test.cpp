#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE hello_client_test
#include <atomic>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <thread>
#include <vector>

using toolwire::Client;
using toolwire::ClientOptions;
using toolwire::Json;
using toolwire::Program;

namespace {

constexpr const char* revisions[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", ""};

Program hello(Program::Streams streams) {
  return {.command = {std::string{TOOLWIRE_BIN_DIR} + "/hello"}, .streams = streams};
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_server_is_used_in_every_revision_over_pipes_and_sockets) {
  for (const auto streams : {Program::Streams::pipes, Program::Streams::socket}) {
    for (const char* revision : revisions) {
      BOOST_TEST_CONTEXT(revision) {
        ClientOptions options;
        options.revision = revision;
        Client client{hello(streams), options};
        BOOST_TEST(client.server().name == "calculator");
        BOOST_TEST(client.list_tools().at(0).name == "add");
        BOOST_TEST(client.call("add", {{"a", 1}, {"b", 2}}).text() == "3");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_server_ends_by_itself_when_its_input_ends) {
  Client client{hello(Program::Streams::pipes)};
  client.process()->close_input();
  BOOST_TEST(client.process()->wait().success());
}

BOOST_AUTO_TEST_CASE(many_calls_of_many_threads_are_answered) {
  Client client{hello(Program::Streams::pipes)};
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 250; ++i) right += client.call("add", {{"a", i}, {"b", 1}}).text() == std::to_string(i + 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(right == 1000);
}
