// Stores that answer later and from other threads: every request is answered once all the same, and can be cancelled
// or reach its deadline while it waits.
#include <toolwire/stores.hpp>

#define BOOST_TEST_MODULE late_stores_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "toolwire/client_options.hpp"
#include "toolwire/detail/turn.hpp"
#include "toolwire/testing.hpp"

using namespace std::chrono_literals;
using namespace toolwire;

namespace {

/// Answers whatever it is asked on a thread of its own, one after the other; while it is held back, not at all.
class Late {
 public:
  ~Late() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void answer(std::function<void()> with) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(with));
    }
    changed_.notify_all();
  }
  void hold_back() {
    const std::lock_guard lock(mutex_);
    held_back_ = true;
  }
  void go_on() {
    {
      const std::lock_guard lock(mutex_);
      held_back_ = false;
    }
    changed_.notify_all();
  }
  void wait_until_asked() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !waiting_.empty(); });
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return over_ || (!waiting_.empty() && !held_back_); });
      if (over_) return;
      const auto with = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      with();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool held_back_ = false;
  bool over_ = false;
  std::thread thread_{[this] { run(); }};
};

/// A Done in a function that can be copied.
template <class T>
std::shared_ptr<Done<T>> shared(Done<T>&& done) {
  return std::make_shared<Done<T>>(std::move(done));
}

class LateNonces final : public NonceStore {
 public:
  explicit LateNonces(Late& late) : late_(late) {}
  void use(std::string_view nonce, std::chrono::system_clock::time_point expires, Done<NonceUse> done) override {
    late_.answer([this, nonce = std::string(nonce), expires, later = shared(std::move(done))] {
      store_->use(nonce, expires, std::move(*later));
    });
  }

 private:
  Late& late_;
  const std::shared_ptr<NonceStore> store_ = memory_nonce_store();
};

class LateRates final : public RateStore {
 public:
  explicit LateRates(Late& late) : late_(late) {}
  void look(const std::string& key, std::int64_t per_minute, Done<Wait> done) override {
    late_.answer(
        [this, key, per_minute, later = shared(std::move(done))] { store_->look(key, per_minute, std::move(*later)); });
  }
  void charge(const std::string& key, std::int64_t per_minute, Done<Wait> done) override {
    late_.answer([this, key, per_minute, later = shared(std::move(done))] {
      store_->charge(key, per_minute, std::move(*later));
    });
  }

 private:
  Late& late_;
  const std::shared_ptr<RateStore> store_ = memory_rate_store();
};

class LateOutputs final : public OutputStore {
 public:
  explicit LateOutputs(Late& late) : late_(late) {}
  void keep(std::string_view text, Done<std::string> done) override {
    late_.answer(
        [this, text = std::string(text), later = shared(std::move(done))] { store_->keep(text, std::move(*later)); });
  }
  void find(std::string_view id, Done<std::shared_ptr<const std::string>> done) override {
    late_.answer(
        [this, id = std::string(id), later = shared(std::move(done))] { store_->find(id, std::move(*later)); });
  }

 private:
  Late& late_;
  const std::shared_ptr<OutputStore> store_ = memory_output_store(1 << 20);
};

class LateTasks final : public TaskStore {
 public:
  explicit LateTasks(Late& late) : late_(late) {}
  void insert(const TaskRecord& task, std::size_t bound, TaskTime now, Done<bool> done) override {
    late_.answer([this, task, bound, now, later = shared(std::move(done))] {
      tasks->insert(task, bound, now, std::move(*later));
    });
  }
  void find(std::string_view id, TaskTime now, Done<std::optional<TaskRecord>> done) override {
    late_.answer([this, id = std::string(id), now, later = shared(std::move(done))] {
      tasks->find(id, now, std::move(*later));
    });
  }
  void change(std::string_view id, const TaskState& state, Done<bool> done) override {
    late_.answer([this, id = std::string(id), state, later = shared(std::move(done))] {
      tasks->change(id, state, std::move(*later));
    });
  }
  void list(std::uint64_t after, std::size_t count, TaskTime now, Done<std::vector<TaskRecord>> done) override {
    late_.answer([this, after, count, now, later = shared(std::move(done))] {
      tasks->list(after, count, now, std::move(*later));
    });
  }

  const std::shared_ptr<LocalTaskStore> tasks = memory_task_store();

 private:
  Late& late_;
};

struct Approved {
  bool yes = false;
  static constexpr auto describe() { return fields(field<&Approved::yes>("Whether to")); }
};

