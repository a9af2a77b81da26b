// What each way to a tool costs beside the others, in one run: the same `echo` in this process, in another one over
// stdio, a Unix socket, HTTP and NATS, called by the same client; and a round trip to Redis. Prints a table.
//
// usage: toolwire-bench-hops REDIS NATS [--quick]      their addresses
//        toolwire-bench-hops serve stdio|socket|http|worker PLACE
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <toolwire/child_process.hpp>
#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>
#include <toolwire/http/listen.hpp>
#include <toolwire/nats.hpp>
#include <toolwire/redis.hpp>
#include <toolwire/server.hpp>
#include <toolwire/testing.hpp>
#include <utility>
#include <vector>

#include "../http/judgement.hpp"

using namespace toolwire;
using namespace std::chrono_literals;

namespace {

constexpr const char* key = "a key for measured hops only";
constexpr const char* worker_name = "echoes";
constexpr std::size_t text_bytes = 64;

struct Echo {
  std::string text;
  static constexpr auto describe() { return fields(field<&Echo::text>("Text to return")); }
};

void add_echo(Server& server) {
  server.tool("echo", "Return the text unchanged", [](Echo echo) { return std::move(echo.text); });
}

std::shared_ptr<nats::Client> nats_at(const std::string& address) {
  nats::Options options;
  options.address = address;
  options.key = key;
  return nats::make_client(options);
}

int serve(const std::string& how, const std::string& place) {
  Server server{{.name = "hops", .version = "1"}};
  add_echo(server);
  if (how == "stdio") return server.run_stdio();
  if (how == "worker") {
    nats::Worker worker(nats_at(place), {.name = worker_name, .tools_version = [&] { return server.tools_version(); }});
    return server.run(worker.transport());
  }
  if (how == "socket") {
    server.listen(UnixSocket{.path = place});
    std::puts("there");
  } else {
    std::printf("%u\n", static_cast<unsigned>(http::listen(server, {})));
  }
  std::fflush(stdout);
  return server.run();
}

Program server_program(const std::string& how, const std::string& place) {
  return {.command = {std::filesystem::read_symlink("/proc/self/exe").string(), "serve", how, place},
          .end_with_parent = true};
}

/// A process with its `echo`, which ends with this.
class Served {
 public:
  Served(const std::string& how, const std::string& place) : process_(server_program(how, place)) {}
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  ~Served() { process_.signal(SIGKILL); }

  /// The line that it says once it listens.
  std::string said() {
    std::string line;
    while (!line.ends_with('\n')) {
      char letter = 0;
      if (process_.transport().read(&letter, 1) != 1) throw std::runtime_error("a server does not start");
      line += letter;
    }
    line.pop_back();
    return line;
  }

 private:
  ChildProcess process_;
};

/// For a socket; goes with this.
struct Folder {
  Folder() {
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no folder can be made");
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path = (std::filesystem::temp_directory_path() / "toolwire-hops-XXXXXX").string();
};

struct Hop {
  const char* name;
  std::function<void()> once;
  std::vector<double> took = {};     // microseconds, of all slices
  std::vector<double> medians = {};  // of each slice
};

std::function<void()> call_of(Client& client) {
  return [&client, text = std::string(text_bytes, 'x')] {
    if (client.call("echo", {{"text", text}}).text() != text) throw std::runtime_error("no echo");
  };
}

/// As often as nobody has taken it: a worker may not be there yet.
std::function<void()> begun(std::function<void()> once) {
  for (int i = 0;; ++i) {
    try {
      once();
      return once;
    } catch (const std::exception&) {
      if (i == 100) throw;
      std::this_thread::sleep_for(50ms);
    }
  }
}

/// One that nobody has used: a script of two commands.
std::function<void()> nonce_of(std::shared_ptr<NonceStore> store) {
  const auto now = std::chrono::system_clock::now();
  return [store = std::move(store), start = std::to_string(now.time_since_epoch().count()), count = 0]() mutable {
    std::promise<bool> answer;
    store->use(start + "." + std::to_string(++count), std::chrono::system_clock::now() + 10s,
               Done<NonceUse>([&answer](Done<NonceUse>::Result&& result) {
                 const auto* const use = std::get_if<NonceUse>(&result);
                 answer.set_value(use != nullptr && *use == NonceUse::first);
               }));
    if (!answer.get_future().get()) throw std::runtime_error("Redis does not answer");
  };
}

void measure(Hop& hop, std::chrono::milliseconds time) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> took;
  for (const auto until = Clock::now() + time; Clock::now() < until;) {
    const auto began = Clock::now();
    hop.once();
    took.push_back(std::chrono::duration<double, std::micro>(Clock::now() - began).count());
  }
  hop.medians.push_back(bench::percentile(took, 50));
  hop.took.insert(hop.took.end(), took.begin(), took.end());
}

void print(const std::vector<Hop>& hops) {
  std::puts("| way | p50 us | p99 us | more than in process, us |\n|---|---|---|---|");
  const double least = bench::percentile(hops.front().medians, 50);
  for (const Hop& hop : hops) {
    const double p50 = bench::percentile(hop.medians, 50);
    std::printf("| %s | %.1f | %.1f | %.1f |\n", hop.name, p50, bench::percentile(hop.took, 99), p50 - least);
  }
}

redis::Options redis_options(const std::string& address) {
  redis::Options options;
  options.address = address;
  options.key = key;
  return options;
}

void run(const std::string& redis_address, const std::string& nats_address, bool quick) {
  const Folder folder;
  const std::string place = folder.path + "/echo.sock";
  Served at_socket("socket", place), at_port("http", ""), worker("worker", nats_address);
  at_socket.said();
  const std::string url = "http://127.0.0.1:" + at_port.said() + "/mcp";
  const ClientOptions modern{.revision = "2026-07-28"};
  Server here{{.name = "hops", .version = "1"}};
  add_echo(here);
  testing::Client in_process(here, modern);
  Client over_stdio(server_program("stdio", ""), modern);
  Client over_socket(connect_unix_socket(place), modern);
  Client over_http(http::connect(url), modern);
  std::vector<Hop> hops{
      {"in process", begun(call_of(in_process))},
      {"stdio", begun(call_of(over_stdio))},
      {"socket", begun(call_of(over_socket))},
      {"HTTP", begun(call_of(over_http))},
      {"Redis, a nonce",
       begun(nonce_of(redis::nonce_store(redis::make_client(redis_options(redis_address)), "hops")))}};
  const auto client = nats_at(nats_address);
  Client at_worker(nats::connect_worker(client, worker_name).transport, modern);
  begun([&] { at_worker.list_tools(); });  // of which each call says which tool it means
  hops.push_back({"NATS, a worker", begun(call_of(at_worker))});
  for (int round = 0; round < (quick ? 1 : 15); ++round) {
    for (Hop& hop : hops) measure(hop, quick ? 20ms : 300ms);
  }
  print(hops);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 3 && words[0] == "serve") return serve(words[1], words[2]);
    if (words.size() != 2 && !(words.size() == 3 && words[2] == "--quick"))
      throw std::runtime_error("expected REDIS NATS [--quick]");
    run(words[0], words[1], words.size() == 3);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire-bench-hops: %s\n", error.what());
    return 1;
  }
}
