// Replicas and workers of toolwire-cluster that reach NATS over TLS, with certificates of both sides, and what becomes
// of those who show another or find another.
#define BOOST_TEST_MODULE cluster_nats_tls_test
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>
#include <toolwire/json_members.hpp>

#include "certificates.hpp"
#include "failure_code.hpp"
#include "nats_server.hpp"
#include "replica.hpp"
#include "worker_program.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

constexpr const char* manifest = R"({
  "protocol_version": "1.0",
  "scenario": {"name": "words", "version": "1.0.0", "description": "Says words"},
  "tools": [{
    "name": "say", "description": "Says a word",
    "parameters": {"type": "object", "properties": {"word": {"type": "string", "pattern": "^[a-z]+$"}}, "required": ["word"]},
    "metadata": {"enabled_by_default": true, "requires_approval": false}
  }, {
    "name": "say_later", "description": "Says a word as a task",
    "parameters": {"type": "object", "properties": {"word": {"type": "string", "pattern": "^[a-z]+$"}}, "required": ["word"]},
    "metadata": {"enabled_by_default": true, "requires_approval": false, "long_running": true}
  }],
  "generated_at": "2026-01-15T10:30:00Z"
})";

/// A NATS that wants certificates of an authority from all.
struct GuardedCluster : ClusterFixture {
  const Authority authority;
  const Authority stranger;
  NatsServer nats{settings()};

  GuardedCluster() {
    folder.file("stranger.pem", stranger.certificate());
    certify("replica", authority);
    certify("worker", authority);
    certify("other", stranger);
    folder.file("words.json", manifest);
    const JsonObject process{{"process", JsonObject{{"argv", JsonArray{"echo", "{word}"}}}}};
    folder.file("words.bindings.json",
                to_json_text(JsonObject{{"bindings", JsonObject{{"say", process}, {"say_later", process}}}}));
    configure_replica({});
    configure_worker({});
  }
  void certify(const std::string& name, const Authority& by) const {
    const Certified own = by.issue({.common_name = name, .names = "", .usage = "clientAuth"});
    folder.file(name + ".pem", own.certificate);
    std::filesystem::permissions(folder.file(name + ".key", own.key), std::filesystem::perms::owner_read);
  }
  /// Nulls take out what stands there otherwise.
  static JsonObject with(JsonObject tls, const JsonObject& changed) {
    for (const auto& [name, value] : changed) {
      if (value.is_null()) {
        tls.erase(name);
      } else {
        tls[name] = value;
      }
    }
    return tls;
  }
  JsonObject reached(const std::string& who, const JsonObject& changed, JsonObject more) const {
    more["address"] = nats.address();
    if (changed.empty()) more["jetstream"] = JsonObject{};  // who is not let in would wait for it at the start
    more["tls"] =
        with({{"ca_file", "ca.pem"}, {"certificate_file", who + ".pem"}, {"key_file", who + ".key"}}, changed);
    return more;
  }
  void configure_replica(const JsonObject& changed) const {
    const JsonObject own{{"redis", JsonObject{{"address", redis.address()}}},
                         {"nats", reached("replica", changed, {{"workers", JsonArray{"words"}}})}};
    folder.file("mcp.json", to_json_text(JsonObject{{"mcpServers", JsonObject{}}, {"toolwire", own}}));
  }
  void configure_worker(const JsonObject& changed) const {
    const JsonObject own{{"manifests", JsonArray{"words.json"}},
                         {"nats", reached("worker", changed, {{"worker", "words"}})}};
    folder.file("worker.json", to_json_text(JsonObject{{"mcpServers", JsonObject{}}, {"toolwire", own}}));
  }
  /// What a replica of this name logs.
  bool logs(const std::string& name, const std::string& text) const {
    return eventually([&] { return has(content_of(path(name + ".log")), text); });
  }

