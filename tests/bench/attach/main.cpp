// What a bridge costs that many hosts share, and what it saves. Prints a table.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "attached.hpp"
#include "lines/board.hpp"
#include "system/process_tree.hpp"

using namespace toolwire::bench;
using toolwire::ChildProcess;
using toolwire::Program;
using toolwire::bridge::cost_of;
using toolwire::bridge::cost_of_tree;

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

const std::vector<Line> lines{
    {"start", "a host that joins: from the start of `toolwire-bridge attach` to the first answer", Bound::at_most, 5,
     "ms"},
    {"call", "a call through attach and daemon, p50, beside the server itself over stdio", Bound::none, 0, "x"},
    {"proxy", "the same call through mcp-proxy, beside that through attach and daemon", Bound::none, 0, "x"},
    {"crowd-attach-rss", "hosts at once: resident memory of the largest attachment", Bound::at_most, 1, "MB"},
    {"crowd-attach-all", "the same: of all attachments, shared pages in parts", Bound::at_most, 40, "MB"},
    {"crowd-daemon", "the same: of the daemon", Bound::none, 0, "MB"},
    {"crowd-threads", "the same: threads of the daemon", Bound::none, 0, ""},
    {"crowd-servers", "the same: of the servers, and of as many copies of each as there are hosts", Bound::none, 0,
     "MB"},
    {"crowd-calls", "the same: 100 calls of each host, all with the id 1", Bound::none, 0, "s"}};

struct Amount {
  int starts = 50;
  int calls = 2'000;
  int hosts = 300;
  int calls_of_each = 100;
};

constexpr double mega = 1e6;

double milliseconds_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.at(values.size() / 2);
}

const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

std::string configuration_of_hello() {
  return R"({"mcpServers": {"hello": {"command": ")" + program_beside("hello") + R"("}}})";
}

/// Until each of many starts of a program has answered its first ping.
double start_time(const Program& program, int starts) {
  std::vector<double> times;
  for (int i = 0; i < starts; ++i) {
    const auto began = Clock::now();
    Host host(program);
    host.ask(ping);
    times.push_back(milliseconds_since(began));
  }
  return median(times);
}

void join(Board& board, const Amount& amount) {
  const SharedBridge bridge(configuration_of_hello());
  Host first(bridge.attach());
  first.ask(ping);
  const double alone = start_time(bridge.attach_alone(), amount.starts);
  const double hello = start_time(Program{.command = {program_beside("hello")}}, amount.starts);
  board.add("start", start_time(bridge.attach(), amount.starts),
            {{"toolwire-attach alone ms", alone}, {"hello itself ms", hello}});
}

const std::string add = call_text("add", R"({"a":1,"b":2})");