struct Fixture {
  Fixture() : server({.name = "s", .version = "1"}, options()) {
    server.tool({.name = "rated", .description = "At most twice a minute", .rate_per_minute = 2},
                [] { return "done"; });
    server.tool({.name = "hurried", .description = "Has little time", .timeout = 50ms, .rate_per_minute = 9},
                [this] { return ++ran, "done"; });
    server.tool({.name = "approved",
                 .description = "Asks, and counts every answer once",
                 .rate_per_minute = 1,
                 .single_use_answers = true},
                [this](Context& context) -> Outcome<std::string> {
                  const auto answer = context.answer<Approved>("sure");
                  if (!answer) return ask<Approved>("sure", "Sure?");
                  return ++ran, std::string("approved");
                });
    server.tool({.name = "long", .description = "Says a lot", .output_budget = OutputBudget{.lines = 2, .bytes = 100}},
                [] { return "1\n2\n3\n4\n"; });
    server.tool({.name = "slow", .description = "Runs as a task", .long_running = true}, [] { return "done"; });
    server.tool({.name = "endless", .description = "Waits", .long_running = true}, [](Context& context) {
      while (!context.stop_requested()) std::this_thread::sleep_for(1ms);
    });
  }

  ServerOptions options() {
    ServerOptions options;
    options.stores = {.used_answers = std::make_shared<LateNonces>(late),
                      .continuations = std::make_shared<LateNonces>(late),
                      .rates = std::make_shared<LateRates>(late),
                      .outputs = std::make_shared<LateOutputs>(late)};
    options.tasks.store = tasks;
    options.tasks.poll_interval = 5ms;  // a client is told to look this often
    options.limits.task_store = 200ms;
    return options;
  }

  static ClientOptions modern() {
    return {.revision = "2026-07-28", .on_elicitation = [](const Elicitation&) {
              return ElicitationReply{ElicitationReply::Action::accept, JsonObject{{"yes", true}}};
            }};
  }

  Late late;
  std::shared_ptr<LateTasks> tasks = std::make_shared<LateTasks>(late);
  std::atomic<int> ran{0};
  Server server;
};

constexpr const char* task_methods[] = {"tasks/get", "tasks/cancel", "tasks/result", "tasks/list"};

bool is_of_the_store(const ProtocolError& error) {
  return error.code == error_code::internal_error && error.data.at("code") == Json("task_store");
}

/// The id of a task that a client of 2025-11-25 has begun.
std::string begun(testing::Client& client, const char* tool) {
  const Json begun =
      client.request("tools/call", {{"name", tool}, {"arguments", JsonObject{}}, {"task", JsonObject{}}});
  return std::string(begun.at("task").at("taskId").get_string());
}

std::string code_of(const CallResult& result) {
  return std::string(result.raw.at("_meta").at("dev.toolwire/error").at("code").get_string());
}

}  // namespace

BOOST_AUTO_TEST_CASE(whose_turn_it_is_is_said_once) {
  detail::Turn turn;
  turn.begins();
  BOOST_TEST(!turn.answered());
  BOOST_TEST(turn.is_answered());
  turn.begins();
  BOOST_TEST(!turn.is_answered());
  BOOST_TEST(turn.answered());
}

BOOST_AUTO_TEST_CASE(who_gives_up_an_answer_reports_a_failure_once) {
  int answers = 0;
  int failures = 0;
  const auto count = [&](Done<int>::Result&& result) { ++(result.index() == 0 ? answers : failures); };
  { Done<int> dropped(count); }
  {
    Done<int> used(count);
    Done<int> moved(std::move(used));
    moved(1);
    moved(2);
  }
  BOOST_TEST(answers == 1);
  BOOST_TEST(failures == 1);
}

BOOST_FIXTURE_TEST_CASE(a_rate_that_is_known_later_holds_all_the_same, Fixture) {
  testing::Client client(server);
  BOOST_TEST(client.call("rated").text() == "done");
  BOOST_TEST(client.call("rated").text() == "done");
  BOOST_TEST(code_of(client.call("rated")) == "rate_limited");
}

BOOST_FIXTURE_TEST_CASE(many_at_once_are_each_answered_once, Fixture) {
  testing::Client client(server);
  std::vector<CallHandle> calls;
  calls.reserve(100);
  for (int i = 0; i < 100; ++i) calls.push_back(client.start_call("rated"));
  int done = 0;
  for (CallHandle& call : calls) done += call.wait().text() == "done" ? 1 : 0;
  BOOST_TEST(done == 2);
}

BOOST_FIXTURE_TEST_CASE(a_deadline_does_not_wait_for_a_store, Fixture) {
  testing::Client client(server);
  late.hold_back();
  BOOST_TEST(code_of(client.call("hurried")) == "timeout");
  late.go_on();
  BOOST_TEST(client.call("hurried").text() == "done");
  BOOST_TEST(ran == 1);
}

