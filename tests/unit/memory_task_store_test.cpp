#include "toolwire/task_store.hpp"

#define BOOST_TEST_MODULE memory_task_store_test
#include <boost/test/unit_test.hpp>

#include "task_store_cases.hpp"

using toolwire::TaskStatus;

namespace {
const bool registered = [] {
  toolwire_test::add_task_store_cases("memory", toolwire::memory_task_store);
  return true;
}();
}  // namespace

BOOST_AUTO_TEST_CASE(the_cases_of_all_stores_are_registered) { BOOST_TEST(registered); }

BOOST_AUTO_TEST_CASE(every_status_has_a_name_and_is_found_by_it) {
  for (TaskStatus status : {TaskStatus::working, TaskStatus::input_required, TaskStatus::completed, TaskStatus::failed,
                            TaskStatus::cancelled}) {
    BOOST_TEST((toolwire::task_status_named(toolwire::name_of(status)) == status));
  }
  BOOST_TEST(toolwire::name_of(TaskStatus::input_required) == "input_required");
  BOOST_TEST(!toolwire::task_status_named("done").has_value());
  BOOST_TEST(!is_over(TaskStatus::input_required));
  BOOST_TEST(is_over(TaskStatus::cancelled));
}
