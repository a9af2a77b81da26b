// Replicas of toolwire-cluster with one Redis are to their clients as one, whichever of them is asked.
#define BOOST_TEST_MODULE cluster_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>

#include "failure_code.hpp"
#include "program_run.hpp"
#include "raw_http.hpp"
#include "replica.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct TwoReplicas : ClusterFixture {
  Replica one{*this, "one"};
  Replica other{*this, "other"};
};

/// A message of 2025-06-18.
RawAnswer post(const Replica& replica, const std::string& body, const std::string& fields) {
  RawHttp connection(replica.port());
  BOOST_TEST(connection.send("POST /mcp HTTP/1.1\r\nHost: " + replica.host() +
                             "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
                             fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body));
  return connection.answer().value();
}

struct Refused {
  int status;
  std::string errors;
};
Refused refused(const Program& program) {
  const ProgramRun run = run_program(program);
  BOOST_TEST(run.out.empty(), run.out);
  return {run.status, run.errors};
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(calls_at_all_replicas_are_counted_together, TwoReplicas) {
  Client first(http::connect(one.url()));
  Client second(http::connect(other.url()));
  BOOST_TEST(first.call("echo", {{"text", "one"}}).text() == "one");
  BOOST_TEST(second.call("echo", {{"text", "two"}}).text() == "two");
  BOOST_TEST(code_of(first.call("echo", {{"text", "three"}})) == "rate_limited");
  BOOST_TEST(code_of(second.call("echo", {{"text", "three"}})) == "rate_limited");
  BOOST_TEST(first.call("process").text() != second.call("process").text());
}

BOOST_FIXTURE_TEST_CASE(what_one_caller_calls_at_all_replicas_has_one_bound, ClusterFixture) {
  folder.file(
      "mcp.json",
      to_json_text(JsonObject{
          {"mcpServers", JsonObject{{"many", JsonObject{{"command", TOOLWIRE_BIN_DIR "/mcp_back_end"}}}}},
          {"toolwire", JsonObject{{"redis", JsonObject{{"address", redis.address()}}}, {"calls_per_minute", 100}}}}));
  const Replica first(*this, "first");
  const Replica second(*this, "second");
  const Replica third(*this, "third");
  std::atomic<int> done{0};
  std::atomic<int> refused{0};
  std::vector<std::thread> callers;
  for (const Replica* const one : {&first, &second, &third}) {
    callers.emplace_back([&, url = one->url()] {
      Client client(http::connect(url));
      for (int i = 0; i < 60; ++i) {
        const CallResult result = i % 2 == 0 ? client.call("process") : client.call("echo", {{"text", "x"}});
        ++(code_of(result) == "rate_limited" ? refused : done);
      }
    });
  }
  for (std::thread& one : callers) one.join();
  BOOST_TEST(done == 100);
  BOOST_TEST(refused == 80);
}

BOOST_FIXTURE_TEST_CASE(a_session_that_one_has_begun_goes_on_at_the_other, TwoReplicas) {
  const RawAnswer begun = post(
      one,
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},)"
      R"("clientInfo":{"name":"c","version":"1"}}})",
      "");
  BOOST_TEST_REQUIRE(begun.status == 200);
  const std::string session =
      "Mcp-Session-Id: " + begun.field("mcp-session-id") + "\r\nMCP-Protocol-Version: 2025-06-18\r\n";
  post(one, R"({"jsonrpc":"2.0","method":"notifications/initialized"})", session);
  const RawAnswer called = post(
      other, R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"on"}}})",
      session);
  BOOST_TEST(called.status == 200);
  BOOST_TEST(has(called.body, R"("text":"on")"), called.body);
}

BOOST_FIXTURE_TEST_CASE(without_redis_only_what_needs_it_fails, TwoReplicas) {
  Client client(http::connect(one.url()));
  redis.kill();
  BOOST_TEST(code_of(client.call("echo", {{"text", "one"}})) == "unavailable");
  BOOST_TEST(!client.call("process").text().empty());
  redis.start_again();
  BOOST_TEST(eventually([&] { return client.call("echo", {{"text", "one"}}).text() == "one"; }));
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_shared_does_not_start, ClusterFixture) {
  const std::string file = path("mcp.json");
  Program keyless = program({cluster_program, "serve", file});
  keyless.environment["TOOLWIRE_STATE_KEY"] = "";
  BOOST_TEST(has(refused(keyless).errors, "TOOLWIRE_STATE_KEY is not set"));
  Program weak = program({cluster_program, "serve", file});
  weak.environment["TOOLWIRE_STATE_KEY"] = "short";
  BOOST_TEST(has(refused(weak).errors, "at least 16 bytes"));
  const Refused alone = refused(program({TOOLWIRE_BIN_DIR "/toolwire-bridge", "serve", file}));
  BOOST_TEST(alone.status == 2);
  BOOST_TEST(has(alone.errors, R"("redis" is for toolwire-cluster)"), alone.errors);
  configure({{"address", redis.address()}, {"password_file", "nowhere"}});
  BOOST_TEST(has(refused(program({cluster_program, "serve", file})).errors, R"("password_file": expected a file)"));
  folder.file("plain.json", R"j({"mcpServers": {"many": {"command": "true"}}})j");
  const Refused nothing = refused(program({cluster_program, "serve", path("plain.json")}));
  BOOST_TEST(nothing.status == 2);
  BOOST_TEST(has(nothing.errors, R"(toolwire-cluster serve: expected a configuration with "redis")"), nothing.errors);
}

BOOST_FIXTURE_TEST_CASE(the_password_is_in_a_file_that_nobody_else_reads, ClusterFixture) {
  redis.kill();
  RedisServer guarded("requirepass right\n");
  folder.file("password", "right\n");
  std::filesystem::permissions(folder / "password", std::filesystem::perms::owner_read);
  configure({{"address", guarded.address()}, {"password_file", "password"}, {"lease_seconds", 5}});
  const Replica replica(*this, "one");
  Client client(http::connect(replica.url()));
  BOOST_TEST(client.call("echo", {{"text", "one"}}).text() == "one");
  std::filesystem::permissions(folder / "password", std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  BOOST_TEST(has(refused(program({cluster_program, "serve", path("mcp.json")})).errors, "nobody else can read"));
}

BOOST_FIXTURE_TEST_CASE(the_program_says_what_it_can, ClusterFixture) {
  const auto said = [&](std::vector<std::string> words) {
    words.insert(words.begin(), cluster_program);
    return run_program(program(words));
  };
  BOOST_TEST(has(said({"--help"}).out, "Usage: toolwire-cluster COMMAND"));
  BOOST_TEST(said({"--version"}).out.starts_with("toolwire-cluster "));
  BOOST_TEST(has(said({"serv"}).errors, "did you mean serve?"));
  BOOST_TEST(said({"check", path("mcp.json")}).status == 0);
}
