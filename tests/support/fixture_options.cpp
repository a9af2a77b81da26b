#include <chrono>
#include <cstdint>
#include <map>
#include <stdexcept>

#include "fixture_server.hpp"
#ifdef TOOLWIRE_HAS_SQLITE_TASKS
#include "toolwire/sqlite_task_store.hpp"
#endif

namespace toolwire_test {
namespace {

using toolwire::Json;
using toolwire::JsonObject;
using toolwire::Limits;

std::size_t count_of(const Json& value) { return value.to_number<std::size_t>(); }

[[noreturn]] void unknown(std::string_view member) {
  throw std::invalid_argument("a fixture server has no option \"" + std::string(member) + "\"");
}

void set_limit(Limits& limits, std::string_view name, const Json& value) {
  static const std::map<std::string_view, std::size_t Limits::*> sizes{
      {"line", &Limits::line},
      {"depth", &Limits::depth},
      {"values", &Limits::values},
      {"batch", &Limits::batch},
      {"calls_in_flight", &Limits::calls_in_flight},
      {"queued_bytes", &Limits::queued_bytes},
      {"output_soft", &Limits::output_soft},
      {"output_hard", &Limits::output_hard},
      {"listens", &Limits::listens},
      {"log_per_second", &Limits::log_per_second},
      {"uri", &Limits::uri},
      {"listed_resources", &Limits::listed_resources},
      {"watched_resources", &Limits::watched_resources},
      {"open_questions", &Limits::open_questions},
      {"sealed_state", &Limits::sealed_state},
      {"progress_per_second", &Limits::progress_per_second}};
  static const std::map<std::string_view, std::chrono::milliseconds Limits::*> times{
      {"drain", &Limits::drain}, {"question_age", &Limits::question_age}, {"state_age", &Limits::state_age}};
  if (auto size = sizes.find(name); size != sizes.end()) {
    limits.*size->second = count_of(value);
  } else if (auto time = times.find(name); time != times.end()) {
    limits.*time->second = std::chrono::milliseconds(value.to_number<std::int64_t>());
  } else {
    unknown(name);
  }
}

void set_task_option(toolwire::TaskOptions& tasks, std::string_view name, const Json& value) {
  if (name == "bound") {
    tasks.bound = count_of(value);
#ifdef TOOLWIRE_HAS_SQLITE_TASKS
  } else if (name == "file") {
    tasks.store = toolwire::sqlite_task_store(std::string(std::string_view(value.as_string())));
#endif
  } else {
    static const std::map<std::string_view, std::chrono::milliseconds toolwire::TaskOptions::*> times{
        {"ttl", &toolwire::TaskOptions::ttl},
        {"max_ttl", &toolwire::TaskOptions::max_ttl},
        {"poll_interval", &toolwire::TaskOptions::poll_interval}};
    auto time = times.find(name);
    if (time == times.end()) unknown("tasks." + std::string(name));
    tasks.*time->second = std::chrono::milliseconds(value.to_number<std::int64_t>());
  }
}

}  // namespace

FixtureOptions FixtureOptions::from(const JsonObject& members) {
  FixtureOptions options;
  for (const auto& [name, value] : members) {
    if (name == "tools") {
      for (const Json& tool : value.as_array()) options.tools.emplace_back(std::string_view(tool.as_string()));
    } else if (name == "client_tools") {
      options.client_tools = value.as_bool();
    } else if (name == "prompts") {
      options.prompts = value.as_bool();
    } else if (name == "logging") {
      options.server.declares.logging = value.as_bool();
    } else if (name == "resources") {
      options.resources = std::string_view(value.as_string());
    } else if (name == "tasks") {
      options.tasks = true;
      for (const auto& [member, setting] : value.as_object()) set_task_option(options.server.tasks, member, setting);
    } else if (name == "full_info") {
      options.full_info = value.as_bool();
    } else if (name == "threads") {
      options.server.threads = static_cast<unsigned>(count_of(value));
    } else if (name == "page") {
      options.server.page = count_of(value);
    } else if (name == "limits") {
      for (const auto& [limit, bound] : value.as_object()) set_limit(options.server.limits, limit, bound);
    } else {
      unknown(name);
    }
  }
  return options;
}

}  // namespace toolwire_test
