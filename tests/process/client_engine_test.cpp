// Clients that work on the threads of an engine.
#include <toolwire/client.hpp>
#include <toolwire/engine.hpp>

#define BOOST_TEST_MODULE client_engine_test
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "comes_true.hpp"
#include "process_status.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using toolwire_test::comes_true;
using toolwire_test::status_of;

namespace {

/// A legacy server in a few lines of shell that answers the handshake and does the rest of the script.
Program shell_server(const std::string& rest) {
  return {.command = {"sh", "-c",
                      R"(read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"sh","version":"1"}}}'
read -r line
)" + rest}};
}

/// Answers each request with its number, beginning with the first after the handshake.
const std::string answers_all = R"(id=2
while read -r line; do echo '{"jsonrpc":"2.0","id":'$id',"result":{"content":[{"type":"text","text":"'$id'"}]}}'
id=$((id+1)); done)";

ClientOptions on(const std::shared_ptr<Engine>& engine) {
  ClientOptions options;
  options.revision = "2025-11-25";
  options.engine = engine;
  return options;
}

/// What a call that ends later comes to.
std::pair<CallHandle, std::future<std::string>> begin(Client& client, Json arguments, CallOptions options = {}) {
  const auto promise = std::make_shared<std::promise<std::string>>();
  auto handle = client.start_call("x", std::move(arguments), std::move(options), [promise](CallOutcome&& outcome) {
    if (const auto* result = std::get_if<CallResult>(&outcome)) return promise->set_value(result->text());
    try {
      std::rethrow_exception(std::get<std::exception_ptr>(outcome));
    } catch (const std::exception& error) {
      promise->set_value(std::string("failed: ") + error.what());
    }
  });
  return {std::move(handle), promise->get_future()};
}

bool mentions(const std::string& text, std::string_view words) {
  BOOST_TEST_MESSAGE(text);
  return text.find(words) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(many_clients_need_no_more_threads_than_one) {
  const auto engine = std::make_shared<Engine>(EngineOptions{.threads = 2});
  std::list<Client> clients;
  clients.emplace_back(shell_server(answers_all), on(engine));
  BOOST_TEST(clients.front().call("x").text() == "2");
  for (int i = 0; i < 20; ++i) clients.emplace_back(shell_server(answers_all), on(engine));
  for (int round = 3; round < 10; ++round) {
    for (Client& client : clients) BOOST_TEST(begin(client, {}, {.timeout = 60s}).second.get() != "");
  }
  // That of this test; two of the engine that stay; up to five that it has had use for, jobs or watches that lasted.
  BOOST_TEST(status_of(::getpid(), "Threads") <= 8 + toolwire_test::threads_of_sanitizer);
}

BOOST_AUTO_TEST_CASE(a_dead_server_fails_its_calls_with_how_it_died_and_its_last_words) {
  const auto engine = std::make_shared<Engine>();
  std::promise<std::string> lost;
  ClientOptions options = on(engine);
  options.on_lost = [&](const std::string& reason) { lost.set_value(reason); };
  Client client(shell_server("read -r line; echo 'cannot find the config' >&2; exit 3"), options);
  const std::string why = begin(client, {}).second.get();
  BOOST_TEST(mentions(why, "exited with status 3"));
  BOOST_TEST(mentions(why, "cannot find the config"));
  BOOST_TEST(mentions(lost.get_future().get(), "exited with status 3"));
  BOOST_CHECK_THROW(client.call("y"), ConnectionError);
}

BOOST_AUTO_TEST_CASE(a_server_that_closes_its_output_and_stays_is_lost_all_the_same) {
  const auto engine = std::make_shared<Engine>(EngineOptions{.threads = 1});
  Client client(shell_server("exec >&-; cat > /dev/null"), on(engine));
  BOOST_TEST(mentions(begin(client, {}).second.get(), "closed its output"));
}

BOOST_AUTO_TEST_CASE(a_server_that_closes_its_input_is_lost) {
  const auto engine = std::make_shared<Engine>(EngineOptions{.threads = 1});
  ClientOptions options = on(engine);
  options.grace = {.after_end_of_input = 0ms, .after_terminate = 100ms};
  Client client(shell_server("exec <&-; echo closed >&2; sleep 1000"), options);
  BOOST_REQUIRE(comes_true([&] { return client.process()->error_tail() == "closed\n"; }));
  BOOST_TEST(mentions(begin(client, {}).second.get(), "no longer reads its input"));
}

BOOST_AUTO_TEST_CASE(what_a_server_does_not_read_at_once_is_written_when_it_does) {
  const auto engine = std::make_shared<Engine>(EngineOptions{.threads = 1});
  Client client(shell_server(R"(size=$(head -n 1 | wc -c)
echo '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"'$size'"}]}}'
cat > /dev/null)"),
                on(engine));
  const std::string much(10 << 20, 'x');
  const std::string size = begin(client, {{"much", much}}).second.get();
  BOOST_TEST(std::stoul(size) > much.size());
  BOOST_TEST(std::stoul(size) < much.size() + 1000);
}

BOOST_AUTO_TEST_CASE(servers_that_do_not_read_or_answer_delay_no_other) {
  const auto engine = std::make_shared<Engine>(EngineOptions{.threads = 1});
  ClientOptions options = on(engine);
  options.grace = {.after_end_of_input = 0ms, .after_terminate = 100ms};
  std::list<Client> stuck;
  std::vector<std::pair<CallHandle, std::future<std::string>>> calls;
  for (int i = 0; i < 5; ++i) {
    stuck.emplace_back(shell_server("sleep 1000"), options);
    calls.push_back(begin(stuck.back(), {{"much", std::string(1 << 20, 'x')}}, {.timeout = 300ms}));
  }
  Client good(shell_server(answers_all), options);
  for (int i = 2; i < 100; ++i) BOOST_TEST(good.call("x").text() == std::to_string(i));
  for (auto& [handle, outcome] : calls) BOOST_TEST(mentions(outcome.get(), "no answer within 300 ms"));
}

BOOST_AUTO_TEST_CASE(servers_that_flood_all_streams_delay_no_other) {
  const auto engine = std::make_shared<Engine>(EngineOptions{.threads = 2});
  ClientOptions options = on(engine);
  options.grace = {.after_end_of_input = 0ms, .after_terminate = 100ms};
  std::atomic<int> heard = 0;
  options.on_notification = [&](const std::string&, const Json&) { ++heard; };
  std::list<Client> loud;
  const std::string flood = R"(yes '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}' &
yes 'on standard error' >&2 & wait)";
  for (int i = 0; i < 2; ++i) {
    Program program = shell_server(flood);
    program.own_group = true;
    loud.emplace_back(program, options);
  }
  Client good(shell_server(answers_all), options);
  for (int i = 2; i < 100; ++i) BOOST_TEST(good.call("x").text() == std::to_string(i));
  BOOST_TEST(comes_true([&] { return heard > 1000; }));
  BOOST_TEST(comes_true([&] { return mentions(loud.front().process()->error_tail(), "on standard error"); }));
}

BOOST_AUTO_TEST_CASE(notifications_come_one_at_a_time_and_in_order) {
  const auto engine = std::make_shared<Engine>(EngineOptions{.threads = 4});
  ClientOptions options = on(engine);
  std::mutex mutex;
  std::vector<std::int64_t> numbers;
  std::atomic<int> inside = 0;
  std::atomic<bool> overlap = false;
  options.on_notification = [&](const std::string&, const Json& params) {
    if (++inside > 1) overlap = true;
    {
      const std::lock_guard lock(mutex);
      numbers.push_back(params.at("n").as_int64());
    }
    --inside;
  };
  Client client(shell_server(R"(n=0; while [ $n -lt 2000 ]; do echo '{"jsonrpc":"2.0","method":"n","params":{"n":'$n'}}'
n=$((n+1)); done; cat > /dev/null)"),
                options);
  BOOST_REQUIRE(comes_true([&] {
    const std::lock_guard lock(mutex);
    return numbers.size() == 2000;
  }));
  for (std::size_t i = 0; i < numbers.size(); ++i) BOOST_REQUIRE(numbers[i] == static_cast<std::int64_t>(i));
  BOOST_TEST(!overlap);
}

BOOST_AUTO_TEST_CASE(deadlines_pass_each_at_its_time) {
  const auto engine = std::make_shared<Engine>(EngineOptions{.threads = 1});
  Client silent(shell_server("cat > /dev/null"), on(engine));
  auto late = begin(silent, {}, {.timeout = 3600s});
  auto early = begin(silent, {}, {.timeout = 20ms});
  BOOST_TEST(mentions(early.second.get(), "no answer within 20 ms"));
  late.first.cancel();
  BOOST_TEST(mentions(late.second.get(), "cancelled"));
  Client good(shell_server(answers_all), on(engine));
  for (int i = 2; i < 300; ++i) BOOST_TEST(begin(good, {}, {.timeout = 60s}).second.get() == std::to_string(i));
}

BOOST_AUTO_TEST_CASE(clients_come_and_go_while_everything_is_under_way) {
  const auto engine = std::make_shared<Engine>(EngineOptions{.threads = 3});
  for (int i = 0; i < 30; ++i) {
    ClientOptions options = on(engine);
    options.grace = {.after_end_of_input = 0ms, .after_terminate = 50ms};
    options.on_notification = [](const std::string&, const Json&) {};
    std::vector<std::future<std::string>> outcomes;
    {
      Client client(shell_server("yes '{\"jsonrpc\":\"2.0\",\"method\":\"n\"}'"), options);
      for (int call = 0; call < 20; ++call)
        outcomes.push_back(begin(client, {{"much", std::string(20'000, 'x')}}, {.timeout = 1ms * (call + 1)}).second);
    }
    for (auto& outcome : outcomes) BOOST_TEST(outcome.get().starts_with("failed: "));
  }
}

BOOST_AUTO_TEST_CASE(an_engine_ends_when_its_last_client_does) {
  auto engine = std::make_shared<Engine>();
  const std::weak_ptr<Engine> left = engine;
  {
    Client client(shell_server(answers_all), on(std::exchange(engine, nullptr)));
    BOOST_TEST(client.call("x").text() == "2");
    BOOST_TEST(!left.expired());
  }
  BOOST_TEST(comes_true([&] { return left.expired(); }));
}

BOOST_AUTO_TEST_CASE(a_program_that_ends_with_this_process_outlives_the_thread_that_started_it) {
  std::optional<ChildProcess> process;
  std::thread([&] { process.emplace(Program{.command = {"cat"}, .end_with_parent = true}); }).join();
  BOOST_TEST((process->transport().write("hello\n", 6, Transport::Blocking::yes) == 6));
  char echo[6];
  BOOST_TEST(process->transport().read(echo, sizeof echo) == 6);
  BOOST_TEST(!process->exit_status());
}
