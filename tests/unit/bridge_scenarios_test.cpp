#include "http/scenarios.hpp"

#define BOOST_TEST_MODULE bridge_scenarios_test
#include <boost/test/unit_test.hpp>
#include <map>

#include "manifest_document.hpp"
#include "policy/preferences.hpp"

using namespace toolwire::bridge;
using namespace toolwire_test;
using namespace std::chrono_literals;
using toolwire::HttpClient;
using toolwire::HttpFailure;
using toolwire::HttpOrigin;
using toolwire::HttpOutcome;
using toolwire::HttpRequest;
using toolwire::HttpResponse;
using toolwire::JsonArray;
using toolwire::JsonObject;
using State = ScenarioView::State;

namespace {

/// Keeps requests until somebody answers them; cancels them when they are stopped.
class Network {
 public:
  void send(HttpRequest request, const std::stop_token& stop, HttpClient::Callback callback) {
    auto waiting = std::make_shared<Waiting>(std::move(request), std::move(callback));
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(waiting);
      changed_.notify_all();
    }
    const std::weak_ptr<Waiting> weak = waiting;
    waiting->on_stop.emplace(stop, [weak] {
      if (const auto still = weak.lock()) still->answer(HttpFailure{"cancelled", "cancelled"});
    });
  }

  struct Waiting {
    Waiting(HttpRequest sent, HttpClient::Callback then) : request(std::move(sent)), callback(std::move(then)) {}
    void answer(HttpOutcome outcome) {
      if (!answered.exchange(true)) callback(std::move(outcome));
    }
    HttpRequest request;
    HttpClient::Callback callback;
    std::atomic<bool> answered = false;
    std::optional<std::stop_callback<std::function<void()>>> on_stop = {};
  };