BOOST_FIXTURE_TEST_CASE(a_call_that_waits_for_a_store_can_be_cancelled, Fixture) {
  testing::Client client(server);
  late.hold_back();
  CallHandle call = client.start_call("rated");
  late.wait_until_asked();
  call.cancel();
  BOOST_CHECK_THROW(call.wait(), CancelledError);
  late.go_on();
  BOOST_TEST(client.call("long").text().starts_with("1\n2\n"));  // the server lives
}

BOOST_FIXTURE_TEST_CASE(answers_that_count_once_count_once_and_were_charged, Fixture) {
  testing::Client client(server, modern());
  BOOST_TEST(client.call("approved").text() == "approved");  // its second round is free
  BOOST_TEST(code_of(client.call("approved")) == "rate_limited");
  BOOST_TEST(ran == 1);
}

BOOST_FIXTURE_TEST_CASE(the_same_answers_a_second_time_are_refused, Fixture) {
  testing::Client client(server, modern());
  const JsonObject call{{"name", "approved"}, {"arguments", JsonObject{}}};
  const Json asked = client.request("tools/call", call);
  JsonObject again = call;
  again["requestState"] = asked.at("requestState");
  again["inputResponses"] =
      JsonObject{{"sure", JsonObject{{"action", "accept"}, {"content", JsonObject{{"yes", true}}}}}};
  BOOST_TEST(client.request("tools/call", again).at("resultType") == Json("complete"));
  BOOST_CHECK_EXCEPTION(client.request("tools/call", again), ProtocolError,
                        [](const ProtocolError& error) { return error.code == error_code::invalid_params; });
  BOOST_TEST(ran == 1);
}

BOOST_FIXTURE_TEST_CASE(an_output_that_is_kept_later_is_answered_then_and_can_be_read, Fixture) {
  testing::Client client(server);
  const CallResult cut = client.call("long");
  const Json cursor = cut.raw.at("_meta").at("dev.toolwire/output").at("cursor");
  BOOST_TEST(client.call("read_output", JsonObject{{"cursor", cursor}}).text().starts_with("3\n4\n"));
  BOOST_TEST(client.call("read_output", JsonObject{{"cursor", "x.1.2"}}).is_error);
}

BOOST_FIXTURE_TEST_CASE(a_task_whose_store_answers_later_is_followed_to_its_end, Fixture) {
  testing::Client client(server, {.revision = "2026-07-28", .tasks = true});
  for (int i = 0; i < 20; ++i) BOOST_TEST(client.call("slow").text() == "done");
  const auto all = tasks->tasks->list(0, 100, {});
  BOOST_TEST(all.size() == 20U);
  for (const TaskRecord& task : all) BOOST_TEST((task.state.status == TaskStatus::completed));
}

BOOST_FIXTURE_TEST_CASE(every_method_of_tasks_waits_for_its_store, Fixture) {
  testing::Client client(server, {.revision = "2025-11-25"});
  const std::string done = begun(client, "slow");
  BOOST_TEST(client.request("tasks/result", {{"taskId", done}}).at("content").at(0).at("text") == Json("done"));
  BOOST_TEST(client.request("tasks/get", {{"taskId", done}}).at("status") == Json("completed"));
  const std::string endless = begun(client, "endless");
  BOOST_TEST(client.request("tasks/list").at("tasks").get_array().size() == 2U);
  BOOST_TEST(client.request("tasks/cancel", {{"taskId", endless}}).at("status") == Json("cancelled"));
  BOOST_CHECK_THROW(client.request("tasks/cancel", {{"taskId", endless}}), ProtocolError);
  BOOST_CHECK_THROW(client.request("tasks/get", {{"taskId", "none"}}), ProtocolError);
}

BOOST_FIXTURE_TEST_CASE(a_request_about_a_task_does_not_wait_for_its_store_for_ever, Fixture) {
  testing::Client client(server, {.revision = "2025-11-25"});
  const std::string id = begun(client, "endless");
  late.hold_back();
  for (const char* method : task_methods) {
    if (method == std::string_view("tasks/cancel")) continue;
    client.ping();
    BOOST_CHECK_EXCEPTION(client.request(method, {{"taskId", "other"}}), ProtocolError, is_of_the_store);
  }
  late.go_on();
  BOOST_TEST(client.request("tasks/get", {{"taskId", id}}).at("status") == Json("working"));
  client.request("tasks/cancel", {{"taskId", id}});
}