 private:
  std::string settings() const {
    const Certified own = authority.issue();
    const auto at = [&](const char* name, const std::string& text) {
      return "\"" + folder.file(name, text).string() + "\"\n";
    };
    return "jetstream {store_dir: \"" + path("jetstream") +
           "\"}\ntls {\n  cert_file: " + at("nats.pem", own.certificate) + "  key_file: " + at("nats.key", own.key) +
           "  ca_file: " + at("ca.pem", authority.certificate()) + "  verify: true\n}\n";
  }
};

std::string said(Client& client, const std::string& word) {
  const CallResult result = client.call("say", {{"word", word}});
  return result.is_error ? code_of(result) : result.text();
}

std::string names(Client& client) {
  std::string all;
  for (const ListedTool& one : client.list_tools()) all += one.name + " ";
  return all;
}

bool is_offered(Client& client) { return has(names(client), "say say_later"); }

}  // namespace

BOOST_FIXTURE_TEST_CASE(calls_and_tasks_of_workers_go_over_tls_and_go_on_when_nats_is_back, GuardedCluster) {
  const WorkerProgram worker(*this, "worker");
  const Replica one(*this, "one");
  const Replica other(*this, "other");
  Client first(http::connect(one.url()), {.revision = "2026-07-28", .tasks = true});
  Client second(http::connect(other.url()));
  BOOST_TEST_REQUIRE(eventually([&] { return is_offered(first) && is_offered(second); }),
                     names(first) << "; " << names(second) << content_of(path("one.log")));
  BOOST_TEST(said(second, "two") == "two\n");
  const Json task = first.request("tools/call", {{"name", "say_later"}, {"arguments", JsonObject{{"word", "later"}}}});
  BOOST_TEST_REQUIRE(has(to_json_text(task), "taskId"), to_json_text(task));
  Json now;
  BOOST_TEST(eventually([&] {
    now = first.request("tasks/get", {{"taskId", task.at("taskId")}});
    return text_or(now, "status") == "completed";
  }));
  BOOST_TEST(has(to_json_text(now), R"("text":"later)"), to_json_text(now));
  nats.kill();
  nats.start_again();
  BOOST_TEST(eventually([&] { return said(second, "again") == "again\n"; }), content_of(path("other.log")));
}

BOOST_FIXTURE_TEST_CASE(a_replica_that_nats_does_not_know_reaches_no_worker, GuardedCluster) {
  const WorkerProgram worker(*this, "worker");
  const Replica known(*this, "known");
  Client of_known(http::connect(known.url()));
  BOOST_TEST_REQUIRE(eventually([&] { return is_offered(of_known); }));
  configure_replica({{"certificate_file", nullptr}, {"key_file", nullptr}});
  const Replica without(*this, "without");
  configure_replica({{"certificate_file", "other.pem"}, {"key_file", "other.key"}});
  const Replica strange(*this, "strange");
  for (const std::string name : {"without", "strange"})
    BOOST_TEST(logs(name, "cannot be used: "), content_of(path(name + ".log")));
  for (const Replica* const one : {&without, &strange}) {
    Client client(http::connect(one->url()));
    BOOST_TEST(!has(names(client), "say"), names(client));
  }
  BOOST_TEST(said(of_known, "on") == "on\n");
}

BOOST_FIXTURE_TEST_CASE(a_nats_that_is_another_is_told_nothing, GuardedCluster) {
  configure_replica({{"ca_file", "stranger.pem"}});
  const Replica distrusts(*this, "distrusts");
  BOOST_TEST(logs("distrusts", "its certificate is refused: "), content_of(path("distrusts.log")));
  configure_replica({{"server_name", "nats.example.com"}});
  const Replica named(*this, "named");
  BOOST_TEST(logs("named", "its certificate is refused: hostname mismatch"), content_of(path("named.log")));
  const WorkerProgram worker(*this, "worker");
  Client client(http::connect(named.url()));
  BOOST_TEST(!has(names(client), "say"), names(client));
}
