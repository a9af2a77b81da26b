// Questions in mid call in the revisions with sessions, where each request goes to another replica: a real nginx that
// keeps nothing together, and NATS, over which the answer reaches the replica that has asked.
#define BOOST_TEST_MODULE cluster_questions_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>
#include <vector>

#include "balancers.hpp"
#include "nats_server.hpp"
#include "replica.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

/// Before the replicas, which read it.
struct WithNats : ClusterFixture {
  NatsServer nats;

  WithNats() {
    const JsonObject own{{"redis", JsonObject{{"address", redis.address()}}},
                         {"nats", JsonObject{{"address", nats.address()}}}};
    const JsonObject servers{{"many", JsonObject{{"command", TOOLWIRE_BIN_DIR "/mcp_back_end"}}}};
    folder.file("mcp.json", to_json_text(JsonObject{{"mcpServers", servers}, {"toolwire", own}}));
  }
};

struct Asking : WithNats {
  std::uint16_t port = free_port();
  std::string host = "127.0.0.1:" + std::to_string(port);
  std::string url = "http://" + host + "/mcp";
  Replica one{*this, "one", host};
  Replica other{*this, "other", host};
  Balancer balancer{nginx(*this, port, {one.host(), other.host()}), port};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_answer_to_a_question_reaches_the_replica_that_has_asked, Asking) {
  for (const std::string revision : {"2025-06-18", "2025-11-25"}) {
    BOOST_TEST_CONTEXT(revision) {
      std::atomic<int> asked{0};
      ClientOptions options{.revision = revision};
      options.on_elicitation = [&](const Elicitation&) {
        ++asked;
        return ElicitationReply{ElicitationReply::Action::accept, JsonObject{{"sure", true}}};
      };
      Client client(http::connect(url), std::move(options));
      for (int i = 0; i < 10; ++i) BOOST_TEST(client.call("ask").text() == "sure");
      BOOST_TEST(client.call("ask_twice").text() == "twice");
      BOOST_TEST(asked == 12);
    }
  }
}
