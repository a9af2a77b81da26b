// What a call of a tool in Python costs at the bridge's pipe, beside a bare loop in Python measured in the same run.
#include <sched.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "beside.hpp"
#include "child.hpp"
#include "pool.hpp"

namespace {

using toolwire_bench::Child;
using toolwire_bench::Hundred;
using Clock = std::chrono::steady_clock;

constexpr const char* bare_loop = R"(
import json, sys
for line in iter(sys.stdin.readline, ''):
    request = json.loads(line)
    text = request['params']['parameters']['text']
    sys.stdout.write(json.dumps({'jsonrpc': '2.0', 'protocol': '1.0.0', 'id': request['id'],
        'result': {'output': text, 'metadata': {'title': 'echo'}, 'diagnostics': []}}) + '\n')
    sys.stdout.flush()
)";

constexpr const char* tool_text = R"(
def tool_info():
    return {'name': '%NAME%', 'description': 'Says the text again', 'input_schema': {'type': 'object',
            'properties': {'text': {'type': 'string'}}, 'required': ['text'], 'additionalProperties': False}}

%ASYNC%def tool_function(text):
    return text
)";

constexpr const char* script_text = R"(
export const echo = {
  id: "echo",
  description: "Says the text again",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false },
  execute: ({ text }) => text,
};
)";

struct Settings {
  int calls = 5'000;
  int rounds = 5;
  std::string python = "python3";
  std::string npm = {};
  std::string programs = ".";
  bool quick = false;
};

/// Two tools in Python and one in JavaScript, in folders that are removed with it.
class Tools {
 public:
  Tools() {
    std::string name = (std::filesystem::temp_directory_path() / "toolwire-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    folder_ = name;
    std::filesystem::create_directories(folder());
    std::filesystem::create_directories(script_folder());
    std::ofstream(script_folder() + "/echo.mjs") << script_text;
    write("echo", "");
    write("later", "async ");
  }
  Tools(const Tools&) = delete;
  Tools& operator=(const Tools&) = delete;
  ~Tools() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string folder() const { return (folder_ / "python").string(); }
  std::string script_folder() const { return (folder_ / "scripts").string(); }

 private:
  void write(const std::string& name, const std::string& prefix) {
    std::string text = tool_text;
    text.replace(text.find("%NAME%"), 6, name);
    text.replace(text.find("%ASYNC%"), 7, prefix);
    std::ofstream(folder() + "/" + name + ".py") << text;
  }

  std::filesystem::path folder_;
};

std::string call_params(const std::string& tool) {
  return R"({"tool":")" + tool + R"(","language":"python","parameters":{"text":")" + std::string(64, 'x') + "\"}";
}

constexpr const char* context = R"("context":{"sessionId":"session","messageId":"message","timeout":120000})";

std::string request(int id, const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","protocol":"1.0.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
         R"(","params":)" + params + "}\n";
}

std::string call_line(int id, const std::string& tool) {
  return request(id, "tool.execute", call_params(tool) + "," + context + "}");
}

std::string batch_line(int calls) {
  std::string params = R"({"calls":[)";
  for (int i = 0; i < calls; ++i) params += (i == 0 ? "" : ",") + call_params("echo") + "}";
  return request(1, "tool.batch", params + "]," + context + "}");
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// The upper bound of the best tenth: the samples short enough not to have been disturbed by other work.
double undisturbed(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 10];
}

double timed(Child& child, const std::string& line, const char* expected) {
  const auto begin = Clock::now();
  const std::string& answer = child.ask(line);
  const double time = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  if (answer.find(expected) == std::string::npos) throw std::runtime_error("unexpected answer: " + answer);
  return time;
}

/// Microseconds of one call, the median of many.
double round_trip(Child& child, const std::string& tool, int calls) {
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(calls));
  for (int id = 0; id < calls; ++id) times.push_back(timed(child, call_line(id, tool), "xxxxxxxx"));
  return median(std::move(times));
}

/// 100 calls one after the other and 100 in a batch, alternating, so that other work on the machine slows both.
Hundred hundred(Child& child, int repetitions) {
  constexpr int calls = 100;
  const std::string batch = batch_line(calls);
  std::vector<double> sequential;
  std::vector<double> batched;
  for (int i = 0; i < repetitions; ++i) {
    double sum = 0;
    for (int id = 0; id < calls; ++id) sum += timed(child, call_line(id, "echo"), R"("result")");
    sequential.push_back(sum);
    batched.push_back(timed(child, batch, R"("results":[{"result")"));
  }
  return {undisturbed(std::move(sequential)), undisturbed(std::move(batched))};
}

