#include <toolwire/bridge/result_cache.hpp>

#define BOOST_TEST_MODULE bridge_result_cache_test
#include <boost/test/unit_test.hpp>

#include <toolwire/testing.hpp>

#include "activity_bench.hpp"
#include "policy/canonical_json.hpp"
#include "policy/remembering.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace std::chrono_literals;

namespace {

struct Fixture {
  std::chrono::steady_clock::time_point now{1h};
  int hits = 0;
  ResultCacheSettings settings{
      .time_to_live = [](const ToolInfo& info) { return info.name == "fresh" ? 0ms : 60'000ms; },
      .on_hit = [this](const std::string&) { ++hits; },
      .now = [this] { return now; }};
  int calls = 0;

  std::unique_ptr<Server> serve(const std::shared_ptr<ResultCache>& cache, const ServerOptions& options = {}) {
    auto server = std::make_unique<Server>(ServerInfo{.name = "s", .version = "1"}, options);
    server->around_call(cached(cache));
    for (const char* const name : {"look", "fresh"}) {
      server->tool({.name = name, .description = "", .input_schema = JsonObject{{"type", "object"}}},
                   [this](const Json& arguments) {
                     if (arguments.as_object().contains("fail")) throw ToolError("failed");
                     return "call " + std::to_string(++calls);
                   });
    }
    return server;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_same_question_is_answered_from_memory, Fixture) {
  auto server = serve(std::make_shared<ResultCache>(settings));
  testing::Client client{*server};
  BOOST_TEST(client.call("look", {{"a", 1}, {"b", JsonArray{2}}}).text() == "call 1");
  BOOST_TEST(client.call("look", {{"b", JsonArray{2}}, {"a", 1}, {"_reasoningForCall", "again"}}).text() == "call 1");
  BOOST_TEST(client.call("look", {{"a", 2}}).text() == "call 2");
  BOOST_TEST(hits == 1);
}

BOOST_FIXTURE_TEST_CASE(what_one_caller_was_told_is_not_remembered_for_another, Fixture) {
  std::string caller;
  ServerOptions options;
  options.identify = [&](const UnidentifiedRequest&, Done<Principal> done) { done(caller); };
  auto server = serve(std::make_shared<ResultCache>(settings), options);
  testing::Client client{*server};
  std::vector<std::string> texts;
  for (const char* const one : {"", "ann", "bob", "ann", ""}) {
    caller = one;
    texts.push_back(client.call("look").text());
  }
  BOOST_TEST(texts == (std::vector<std::string>{"call 1", "call 2", "call 3", "call 2", "call 1"}),
             boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_result_is_forgotten_when_its_time_is_over, Fixture) {
  auto server = serve(std::make_shared<ResultCache>(settings));
  testing::Client client{*server};
  client.call("look");
  now += 59s;
  BOOST_TEST(client.call("look").text() == "call 1");
  now += 1s;
  BOOST_TEST(client.call("look").text() == "call 2");
}

BOOST_FIXTURE_TEST_CASE(tools_not_declared_and_errors_are_not_remembered, Fixture) {
  const auto cache = std::make_shared<ResultCache>(settings);
  auto server = serve(cache);
  testing::Client client{*server};
  client.call("fresh");
  client.call("look", {{"fail", true}});
  BOOST_TEST(cache->bytes() == 0);
  BOOST_TEST(client.call("fresh").text() == "call 2");
}

BOOST_FIXTURE_TEST_CASE(memory_is_bounded_and_the_longest_unused_goes_first, Fixture) {
  settings.max_bytes = 10'000;
  ResultCache cache(settings);
  const ToolResult result = ToolResult::text(std::string(2'800, 'x'));
  for (const char* const tool : {"a", "b", "c"}) cache.keep(tool, JsonObject{}, result, 1h, cache.generation());
  BOOST_TEST(cache.find("a", JsonObject{}).has_value());
  for (const char* const tool : {"d", "e"}) cache.keep(tool, JsonObject{}, result, 1h, cache.generation());
  BOOST_TEST(cache.bytes() <= 10'000);
  BOOST_TEST(!cache.find("b", JsonObject{}).has_value());
  BOOST_TEST(cache.find("e", JsonObject{}).has_value());
  cache.keep("large", JsonObject{}, ToolResult::text(std::string(11'000, 'x')), 1h, cache.generation());
  BOOST_TEST(!cache.find("large", JsonObject{}).has_value());
}

BOOST_FIXTURE_TEST_CASE(what_programs_are_told_beside_the_text_takes_room, Fixture) {
  settings.max_bytes = 10'000;
  ResultCache cache(settings);
  ToolResult result = ToolResult::text("short");
  result.add_detail("diff", Json(std::string(11'000, 'x')));
  cache.keep("a", JsonObject{}, result, 1h, cache.generation());
  BOOST_TEST(!cache.find("a", JsonObject{}).has_value());
}

BOOST_FIXTURE_TEST_CASE(what_began_before_it_was_cleared_is_not_kept, Fixture) {
  ResultCache cache(settings);
  const auto began = cache.generation();
  cache.keep("a", JsonObject{}, ToolResult::text("old"), 1h, began);
  cache.clear();
  BOOST_TEST(!cache.find("a", JsonObject{}).has_value());
  cache.keep("b", JsonObject{}, ToolResult::text("old"), 1h, began);
  BOOST_TEST(!cache.find("b", JsonObject{}).has_value());
  BOOST_TEST(cache.bytes() == 0);
}

BOOST_FIXTURE_TEST_CASE(an_activity_is_remembered_behind_an_approval_but_not_behind_other_answers, Fixture) {
  const auto cache = std::make_shared<ResultCache>(settings);
  const auto remembered =
      remembering(toolwire_test::make_test_activity(
                      [this](const Call&, ActivityContext&, Reply reply) { reply("call " + std::to_string(++calls)); }),
                  cache, 1min);
  const auto text = [&](JsonObject answers) {
    toolwire_test::ActivityBench bench({}, std::move(answers));
    bench.start(*remembered);
    return bench.text();
  };
  BOOST_TEST(text({}) == "call 1");
  BOOST_TEST(text({{"dev.toolwire/approval", JsonObject{}}}) == "call 1");
  BOOST_TEST(text({{"name", JsonObject{}}}) == "call 2");
}

BOOST_AUTO_TEST_CASE(equal_values_have_one_canonical_text) {
  BOOST_TEST(canonical_text(parse_json(R"j({"b":[{"y":1,"x":null}],"a":"\u00e4"})j")) ==
             canonical_text(parse_json(R"j({"a":"ä","b":[{"x":null,"y":1}]})j")));
  BOOST_TEST(canonical_text(parse_json("[[1,2],3]")) != canonical_text(parse_json("[1,[2,3]]")));
}
