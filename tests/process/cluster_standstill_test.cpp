// Processes of toolwire-cluster that stand still for a while and go on: what was said to them meanwhile waits, and
// counts.
#define BOOST_TEST_MODULE cluster_standstill_test
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>
#include <toolwire/json_members.hpp>

#include "failure_code.hpp"
#include "nats_server.hpp"
#include "replica.hpp"
#include "worker_program.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using namespace toolwire_test;

namespace {

constexpr auto longer_than_anybody_waits = 10s;  // a replica waits 8 s for a worker

/// A tool that takes a word and ends once there is a file of its name.
constexpr const char* manifest = R"({
  "protocol_version": "1.0",
  "scenario": {"name": "works", "version": "1.0.0", "description": "Works"},
  "tools": [{
    "name": "work", "description": "Works until it may end",
    "parameters": {"type": "object", "properties": {"word": {"type": "string", "pattern": "^[a-z0-9]+$"}}, "required": ["word"]},
    "metadata": {"enabled_by_default": true, "requires_approval": false}
  }],
  "generated_at": "2026-01-15T10:30:00Z"
})";

struct StandingCluster : ClusterFixture {
  NatsServer nats;

  StandingCluster() {
    const JsonObject of_redis{{"address", redis.address()}};
    const JsonObject of_replica{{"address", nats.address()}, {"workers", JsonArray{"works"}}};
    folder.file("mcp.json",
                to_json_text(JsonObject{{"mcpServers", JsonObject{}},
                                        {"toolwire", JsonObject{{"redis", of_redis}, {"nats", of_replica}}}}));
    const JsonObject of_worker{{"address", nats.address()}, {"worker", "works"}};
    folder.file("worker.json", to_json_text(JsonObject{{"mcpServers", JsonObject{}},
                                                       {"toolwire", JsonObject{{"manifests", JsonArray{"works.json"}},
                                                                               {"nats", of_worker}}}}));
    folder.file("works.json", manifest);
    const JsonObject run{{"argv", JsonArray{"sh", path("work.sh"), "{word}"}}};
    folder.file("works.bindings.json",
                to_json_text(JsonObject{{"bindings", JsonObject{{"work", JsonObject{{"process", run}}}}}}));
    folder.file("work.sh", "word='" + path("") + "'$1\ntouch \"$word.begun\"\n" +
                               "while [ ! -e \"$word.open\" ]; do sleep 0.02; done\necho done \"$1\"\n");
  }
  bool has_begun(const std::string& word) const { return std::filesystem::exists(path(word + ".begun")); }
  void open(const std::string& word) const { folder.file(word + ".open", ""); }
};

std::string worked(CallHandle& call) {
  const CallResult result = call.wait();
  return result.is_error ? code_of(result) : result.text();
}

bool is_there(Client& client) { return !client.list_tools().empty(); }

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_replica_that_stood_still_reads_what_its_workers_have_said_before_it_gives_them_up,
                        StandingCluster) {
  const WorkerProgram worker(*this, "worker");
  Replica replica(*this, "one");
  Client client(http::connect(replica.url()));
  BOOST_TEST_REQUIRE(eventually([&] { return is_there(client); }));
  CallHandle ends_meanwhile = client.start_call("work", {{"word", "meanwhile"}});
  CallHandle ends_later = client.start_call("work", {{"word", "later"}});
  BOOST_TEST_REQUIRE(eventually([&] { return has_begun("meanwhile") && has_begun("later"); }));
  replica.stop();
  open("meanwhile");
  std::this_thread::sleep_for(longer_than_anybody_waits);
  replica.go_on();
  BOOST_TEST(worked(ends_meanwhile) == "done meanwhile\n");
  open("later");
  BOOST_TEST(worked(ends_later) == "done later\n");
}

/// As when the machine of all of them slept.
BOOST_FIXTURE_TEST_CASE(a_replica_and_a_worker_that_stood_still_together_go_on_as_if_nothing_had_been,
                        StandingCluster) {
  WorkerProgram worker(*this, "worker");
  Replica replica(*this, "one");
  Client client(http::connect(replica.url()));
  BOOST_TEST_REQUIRE(eventually([&] { return is_there(client); }));
  CallHandle call = client.start_call("work", {{"word", "slept"}});
  BOOST_TEST_REQUIRE(eventually([&] { return has_begun("slept"); }));
  replica.stop();
  worker.stop();
  std::this_thread::sleep_for(longer_than_anybody_waits);
  replica.go_on();
  worker.go_on();
  open("slept");
  BOOST_TEST(worked(call) == "done slept\n");
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_stood_still_alone_was_given_up_by_its_replica, StandingCluster) {
  WorkerProgram worker(*this, "worker");
  const Replica replica(*this, "one");
  Client client(http::connect(replica.url()));
  BOOST_TEST_REQUIRE(eventually([&] { return is_there(client); }));
  CallHandle call = client.start_call("work", {{"word", "gone"}});
  BOOST_TEST_REQUIRE(eventually([&] { return has_begun("gone"); }));
  worker.stop();
  const CallResult result = call.wait();
  worker.go_on();
  BOOST_TEST(code_of(result) == "unavailable");
  BOOST_TEST(text_or(member_or_null(result.raw, "_meta", "dev.toolwire/error"), "outcome") == "unknown");
}

BOOST_FIXTURE_TEST_CASE(a_replica_and_a_redis_that_stood_still_together_go_on_as_if_nothing_had_been, ClusterFixture) {
  Replica replica(*this, "one");
  Client client(http::connect(replica.url()));
  BOOST_TEST_REQUIRE(eventually([&] { return is_there(client); }));
  BOOST_TEST(client.call("echo", {{"text", "before"}}).text() == "before");
  redis.stop();
  CallHandle call = client.start_call("echo", {{"text", "asked"}});
  std::this_thread::sleep_for(500ms);  // its rate has been asked for
  replica.stop();
  std::this_thread::sleep_for(3s);  // a command may take two
  replica.go_on();
  redis.go_on();
  BOOST_TEST(worked(call) == "asked");
}
