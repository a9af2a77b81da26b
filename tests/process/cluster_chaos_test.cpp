// While clients call through nginx, three replicas and two workers, each of these, Redis and NATS is killed and
// stopped in turn: every call is answered, or fails and says what is known, and nothing is done twice.
#define BOOST_TEST_MODULE cluster_chaos_test
#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>
#include <toolwire/json_members.hpp>
#include <vector>

#include "balancers.hpp"
#include "nats_server.hpp"
#include "restarted_replica.hpp"
#include "worker_program.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t client_count = 6;
constexpr int most_attempts = 200;
constexpr std::chrono::milliseconds pause{50};  // before a call is made again

/// How long a process is stopped. Ten seconds and more outlast every patience that there is; a shorter time shows less
/// and is over sooner.
std::chrono::seconds stopped_time() {
  const char* const text = std::getenv("TOOLWIRE_STOPPED_SECONDS");
  return std::chrono::seconds(text == nullptr ? 1 : std::stoi(text));
}

/// A tool that leaves its text in a file, at workers; every call of it is counted in Redis.
struct ChaosFixture : ClusterFixture {
  NatsServer nats;
  std::uint16_t port = free_port();
  std::string host = "127.0.0.1:" + std::to_string(port);
  std::array<RestartedReplica, 3> replicas;
  std::array<std::unique_ptr<WorkerProgram>, 2> workers;
  std::optional<Balancer> balancer;

  ChaosFixture() {
    folder.file("marks.json", R"({"protocol_version": "1.0",
      "scenario": {"name": "marks", "version": "1.0.0", "description": "Leaves marks"},
      "tools": [{"name": "mark", "description": "Leaves a mark",
                 "parameters": {"type": "object", "properties": {"text": {"type": "string", "pattern": "^[a-z0-9]+$"}},
                                "required": ["text"]},
                 "metadata": {"enabled_by_default": true, "requires_approval": false}}],
      "generated_at": "2026-01-15T10:30:00Z"})");
    folder.file("mark.sh", "echo \"$1\" >> '" + path("marks") + "'; sleep 0.05; echo marked \"$1\"\n");
    folder.file("marks.bindings.json",
                R"({"bindings": {"mark": {"process": {"argv": ["sh", ")" + path("mark.sh") + R"(", "{text}"]}}}})");
    configure("worker.json", {{"manifests", JsonArray{"marks.json"}}, {"nats", nats_settings("worker", "marks")}});
    configure("mcp.json", {{"redis", JsonObject{{"address", redis.address()}}},
                           {"calls_per_minute", 1'000'000},
                           {"nats", nats_settings("workers", JsonArray{"marks"})}});
    for (std::size_t i = 0; i < workers.size(); ++i) start_worker(i);
    for (std::size_t i = 0; i < replicas.size(); ++i) start_replica(i);
    start_balancer();
  }
  JsonObject nats_settings(const char* member, Json value) const {
    return {{"address", nats.address()}, {member, std::move(value)}};
  }
  void configure(const std::string& file, JsonObject own) const {
    folder.file(file, to_json_text(JsonObject{{"mcpServers", JsonObject{}}, {"toolwire", std::move(own)}}));
  }
  void start_worker(std::size_t i) {
    workers.at(i) = std::make_unique<WorkerProgram>(*this, "worker" + std::to_string(i));
  }
  void start_replica(std::size_t i) { replicas.at(i).start(*this, "replica" + std::to_string(i), host); }
  void start_balancer() {
    balancer.reset();
    balancer.emplace(nginx(*this, port, {replicas[0].place(), replicas[1].place(), replicas[2].place()}), port);
  }
  std::map<std::string, int> marks() const {
    std::map<std::string, int> counts;
    std::istringstream lines(content_of(path("marks")));
    for (std::string line; std::getline(lines, line);) ++counts[line];
    return counts;
  }
};

enum class Fate { answered, unknown, not_done, again };

/// What a failure says of itself.
Fate fate_in(const Json& details) {
  if (text_or(details, "outcome") == "unknown") return Fate::unknown;
  const Json* const retryable =
      details.if_object() == nullptr ? nullptr : details.get_object().if_contains("retryable");
  return retryable != nullptr && *retryable == Json(true) ? Fate::again : Fate::not_done;
}

/// Clients that call until they are told to end, and whenever they are told that they may call again, they do.
class Load {
 public:
  explicit Load(std::string url) : url_(std::move(url)) {
    for (std::size_t i = 0; i < client_count; ++i)
      clients_.emplace_back([this, name = "c" + std::to_string(i)] { call(name); });
  }
  ~Load() { end(); }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  void end() {
    ends_ = true;
    for (std::thread& one : clients_) {
      if (one.joinable()) one.join();
    }
  }
  std::size_t answered() const { return answered_; }
  std::map<std::string, Fate> fates() const {
    const std::lock_guard lock(mutex_);
    return fates_;
  }