BOOST_FIXTURE_TEST_CASE(a_request_about_a_task_that_waits_for_its_store_can_be_cancelled, Fixture) {
  testing::Client client(server, {.revision = "2025-11-25"});
  late.hold_back();
  std::atomic<int> ended{0};
  RequestHandle request =
      client.start_request("tasks/get", {{"taskId", "some"}}, {}, [&](RequestOutcome&&) { ++ended; });
  late.wait_until_asked();
  request.cancel();
  late.go_on();
  client.ping();
  BOOST_TEST(ended == 1);
  BOOST_TEST(client.request("tasks/list").at("tasks").get_array().empty());
}

namespace {

/// Drops what it is asked.
class NoTasks final : public TaskStore {
 public:
  void insert(const TaskRecord&, std::size_t, TaskTime, Done<bool>) override {}
  void find(std::string_view, TaskTime, Done<std::optional<TaskRecord>>) override {}
  void change(std::string_view, const TaskState&, Done<bool>) override {}
  void list(std::uint64_t, std::size_t, TaskTime, Done<std::vector<TaskRecord>>) override {}
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_task_store_that_fails_ends_the_request_with_an_error) {
  ServerOptions options;
  options.tasks.store = std::make_shared<NoTasks>();
  Server server({.name = "s", .version = "1"}, options);
  server.tool({.name = "slow", .description = "Runs as a task", .long_running = true}, [] { return "done"; });
  testing::Client client(server, {.revision = "2025-11-25"});
  BOOST_CHECK_EXCEPTION(begun(client, "slow"), ProtocolError, is_of_the_store);
  for (const char* method : task_methods)
    BOOST_CHECK_EXCEPTION(client.request(method, {{"taskId", "some"}}), ProtocolError, is_of_the_store);
}

namespace {

/// Drops what it is asked.
class NoRates final : public RateStore {
 public:
  void look(const std::string&, std::int64_t, Done<Wait>) override {}
  void charge(const std::string&, std::int64_t, Done<Wait>) override {}
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_store_that_cannot_tell_ends_the_call_with_an_error) {
  ServerOptions options;
  options.stores.rates = std::make_shared<NoRates>();
  Server server({.name = "s", .version = "1"}, options);
  server.tool({.name = "rated", .description = "Rated", .rate_per_minute = 2}, [] { return "done"; });
  testing::Client client(server);
  BOOST_TEST(code_of(client.call("rated")) == "unavailable");
}

namespace {

/// Throws whatever it is asked.
class ThrowingStore final : public RateStore, public NonceStore {
 public:
  void look(const std::string&, std::int64_t, Done<Wait>) override { throw std::runtime_error("no network"); }
  void charge(const std::string&, std::int64_t, Done<Wait>) override { throw std::runtime_error("no network"); }
  void use(std::string_view, std::chrono::system_clock::time_point, Done<NonceUse>) override { throw 7; }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_store_that_throws_ends_the_call_with_an_error) {
  const auto store = std::make_shared<ThrowingStore>();
  ServerOptions options;
  options.stores = {.used_answers = store, .continuations = store, .rates = store};
  options.calls_per_minute = 5;
  Server server({.name = "s", .version = "1"}, options);
  server.tool({.name = "rated", .description = "Rated", .rate_per_minute = 2}, [] { return "done"; });
  testing::Client client(server);
  for (int i = 0; i < 3; ++i) BOOST_TEST(code_of(client.call("rated")) == "unavailable");
  server.prompt("free", "Not rated", [] { return "done"; });
  BOOST_TEST(client.list_prompts().size() == 1U);
}

BOOST_AUTO_TEST_CASE(answers_that_count_once_are_not_taken_where_their_store_throws) {
  ServerOptions options;
  options.stores.used_answers = std::make_shared<ThrowingStore>();
  options.stores.continuations = std::make_shared<ThrowingStore>();
  Server server({.name = "s", .version = "1"}, options);
  for (const int rate : {0, 5}) {
    const std::string name = rate > 0 ? "rated" : "free";
    for (const bool once : {true, false}) {
      server.tool({.name = name + (once ? "_once" : "_often"),
                   .description = "Asks",
                   .rate_per_minute = rate,
                   .single_use_answers = once},
                  [](Context& context) -> Outcome<std::string> {
                    if (context.answer<Approved>("sure")) return std::string("approved");
                    return ask<Approved>("sure", "Sure?");
                  });
    }
  }
  testing::Client client(server, Fixture::modern());
  for (const char* const name : {"free_once", "rated_once"}) {
    BOOST_CHECK_EXCEPTION(client.call(name), ProtocolError, [](const ProtocolError& error) {
      return error.code == error_code::internal_error && error.data.at("code") == Json("unavailable");
    });
  }
  for (const char* const name : {"free_often", "rated_often"}) BOOST_TEST(client.call(name).text() == "approved");
}
