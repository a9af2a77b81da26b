// Two servers that are one to their clients: what one of them is asked about a task reaches the other, which runs it,
// over the bus, and not when that looks next.
#define BOOST_TEST_MODULE task_wake_test
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "toolwire/json_members.hpp"
#include "toolwire/testing.hpp"

using namespace toolwire;

namespace {

/// Tasks that several servers share, with what clients answer elsewhere.
class SharedStore final : public LocalTaskStore {
 public:
  bool insert(const TaskRecord& task, std::size_t bound, TaskTime now) override {
    return tasks_->insert(task, bound, now);
  }
  std::optional<TaskRecord> find(std::string_view id, TaskTime now) override { return tasks_->find(id, now); }
  bool change(std::string_view id, const TaskState& state) override { return tasks_->change(id, state); }
  std::vector<TaskRecord> list(std::uint64_t after, std::size_t count, TaskTime now) override {
    return tasks_->list(after, count, now);
  }
  void add_answers(std::string_view id, std::string_view answers, Done<bool> done) override {
    {
      const std::lock_guard lock(mutex_);
      answers_[std::string(id)].emplace_back(answers);
    }
    done(true);
  }
  void answers(std::string_view id, std::size_t after, Done<std::vector<std::string>> done) override {
    std::vector<std::string> found;
    {
      const std::lock_guard lock(mutex_);
      const auto& all = answers_[std::string(id)];
      found.assign(all.begin() + static_cast<std::ptrdiff_t>(std::min(after, all.size())), all.end());
    }
    done(std::move(found));
  }

 private:
  const std::shared_ptr<LocalTaskStore> tasks_ = memory_task_store();
  std::mutex mutex_;
  std::map<std::string, std::vector<std::string>> answers_;
};

struct Sure {
  bool sure = false;
  static constexpr auto describe() { return fields(field<&Sure::sure>("Whether you are sure")); }
};

/// What tools have lived through.
class Diary {
 public:
  void note(const std::string& what) {
    const std::lock_guard lock(mutex_);
    ++notes_[what];
    changed_.notify_all();
  }
  bool has(const std::string& what) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return notes_[what] > 0; });
  }
  int count(const std::string& what) {
    const std::lock_guard lock(mutex_);
    return notes_[what];
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, int> notes_;
};

/// Nobody looks into the store by itself while the test runs.
ServerOptions options_of(const std::shared_ptr<TaskStore>& store, const std::shared_ptr<EventBus>& bus) {
  ServerOptions options;
  options.tasks.store = store;
  options.tasks.poll_interval = std::chrono::hours(1);
  options.stores.events = bus;
  return options;
}

ClientOptions client_options() {
  return {.revision = "2026-07-28",
          .capabilities = {{"elicitation", JsonObject{{"form", JsonObject{}}}},
                           {"extensions", JsonObject{{"io.modelcontextprotocol/tasks", JsonObject{}}}}}};
}

class Replica {
 public:
  Replica(const std::shared_ptr<TaskStore>& store, const std::shared_ptr<EventBus>& bus)
      : server_({.name = "s", .version = "1"}, options_of(store, bus)) {
    server_.tool({.name = "wait", .description = "Waits to be told to stop", .long_running = true},
                 [this](Context& context, Reply reply) {
                   kept_.emplace(std::move(reply));
                   stop_.emplace(context.stop_token(), [this] { diary.note("stopped"); });
                   diary.note("waits");
                 });
    server_.tool({.name = "ask", .description = "Asks", .long_running = true},
                 [this](Context& context) -> Outcome<std::string> {
                   const auto answer = context.answer<Sure>("sure");
                   diary.note(answer ? "answered" : "asks");
                   if (answer) return "sure";
                   return toolwire::ask<Sure>("sure", "Are you sure?");
                 });
    client_.emplace(server_, client_options());
  }
  ~Replica() {
    client_.reset();
    stop_.reset();
    kept_.reset();
  }

  std::string begin(const std::string& tool) {
    return text_or(client_->request("tools/call", {{"name", tool}, {"arguments", JsonObject{}}}), "taskId");
  }
  Json ask(const std::string& method, JsonObject params) { return client_->request(method, params); }
  std::string status(const std::string& task) { return text_or(ask("tasks/get", {{"taskId", task}}), "status"); }

  Diary diary;

 private:
  Server server_;
  std::optional<Reply> kept_;
  std::optional<std::stop_callback<std::function<void()>>> stop_;
  std::optional<testing::Client> client_;
};

struct Fixture {
  std::shared_ptr<TaskStore> store = std::make_shared<SharedStore>();
  std::shared_ptr<EventBus> bus = memory_event_bus();
  Replica owner{store, bus};
  Replica other{store, bus};
};

const JsonObject sure{{"sure", JsonObject{{"action", "accept"}, {"content", JsonObject{{"sure", true}}}}}};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_task_that_is_cancelled_elsewhere_is_told_at_once, Fixture) {
  const std::string task = owner.begin("wait");
  BOOST_TEST(owner.diary.has("waits"));
  other.ask("tasks/cancel", {{"taskId", task}});
  BOOST_TEST(owner.diary.has("stopped"));
  BOOST_TEST(owner.status(task) == "cancelled");
}

BOOST_FIXTURE_TEST_CASE(what_is_answered_elsewhere_is_taken_at_once_and_once, Fixture) {
  const std::string task = owner.begin("ask");
  BOOST_TEST(owner.diary.has("asks"));
  while (other.status(task) != "input_required") std::this_thread::sleep_for(std::chrono::milliseconds(1));
  other.ask("tasks/update", {{"taskId", task}, {"inputResponses", sure}});
  BOOST_TEST_REQUIRE(owner.diary.has("answered"));
  while (other.status(task) != "completed") std::this_thread::sleep_for(std::chrono::milliseconds(1));
  other.ask("tasks/update", {{"taskId", task}, {"inputResponses", sure}});
  BOOST_TEST(owner.diary.count("answered") == 1);
}

BOOST_FIXTURE_TEST_CASE(a_task_of_nobody_wakes_nobody, Fixture) {
  const std::string task = owner.begin("wait");
  BOOST_TEST(owner.diary.has("waits"));
  const auto stranger = bus->join({});
  stranger->tell({Event::Kind::task_wake_up, "no such task", ""});
  stranger->tell({Event::Kind::task_wake_up, task, ""});  // and there is nothing to see
  BOOST_TEST(owner.status(task) == "working");
  BOOST_TEST(owner.diary.count("stopped") == 0);
}