 private:
  void call(const std::string& name) {
    std::unique_ptr<Client> client;
    for (int i = 0; !ends_; ++i) {
      const std::string text = name + "n" + std::to_string(i);
      Fate fate = Fate::again;
      for (int attempt = 0; fate == Fate::again && attempt < most_attempts && !ends_; ++attempt) {
        if (attempt > 0) std::this_thread::sleep_for(pause);
        fate = once(client, text);
      }
      keep(text, fate);
    }
  }
  Fate once(std::unique_ptr<Client>& client, const std::string& text) try {
    if (!client) client = connected();
    if (!client) return Fate::again;
    const CallResult result = client->call("mark", {{"text", text}});
    if (!result.is_error) return Fate::answered;
    return fate_in(member_or_null(result.raw, "_meta", "dev.toolwire/error"));
  } catch (const ProtocolError& error) {
    return fate_in(error.data);
  } catch (const std::exception&) {  // the connection has ended in mid call
    client.reset();
    return Fate::unknown;
  }
  std::unique_ptr<Client> connected() const try {
    return std::make_unique<Client>(http::connect(url_), ClientOptions{.revision = "2026-07-28"});
  } catch (const std::exception&) {
    return nullptr;
  }
  void keep(const std::string& text, Fate fate) {
    answered_ += fate == Fate::answered ? 1 : 0;
    const std::lock_guard lock(mutex_);
    fates_[text] = fate;
  }

  const std::string url_;
  std::atomic<bool> ends_{false};
  std::atomic<std::size_t> answered_{0};
  mutable std::mutex mutex_;
  std::map<std::string, Fate> fates_;
  std::vector<std::thread> clients_;
};

/// Does it while calls are answered.
void in_mid_use(const Load& load, const std::string& what, const std::function<void()>& disturb) {
  const std::size_t before = load.answered();
  BOOST_TEST_REQUIRE(eventually([&] { return load.answered() >= before + 2 * client_count; }), "before " << what);
  disturb();
}

template <class Process>
void stop_for_a_while(Process& process) {
  process.stop();
  std::this_thread::sleep_for(stopped_time());
  process.go_on();
}

/// Of each call it is said what became of it.
void check_effects(const std::map<std::string, Fate>& fates, const std::map<std::string, int>& effects) {
  std::map<Fate, int> counts;
  for (const auto& [text, fate] : fates) {
    ++counts[fate];
    const auto found = effects.find(text);
    const int times = found == effects.end() ? 0 : found->second;
    BOOST_TEST(times <= 1, text << " was done " << times << " times");
    if (fate == Fate::answered) BOOST_TEST(times == 1, text << " was answered and not done");
    if (fate == Fate::not_done || fate == Fate::again) BOOST_TEST(times == 0, text << " was done and said not to be");
  }
  BOOST_TEST_MESSAGE(fates.size() << " calls: " << counts[Fate::answered] << " answered, " << counts[Fate::unknown]
                                  << " unknown, " << counts[Fate::not_done] + counts[Fate::again] << " not done");
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(whatever_is_killed_or_stopped_nothing_is_done_twice_and_no_answer_is_wrong, ChaosFixture) {
  Load load("http://" + host + "/mcp");
  in_mid_use(load, "a replica is killed", [&] {
    replicas[0].kill();
    start_replica(0);
  });
  in_mid_use(load, "a worker is killed", [&] {
    workers[0]->kill();
    start_worker(0);
  });
  in_mid_use(load, "Redis is killed", [&] {
    redis.kill();
    redis.start_again();
  });
  in_mid_use(load, "NATS is killed", [&] {
    nats.kill();
    nats.start_again();
  });
  in_mid_use(load, "nginx is killed", [&] {
    balancer->kill();
    start_balancer();
  });
  in_mid_use(load, "a replica is stopped", [&] { stop_for_a_while(replicas[1]); });
  in_mid_use(load, "a worker is stopped", [&] { stop_for_a_while(*workers[1]); });
  in_mid_use(load, "Redis is stopped", [&] { stop_for_a_while(redis); });
  in_mid_use(load, "NATS is stopped", [&] { stop_for_a_while(nats); });
  in_mid_use(load, "nginx is stopped", [&] { stop_for_a_while(*balancer); });
  in_mid_use(load, "the end", [&] { load.end(); });
  check_effects(load.fates(), marks());
}
