// Tasks in a real Redis: the cases of all task stores, several at once, one that has gone, a Redis that is away, and a
// stranger on it.
#define BOOST_TEST_MODULE redis_tasks_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "protocol/tasks/tasks.hpp"
#include "redis/lease.hpp"
#include "redis_server.hpp"
#include "store_cases.hpp"
#include "task_store_cases.hpp"

namespace {

using namespace std::chrono_literals;
using namespace toolwire_test;
using toolwire::TaskOwner;
using toolwire::TaskRecord;
using toolwire::TaskState;
using toolwire::TaskStatus;
using toolwire::TaskStore;
namespace redis = toolwire::redis;
using Kind = redis::Reply::Kind;

constexpr std::size_t plenty = 1'000;
constexpr auto short_lease = 300ms;  // for what is to end
constexpr auto kept_lease = 2s;      // for what is to be renewed on a busy machine too

std::shared_ptr<TaskStore> make(const redis::Options& options, std::chrono::milliseconds lease = 30s) {
  return redis::task_store(redis::make_client(options, redis_engine()), {.lease = lease});
}

const bool registered = [] {
  add_task_store_cases("redis", [] { return make(options_of_case()); });
  add_task_store_cases("redis_while_the_key_changes", [] {
    redis::Options options = options_of_case();
    options.second_key = "the key that was before";
    return make(options);
  });
  return true;
}();

/// Of another machine.
TaskOwner unseen() {
  TaskOwner owner = TaskOwner::here();
  owner.boot = "that of another machine";
  owner.space = "another";
  return owner;
}

TaskRecord running(std::string id) {
  TaskRecord task = task_of(std::move(id), 0, 3'600'000);
  task.created = toolwire::protocol::time_now();
  task.owner = unseen();
  return task;
}

struct Shared {
  redis::Options options = options_of_case();
  std::shared_ptr<redis::Client> stranger = redis::make_client(options, redis_engine());
  WaitedTasks one{make(options)};
  WaitedTasks other{make(options)};

  std::vector<std::string> keys(const std::string& kind = "") const {
    std::vector<std::string> keys;
    for (const redis::Reply& key : ask(stranger, {"KEYS", options.prefix + kind + "*"}).list) keys.push_back(key.text);
    return keys;
  }
  std::string the_task() const {
    const auto all = keys("task:");
    BOOST_REQUIRE(all.size() == 1U);
    return all.front();
  }
  std::string field(const std::string& key, const char* name) const { return ask(stranger, {"HGET", key, name}).text; }
  void set(const std::string& key, const char* name, const std::string& value) const {
    BOOST_TEST((ask(stranger, {"HSET", key, name, value}).kind == Kind::number));
  }
};

std::string failure_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

bool fails_with(const std::string& words, const std::function<void()>& act) {
  const std::string failure = failure_of(act);
  BOOST_TEST_INFO(failure);
  return failure.find(words) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_cases_of_all_stores_are_registered) { BOOST_TEST(registered); }

BOOST_FIXTURE_TEST_CASE(what_one_begins_the_other_finds_ends_and_lists, Shared) {
  one.insert(running("a"), plenty, at(0));
  const auto found = other.find("a", at(0));
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->owner_runs.value());
  BOOST_TEST(other.list(0, 10, at(0)).size() == 1U);
  BOOST_TEST(other.change("a", over(TaskStatus::cancelled)));
  BOOST_TEST(!one.change("a", over(TaskStatus::completed)));
  BOOST_TEST((one.find("a", at(0))->state.status == TaskStatus::cancelled));
}

BOOST_FIXTURE_TEST_CASE(of_several_who_end_a_task_one_does, Shared) {
  constexpr int tasks = 50;
  for (int i = 0; i < tasks; ++i) one.insert(running(std::to_string(i)), plenty, at(0));
  std::atomic<int> ended{0};
  std::atomic<int> written{0};
  std::vector<std::thread> replicas;
  for (int replica = 0; replica < 3; ++replica) {
    replicas.emplace_back([&, store = WaitedTasks(make(options)), replica] {
      for (int i = 0; i < tasks; ++i) {
        TaskState state = over(TaskStatus::input_required);
        state.message = std::to_string(replica);
        if (store.change(std::to_string(i), state)) ++written;
        if (store.change(std::to_string(i), over(TaskStatus::completed, replica))) ++ended;
      }
    });
  }
  for (std::thread& replica : replicas) replica.join();
  BOOST_TEST(ended == tasks);
  BOOST_TEST(written >= tasks);
}

