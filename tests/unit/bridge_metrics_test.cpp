#include <toolwire/bridge/metrics.hpp>

#define BOOST_TEST_MODULE bridge_metrics_test
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <future>
#include <iterator>

#include <toolwire/testing.hpp>

#include "policy/metrics_text.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace std::chrono_literals;

namespace {

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(calls_are_counted_by_tool_and_outcome) {
  auto metrics = std::make_shared<Metrics>();
  Server server{{.name = "s", .version = "1"}};
  server.around_call(measured(metrics));
  server.tool("good", "", [] { return 1; });
  server.tool("bad", "", []() -> int { throw ToolError("no"); });
  server.tool("coded", "", [] { return failure("unavailable", "", true); });
  testing::Client client{server};
  for (const char* const tool : {"good", "good", "bad", "coded"}) client.call(tool);
  const std::string text = metrics->text();
  BOOST_TEST(has_line(text, R"(toolwire_calls_total{tool="good",outcome="ok"} 2)"));
  BOOST_TEST(has_line(text, R"(toolwire_calls_total{tool="bad",outcome="error"} 1)"));
  BOOST_TEST(has_line(text, R"(toolwire_calls_total{tool="coded",outcome="unavailable"} 1)"));
  BOOST_TEST(has_line(text, R"(toolwire_call_duration_seconds_count{tool="good"} 2)"));
  BOOST_TEST(has_line(text, "toolwire_calls_in_flight 0"));
}

BOOST_AUTO_TEST_CASE(a_call_that_has_not_ended_is_in_flight) {
  auto metrics = std::make_shared<Metrics>();
  Server server{{.name = "s", .version = "1"}};
  server.around_call(measured(metrics));
  std::promise<Reply> started;
  server.tool({.name = "hang", .description = ""}, [&](Context&, Reply reply) { started.set_value(std::move(reply)); });
  testing::Client client{server};
  CallHandle call = client.start_call("hang");
  Reply reply = started.get_future().get();
  BOOST_TEST(has_line(metrics->text(), "toolwire_calls_in_flight 1"));
  reply("done");
  call.wait();
  BOOST_TEST(has_line(metrics->text(), "toolwire_calls_in_flight 0"));
}

BOOST_AUTO_TEST_CASE(the_histogram_is_cumulative_and_ends_with_all) {
  Metrics metrics;
  for (const auto time : {1ms, 2ms, 700ms}) metrics.call_ends("t", "ok", time);
  metrics.call_ends("t", "ok", 100s);
  const std::string text = metrics.text();
  BOOST_TEST(has_line(text, R"(toolwire_call_duration_seconds_bucket{tool="t",le="0.001"} 1)"));
  BOOST_TEST(has_line(text, R"(toolwire_call_duration_seconds_bucket{tool="t",le="0.0025"} 2)"));
  BOOST_TEST(has_line(text, R"(toolwire_call_duration_seconds_bucket{tool="t",le="1"} 3)"));
  BOOST_TEST(has_line(text, R"(toolwire_call_duration_seconds_bucket{tool="t",le="60"} 3)"));
  BOOST_TEST(has_line(text, R"(toolwire_call_duration_seconds_bucket{tool="t",le="+Inf"} 4)"));
  BOOST_TEST(has_line(text, R"(toolwire_call_duration_seconds_sum{tool="t"} 100.703)"));
}

BOOST_AUTO_TEST_CASE(retries_restarts_cache_hits_and_gauges_are_in_the_text) {
  Metrics metrics;
  const auto before = metrics.version();
  metrics.retried("t");
  metrics.answered_from_cache("t");
  metrics.back_end_restarted("files");
  metrics.watch("toolwire_queue", "Calls that wait.", [] { return 3.0; });
  const std::string text = metrics.text();
  BOOST_TEST(has_line(text, R"(toolwire_retries_total{tool="t"} 1)"));
  BOOST_TEST(has_line(text, R"(toolwire_cache_hits_total{tool="t"} 1)"));
  BOOST_TEST(has_line(text, R"(toolwire_back_end_restarts_total{back_end="files"} 1)"));
  BOOST_TEST(has_line(text, "# TYPE toolwire_queue gauge\ntoolwire_queue 3"));
  BOOST_TEST(metrics.version() != before);
}

BOOST_AUTO_TEST_CASE(label_values_are_escaped) {
  std::string text;
  append_sample(text, "m", {{"l", "a\"b\\c\nd"}}, 1);
  BOOST_TEST(text == "m{l=\"a\\\"b\\\\c\\nd\"} 1\n");
}

BOOST_AUTO_TEST_CASE(the_file_is_replaced_as_a_whole_and_nothing_is_left_beside_it) {
  const toolwire_test::ScratchFolder folder;
  const auto file = folder.file("m.prom", "old");
  std::ifstream reader(file);
  Metrics metrics;
  metrics.write_file(file.string());
  const auto rest = [](std::ifstream& stream) { return std::string(std::istreambuf_iterator<char>(stream), {}); };
  BOOST_TEST(rest(reader) == "old");  // who had it open reads on
  std::ifstream fresh(file);
  BOOST_TEST(rest(fresh) == metrics.text());
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  BOOST_CHECK_THROW(metrics.write_file((folder / "no/where").string()), std::system_error);
}
