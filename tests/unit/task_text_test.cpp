#include "protocol/tasks/task_text.hpp"

#define BOOST_TEST_MODULE task_text_test
#include <boost/test/unit_test.hpp>

#include <string>

#include "task_store_cases.hpp"

using namespace toolwire_test;
using std::chrono::milliseconds;
using toolwire::Json;
using toolwire::TaskRecord;
using toolwire::TaskStatus;
using toolwire::protocol::append_detailed_task;
using toolwire::protocol::append_task;
using toolwire::protocol::find_revision;
using toolwire::protocol::iso_text;

namespace {

Json text_of(const TaskRecord& task, const char* revision, bool detailed) {
  std::string out = "{";
  (detailed ? append_detailed_task : append_task)(out, task, *find_revision(revision), milliseconds(250));
  return toolwire::parse_json(out + "}");
}

}  // namespace

BOOST_AUTO_TEST_CASE(times_are_written_as_iso_8601) {
  BOOST_TEST(iso_text(at(0)) == "1970-01-01T00:00:00.000Z");
  BOOST_TEST(iso_text(at(1'785'234'567'089)) == "2026-07-28T10:29:27.089Z");
  BOOST_TEST(iso_text(at(951'782'400'001)) == "2000-02-29T00:00:00.001Z");
}

BOOST_AUTO_TEST_CASE(each_revision_has_its_own_words) {
  const TaskRecord task = task_of("t", 0, 60'000);
  const Json modern = text_of(task, "2026-07-28", false);
  BOOST_TEST(modern.at("ttlMs") == 60'000);
  BOOST_TEST(modern.at("pollIntervalMs") == 250);
  BOOST_TEST(!modern.as_object().contains("ttl"));
  BOOST_TEST(!modern.as_object().contains("statusMessage"));
  const Json legacy = text_of(task, "2025-11-25", false);
  BOOST_TEST(legacy.at("ttl") == 60'000);
  BOOST_TEST(legacy.at("pollInterval") == 250);
  BOOST_TEST(!legacy.as_object().contains("ttlMs"));
}

BOOST_AUTO_TEST_CASE(no_time_to_live_is_null) {
  TaskRecord task = task_of("t");
  task.state.ttl.reset();
  BOOST_TEST(text_of(task, "2026-07-28", false).at("ttlMs").is_null());
  BOOST_TEST(text_of(task, "2025-11-25", false).at("ttl").is_null());
}

BOOST_AUTO_TEST_CASE(what_goes_with_a_status_is_told_in_detail_only) {
  TaskRecord task = task_of("t");
  task.state.payload = R"({"x":1})";
  task.state.status = TaskStatus::completed;
  BOOST_TEST(text_of(task, "2026-07-28", true).at("result").at("x") == 1);
  BOOST_TEST(!text_of(task, "2026-07-28", false).as_object().contains("result"));
  task.state.status = TaskStatus::failed;
  BOOST_TEST(text_of(task, "2026-07-28", true).at("error").at("x") == 1);
  task.state.status = TaskStatus::input_required;
  BOOST_TEST(text_of(task, "2026-07-28", true).at("inputRequests").at("x") == 1);
  task.state.status = TaskStatus::cancelled;
  BOOST_TEST(text_of(task, "2026-07-28", true).as_object().size() == 6u);
}

BOOST_AUTO_TEST_CASE(a_result_with_is_error_is_a_failure_in_2025_11_25_alone) {
  TaskRecord task = task_of("t");
  task.state.status = TaskStatus::completed;
  task.state.tool_error = true;
  task.state.payload = "{}";
  BOOST_TEST(text_of(task, "2025-11-25", false).at("status") == "failed");
  BOOST_TEST(text_of(task, "2026-07-28", true).at("status") == "completed");
}
