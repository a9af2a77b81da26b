#include "protocol/tasks/tasks.hpp"

#define BOOST_TEST_MODULE tasks_test
#include <boost/test/unit_test.hpp>

#include <exception>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "task_store_cases.hpp"
#include "toolwire/error.hpp"

using namespace toolwire_test;
using std::chrono::milliseconds;
using toolwire::Done;
using toolwire::LocalTaskStore;
using toolwire::ProtocolError;
using toolwire::TaskOptions;
using toolwire::TaskOwner;
using toolwire::TaskRecord;
using toolwire::TaskState;
using toolwire::TaskStatus;
using toolwire::TaskTime;
using toolwire::protocol::Tasks;
using toolwire::protocol::time_now;

namespace {

struct Fixture {
  Fixture() { options.store = store; }

  /// A task that another owner has put into the store.
  TaskRecord keep(std::string id, TaskOwner owner) {
    TaskRecord task = task_of(std::move(id));
    task.owner = std::move(owner);
    task.created = time_now();
    task.state.updated = task.created;
    task.state.ttl = milliseconds(60'000);
    store->insert(task, 1000, task.created);
    return task;
  }

  std::shared_ptr<LocalTaskStore> store = toolwire::memory_task_store();
  TaskOptions options;
};

/// What a store that answers at once has had to say.
template <class T, class Ask>
T at_once(Ask ask) {
  std::optional<typename Done<T>::Result> result;
  ask(Done<T>([&](typename Done<T>::Result&& answer) { result = std::move(answer); }));
  BOOST_TEST_REQUIRE(result.has_value());
  if (const auto* why = std::get_if<std::exception_ptr>(&*result)) toolwire::protocol::refuse_for_store(*why);
  return std::get<T>(std::move(*result));
}

std::optional<TaskRecord> find(Tasks& tasks, std::string_view id) {
  return at_once<std::optional<TaskRecord>>([&](auto done) { tasks.find(id, {}, std::move(done)); });
}

std::vector<TaskRecord> list(Tasks& tasks, std::uint64_t after, std::size_t count) {
  return at_once<std::vector<TaskRecord>>([&](auto done) { tasks.list(after, count, {}, std::move(done)); });
}

bool cancel(Tasks& tasks, const TaskRecord& task) {
  return at_once<bool>([&](auto done) { tasks.cancel(task, std::move(done)); });
}

TaskOwner gone() {
  TaskOwner owner = TaskOwner::here();
  owner.boot = "an earlier one";
  return owner;
}

TaskOwner unseen() {
  TaskOwner owner = TaskOwner::here();
  owner.space = "that of a container";
  return owner;
}

/// Every operation fails.
class BrokenStore final : public LocalTaskStore {
 public:
  bool insert(const TaskRecord&, std::size_t, TaskTime) override { throw std::runtime_error("disk full: /secret"); }
  std::optional<TaskRecord> find(std::string_view, TaskTime) override { throw std::runtime_error("/secret"); }
  bool change(std::string_view, const TaskState&) override { throw std::runtime_error("/secret"); }
  std::vector<TaskRecord> list(std::uint64_t, std::size_t, TaskTime) override { throw std::runtime_error("/secret"); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_new_task_is_of_this_process_and_has_an_id_nobody_guesses, Fixture) {
  Tasks tasks(options);
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    const TaskRecord task = tasks.make("t", {});
    BOOST_TEST((task.state.updated == task.created));
    BOOST_TEST(task.id.size() == 32u);
    BOOST_TEST(task.id.find_first_not_of("0123456789abcdef") == std::string::npos);
    ids.insert(task.id);
  }
  BOOST_TEST(ids.size() == 1000u);
  BOOST_TEST((tasks.make("t", {}).owner == TaskOwner::here()));
}

BOOST_FIXTURE_TEST_CASE(the_time_to_live_is_the_clients_up_to_a_bound, Fixture) {
  options.ttl = milliseconds(10);
  options.max_ttl = milliseconds(100);
  Tasks tasks(options);
  BOOST_TEST((tasks.make("t", {}).state.ttl == milliseconds(10)));
  BOOST_TEST((tasks.make("t", milliseconds(99)).state.ttl == milliseconds(99)));
  BOOST_TEST((tasks.make("t", milliseconds(101)).state.ttl == milliseconds(100)));
}

BOOST_FIXTURE_TEST_CASE(a_task_whose_process_is_gone_is_found_interrupted_once_for_all, Fixture) {
  keep("a", gone());
  Tasks tasks(options);
  const auto task = find(tasks, "a");
  BOOST_TEST_REQUIRE(task.has_value());
  BOOST_TEST((task->state.status == TaskStatus::failed));
  BOOST_TEST(task->state.message.starts_with("Interrupted"));
  const toolwire::Json error = toolwire::parse_json(task->state.payload);
  BOOST_TEST(error.at("code") == toolwire::error_code::internal_error);
  BOOST_TEST(error.at("data").at("code") == "interrupted");
  const auto kept = store->find("a", time_now());
  BOOST_TEST((kept->state.status == TaskStatus::failed));
  BOOST_TEST((find(tasks, "a")->state.updated == task->state.updated));
}

BOOST_FIXTURE_TEST_CASE(a_task_that_is_over_stays_what_it_came_to_whoever_is_gone, Fixture) {
  keep("a", gone());
  store->change("a", over(TaskStatus::completed, time_now().time_since_epoch().count(), 60'000));
  Tasks tasks(options);
  BOOST_TEST((find(tasks, "a")->state.status == TaskStatus::completed));
}

BOOST_FIXTURE_TEST_CASE(a_task_of_a_living_process_is_left_alone, Fixture) {
  TaskOwner parent = TaskOwner::here();
  keep("own", parent);
  Tasks tasks(options);
  BOOST_TEST((find(tasks, "own")->state.status == TaskStatus::working));
}

BOOST_FIXTURE_TEST_CASE(a_process_that_cannot_be_seen_is_given_the_time_it_promised, Fixture) {
  keep("promised", unseen());
  TaskRecord late = task_of("late");
  late.owner = unseen();
  late.created = time_now() - milliseconds(10'000);
  late.state.ttl = milliseconds(9'999);
  store->insert(late, 1000, time_now());
  Tasks tasks(options);
  BOOST_TEST((find(tasks, "promised")->state.status == TaskStatus::working));
  const auto interrupted = find(tasks, "late");
  BOOST_TEST((!interrupted || interrupted->state.status == TaskStatus::failed));
}

BOOST_FIXTURE_TEST_CASE(the_list_tells_the_truth_too, Fixture) {
  keep("a", gone());
  keep("b", TaskOwner::here());
  Tasks tasks(options);
  const auto all = list(tasks, 0, 10);
  BOOST_TEST_REQUIRE(all.size() == 2u);
  BOOST_TEST((all[0].state.status == TaskStatus::failed));
  BOOST_TEST((all[1].state.status == TaskStatus::working));
}

BOOST_FIXTURE_TEST_CASE(a_task_of_another_process_can_be_cancelled_in_the_store, Fixture) {
  const TaskRecord task = keep("a", TaskOwner::here());
  Tasks tasks(options);
  BOOST_TEST(cancel(tasks, task));
  BOOST_TEST((find(tasks, "a")->state.status == TaskStatus::cancelled));
  BOOST_TEST(!cancel(tasks, task));
}

BOOST_AUTO_TEST_CASE(questions_stay_open_for_the_time_of_their_task_whatever_becomes_of_the_clock) {
  using toolwire::protocol::left_for_questions;
  const TaskTime created = time_now();
  const auto left = [&](milliseconds ttl, milliseconds later) {
    return left_for_questions(ttl, created, created + later, milliseconds(100)).count();
  };
  BOOST_TEST(left(milliseconds(1000), milliseconds(0)) == 1000);
  BOOST_TEST(left(milliseconds(1000), milliseconds(300)) == 700);
  BOOST_TEST(left(milliseconds(1000), milliseconds(5000)) == 100);
  BOOST_TEST(left(milliseconds(1000), milliseconds(-3'600'000)) == 1000);
  BOOST_TEST(left(milliseconds::max(), milliseconds(-3'600'000)) == milliseconds::max().count());
}

BOOST_AUTO_TEST_CASE(a_store_that_fails_is_an_error_without_its_secrets) {
  TaskOptions options;
  options.store = std::make_shared<BrokenStore>();
  Tasks tasks(options);
  for (auto use : {+[](Tasks& broken) { find(broken, "a"); }, +[](Tasks& broken) { list(broken, 0, 1); }}) {
    try {
      use(tasks);
      BOOST_TEST(false, "nothing was thrown");
    } catch (const ProtocolError& error) {
      BOOST_TEST(error.code == toolwire::error_code::internal_error);
      BOOST_TEST(std::string(error.what()).find("secret") == std::string::npos);
    }
  }
}
