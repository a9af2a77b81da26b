#include "http/scenario_cache.hpp"

#define BOOST_TEST_MODULE bridge_scenario_cache_test
#include <boost/test/unit_test.hpp>

#include "manifest_document.hpp"

using namespace toolwire::bridge;
using namespace toolwire_test;
using namespace std::chrono_literals;
using toolwire::HttpFailure;
using toolwire::HttpHeaders;
using toolwire::HttpOrigin;
using toolwire::HttpOutcome;
using toolwire::HttpRequest;
using toolwire::HttpResponse;
using State = ScenarioView::State;

namespace {

using Time = ScenarioCache::Clock::time_point;

HttpOutcome answered(int status, std::string body = {}, HttpHeaders headers = {}) {
  return HttpResponse{status, std::move(headers), std::move(body)};
}

HttpOutcome refused() { return HttpFailure{"unavailable", "connection refused"}; }

std::string tag_in(const HttpRequest& request) {
  for (const auto& [name, value] : request.headers) {
    if (name == "If-None-Match") return value;
  }
  return {};
}

struct Bench {
  ScenarioCache cache{{.base_url = "http://localhost:15000/"}};
  Time now = Time(100h);

  bool take(HttpOutcome outcome) { return cache.take(std::move(outcome), now); }
  bool take_seed(HttpHeaders headers = {{"etag", "\"1\""}}) {
    return take(answered(200, seed_text(), std::move(headers)));
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(it_asks_at_once_for_the_list_with_a_deadline) {
  Bench bench;
  BOOST_TEST((bench.cache.due() <= bench.now));
  const HttpRequest request = bench.cache.request(bench.now);
  BOOST_TEST(request.url == "http://localhost:15000/api/v1/tools");
  BOOST_TEST((request.deadline.value() == bench.now + 5s));
  BOOST_TEST((request.origin == HttpOrigin::operators));
  BOOST_TEST(tag_in(request) == "");
  BOOST_TEST((bench.cache.view().state == State::unknown));
}

BOOST_AUTO_TEST_CASE(an_answer_is_good_for_sixty_seconds_at_least_and_an_hour_at_most) {
  for (const auto& [control, age] :
       std::vector<std::pair<std::string, std::chrono::seconds>>{{"public, max-age=60", 60s},
                                                                 {"max-age=5", 60s},
                                                                 {"no-store", 60s},
                                                                 {"max-age=300", 300s},
                                                                 {"max-age=99999999", 3600s},
                                                                 {"max-age=x", 60s},
                                                                 {"", 60s}}) {
    Bench bench;
    BOOST_TEST(bench.take_seed({{"cache-control", control}}));
    BOOST_TEST((bench.cache.view().state == State::fresh));
    BOOST_TEST((bench.cache.due() - bench.now == age));
  }
}

BOOST_AUTO_TEST_CASE(what_is_known_is_revalidated_by_its_tag) {
  Bench bench;
  bench.take_seed();
  const auto manifest = bench.cache.view().manifest;
  bench.now += 60s;
  BOOST_TEST(tag_in(bench.cache.request(bench.now)) == "\"1\"");
  BOOST_TEST(!bench.take(answered(304)));
  BOOST_TEST((bench.cache.view().manifest == manifest));
  BOOST_TEST((bench.cache.due() == bench.now + 60s));
}

BOOST_AUTO_TEST_CASE(a_changed_manifest_takes_the_place_of_the_old_one) {
  Bench bench;
  bench.take_seed();
  BOOST_TEST(!bench.take_seed());
  BOOST_TEST(bench.take(answered(200, with("/generated_at", "2026-01-01T00:00:00Z"))));
  BOOST_TEST(bench.cache.view().manifest->generated_at == "2026-01-01T00:00:00Z");
  BOOST_TEST(tag_in(bench.cache.request(bench.now)) == "");
}

BOOST_AUTO_TEST_CASE(a_scenario_that_is_down_is_kept_as_stale_and_asked_sooner) {
  Bench bench;
  bench.take_seed();
  BOOST_TEST(bench.take(refused()));
  BOOST_TEST((bench.cache.view().state == State::stale));
  BOOST_TEST(bench.cache.view().problem == "connection refused");
  BOOST_TEST(bench.cache.view().manifest->tools.size() == 1U);
  std::vector<std::chrono::seconds> waits;
  for (int i = 0; i < 9; ++i) {
    waits.push_back(std::chrono::duration_cast<std::chrono::seconds>(bench.cache.due() - bench.now));
    bench.now = bench.cache.due();
    BOOST_TEST(!bench.take(refused()));
  }
  BOOST_TEST((waits == std::vector<std::chrono::seconds>{1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s, 60s}));
}

BOOST_AUTO_TEST_CASE(a_scenario_that_is_back_is_asked_for_everything) {
  Bench bench;
  bench.take_seed();
  bench.take(refused());
  BOOST_TEST(tag_in(bench.cache.request(bench.now)) == "");
  BOOST_TEST(bench.take_seed());
  BOOST_TEST((bench.cache.view().state == State::fresh));
  BOOST_TEST(bench.cache.view().problem == "");
  BOOST_TEST((bench.cache.due() == bench.now + 60s));
}

BOOST_AUTO_TEST_CASE(every_other_answer_keeps_what_was_known) {
  for (HttpOutcome& outcome :
       std::vector<HttpOutcome>{answered(503), answered(404), answered(500, "<html>"), answered(200, "<html>"),
                                answered(200, "{}"), answered(200), HttpFailure{"timeout", "no answer"}}) {
    Bench bench;
    bench.take_seed();
    const bool taken = bench.take(std::move(outcome));
    BOOST_TEST(taken);
    BOOST_TEST((bench.cache.view().state == State::stale));
    BOOST_TEST(!bench.cache.view().problem.empty());
    BOOST_TEST((bench.cache.view().manifest != nullptr));
  }
}

BOOST_AUTO_TEST_CASE(a_304_to_somebody_who_knows_nothing_is_a_failure) {
  Bench bench;
  BOOST_TEST(bench.take(answered(304)));
  BOOST_TEST((bench.cache.view().state == State::absent));
}

BOOST_AUTO_TEST_CASE(an_unknown_major_version_leaves_the_scenario_out) {
  Bench bench;
  bench.take_seed();
  BOOST_TEST(bench.take(answered(200, with("/protocol_version", "2.0"))));
  BOOST_TEST((bench.cache.view().state == State::absent));
  BOOST_TEST((bench.cache.view().manifest == nullptr));
  BOOST_TEST(bench.cache.view().problem.find("\"2.0\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_list_of_more_values_than_any_message_may_have_is_refused) {
  std::string numbers = "[1";
  for (std::size_t i = 0; i < toolwire::usual_json_values; ++i) numbers += ",1";
  Bench bench;
  bench.take_seed();
  BOOST_TEST(bench.take(answered(200, R"({"x": )" + numbers + "], " + seed_text().substr(seed_text().find('{') + 1))));
  BOOST_TEST((bench.cache.view().state == State::stale));
  BOOST_TEST(bench.cache.view().problem.find("expected at most 800000 values") != std::string::npos,
             bench.cache.view().problem);
}

BOOST_AUTO_TEST_CASE(a_later_minor_version_is_understood) {
  Bench bench;
  bench.take(answered(200, with("/protocol_version", "1.9.2")));
  BOOST_TEST((bench.cache.view().state == State::fresh));
}
