// Tools that take as long as they are told to, and that become tasks.
#include <optional>

#include "target/search.hpp"
#include "target/search_questions.hpp"
#include "target/search_tasks.hpp"
#include "target/tool_arguments.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

constexpr double little = 0.05;  // seconds

/// Whether a call of so long takes that, and one of nothing does not; a busy machine only makes both longer.
bool follows(Search& search, const Json& tool, const JsonObject& arguments) {
  constexpr int attempts = 3;
  const auto time_of = [&](double seconds) {
    const auto begin = Clock::now();
    const bool came = questions::try_tool(search, tool, filled(arguments, "SECONDS", seconds)).is_success();
    return came ? Clock::now() - begin : Clock::duration(-1s);
  };
  for (int i = 0; i < attempts; ++i) {
    const auto short_call = time_of(little);
    const auto long_call = time_of(0.6);
    if (short_call < 0s || long_call < 580ms) return false;
    if (long_call - short_call > 400ms) return true;
  }
  return false;
}

/// Those of 2025-11-25 say so; the extension of later revisions leaves it to the server, call by call, and one that
/// makes tasks without declaring it is to be found.
bool may_become_task(const Search& search, const Json& tool) {
  if (search.offer().revision->modern) return true;
  return !get(Json(search.offer().capabilities), "tasks", "requests", "tools", "call").is_null() &&
         text_of(get(tool, "execution", "taskSupport")) == "optional";
}

/// Whether a call as a client of tasks makes it is answered with a task.
bool becomes_task(Search& search, const JsonObject& entry) {
  return !tasks::task_in(search, search.result_of("tools/call", tasks::task_call(search, entry))).is_null();
}

}  // namespace

void search_slow_tool(Search& search, const Json& tool) {
  const bool may_be_task = search.is_open("tool:task") && may_become_task(search, tool);
  if (!search.is_open("tool:slow") && !may_be_task) return;
  const auto arguments = timed_arguments(get(tool, "inputSchema"), get(tool, "description"));
  if (!arguments) return;
  const JsonObject quick{{"name", get(tool, "name")}, {"arguments", filled(*arguments, "SECONDS", little)}};
  const bool is_task = may_be_task && becomes_task(search, quick);
  if ((!search.is_open("tool:slow") && !is_task) || !follows(search, tool, *arguments)) return;
  const JsonObject entry{{"name", get(tool, "name")}, {"arguments", *arguments}};
  search.add("tool:slow", entry);
  if (is_task) search.add("tool:task", entry);
}

}  // namespace toolwire::conformance
