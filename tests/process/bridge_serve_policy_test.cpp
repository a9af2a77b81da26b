// What `toolwire-bridge serve` promises around calls: approval, rates, preferences, records.
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE bridge_serve_policy_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;
using Fixture = ServeFixture;

BOOST_FIXTURE_TEST_CASE(approval_is_asked_once_and_a_no_is_final, Fixture) {
  metadata("requires_approval") = true;
  for (const std::string& revision : eras) {
    Counter yes;
    Client client(serve(), answering(true, yes, revision));
    BOOST_TEST(client.call("spawn_coding_agent", task).text().find("r-1") != std::string::npos);
    BOOST_TEST(yes.now() == 1);
    Counter no;
    Client strict(serve(), answering(false, no, revision));
    BOOST_TEST(code_of(strict.call("spawn_coding_agent", task)) == "denied");
    BOOST_TEST(no.now() == 1);
  }
}

BOOST_FIXTURE_TEST_CASE(an_approval_counts_once, Fixture) {
  metadata("requires_approval") = true;
  Counter asked;
  Client client(serve(), answering(true, asked, "2026-07-28"));
  JsonObject params{{"name", "spawn_coding_agent"}, {"arguments", task}};
  const Json question = client.request("tools/call", params);
  BOOST_REQUIRE(question.at("resultType") == "input_required");
  params["requestState"] = question.at("requestState");
  params["inputResponses"] = JsonObject{
      {"dev.toolwire/approval", JsonObject{{"action", "accept"}, {"content", JsonObject{{"approve", true}}}}}};
  BOOST_TEST(client.request("tools/call", params).at("resultType") == "complete");
  const auto refused = [&](const JsonObject& again) {
    try {
      return client.request("tools/call", again).as_object().if_contains("isError") != nullptr;
    } catch (const ProtocolError&) {
      return true;
    }
  };
  BOOST_TEST(refused(params));
  params["arguments"] = JsonObject{{"task", "Something else"}};
  BOOST_TEST(refused(params));
}

BOOST_FIXTURE_TEST_CASE(without_a_way_to_ask_nothing_runs, Fixture) {
  metadata("requires_approval") = true;
  bind(R"j({"process": {"argv": ["/usr/bin/touch", ")j" + path("ran") + R"j("]}})j");
  Client modern(serve(), {.revision = "2026-07-28"});
  BOOST_CHECK_EXCEPTION(modern.call("spawn_coding_agent", task), ProtocolError,
                        [](const ProtocolError& error) { return error.code == error_code::missing_client_capability; });
  Client legacy(serve(), {.revision = "2025-06-18"});
  BOOST_TEST(legacy.call("spawn_coding_agent", task).is_error);
  BOOST_TEST(!std::filesystem::exists(path("ran")));
  Client trusting(serve({"--approval", "host"}), {.revision = "2026-07-28"});
  BOOST_TEST(!trusting.call("spawn_coding_agent", task).is_error);
  BOOST_TEST(std::filesystem::exists(path("ran")));
}

BOOST_FIXTURE_TEST_CASE(the_eleventh_call_in_a_minute_is_refused_with_the_time_to_wait, Fixture) {
  Client client(serve());
  for (int call = 1; call <= 10; ++call) BOOST_TEST(!client.call("spawn_coding_agent", task).is_error);
  const CallResult refused = client.call("spawn_coding_agent", task);
  BOOST_TEST(code_of(refused) == "rate_limited");
  const Json& wait = refused.raw.at("_meta").at("dev.toolwire/error").at("retryAfterMs");
  BOOST_TEST((wait.as_int64() > 0 && wait.as_int64() <= 60'000));
}

BOOST_FIXTURE_TEST_CASE(the_users_preferences_decide, Fixture) {
  const std::string file =
      folder.file("preferences.json", R"j({"tools": {"spawn_coding_agent": {"enabled": false}}})j").string();
  Client disabled(serve({"--preferences", file}));
  BOOST_TEST(disabled.list_tools().empty());
  BOOST_CHECK_THROW(disabled.call("spawn_coding_agent", task), ProtocolError);
  folder.file("preferences.json", R"j({"tools": {"spawn_coding_agent": {"permissions": [
    {"arguments": {"properties": {"task": {"pattern": "production"}}}, "decision": "deny", "reason": "not there"}]}}})j");
  Client careful(serve({"--preferences", file}));
  BOOST_TEST(!careful.call("spawn_coding_agent", task).is_error);
  const CallResult denied = careful.call("spawn_coding_agent", JsonObject{{"task", "Fix production"}});
  BOOST_TEST(code_of(denied) == "denied");
  BOOST_TEST(denied.text().find("not there") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(calls_are_recorded_and_counted, Fixture) {
  {
    Client client(serve({"--audit", path("audit.jsonl"), "--metrics", path("metrics.prom")}), {.name = "host"});
    client.call("spawn_coding_agent", JsonObject{{"task", "Fix it"}, {"_reasoningForCall", "asked to"}});
    client.call("spawn_coding_agent", JsonObject{});
  }
  const std::string log = content_of(path("audit.jsonl"));
  const Json first = parse_json(log.substr(0, log.find('\n')));
  BOOST_TEST(first.at("tool") == "spawn_coding_agent");
  BOOST_TEST(first.at("outcome") == "ok");
  BOOST_TEST(first.at("reasoning") == "asked to");
  BOOST_TEST(log.find("r-1") == std::string::npos);
  BOOST_TEST(log.find("invalid_arguments") != std::string::npos);
  const std::string metrics = content_of(path("metrics.prom"));
  BOOST_TEST(metrics.find("toolwire_calls_total{tool=\"spawn_coding_agent\",outcome=\"ok\"} 1") != std::string::npos);
  BOOST_TEST(metrics.find("outcome=\"invalid_arguments\"} 1") != std::string::npos);
}