template <class Ask>
double call_time(int calls, const Ask& ask) {
  std::vector<double> times;
  for (int i = 0; i < calls; ++i) {
    const auto began = Clock::now();
    if (ask(add).find("\"3\"") == std::string::npos) throw std::runtime_error("no sum in the answer");
    times.push_back(1'000 * milliseconds_since(began));
  }
  return median(times);
}

void call(Board& board, const Amount& amount) {
  const SharedBridge bridge(configuration_of_hello());
  Host attached(bridge.attach());
  Host direct(Program{.command = {program_beside("hello")}});
  attached.shake_hands();
  direct.shake_hands();
  const double itself = call_time(amount.calls, [&](const std::string& line) { return direct.ask(line); });
  const double through = call_time(amount.calls, [&](const std::string& line) { return attached.ask(line); });
  board.add("call", through / itself, {{"attach us", through}, {"stdio us", itself}});
}

/// mcp-proxy in front of hello; nothing on a port yet: waited for.
class Proxy {
 public:
  explicit Proxy(const std::vector<std::string>& command) : process_(program_of(command)) {}
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;
  ~Proxy() { process_.signal(SIGTERM); }

  std::unique_ptr<HttpHost> host() const {
    for (int i = 0; i < 200; ++i) {
      try {
        return std::make_unique<HttpHost>(port);
      } catch (const std::runtime_error&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    }
    throw std::runtime_error("mcp-proxy does not listen");
  }

 private:
  static constexpr std::uint16_t port = 38'411;
  static Program program_of(std::vector<std::string> command) {
    for (const char* const word : {"--port", "38411", "--host", "127.0.0.1", "--server", "stream", "--"})
      command.emplace_back(word);
    command.push_back(program_beside("hello"));
    return {.command = std::move(command), .own_group = true};
  }
  ChildProcess process_;
};

void call_of_proxy(Board& board, const Amount& amount, const std::vector<std::string>& command) {
  const Proxy proxy(command);
  const auto host = proxy.host();
  host->ask(initialize_text());
  host->ask(initialized_text());
  const double proxied = call_time(amount.calls, [&](const std::string& line) { return host->ask(line); });
  const SharedBridge bridge(configuration_of_hello());
  Host attached(bridge.attach());
  attached.shake_hands();
  const double through = call_time(amount.calls, [&](const std::string& line) { return attached.ask(line); });
  board.add("proxy", proxied / through, {{"mcp-proxy us", proxied}, {"attach us", through}});
}

/// Five servers of npm, as `tests/hosts` installs them.
std::string configuration_of_npm(const fs::path& hosts) {
  const std::string node = (hosts / "node_modules/.bin/node").string();
  const std::string packages = (hosts / "node_modules/@modelcontextprotocol").string();
  const auto entry = [&](const std::string& name, const std::string& program, const std::string& argument) {
    return "\"" + name + R"(": {"command": ")" + node + R"(", "args": [")" + packages + "/" + program + R"(", ")" +
           argument + R"("], "env": {"MEMORY_FILE_PATH": "/dev/null"}})";
  };
  return R"({"mcpServers": {)" + entry("everything", "server-everything/dist/index.js", "stdio") + ", " +
         entry("usr", "server-filesystem/dist/index.js", "/usr") + ", " +
         entry("tmp", "server-filesystem/dist/index.js", "/tmp") + ", " +
         entry("memory", "server-memory/dist/index.js", "") + ", " + entry("notes", "server-memory/dist/index.js", "") +
         "}}";
}

void crowd(Board& board, const Amount& amount, const fs::path& npm) {
  const SharedBridge bridge(configuration_of_npm(npm));
  std::vector<std::unique_ptr<Host>> all;
  for (int i = 0; i < amount.hosts; ++i) {
    all.push_back(std::make_unique<Host>(bridge.attach()));
    all.back()->shake_hands();
  }
  const std::string echo = call_text("echo", R"({"message":"hello"})");
  all.front()->ask(echo);  // all servers have started by then
  const auto began = Clock::now();
  for (int i = 0; i < amount.calls_of_each; ++i) {
    for (const auto& host : all) host->say(echo);
    for (const auto& host : all) {
      std::string answer = host->hear();
      while (answer.find("\"method\":\"notifications/") != std::string::npos) answer = host->hear();
      if (answer.find("Echo: hello") == std::string::npos) throw std::runtime_error("no echo: " + answer);
    }
  }
  board.add("crowd-calls", milliseconds_since(began) / 1'000,
            {{"hosts", amount.hosts}, {"calls", amount.hosts * amount.calls_of_each}});
  double attachments = 0;
  double largest = 0;
  for (const auto& host : all) {
    attachments += static_cast<double>(cost_of(host->id()).memory) / mega;
    std::ifstream pages("/proc/" + std::to_string(host->id()) + "/statm");
    double resident = 0;
    pages >> resident >> resident;
    largest = std::max(largest, resident * 4'096 / mega);
  }
  const pid_t daemon = bridge.process();
  const double own = static_cast<double>(cost_of(daemon).memory) / mega;
  const double servers = static_cast<double>(cost_of_tree(daemon).memory) / mega - own;
  board.add("crowd-attach-rss", largest, {});
  board.add("crowd-attach-all", attachments, {});
  board.add("crowd-daemon", own, {});
  board.add("crowd-servers", servers, {{"a copy of each for each host MB", servers * amount.hosts}});
  board.add("crowd-threads",
            static_cast<double>(std::distance(fs::directory_iterator("/proc/" + std::to_string(daemon) + "/task"),
                                              fs::directory_iterator())),
            {});
}

int run(int argc, char** argv) {
  CLI::App app{"What a bridge costs that many hosts share, and what it saves"};
  int rounds = 3;
  bool quick = false;
  std::string json;
  std::string npm;
  std::vector<std::string> proxy;
  app.add_option("--rounds", rounds, "Of all but the crowd; the values are medians")->capture_default_str();
  app.add_flag("--quick", quick, "Little of everything: shows that it works");
  app.add_option("--json", json, "Write the values to this file too");
  app.add_option("--npm", npm, "Where tests/hosts/install.sh has installed servers: measures many hosts of five");
  app.add_option("--proxy", proxy, "The words that start mcp-proxy (npm): measures it, too");
  CLI11_PARSE(app, argc, argv);
  const Amount amount = quick ? Amount{.starts = 2, .calls = 20, .hosts = 3, .calls_of_each = 2} : Amount{};
  Board board;
  for (int round = 0; round < (quick ? 1 : rounds); ++round) {
    join(board, amount);
    call(board, amount);
    if (!proxy.empty()) call_of_proxy(board, amount, proxy);
  }
  if (!npm.empty()) crowd(board, amount, fs::absolute(npm));
  std::printf("%s", board.table(lines).c_str());
  if (!json.empty()) std::ofstream(json) << board.json(lines) << '\n';
  return board.complete() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire-bench-attach: %s\n", error.what());
    return 1;
  }
}
