// Tasks whose work goes on without the process that began them: they are left as they are when it ends, and ended by
// whoever asks once their work has ended.
#define BOOST_TEST_MODULE task_work_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gates.hpp"
#include "toolwire/detail/task_work.hpp"
#include "toolwire/json_members.hpp"
#include "toolwire/server.hpp"
#include "toolwire/testing.hpp"

namespace {

using namespace std::chrono_literals;
using namespace toolwire;
using detail::TaskWork;
using Stage = detail::TaskWork::Stage;

/// Tasks in memory, and what a case says of the work on them.
class WorkStore final : public LocalTaskStore, public TaskWork {
 public:
  bool insert(const TaskRecord& task, std::size_t bound, TaskTime now) override {
    return inner_->insert(task, bound, now);
  }
  std::optional<TaskRecord> find(std::string_view id, TaskTime now) override { return inner_->find(id, now); }
  bool change(std::string_view id, const TaskState& state) override { return inner_->change(id, state); }
  std::vector<TaskRecord> list(std::uint64_t after, std::size_t count, TaskTime now) override {
    return inner_->list(after, count, now);
  }

  bool is_kept(std::string_view) override { return keeps; }
  void leave() override { leaves_ = true; }
  bool is_left(std::string_view) override { return keeps && leaves_; }
  void look(std::string_view, Done<Found> done) override {
    found ? done(*found) : done.fail(std::make_exception_ptr(std::runtime_error("away")));
  }
  void stop(std::string_view task) override {
    const std::lock_guard lock(mutex_);
    stopped_.emplace(task);
  }
  bool is_stopped(const std::string& task) {
    const std::lock_guard lock(mutex_);
    return stopped_.contains(task);
  }

  bool keeps = false;
  std::optional<Found> found = {};  // nothing: nobody can look

 private:
  const std::shared_ptr<LocalTaskStore> inner_ = memory_task_store();
  std::atomic<bool> leaves_{false};
  std::mutex mutex_;
  std::set<std::string> stopped_;
};

/// What is changed in it is stored when a case says so, and it knows whether work was stopped before.
class LateStore final : public TaskStore, public TaskWork {
 public:
  explicit LateStore(std::shared_ptr<WorkStore> inner) : inner_(std::move(inner)) {}
  void insert(const TaskRecord& task, std::size_t bound, TaskTime now, Done<bool> done) override {
    store().insert(task, bound, now, std::move(done));
  }
  void find(std::string_view id, TaskTime now, Done<std::optional<TaskRecord>> done) override {
    store().find(id, now, std::move(done));
  }
  void change(std::string_view id, const TaskState& state, Done<bool> done) override {
    const std::lock_guard lock(mutex_);
    change_ = Change{std::string(id), state, std::move(done)};
  }
  void store_now() {
    std::optional<Change> change;
    {
      const std::lock_guard lock(mutex_);
      change.swap(change_);
    }
    BOOST_TEST_REQUIRE(change.has_value());
    was_stopped_too_early = inner_->is_stopped(change->id);
    store().change(change->id, change->state, std::move(change->done));
  }
  bool has_change() {
    const std::lock_guard lock(mutex_);
    return change_.has_value();
  }
  void list(std::uint64_t after, std::size_t count, TaskTime now, Done<std::vector<TaskRecord>> done) override {
    store().list(after, count, now, std::move(done));
  }

  bool is_kept(std::string_view task) override { return inner_->is_kept(task); }
  void leave() override { inner_->leave(); }
  bool is_left(std::string_view task) override { return inner_->is_left(task); }
  void look(std::string_view task, Done<Found> done) override { inner_->look(task, std::move(done)); }
  void stop(std::string_view task) override { inner_->stop(task); }

  bool was_stopped_too_early = false;

 private:
  struct Change {
    std::string id;
    TaskState state;
    Done<bool> done;
  };
  TaskStore& store() const { return *inner_; }

  const std::shared_ptr<WorkStore> inner_;
  std::mutex mutex_;
  std::optional<Change> change_;
};

TaskTime now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

struct Fixture {
  std::shared_ptr<WorkStore> store = std::make_shared<WorkStore>();
  toolwire_test::Gates gates;
  ClientOptions modern{.revision = "2026-07-28", .tasks = true};
  std::string seen = {};  // by the tool
  std::optional<Server> server;

