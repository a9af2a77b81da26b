// The life of tasks on a server whose store fails at times.
#include "protocol/tasks/task.hpp"

#define BOOST_TEST_MODULE task_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

#include "toolwire/testing.hpp"

using toolwire::ClientOptions;
using toolwire::Json;
using toolwire::JsonObject;
using toolwire::LocalTaskStore;
using toolwire::TaskRecord;
using toolwire::TaskState;
using toolwire::TaskTime;

namespace {

/// Keeps tasks in memory, and fails as often as it is told.
class Troubled final : public LocalTaskStore {
 public:
  std::atomic<int> failing_inserts{0};
  std::atomic<int> failing_changes{0};
  std::atomic<int> changes{0};

  bool insert(const TaskRecord& task, std::size_t bound, TaskTime now) override {
    fail(failing_inserts);
    return store_->insert(task, bound, now);
  }
  std::optional<TaskRecord> find(std::string_view id, TaskTime now) override { return store_->find(id, now); }
  bool change(std::string_view id, const TaskState& state) override {
    fail(failing_changes);
    const bool changed = store_->change(id, state);
    ++changes;
    return changed;
  }
  std::vector<TaskRecord> list(std::uint64_t after, std::size_t count, TaskTime now) override {
    return store_->list(after, count, now);
  }

 private:
  static void fail(std::atomic<int>& times) {
    if (times > 0 && times-- > 0) throw std::runtime_error("disk full");
  }
  const std::shared_ptr<LocalTaskStore> store_ = toolwire::memory_task_store();
};

struct Fixture {
  explicit Fixture(std::chrono::milliseconds poll = std::chrono::milliseconds(1))
      : poll_interval(poll), server({.name = "s", .version = "1"}, options()) {
    server.tool({.name = "quick", .description = "Is done", .long_running = true}, [] { return "done"; });
    client.emplace(server, ClientOptions{.revision = "2026-07-28", .tasks = true});
  }
  toolwire::ServerOptions options() {
    toolwire::ServerOptions options;
    options.tasks.store = store;
    options.limits.drain = std::chrono::milliseconds(20);
    options.tasks.poll_interval = poll_interval;
    return options;
  }

  std::chrono::milliseconds poll_interval{1};
  std::shared_ptr<Troubled> store = std::make_shared<Troubled>();
  toolwire::Server server;
  std::optional<toolwire::testing::Client> client;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_task_that_cannot_be_kept_is_refused, Fixture) {
  store->failing_inserts = 1;
  BOOST_CHECK_THROW(client->call("quick"), toolwire::ProtocolError);
  BOOST_TEST(client->call("quick").text() == "done");
}

BOOST_FIXTURE_TEST_CASE(a_result_the_store_did_not_take_is_there_all_the_same_and_stored_later, Fixture) {
  store->failing_changes = 3;
  BOOST_TEST(client->call("quick").text() == "done");
  while (store->changes == 0) client->ping();
  const auto all = store->list(0, 10, TaskTime{});
  BOOST_TEST_REQUIRE(all.size() == 1u);
  BOOST_TEST((all.front().state.status == toolwire::TaskStatus::completed));
}

BOOST_FIXTURE_TEST_CASE(a_task_outlives_its_call_and_not_its_server, Fixture) {
  std::atomic<bool> stopped{false};
  server.tool({.name = "endless", .description = "Waits", .long_running = true}, [&](toolwire::Context& context) {
    while (!context.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stopped = true;
  });
  client->start_call("endless");
  client->ping();
  client.reset();
  BOOST_TEST(stopped.load());
  const auto all = store->list(0, 10, TaskTime{});
  BOOST_TEST_REQUIRE(all.size() == 1u);
  BOOST_TEST((all.front().state.status == toolwire::TaskStatus::failed));
  BOOST_TEST(all.front().state.message.starts_with("Interrupted"));
}

BOOST_AUTO_TEST_CASE(what_a_tool_says_of_its_progress_is_stored_once_in_an_interval) {
  std::promise<void> reported;  // outlives the tool that waits for `seen`
  std::promise<void> seen;
  Fixture slow(std::chrono::hours(1));
  slow.server.tool({.name = "busy", .description = "Reports", .long_running = true}, [&](toolwire::Context& context) {
    for (int i = 0; i < 1'000; ++i) context.progress(i, {}, "step " + std::to_string(i));
    context.progress(1'000, {}, "");
    reported.set_value();
    seen.get_future().wait();
  });
  const auto created = slow.client->start_request("tools/call", {{"name", "busy"}}, {}, [](auto&&) {});
  reported.get_future().wait();
  const auto all = slow.store->list(0, 10, TaskTime{});
  BOOST_TEST_REQUIRE(all.size() == 1u);
  BOOST_TEST((all.front().state.status == toolwire::TaskStatus::working));
  BOOST_TEST(all.front().state.message == "step 0");
  BOOST_TEST(slow.store->changes.load() == 1);
  seen.set_value();
}

BOOST_FIXTURE_TEST_CASE(the_last_report_comes_when_the_interval_is_over, Fixture) {
  const auto seen = std::make_shared<std::promise<void>>();  // outlives the tool that waits for it
  server.tool({.name = "busy", .description = "Reports", .long_running = true}, [seen](toolwire::Context& context) {
    for (int i = 0; i < 1'000; ++i) context.progress(i, {}, "step " + std::to_string(i));
    seen->get_future().wait();
  });
  client->start_request("tools/call", {{"name", "busy"}}, {}, [](auto&&) {});
  const auto message = [&] {
    const auto all = store->list(0, 10, TaskTime{});
    return all.empty() ? std::string() : all.front().state.message;
  };
  while (message() != "step 999") client->ping();
  seen->set_value();
}