BOOST_FIXTURE_TEST_CASE(many_and_large_tasks_come_in_pages, Shared) {
  constexpr std::size_t many = 350;
  for (std::size_t i = 0; i < many; ++i) {
    TaskRecord task = running(std::to_string(i));
    if (i % 50 == 0) task.state.payload = "\"" + std::string(std::size_t{2} << 20, 'x') + "\"";
    BOOST_TEST_REQUIRE(one.insert(task, plenty, at(0)));
  }
  const auto all = other.list(0, plenty, at(0));
  BOOST_TEST_REQUIRE(all.size() == many);
  for (std::size_t i = 0; i < many; ++i) BOOST_TEST_REQUIRE(all[i].id == std::to_string(i));
  BOOST_TEST(other.list(all[199].serial, 120, at(0)).back().id == "319");
  BOOST_TEST(other.list(0, 0, at(0)).empty());
}

BOOST_FIXTURE_TEST_CASE(a_store_that_has_gone_is_known_to_have_gone_after_its_lease, Shared) {
  const WaitedTasks watching(make(options, kept_lease));
  {
    const WaitedTasks gone(make(options, kept_lease));
    gone.insert(running("a"), plenty, at(0));
    const auto until = std::chrono::steady_clock::now() + 2 * kept_lease;
    while (std::chrono::steady_clock::now() < until)
      BOOST_TEST_REQUIRE(watching.find("a", at(0))->owner_runs.value_or(true));
  }
  while (watching.find("a", at(0))->owner_runs.value_or(true)) std::this_thread::sleep_for(5ms);
  BOOST_TEST(!watching.list(0, 1, at(0)).front().owner_runs.value());
}

BOOST_FIXTURE_TEST_CASE(the_task_of_a_server_that_has_gone_is_interrupted_for_all, Shared) {
  { WaitedTasks(make(options, short_lease)).insert(running("a"), plenty, at(0)); }
  toolwire::protocol::Tasks tasks({.store = make(options, short_lease)});
  std::optional<TaskRecord> found;
  do {
    found = answer_of<std::optional<TaskRecord>>([&](auto done) { tasks.find("a", {}, std::move(done)); });
  } while (found && !is_over(found->state.status));
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST((found->state.status == TaskStatus::failed));
  BOOST_TEST(found->state.payload.find("interrupted") != std::string::npos);
  BOOST_TEST((one.find("a", at(0))->state.status == TaskStatus::failed));
}

BOOST_AUTO_TEST_CASE(a_lease_that_is_missing_for_a_moment_has_not_ended) {
  redis::MissingLeases missing(10s);
  const auto now = redis::MissingLeases::Clock::now();
  BOOST_TEST(missing.judge("a", true, now).value());
  BOOST_TEST(!missing.judge("a", false, now).has_value());
  BOOST_TEST(!missing.judge("a", false, now + 4s).has_value());
  BOOST_TEST(missing.judge("a", true, now + 5s).value());
  BOOST_TEST(!missing.judge("a", false, now + 6s).has_value());
  BOOST_TEST(!missing.judge("b", false, now + 11s).has_value());
  BOOST_TEST(!missing.judge("a", false, now + 11s).value());
}

BOOST_FIXTURE_TEST_CASE(a_lease_lasts_as_long_as_tasks_do, Shared) {
  const WaitedTasks store(make(options, kept_lease));
  store.insert(running("a"), plenty, at(0));
  store.insert(running("b"), plenty, at(0));
  store.change("a", over(TaskStatus::completed));
  const auto until = std::chrono::steady_clock::now() + 2 * kept_lease;
  while (std::chrono::steady_clock::now() < until) BOOST_TEST_REQUIRE(keys("lease:").size() == 1U);
  other.change("b", over(TaskStatus::cancelled));
  BOOST_TEST(!store.change("b", over(TaskStatus::completed)));
  while (!keys("lease:").empty()) std::this_thread::sleep_for(5ms);
}