  /// The next request to an address, when it comes.
  std::shared_ptr<Waiting> next(const std::string& url) {
    std::unique_lock lock(mutex_);
    for (;;) {
      for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
        if (!(*at)->request.url.starts_with(url)) continue;
        auto found = *at;
        waiting_.erase(at);
        return found;
      }
      changed_.wait(lock);
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<Waiting>> waiting_;
};

Scenarios::Send through(Network& network) {
  return [&network](HttpRequest request, const std::stop_token& stop, HttpClient::Callback callback) {
    network.send(std::move(request), stop, std::move(callback));
  };
}

ScenarioSettings quick(std::string url) {
  ScenarioSettings settings;
  settings.base_url = std::move(url);
  settings.first_retry = 1ms;
  return settings;
}

std::string manifest_of(const std::string& scenario, const std::vector<std::string>& tools,
                        const std::string& base_url = {}) {
  Json document = parse_json(seed_text());
  put(document, "/scenario/name", Json(scenario));
  if (base_url.empty()) {
    document.at_pointer("/scenario").as_object().erase("base_url");
  } else {
    put(document, "/scenario/base_url", Json(base_url));
  }
  const Json one = document.at_pointer("/tools/0");
  JsonArray list;
  for (const std::string& name : tools) {
    list.push_back(one);
    put(list.back(), "/name", Json(name));
  }
  put(document, "/tools", list);
  return to_json_text(document);
}

ScenarioView view_of(const std::string& url, const std::string& text, State state = State::fresh) {
  auto manifest = read_manifest(text, "m", ManifestOrigin::fetched).manifest.value();
  return {url, state, "", std::make_shared<const Manifest>(std::move(manifest))};
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_scenarios_are_asked_at_once_and_one_that_is_down_harms_no_other) {
  Network network;
  Scenarios scenarios({quick("http://a"), quick("http://b"), quick("http://c")}, through(network));
  scenarios.start({});
  const auto a = network.next("http://a");
  const auto b = network.next("http://b");
  const auto c = network.next("http://c");
  c->answer(HttpResponse{200, {}, manifest_of("c", {"three"})});
  b->answer(HttpFailure{"unavailable", "refused"});
  a->answer(HttpResponse{200, {}, manifest_of("a", {"one"})});
  scenarios.wait_for_first();
  const auto views = scenarios.views();
  BOOST_TEST((views[0].state == State::fresh));
  BOOST_TEST((views[1].state == State::absent));
  BOOST_TEST((views[2].state == State::fresh));
  BOOST_TEST(tools_of(views).size() == 2U);
}

BOOST_AUTO_TEST_CASE(who_waits_for_the_first_answers_finds_that_they_were_told) {
  for (int round = 0; round < 50; ++round) {
    Network network;
    std::atomic<bool> told = false;
    Scenarios scenarios({quick("http://a")}, through(network));
    scenarios.start([&] {
      for (int i = 0; i < 100; ++i) std::this_thread::yield();
      told = true;
    });
    network.next("http://a")->answer(HttpResponse{200, {}, manifest_of("a", {"one"})});
    scenarios.wait_for_first();
    BOOST_TEST(told.load());
  }
}

BOOST_AUTO_TEST_CASE(a_scenario_that_comes_up_later_is_told_of) {
  Network network;
  std::mutex mutex;
  std::condition_variable told;
  bool fresh = false;
  Scenarios scenarios({quick("http://a")}, through(network));
  scenarios.start([&] {
    const std::lock_guard lock(mutex);
    fresh = scenarios.views()[0].state == State::fresh;
    told.notify_all();
  });
  for (int i = 0; i < 3; ++i) network.next("http://a")->answer(HttpFailure{"unavailable", "refused"});
  network.next("http://a")->answer(HttpResponse{200, {}, manifest_of("a", {"one"})});
  std::unique_lock lock(mutex);
  told.wait(lock, [&] { return fresh; });
  BOOST_TEST(fresh);
}

BOOST_AUTO_TEST_CASE(the_end_cancels_what_is_under_way) {
  Network network;
  std::shared_ptr<Network::Waiting> waiting;
  {
    Scenarios scenarios({quick("http://a")}, through(network));
    scenarios.start({});
    waiting = network.next("http://a");
  }
  BOOST_TEST(waiting->answered.load());
}

BOOST_AUTO_TEST_CASE(tools_that_share_a_name_are_told_apart_by_their_scenario) {
  const auto tools = tools_of({view_of("http://a", manifest_of("first", {"run", "stop"})),
                               view_of("http://b", manifest_of("second-one", {"run", "second_one_run"})),
                               view_of("http://c", manifest_of("third", {"stop"}))});
  std::vector<std::string> names;
  names.reserve(tools.size());
  for (const ScenarioTool& tool : tools) names.push_back(tool.tool.name + " " + tool.remote_name + " " + tool.scenario);
  const std::vector<std::string> expected{"run run first", "stop stop first", "second_one_run run second-one",
                                          "second_one_second_one_run second_one_run second-one",
                                          "third_stop stop third"};
  BOOST_TEST(names == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(stale_tools_are_kept_and_marked) {
  const auto tools = tools_of({view_of("http://a", manifest_of("a", {"one"}), State::stale)});
  BOOST_REQUIRE(tools.size() == 1U);
  BOOST_TEST(tools[0].stale);
  BOOST_TEST(to_json(tools[0].tool).at_pointer("/_meta/dev.toolwire~1stale") == Json(true));
}

BOOST_AUTO_TEST_CASE(an_address_that_a_manifest_names_is_not_the_operators) {
  const auto tool = [](const std::string& base_url) {
    return tools_of({view_of("http://localhost:15000/", manifest_of("a", {"one"}, base_url))}).front();
  };
  BOOST_TEST((tool("").origin == HttpOrigin::operators));
  BOOST_TEST(tool("").base_url == "http://localhost:15000/");
  BOOST_TEST((tool("http://LOCALHOST:15000/x").origin == HttpOrigin::operators));
  BOOST_TEST((tool("http://169.254.169.254").origin == HttpOrigin::other));
  BOOST_TEST(tool("http://169.254.169.254").base_url == "http://169.254.169.254");
  BOOST_TEST((tool("http://localhost:22").origin == HttpOrigin::other));
}

BOOST_AUTO_TEST_CASE(the_users_preferences_go_before_what_manifests_say) {
  Json document = parse_json(manifest_of("a", {"quiet", "loud", "open"}));
  put(document, "/tools/0/metadata/enabled_by_default", false);
  put(document, "/tools/1/metadata/requires_approval", true);
  document.at_pointer("/tools/2/metadata").as_object().erase("requires_approval");
  const auto tools = tools_of({view_of("http://a", to_json_text(document))});
  std::vector<ManifestProblem> problems;
  const Preferences plain;
  const Preferences users = Preferences::read(
      R"({"tools":{"quiet":{"enabled":true,"approval":"require"},"loud":{"enabled":false,"approval":"skip"}}})", "p",
      problems);
  BOOST_TEST(problems.empty());
  const JsonObject arguments{{"task", "x"}};
  BOOST_TEST(!plain.is_enabled(tools[0].tool));
  BOOST_TEST(users.is_enabled(tools[0].tool));
  BOOST_TEST(!users.is_enabled(tools[1].tool));
  BOOST_TEST((users.judge(tools[0].tool, arguments).verdict == Verdict::ask));
  BOOST_TEST((plain.judge(tools[1].tool, arguments).verdict == Verdict::ask));
  BOOST_TEST((users.judge(tools[1].tool, arguments).verdict == Verdict::allow));
  BOOST_TEST((plain.judge(tools[2].tool, arguments).verdict == Verdict::ask));  // nobody knows: fail closed
}

BOOST_AUTO_TEST_CASE(names_that_are_not_free_are_told_apart_too) {
  const auto tools = tools_of({view_of("http://a", manifest_of("a", {"run", "stop"}))}, {"run"});
  BOOST_TEST(tools[0].tool.name == "a_run");
  BOOST_TEST(tools[0].remote_name == "run");
  BOOST_TEST(tools[1].tool.name == "stop");
}

BOOST_AUTO_TEST_CASE(categories_of_all_scenarios_stand_once) {
  const auto categories = categories_of(
      {view_of("http://a", manifest_of("a", {})), {.url = "http://down"}, view_of("http://b", manifest_of("b", {}))});
  BOOST_REQUIRE(categories.size() == 1U);
  BOOST_TEST(categories[0].id == "agent_lifecycle");
}