  Fixture() {
    start(store);
    TaskRecord left{.id = "left", .tool = "work", .owner = TaskOwner::here(), .created = now(), .state = {}};
    left.owner.boot = "an earlier one";
    left.state.updated = left.created;
    left.state.ttl = 600s;
    store->insert(left, 100, left.created);
  }
  void start(const std::shared_ptr<TaskStore>& tasks) {
    server.emplace(ServerInfo{.name = "s", .version = "1"}, ServerOptions{.tasks = {.store = tasks}});
    server->tool({.name = "work",
                  .description = "Works",
                  .long_running = true,
                  .output_budget = OutputBudget{.lines = 2, .bytes = 100}},
                 [this](Context& context) {
                   seen = to_json_text(member_or_null(context.meta(), detail::task_member));
                   gates.open("begun");
                   gates.wait("go on", context.stop_token());
                   return std::string("worked");
                 });
  }
  /// A task that was begun at a server that has ended since.
  std::string begun_and_left() {
    std::string task;
    {
      testing::Client client(*server, modern);
      task = text_or(client.request("tools/call", {{"name", "work"}, {"arguments", JsonObject{}}}), "taskId");
      BOOST_TEST(gates.wait("begun", std::stop_token()));
    }
    server.reset();
    return task;
  }
  Json get(const std::string& task) {
    testing::Client client(*server, modern);
    return client.request("tasks/get", {{"taskId", task}});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_task_that_nobody_works_on_is_interrupted, Fixture) {
  store->found = TaskWork::Found{};
  const Json task = get("left");
  BOOST_TEST(text_or(task, "status") == "failed");
  BOOST_TEST(text_or(task, "statusMessage").starts_with("Interrupted"));
}

BOOST_FIXTURE_TEST_CASE(a_task_that_is_worked_on_and_one_that_nobody_can_look_at_go_on, Fixture) {
  BOOST_TEST(text_or(get("left"), "status") == "working");
  store->found = TaskWork::Found{.stage = Stage::goes_on};
  BOOST_TEST(text_or(get("left"), "status") == "working");
}

BOOST_FIXTURE_TEST_CASE(the_first_who_asks_ends_it_as_its_tool_would_have, Fixture) {
  store->found = TaskWork::Found{.stage = Stage::ended, .result = ToolResult::text("1\n2\n3\n4\n")};
  const Json task = get("left");
  BOOST_TEST(text_or(task, "status") == "completed");
  const std::string text = text_or(task.at("result").at("content").at(0), "text");
  BOOST_TEST(text.starts_with("1\n2\n"));
  BOOST_TEST(text.find("3\n4") == std::string::npos);  // it is cut
  BOOST_TEST(text_or(task.at("result"), "resultType") == "complete");
  store->found.reset();
  BOOST_TEST(text_or(get("left"), "status") == "completed");
}

BOOST_FIXTURE_TEST_CASE(who_cancels_a_task_that_was_left_stops_its_work, Fixture) {
  store->found = TaskWork::Found{.stage = Stage::goes_on};
  testing::Client client(*server, modern);
  client.request("tasks/cancel", {{"taskId", "left"}});
  BOOST_TEST(text_or(get("left"), "status") == "cancelled");
  BOOST_TEST(store->is_stopped("left"));
}

BOOST_FIXTURE_TEST_CASE(work_is_stopped_once_it_is_stored_that_its_task_was_cancelled, Fixture) {
  store->found = TaskWork::Found{.stage = Stage::goes_on};
  const auto late = std::make_shared<LateStore>(store);
  start(late);
  testing::Client client(*server, modern);
  std::promise<void> over;
  const RequestHandle handle =
      client.start_request("tasks/cancel", {{"taskId", "left"}}, {}, [&](RequestOutcome&&) { over.set_value(); });
  client.ping();  // which is answered once the request before it waits for the store
  late->store_now();
  BOOST_TEST((over.get_future().wait_for(30s) == std::future_status::ready));
  BOOST_TEST(!late->was_stopped_too_early);
  BOOST_TEST(store->is_stopped("left"));
  BOOST_TEST(text_or(get("left"), "status") == "cancelled");
}

/// The store decides which of two ends is the task's; until it has, neither is told.
BOOST_FIXTURE_TEST_CASE(who_asks_for_a_task_that_was_cancelled_elsewhere_is_not_told_the_end_of_its_tool, Fixture) {
  const auto late = std::make_shared<LateStore>(store);
  start(late);
  testing::Client client(*server, modern);
  const std::string task =
      text_or(client.request("tools/call", {{"name", "work"}, {"arguments", JsonObject{}}}), "taskId");
  BOOST_TEST(gates.wait("begun", std::stop_token()));
  TaskState cancelled = store->find(task, now())->state;
  cancelled.status = TaskStatus::cancelled;
  BOOST_TEST(store->change(task, cancelled));
  gates.open("go on");
  while (!late->has_change()) client.ping();
  std::promise<RequestOutcome> told;
  const RequestHandle handle = client.start_request(
      "tasks/get", {{"taskId", task}}, {}, [&](RequestOutcome&& outcome) { told.set_value(std::move(outcome)); });
  client.ping();  // which is answered once the request before it waits for the store
  late->store_now();
  auto said = told.get_future();
  BOOST_TEST_REQUIRE((said.wait_for(30s) == std::future_status::ready));
  BOOST_TEST(text_or(std::get<Json>(said.get()), "status") == "cancelled");
}

BOOST_FIXTURE_TEST_CASE(a_tool_learns_which_task_it_works_on, Fixture) {
  testing::Client client(*server, modern);
  gates.open("go on");
  const Json created = client.request("tools/call", {{"name", "work"}, {"arguments", JsonObject{}}});
  const std::string task = text_or(created, "taskId");
  BOOST_TEST(gates.wait("begun", std::stop_token()));
  BOOST_TEST(text_or(parse_json(seen), "id") == task);
  BOOST_TEST(!store->is_stopped(task));
}

BOOST_FIXTURE_TEST_CASE(a_task_is_left_as_it_is_when_its_server_ends_and_work_on_it_does_not, Fixture) {
  store->keeps = true;
  const std::string task = begun_and_left();
  BOOST_TEST((store->find(task, now())->state.status == TaskStatus::working));
  BOOST_TEST(!store->is_stopped(task));
}

BOOST_FIXTURE_TEST_CASE(a_task_is_interrupted_when_its_server_ends_and_work_on_it_with_it, Fixture) {
  const std::string task = begun_and_left();
  BOOST_TEST((store->find(task, now())->state.status == TaskStatus::failed));
}
