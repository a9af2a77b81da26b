// Scenarios over real HTTP: one part of the bridge provides, another consumes, and one of them disappears.
#include "http/scenarios.hpp"

#define BOOST_TEST_MODULE bridge_scenarios_http_test
#include <boost/test/unit_test.hpp>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <toolwire/bridge/http_provider.hpp>

#include "manifest_document.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;
using State = ScenarioView::State;

namespace {

class LiveScenario {
 public:
  explicit LiveScenario(int port = 0, const std::string& token = {})
      : provider_(
            {.port = port, .token = token}, [this] { return manifest_; },
            [](const std::string&, const Json&, const std::stop_token&, const auto& done) {
              done(ToolResult::text("done"));
            }),
        port_(provider_.listen()),
        thread_([this] { provider_.run(); }) {}
  ~LiveScenario() {
    provider_.stop();
    thread_.join();
  }
  LiveScenario(const LiveScenario&) = delete;
  LiveScenario& operator=(const LiveScenario&) = delete;
  int port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  const std::shared_ptr<const Manifest> manifest_ = std::make_shared<const Manifest>(load_manifest(seed_path));
  HttpProvider provider_;
  int port_;
  std::thread thread_;
};

class Consumer {
 public:
  explicit Consumer(std::vector<ScenarioSettings> settings)
      : scenarios_(std::move(settings),
                   [this](HttpRequest request, std::stop_token stop, HttpClient::Callback callback) {
                     client_.start(std::move(request), std::move(stop), std::move(callback));
                   }) {
    scenarios_.start([this] {
      const std::lock_guard lock(mutex_);
      changed_.notify_all();
    });
  }

  ScenarioView wait_for(std::size_t index, State state) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return scenarios_.views()[index].state == state; });
    return scenarios_.views()[index];
  }

 private:
  HttpClient client_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Scenarios scenarios_;
};

ScenarioSettings at(const std::string& url, HttpHeaders headers = {}) {
  ScenarioSettings settings;
  settings.base_url = url;
  settings.headers = std::move(headers);
  settings.min_age = std::chrono::seconds(0);
  settings.max_age = std::chrono::seconds(1);
  settings.first_retry = std::chrono::milliseconds(10);
  return settings;
}

}  // namespace

BOOST_AUTO_TEST_CASE(scenarios_are_discovered_with_and_without_token_whoever_is_down) {
  const LiveScenario open;
  const LiveScenario guarded(0, "secret");
  Consumer consumer({at("http://127.0.0.1:1"), at(open.url()), at(guarded.url(), {{"Authorization", "Bearer secret"}}),
                     at(guarded.url())});
  BOOST_TEST(to_json(*consumer.wait_for(1, State::fresh).manifest) == parse_json(seed_text()));
  BOOST_TEST(consumer.wait_for(2, State::fresh).manifest->tools.size() == 1U);
  BOOST_TEST(consumer.wait_for(0, State::absent).problem.find("127.0.0.1:1") != std::string::npos);
  BOOST_TEST(consumer.wait_for(3, State::absent).problem.find("401") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_scenario_that_goes_away_is_kept_as_stale_until_it_is_back) {
  std::optional<LiveScenario> scenario(std::in_place);
  const int port = scenario->port();
  Consumer consumer({at(scenario->url())});
  consumer.wait_for(0, State::fresh);
  scenario.reset();
  const ScenarioView stale = consumer.wait_for(0, State::stale);
  BOOST_TEST(stale.manifest->tools.size() == 1U);
  BOOST_TEST(!stale.problem.empty());
  scenario.emplace(port);
  BOOST_TEST(consumer.wait_for(0, State::fresh).problem == "");
}