void use_one_cpu() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) throw std::runtime_error("sched_getaffinity");
  std::size_t last = 0;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed)) last = cpu;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  if (::sched_setaffinity(0, sizeof one, &one) != 0) throw std::runtime_error("sched_setaffinity");
}

int measure(const Settings& settings) {
  const int calls = settings.quick ? 50 : settings.calls;
  const int rounds = settings.quick ? 1 : settings.rounds;
  use_one_cpu();
  ::setenv("PYTHONPATH", TOOLWIRE_SOURCE_DIR "/bridge/runtimes/python", 1);
  ::setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
  const Tools tools;
  Child bare({settings.python, "-c", bare_loop});
  Child runtime({settings.python, "-m", "toolwire_runtime", tools.folder(), "--grant-all"});
  std::vector<double> bare_times, sync_times, async_times, sequential, batch;
  for (int round = 0; round <= rounds; ++round) {  // the first is for warmth
    const double one = round_trip(bare, "echo", calls);
    const double sync = round_trip(runtime, "echo", calls);
    const double later = round_trip(runtime, "later", calls);
    const Hundred many = hundred(runtime, std::max(3, calls / 100));
    if (round == 0) continue;
    bare_times.push_back(one);
    sync_times.push_back(sync);
    async_times.push_back(later);
    sequential.push_back(many.sequential);
    batch.push_back(many.batch);
  }
  const Hundred pooled =
      toolwire_bench::hundred_through_pool(settings.python, tools.folder(), std::max(3, rounds * calls / 100));
  const double one = median(bare_times);
  std::printf("round trip on one CPU, p50           us   x bare   aim\n");
  std::printf("bare Python loop                %7.1f\n", one);
  std::printf("sync tool                       %7.1f  %7.2f   2.5\n", median(sync_times), median(sync_times) / one);
  std::printf("async tool                      %7.1f  %7.2f   6\n", median(async_times), median(async_times) / one);
  std::printf("\n100 calls, best tenth      one by one   one batch   times as fast; aim 5\n");
  std::printf("at the pipe                  %9.0f   %9.0f   %.1f\n", median(sequential), median(batch),
              median(sequential) / median(batch));
  std::printf("through a pool of the bridge %9.0f   %9.0f   %.1f\n", pooled.sequential, pooled.batch,
              pooled.sequential / pooled.batch);
  return 0;
}

/// The tools of one folder through the bridge, and the servers of npm that are installed there.
std::vector<toolwire_bench::EchoServer> servers_beside(const Settings& settings, const Tools& tools) {
  const std::string bridge = settings.programs + "/toolwire-bridge";
  const auto npm = [&](const std::string& name) {
    return toolwire_bench::EchoServer{name + " (npm)", {"node", settings.npm + "/" + name + ".mjs"}};
  };
  return {{"toolwire-bridge, Python", {bridge, "serve", "--runtime", "mine=" + tools.folder()}},
          {"toolwire-bridge, TypeScript", {bridge, "serve", "--runtime", "mine=" + tools.script_folder()}},
          npm("sdk-v1"),
          npm("sdk-v2"),
          npm("fastmcp")};
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("Measures calls of Python tools at the pipe of the bridge");
  app.add_option("--calls", settings.calls, "Calls of one measure")->check(CLI::PositiveNumber);
  app.add_option("--rounds", settings.rounds, "Rounds; the median counts")->check(CLI::PositiveNumber);
  app.add_option("--python", settings.python, "The interpreter");
  app.add_option("--npm", settings.npm, "Measure beside the servers of npm in this folder, and nothing else");
  app.add_option("--programs", settings.programs, "Where toolwire-bridge is");
  app.add_flag("--quick", settings.quick, "Show that all works; the numbers prove nothing");
  CLI11_PARSE(app, argc, argv);
  std::signal(SIGPIPE, SIG_IGN);
  if (settings.npm.empty()) return measure(settings);
  const Tools tools;
  toolwire_bench::measure_beside(servers_beside(settings, tools), settings.rounds, settings.calls);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire-bench-runtimes: %s\n", error.what());
    return 1;
  }
}
