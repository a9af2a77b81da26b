#include "task_store_cases.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "store_cases.hpp"

namespace toolwire_test {
namespace {

namespace ut = boost::unit_test;
using std::chrono::milliseconds;
using toolwire::TaskRecord;
using toolwire::TaskState;
using toolwire::TaskStatus;
using toolwire::TaskTime;

constexpr std::size_t plenty = 100;

void every_member_of_a_task_comes_back(const WaitedTasks& store) {
  TaskRecord task = task_of("a", 1'700'000'000'123, 60'000);
  task.tool = "tool \"x\"";
  task.owner = {12345, 0xFEDC'BA98'7654'3210u, "boot", "pid:[1]"};
  task.state.status = TaskStatus::input_required;
  task.state.message = "wait – ünïcödé";
  task.state.payload = R"({"k":{"method":"elicitation/create","params":{}}})";
  task.state.updated = at(1'700'000'000'456);
  BOOST_TEST_REQUIRE(store.insert(task, plenty, at(0)));
  const auto found = store.find("a", at(1'700'000'000'500));
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->id == task.id);
  BOOST_TEST(found->tool == task.tool);
  BOOST_TEST((found->owner == task.owner));
  BOOST_TEST((found->created == task.created));
  BOOST_TEST((found->state.status == TaskStatus::input_required));
  BOOST_TEST(found->state.message == task.state.message);
  BOOST_TEST(found->state.payload == task.state.payload);
  BOOST_TEST((found->state.updated == task.state.updated));
  BOOST_TEST((found->state.ttl == milliseconds(60'000)));
  BOOST_TEST(!found->state.tool_error);
  BOOST_TEST(found->serial > 0u);
}

void a_task_without_time_to_live_is_kept_without_end(const WaitedTasks& store) {
  TaskRecord task = task_of("a");
  task.state.status = TaskStatus::completed;
  task.state.ttl = std::nullopt;
  store.insert(task, plenty, at(0));
  const auto found = store.find("a", at(1'000'000'000'000'000));
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(!found->state.ttl.has_value());
}

void a_change_is_seen_and_the_rest_stays(const WaitedTasks& store) {
  store.insert(task_of("a", 5), plenty, at(5));
  TaskState state = over(TaskStatus::completed, 17);
  state.payload = R"({"content":[]})";
  state.tool_error = true;
  BOOST_TEST(store.change("a", state));
  const auto found = store.find("a", at(20));
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST((found->created == at(5)));
  BOOST_TEST((found->state.updated == at(17)));
  BOOST_TEST(found->state.payload == R"({"content":[]})");
  BOOST_TEST(found->state.tool_error);
}

void a_task_that_is_over_does_not_change_any_more(const WaitedTasks& store) {
  for (TaskStatus last : {TaskStatus::completed, TaskStatus::failed, TaskStatus::cancelled}) {
    const std::string id(toolwire::name_of(last));
    store.insert(task_of(id), plenty, at(0));
    BOOST_TEST(store.change(id, over(last)));
    BOOST_TEST(!store.change(id, over(TaskStatus::working)));
    BOOST_TEST(!store.change(id, over(TaskStatus::cancelled)));
    BOOST_TEST((store.find(id, at(0))->state.status == last));
  }
}

void a_task_moves_between_working_and_waiting(const WaitedTasks& store) {
  store.insert(task_of("a"), plenty, at(0));
  BOOST_TEST(store.change("a", over(TaskStatus::input_required)));
  BOOST_TEST(store.change("a", over(TaskStatus::working)));
  BOOST_TEST(store.change("a", over(TaskStatus::input_required)));
  BOOST_TEST((store.find("a", at(0))->state.status == TaskStatus::input_required));
}

void what_is_not_there_is_neither_found_nor_changed(const WaitedTasks& store) {
  store.insert(task_of("a"), plenty, at(0));
  for (const char* id : {"", "b", "A", "a ", "' OR 1=1 --"}) {
    BOOST_TEST(!store.find(id, at(0)).has_value());
    BOOST_TEST(!store.change(id, over(TaskStatus::completed)));
  }
}

void a_task_that_is_over_is_forgotten_after_its_time(const WaitedTasks& store) {
  store.insert(task_of("over", 100, 50), plenty, at(100));
  store.insert(task_of("running", 100, 50), plenty, at(100));
  store.change("over", over(TaskStatus::completed, 110, 50));
  BOOST_TEST(store.find("over", at(149)).has_value());
  BOOST_TEST(!store.find("over", at(150)).has_value());
  BOOST_TEST(store.find("running", at(1'000'000)).has_value());
  BOOST_TEST(store.list(0, plenty, at(149)).size() == 2u);
  BOOST_TEST(store.list(0, plenty, at(150)).size() == 1u);
}

void a_clock_that_was_set_back_makes_no_task_expire(const WaitedTasks& store) {
  store.insert(task_of("a", 1'000'000, 50), plenty, at(1'000'000));
  store.change("a", over(TaskStatus::completed, 1'000'000, 50));
  BOOST_TEST(store.find("a", at(5)).has_value());
}

void the_list_is_in_the_order_of_creation_and_comes_in_pages(const WaitedTasks& store) {
  for (const char* id : {"z", "m", "a", "q", "b"}) store.insert(task_of(id), plenty, at(0));
  std::string order;
  std::uint64_t after = 0;
  for (auto page = store.list(after, 2, at(0)); !page.empty(); page = store.list(after, 2, at(0))) {
    BOOST_TEST(page.size() <= 2u);
    for (const TaskRecord& task : page) order += task.id;
    after = page.back().serial;
  }
  BOOST_TEST(order == "zmaqb");
}

void the_oldest_that_is_over_gives_way(const WaitedTasks& store) {
  for (const char* id : {"a", "b", "c"}) BOOST_TEST(store.insert(task_of(id), 3, at(0)));
  store.change("c", over(TaskStatus::completed));
  store.change("b", over(TaskStatus::failed));
  BOOST_TEST(store.insert(task_of("d"), 3, at(0)));
  BOOST_TEST(!store.find("b", at(0)).has_value());
  BOOST_TEST(store.find("c", at(0)).has_value());
  BOOST_TEST(store.insert(task_of("e"), 3, at(0)));
  BOOST_TEST(!store.find("c", at(0)).has_value());
  BOOST_TEST(!store.insert(task_of("f"), 3, at(0)));
  BOOST_TEST(!store.find("f", at(0)).has_value());
  BOOST_TEST(store.list(0, plenty, at(0)).size() == 3u);
}

void the_expired_make_room_first(const WaitedTasks& store) {
  store.insert(task_of("long", 0, 10'000), 2, at(0));
  store.change("long", over(TaskStatus::completed, 0, 10'000));
  store.insert(task_of("short", 0, 10), 2, at(0));
  store.change("short", over(TaskStatus::completed, 0, 10));
  BOOST_TEST(store.insert(task_of("new", 20), 2, at(20)));
  BOOST_TEST(store.find("long", at(20)).has_value());
}

void a_result_may_be_large(const WaitedTasks& store) {
  store.insert(task_of("a"), plenty, at(0));
  TaskState state = over(TaskStatus::completed);
  state.payload = "\"" + std::string(5'000'000, 'x') + "\"";
  BOOST_TEST(store.change("a", state));
  BOOST_TEST((store.find("a", at(0))->state.payload == state.payload));
}

void only_one_of_many_threads_ends_a_task(const WaitedTasks& store) {
  store.insert(task_of("a"), plenty, at(0));
  std::atomic<int> ended{0};
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      if (store.change("a", over(TaskStatus::completed))) ++ended;
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(ended.load() == 1);
}

struct Case {
  const char* name;
  void (*run)(const WaitedTasks&);
};

#define TOOLWIRE_CASE(name) \
  Case { #name, name }

constexpr Case cases[] = {TOOLWIRE_CASE(every_member_of_a_task_comes_back),
                          TOOLWIRE_CASE(a_task_without_time_to_live_is_kept_without_end),
                          TOOLWIRE_CASE(a_change_is_seen_and_the_rest_stays),
                          TOOLWIRE_CASE(a_task_that_is_over_does_not_change_any_more),
                          TOOLWIRE_CASE(a_task_moves_between_working_and_waiting),
                          TOOLWIRE_CASE(what_is_not_there_is_neither_found_nor_changed),
                          TOOLWIRE_CASE(a_task_that_is_over_is_forgotten_after_its_time),
                          TOOLWIRE_CASE(a_clock_that_was_set_back_makes_no_task_expire),
                          TOOLWIRE_CASE(the_list_is_in_the_order_of_creation_and_comes_in_pages),
                          TOOLWIRE_CASE(the_oldest_that_is_over_gives_way),
                          TOOLWIRE_CASE(the_expired_make_room_first),
                          TOOLWIRE_CASE(a_result_may_be_large),
                          TOOLWIRE_CASE(only_one_of_many_threads_ends_a_task)};

}  // namespace

bool WaitedTasks::insert(const TaskRecord& task, std::size_t bound, TaskTime now) const {
  return answer_of<bool>([&](auto done) { store_->insert(task, bound, now, std::move(done)); });
}

std::optional<TaskRecord> WaitedTasks::find(std::string_view id, TaskTime now) const {
  return answer_of<std::optional<TaskRecord>>([&](auto done) { store_->find(id, now, std::move(done)); });
}

bool WaitedTasks::change(std::string_view id, const TaskState& state) const {
  return answer_of<bool>([&](auto done) { store_->change(id, state, std::move(done)); });
}

std::vector<TaskRecord> WaitedTasks::list(std::uint64_t after, std::size_t count, TaskTime now) const {
  return answer_of<std::vector<TaskRecord>>([&](auto done) { store_->list(after, count, now, std::move(done)); });
}

TaskTime at(std::int64_t milliseconds) { return TaskTime(std::chrono::milliseconds(milliseconds)); }

TaskRecord task_of(std::string id, std::int64_t created, std::int64_t ttl) {
  TaskRecord task{
      .id = std::move(id), .tool = "tool", .owner = {1, 2, "boot", ""}, .created = at(created), .state = {}};
  task.state.updated = at(created);
  task.state.ttl = milliseconds(ttl);
  return task;
}

TaskState over(TaskStatus status, std::int64_t updated, std::int64_t ttl) {
  TaskState state;
  state.status = status;
  state.updated = at(updated);
  state.ttl = milliseconds(ttl);
  return state;
}

void add_task_store_cases(const char* name, const MakeStore& make) {
  auto* suite = BOOST_TEST_SUITE(name);
  for (const Case& one : cases) {
    suite->add(ut::make_test_case([make, run = one.run] { run(WaitedTasks(make())); }, one.name, __FILE__, __LINE__));
  }
  ut::framework::master_test_suite().add(suite);
}

}  // namespace toolwire_test
