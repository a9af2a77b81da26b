#include "pool.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <stdexcept>
#include <utility>
#include <vector>

#include "activities/runtime/pool.hpp"

namespace toolwire_bench {
namespace {

using namespace toolwire::bridge::runtimes;
using Clock = std::chrono::steady_clock;

ToolCall echo() {
  return {.tool = "echo", .parameters = toolwire::JsonObject{{"text", std::string(64, 'x')}}, .session = "session"};
}

void check(const RuntimeAnswer& answer) {
  if (answer.trouble) throw std::runtime_error(answer.trouble->text);
}

void call(RuntimePool& pool) {
  std::promise<RuntimeAnswer> promise;
  pool.call(echo(), {}, {}, [&](RuntimeAnswer&& answer) { promise.set_value(std::move(answer)); });
  check(promise.get_future().get());
}

void batch(RuntimePool& pool, std::size_t calls) {
  std::promise<std::vector<RuntimeAnswer>> promise;
  pool.batch(std::vector<ToolCall>(calls, echo()), {}, {},
             [&](std::vector<RuntimeAnswer>&& answers) { promise.set_value(std::move(answers)); });
  for (const RuntimeAnswer& answer : promise.get_future().get()) check(answer);
}

template <class Work>
double timed(Work work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

double best_tenth(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 10];
}

}  // namespace

Hundred hundred_through_pool(const std::string& python, const std::string& folder, int repetitions) {
  RuntimeOptions options{.name = "python", .size = 1};
  options.start.command = {python, "-m", "toolwire_runtime", folder, "--grant-all"};
  options.start.environment = {{"PATH", "/usr/local/bin:/usr/bin:/bin"},
                               {"PYTHONPATH", TOOLWIRE_SOURCE_DIR "/bridge/runtimes/python"},
                               {"PYTHONDONTWRITEBYTECODE", "1"}};
  RuntimePool pool(std::move(options));
  std::vector<double> sequential;
  std::vector<double> batched;
  call(pool);
  for (int i = 0; i < repetitions; ++i) {
    sequential.push_back(timed([&] {
      for (int n = 0; n < 100; ++n) call(pool);
    }));
    batched.push_back(timed([&] { batch(pool, 100); }));
  }
  return {best_tenth(std::move(sequential)), best_tenth(std::move(batched))};
}

}  // namespace toolwire_bench