BOOST_FIXTURE_TEST_CASE(tasks_that_are_over_leave_nothing_behind, Shared) {
  TaskRecord task = task_of("a", 0, 1);
  one.insert(task, plenty, at(0));
  one.change("a", over(TaskStatus::completed, 0, 1));
  const std::string key = the_task();
  const std::int64_t left = ask(stranger, {"PTTL", key}).number;
  BOOST_TEST(left > 0);
  BOOST_TEST(left <= 60'001);
  ask(stranger, {"DEL", key});  // as if that time was over
  one.insert(task_of("b", 10'000), 1, at(10'000));
  BOOST_TEST(keys("task:").size() == 1U);
  BOOST_TEST(ask(stranger, {"ZCARD", options.prefix + "tasks"}).number == 1);
  BOOST_TEST(keys("tasks:over").empty());
  BOOST_TEST(keys("tasks:ends").empty());
}

BOOST_FIXTURE_TEST_CASE(a_clock_that_is_ahead_takes_no_task_from_others, Shared) {
  one.insert(task_of("a", 0, 60'000), plenty, at(0));
  one.change("a", over(TaskStatus::completed, 0, 60'000));
  other.insert(task_of("b", 86'400'000), plenty, at(86'400'000));
  BOOST_TEST(one.find("a", at(1)).has_value());
}

BOOST_FIXTURE_TEST_CASE(an_id_is_used_once, Shared) {
  one.insert(running("a"), plenty, at(0));
  BOOST_TEST(fails_with("there is a task with this id already", [&] { other.insert(running("a"), plenty, at(0)); }));
  BOOST_TEST(one.change("a", over(TaskStatus::completed)));
}

BOOST_FIXTURE_TEST_CASE(answers_reach_whoever_runs_the_task_in_their_order, Shared) {
  const auto runs = make(options);
  const auto elsewhere = make(options);
  WaitedTasks(runs).insert(running("a"), plenty, at(0));
  const auto add = [&](const char* id, const std::string& answers) {
    return answer_of<bool>([&](auto done) { elsewhere->add_answers(id, answers, std::move(done)); });
  };
  const auto added = [&](std::size_t after) {
    return answer_of<std::vector<std::string>>([&](auto done) { runs->answers("a", after, std::move(done)); });
  };
  BOOST_TEST(added(0).empty());
  BOOST_TEST(add("a", "{}"));
  BOOST_TEST(add("a", R"({"SECRET":{}})"));
  BOOST_TEST(added(0) == (std::vector<std::string>{"{}", R"({"SECRET":{}})"}), boost::test_tools::per_element());
  BOOST_TEST(added(1) == std::vector<std::string>{R"({"SECRET":{}})"}, boost::test_tools::per_element());
  BOOST_TEST(added(2).empty());
  const std::string key = ask(stranger, {"KEYS", options.prefix + "*:answers"}).list.front().text;
  BOOST_TEST(ask(stranger, {"DUMP", key}).text.find("SECRET") == std::string::npos);
  for (int i = 2; i < 500; ++i) add("a", "{}");
  BOOST_TEST(fails_with("more answers", [&] { add("a", "{}"); }));
  ask(stranger, {"RPUSH", key, "no answer"});
  BOOST_TEST(fails_with("was altered", [&] { added(499); }));
  WaitedTasks(runs).change("a", over(TaskStatus::completed));
  BOOST_TEST(keys("task:").size() == 1U);
  BOOST_TEST(add("a", "{}"));  // passed over, as is what nobody has asked
  BOOST_TEST(add("b", "{}"));
  BOOST_TEST(added(0).empty());
}

// -- A Redis that is away ---------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(what_is_begun_and_ended_is_so_after_redis_was_killed) {
  RedisServer killed;
  const WaitedTasks store(redis::task_store(redis::make_client(redis_options(killed.address()))));
  std::set<std::string> begun;
  std::set<std::string> ended;
  for (int round = 0; round < 4; ++round) {
    std::atomic<int> asked{0};
    std::thread asking([&] {
      for (int i = 0; i < 60; ++i, ++asked) {
        const std::string id = std::to_string(round) + "/" + std::to_string(i);
        failure_of([&] {
          if (store.insert(running(id), 10 * plenty, at(0))) begun.insert(id);
          if (store.change(id, over(TaskStatus::completed, i))) ended.insert(id);
        });
      }
    });
    while (asked < 10 * (round + 1)) std::this_thread::sleep_for(1ms);
    killed.kill();
    killed.start_again();
    asking.join();
  }
  BOOST_TEST(begun.size() >= 230U);
  for (const std::string& id : begun) {
    const auto found = store.find(id, at(0));
    BOOST_TEST_REQUIRE(found.has_value(), id);
    if (ended.contains(id)) BOOST_TEST((found->state.status == TaskStatus::completed), id);
  }
}

namespace {

/// A Redis that can be stopped, and a store that waits only a little for it.
struct Stopped {
  RedisServer redis_server{"appendonly no\n"};
  redis::Options options = [this] {
    redis::Options made = redis_options(redis_server.address());
    made.deadline = 1s;
    return made;
  }();
  WaitedTasks store{redis::task_store(redis::make_client(options), {.lease = short_lease})};
  WaitedTasks other{redis::task_store(redis::make_client(redis_options(redis_server.address())))};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_task_that_nobody_knows_to_be_stored_is_gone_in_the_end, Stopped) {
  store.insert(running("before"), plenty, at(0));
  redis_server.stop();
  BOOST_TEST(fails_with("Redis", [&] { store.insert(running("a"), plenty, at(0)); }));
  redis_server.go_on();
  while (other.list(0, 10, at(0)).size() != 1U) std::this_thread::sleep_for(5ms);
  const auto until = std::chrono::steady_clock::now() + 2 * short_lease;
  while (std::chrono::steady_clock::now() < until) BOOST_TEST_REQUIRE(!other.find("a", at(0)).has_value());
  BOOST_TEST(other.find("before", at(0))->owner_runs.value_or(true));
}

BOOST_FIXTURE_TEST_CASE(a_change_whose_answer_was_lost_may_be_made_again, Stopped) {
  store.insert(running("a"), plenty, at(0));
  for (int round = 0; round < 2; ++round) {
    TaskState state = over(TaskStatus::working, round);
    redis_server.stop();
    BOOST_TEST(fails_with("Redis", [&] { store.change("a", state); }));
    redis_server.go_on();
    while (!failure_of([&] { BOOST_TEST(store.change("a", state)); }).empty()) {
    }
    BOOST_TEST((other.find("a", at(0))->state.updated == at(round)));
  }
  const TaskState last = over(TaskStatus::completed, 7);
  redis_server.stop();
  BOOST_TEST(fails_with("Redis", [&] { store.change("a", last); }));
  redis_server.go_on();
  while (!failure_of([&] { store.change("a", last); }).empty()) {
  }
  BOOST_TEST((other.find("a", at(0))->state.updated == at(7)));
  BOOST_TEST(!store.change("a", over(TaskStatus::cancelled)));
}

// -- A stranger -------------------------------------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(names_and_values_tell_a_stranger_nothing, Shared) {
  TaskRecord task = running("SECRETID");
  task.tool = "SECRETTOOL";
  task.owner.boot = "SECRETBOOT";
  one.insert(task, plenty, at(0));
  task.state.payload = R"("SECRETRESULT")";
  one.change("SECRETID", task.state);
  for (const std::string& key : keys()) {
    BOOST_TEST(key.find("SECRET") == key.npos);
    const std::string dumped = ask(stranger, {"DUMP", key}).text;
    BOOST_TEST(!dumped.empty());
    BOOST_TEST(dumped.find("SECRET") == dumped.npos);
  }
}

BOOST_FIXTURE_TEST_CASE(a_task_that_was_altered_is_refused_and_hides_no_other, Shared) {
  one.insert(running("a"), plenty, at(0));
  const std::string key = the_task();
  one.insert(running("b"), plenty, at(0));
  const std::string record = field(key, "record");
  for (std::size_t i = 0; i < record.size(); ++i) {
    std::string altered = record;
    altered[i] = static_cast<char>(altered[i] ^ 1);
    set(key, "record", altered);
    const char* const why = i < 6 ? "sealed with a key that is not named" : "was altered";
    BOOST_TEST_REQUIRE(fails_with(why, [&] { other.find("a", at(0)); }));
  }
  BOOST_TEST(fails_with("was altered", [&] { other.change("a", over(TaskStatus::completed)); }));
  const auto listed = other.list(0, 10, at(0));
  BOOST_TEST_REQUIRE(listed.size() == 1U);
  BOOST_TEST(listed.front().id == "b");
  set(key, "record", record);
  set(key, "lease", "another");
  BOOST_TEST(fails_with("was altered", [&] { other.find("a", at(0)); }));
  set(key, "lease", "");
  BOOST_TEST(fails_with("was altered", [&] { other.find("a", at(0)); }));
}

BOOST_FIXTURE_TEST_CASE(a_task_under_the_name_of_another_is_refused, Shared) {
  one.insert(running("mine"), plenty, at(0));
  const std::string mine = the_task();
  one.insert(running("another"), plenty, at(0));
  auto both = keys("task:");
  std::erase(both, mine);
  set(mine, "record", field(both.front(), "record"));
  BOOST_TEST(fails_with("was altered", [&] { one.find("mine", at(0)); }));
}

BOOST_FIXTURE_TEST_CASE(what_a_stranger_has_spoilt_fails_and_says_so, Shared) {
  one.insert(running("a"), plenty, at(0));
  ask(stranger, {"SET", the_task(), "no task"});
  BOOST_TEST(fails_with("WRONGTYPE", [&] { one.find("a", at(0)); }));
  ask(stranger, {"SET", options.prefix + "tasks", "no list"});
  BOOST_TEST(fails_with("WRONGTYPE", [&] { one.list(0, 1, at(0)); }));
  BOOST_TEST(fails_with("WRONGTYPE", [&] { one.insert(running("b"), plenty, at(0)); }));
  ask(stranger, {"DEL", options.prefix + "tasks"});
  ask(stranger,
      {"ZADD", options.prefix + "tasks", "1", "no key", "2.5", options.prefix + "nothing", "1e30", "x", "inf", "y"});
  BOOST_TEST(one.list(0, 10, at(0)).empty());
}

BOOST_FIXTURE_TEST_CASE(tasks_are_found_while_the_key_changes, Shared) {
  const auto with = [&](const char* key, const char* second) {
    redis::Options then = options;
    then.key = key;
    then.second_key = second;
    return WaitedTasks(make(then));
  };
  const auto before = with("the key of before", "");
  before.insert(running("a"), plenty, at(0));
  const auto announced = with("the key of before", "the key of after");
  announced.insert(running("b"), plenty, at(0));
  const auto swapped = with("the key of after", "the key of before");
  swapped.insert(running("c"), plenty, at(0));
  for (const char* id : {"a", "b", "c"}) {
    BOOST_TEST(announced.find(id, at(0)).has_value());
    BOOST_TEST(swapped.change(id, over(TaskStatus::completed)));
    BOOST_TEST((announced.find(id, at(0))->state.status == TaskStatus::completed));
  }
  BOOST_TEST(swapped.list(0, 10, at(0)).size() == 3U);
  const auto after = with("the key of after", "");
  BOOST_TEST(!after.find("a", at(0)).has_value());  // its name was made with the key of before
  BOOST_TEST(after.list(0, 10, at(0)).size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_lease_that_no_redis_can_keep_is_refused) {
  BOOST_TEST(fails_with("100 ms", [] { make(options_of_case(), 99ms); }));
}
