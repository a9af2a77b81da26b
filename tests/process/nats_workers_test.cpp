// Calls to workers over a real NATS: shared, followed, cancelled, refused, given up; and what a stranger there can do.
#define BOOST_TEST_MODULE nats_workers_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <toolwire/client.hpp>
#include <toolwire/json_members.hpp>
#include <toolwire/server.hpp>

#include "gates.hpp"
#include "nats_server.hpp"
#include "nats_stranger.hpp"

namespace {

using namespace std::chrono_literals;
using namespace toolwire;
using namespace toolwire_test;

bool has(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

struct Word {
  std::string word;
  static constexpr auto describe() { return fields(field<&Word::word>("Any text")); }
};

/// What the tools of all workers of a case have done.
struct World {
  Gates gates;
  std::atomic<int> effects{0};
  std::atomic<int> waiting{0};
  std::atomic<int> stopped{0};
};

/// A worker in this process, with a connection of its own.
class OneWorker {
 public:
  OneWorker(const NatsServer& nats, World& world, std::string name, std::string description = "Says it again",
            std::size_t max_calls = 64)
      : client_(nats::make_client(nats_options(nats.address()))),
        server_({.name = name, .version = "1"},
                {.identify = [](const UnidentifiedRequest& request,
                                Done<Principal> done) { done(text_or(request.meta, "dev.toolwire/caller")); }}),
        name_(std::move(name)) {
    add_tools(world, std::move(description));
    worker_.emplace(client_, nats::WorkerOptions{.name = "gpu", .max_calls = max_calls, .tools_version = [this] {
                                                   return server_.tools_version();
                                                 }});
    thread_ = std::thread([this] { server_.run(worker_->transport()); });
  }
  ~OneWorker() {
    drain(0ms);
    thread_.join();
  }
  OneWorker(const OneWorker&) = delete;
  OneWorker& operator=(const OneWorker&) = delete;

  void drain(std::chrono::milliseconds patience) { worker_->drain(patience); }
  Server& server() { return server_; }

 private:
  void add_tools(World& world, std::string description) {
    server_.tool("echo", std::move(description), [&world](const Word& word) {
      ++world.effects;
      return word.word;
    });
    server_.tool("who", "Its name", [this] { return name_; });
    server_.tool("caller", "Who calls", [](Context& context) { return context.principal().id; });
    server_.tool("steps", "Reports steps", [](Context& context) {
      for (int i = 1; i <= 3; ++i) context.progress(i, 3, "step");
      return std::string("done");
    });
    server_.tool("wait", "Waits for a gate", [&world](const Word& word, Context& context) {
      ++world.effects;
      ++world.waiting;
      if (!world.gates.wait(word.word, context.stop_token())) ++world.stopped;
      return std::string("waited");
    });
  }

  const std::shared_ptr<nats::Client> client_;
  Server server_;
  const std::string name_;
  std::optional<nats::Worker> worker_;
  std::thread thread_;
};

/// The workers of this name, as a replica's client sees them.
class Calls {
 public:
  explicit Calls(const NatsServer& nats)
      : nats_(nats::make_client(nats_options(nats.address()))),
        client_(nats::connect_worker(nats_, "gpu").transport, {.revision = "2026-07-28", .timeout = 60s}) {
    client_.list_tools();
  }
  Client* operator->() { return &client_; }
  std::string echo(const std::string& word) { return client_.call("echo", {{"word", word}}).text(); }

 private:
  const std::shared_ptr<nats::Client> nats_;
  Client client_;
};

/// What the transport says of a call that was not answered: "unavailable", "unavailable unknown", or the result.
std::string outcome_of(const std::function<CallResult()>& call) {
  try {
    return call().text();
  } catch (const ProtocolError& error) {
    return text_or(error.data, "code") + (text_or(error.data, "outcome").empty() ? "" : " unknown");
  }
}
std::string outcome_of(CallHandle& call) {
  return outcome_of([&] { return call.wait(); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(calls_are_shared_by_all_workers_of_a_name_and_each_is_answered_once) {
  NatsServer nats;
  World world;
  OneWorker one(nats, world, "one");
  OneWorker other(nats, world, "other");
  Calls calls(nats);
  std::set<std::string> who;
  BOOST_TEST(eventually([&] {
    who.insert(calls->call("who").text());
    return who.size() == 2;
  }));
  std::vector<CallHandle> under_way;
  for (int i = 0; i < 300; ++i) under_way.push_back(calls->start_call("echo", {{"word", std::to_string(i)}}));
  for (int i = 0; i < 300; ++i) BOOST_TEST(under_way[static_cast<std::size_t>(i)].wait().text() == std::to_string(i));
  BOOST_TEST(world.effects == 300);
}

BOOST_AUTO_TEST_CASE(two_replicas_with_the_same_ids_get_their_own_answers) {
  NatsServer nats;
  World world;
  OneWorker worker(nats, world, "one");
  Calls first(nats);
  Calls second(nats);
  for (int i = 0; i < 20; ++i) {
    CallHandle mine = first->start_call("echo", {{"word", "mine"}});
    CallHandle yours = second->start_call("echo", {{"word", "yours"}});
    BOOST_TEST(mine.wait().text() == "mine");
    BOOST_TEST(yours.wait().text() == "yours");
  }
}

BOOST_AUTO_TEST_CASE(progress_comes_and_a_cancellation_stops_the_tool) {
  NatsServer nats;
  World world;
  OneWorker worker(nats, world, "one");
  Calls calls(nats);
  std::atomic<int> reports{0};
  BOOST_TEST(calls->call("steps", {}, {.on_progress = [&](const ProgressReport&) { ++reports; }}).text() == "done");
  BOOST_TEST(reports >= 1);
  CallHandle call = calls->start_call("wait", {{"word", "never"}});
  BOOST_TEST(eventually([&] { return world.waiting == 1; }));
  call.cancel("enough");
  BOOST_TEST(eventually([&] { return world.stopped == 1; }));
  BOOST_TEST(calls.echo("on") == "on");
}

BOOST_AUTO_TEST_CASE(long_texts_go_in_parts_both_ways) {
  NatsServer nats;
  World world;
  OneWorker worker(nats, world, "one");
  Calls calls(nats);
  const std::string text(3'500'000, 'x');
  BOOST_TEST((calls.echo(text) == text));
}

BOOST_AUTO_TEST_CASE(without_a_worker_a_call_has_certainly_not_begun_and_one_that_comes_in_time_gets_it) {
  NatsServer nats;
  World world;
  std::optional<OneWorker> worker(std::in_place, nats, world, "one");
  Calls calls(nats);
  worker.reset();
  BOOST_TEST(outcome_of([&] { return calls->call("echo", {{"word", "x"}}); }) == "unavailable");
  CallHandle early = calls->start_call("echo", {{"word", "early"}});
  worker.emplace(nats, world, "two");
  BOOST_TEST(outcome_of(early) == "early");
}

BOOST_AUTO_TEST_CASE(a_worker_that_ends_answers_what_it_has_begun) {
  NatsServer nats;
  World world;
  OneWorker worker(nats, world, "one");
  Calls calls(nats);
  CallHandle call = calls->start_call("wait", {{"word", "open"}});
  BOOST_TEST(eventually([&] { return world.waiting == 1; }));
  auto drained = std::async(std::launch::async, [&] { worker.drain(60s); });
  world.gates.open("open");
  BOOST_TEST(outcome_of(call) == "waited");
  drained.get();
  BOOST_TEST(outcome_of([&] { return calls->call("echo", {{"word", "x"}}); }) == "unavailable");
  BOOST_TEST(world.effects == 1);
}

BOOST_AUTO_TEST_CASE(a_worker_without_room_leaves_calls_to_another) {
  NatsServer nats;
  World world;
  OneWorker narrow(nats, world, "narrow", "Says it again", 1);
  Calls calls(nats);
  CallHandle held = calls->start_call("wait", {{"word", "open"}});
  BOOST_TEST(eventually([&] { return world.waiting == 1; }));
  OneWorker wide(nats, world, "wide");
  for (int i = 0; i < 4; ++i) BOOST_TEST(calls.echo("on") == "on");
  world.gates.open("open");
  BOOST_TEST(outcome_of(held) == "waited");
}

BOOST_AUTO_TEST_CASE(a_call_that_is_cancelled_before_it_is_given_out_takes_no_room) {
  NatsServer nats;
  World world;
  OneWorker narrow(nats, world, "narrow", "Says it again", 1);
  Calls calls(nats);
  for (int i = 0; i < 10; ++i) {
    calls->start_call("echo", {{"word", "never"}}).cancel("too late");
    BOOST_TEST(outcome_of([&] { return calls->call("echo", {{"word", "on"}}); }) == "on");
  }
}

BOOST_AUTO_TEST_CASE(a_call_whose_replica_is_gone_before_it_is_given_out_takes_no_room) {
  NatsServer nats;
  World world;
  OneWorker narrow(nats, world, "narrow", "Says it again", 1);
  Calls calls(nats);
  for (int i = 0; i < 10; ++i) {
    {
      Calls gone(nats);
      gone->start_call("echo", {{"word", "never"}});
    }
    BOOST_TEST(outcome_of([&] { return calls->call("echo", {{"word", "on"}}); }) == "on");
  }
}

BOOST_AUTO_TEST_CASE(a_tool_that_is_another_now_is_not_called_until_it_is_listed_again) {
  NatsServer nats;
  World world;
  std::optional<OneWorker> worker(std::in_place, nats, world, "one");
  Calls calls(nats);
  BOOST_TEST(calls.echo("x") == "x");
  worker.reset();
  worker.emplace(nats, world, "two", "Sends it to a stranger");
  BOOST_TEST(outcome_of([&] { return calls->call("echo", {{"word", "x"}}); }) == "unavailable");
  BOOST_TEST(world.effects == 1);
  BOOST_TEST(calls->call("who").text() == "two");  // the other tools are as they were
  calls->list_tools();
  BOOST_TEST(calls.echo("y") == "y");
}

BOOST_AUTO_TEST_CASE(who_listens_hears_of_other_workers_and_of_changes) {
  NatsServer nats;
  World world;
  std::optional<OneWorker> worker(std::in_place, nats, world, "one");
  Calls calls(nats);
  std::atomic<int> changes{0};
  const auto listening = calls->subscribe_lists([&] { ++changes; });
  worker->server().tool("new", "Is new", [] { return std::string("new"); });
  BOOST_TEST(eventually([&] { return changes >= 1; }));
  worker.reset();
  const int before = changes;
  worker.emplace(nats, world, "two");
  BOOST_TEST(eventually([&] { return changes > before; }));
  BOOST_TEST(listening.is_active());
}

BOOST_AUTO_TEST_CASE(of_calls_at_work_when_nats_dies_nobody_knows_and_none_is_begun_again) {
  NatsServer nats;
  World world;
  OneWorker worker(nats, world, "one");
  Calls calls(nats);
  CallHandle call = calls->start_call("wait", {{"word", "never"}});
  BOOST_TEST(eventually([&] { return world.waiting == 1; }));
  nats.kill();
  BOOST_TEST(outcome_of(call) == "unavailable unknown");
  BOOST_TEST(eventually([&] { return world.stopped == 1; }));  // nobody waits for it
  BOOST_TEST(outcome_of([&] { return calls->call("echo", {{"word", "x"}}); }) == "unavailable");
  nats.start_again();
  BOOST_TEST(eventually([&] { return outcome_of([&] { return calls->call("echo", {{"word", "x"}}); }) == "x"; }));
  BOOST_TEST(world.effects == 2);
}

BOOST_AUTO_TEST_CASE(a_stranger_learns_nothing_and_what_it_says_again_has_no_effect) {
  NatsServer nats;
  World world;
  Stranger stranger(nats);
  OneWorker one(nats, world, "one");
  OneWorker other(nats, world, "other");
  Calls calls(nats);
  for (int i = 0; i < 10; ++i) BOOST_TEST(calls.echo("secret") == "secret");
  const auto heard = stranger.messages(40);
  for (const nats::Message& message : heard) {
    for (const char* const word : {"secret", "echo", "tools/call", "2026-07-28", "Says it again"})
      BOOST_TEST(!has(message.payload + message.subject + message.reply, word));
  }
  CallHandle held = calls->start_call("wait", {{"word", "open"}});
  BOOST_TEST(eventually([&] { return world.waiting == 1; }));
  for (const nats::Message& message : stranger.messages(heard.size())) {
    stranger.send(message.subject, message.payload, message.reply);
    for (const nats::Message& elsewhere : heard) {
      if (elsewhere.subject != message.subject) stranger.send(elsewhere.subject, message.payload, "toolwire.events");
    }
    std::string altered = message.payload;
    if (!altered.empty()) altered[altered.size() / 2] = static_cast<char>(altered[altered.size() / 2] ^ 1);
    stranger.send(message.subject, altered);
    stranger.send(message.subject, "");
  }
  for (int i = 0; i < 10; ++i) BOOST_TEST(calls.echo("on") == "on");
  world.gates.open("open");
  BOOST_TEST(outcome_of(held) == "waited");
  BOOST_TEST(world.effects == 21);
}

BOOST_AUTO_TEST_CASE(a_stranger_who_takes_offers_delays_calls_and_ends_none) {
  NatsServer nats;
  World world;
  OneWorker worker(nats, world, "one");
  Calls calls(nats);
  Stranger thief(nats, "toolwire.work.gpu", "workers");
  for (int i = 0; i < 6; ++i) BOOST_TEST(calls.echo("on") == "on");
  BOOST_TEST(world.effects == 6);
}

BOOST_AUTO_TEST_CASE(another_cluster_with_the_same_subjects_is_heard_by_nobody) {
  NatsServer nats;
  World world;
  OneWorker worker(nats, world, "one");
  nats::Options options = nats_options(nats.address());
  options.key = "the key of another cluster";
  const auto foreign = nats::make_client(options);
  BOOST_CHECK_THROW(Client(nats::connect_worker(foreign, "gpu").transport,
                           {.revision = "2026-07-28", .timeout = 1s, .probe_timeout = 1s}),
                    std::exception);
  BOOST_TEST(world.effects == 0);
}
