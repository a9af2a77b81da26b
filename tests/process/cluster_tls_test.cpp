// Replicas of toolwire-cluster that reach what they share over TLS, and what of that does not start.
#define BOOST_TEST_MODULE cluster_tls_test
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>

#include "program_run.hpp"
#include "replica.hpp"
#include "tls_redis.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

using std::filesystem::perms;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct TlsCluster : ClusterFixture {
  const Authority trusted;
  const TlsRedis guarded{trusted.issue(), &trusted};

  TlsCluster() {
    const Certified own = trusted.issue({.common_name = "a replica", .names = "", .usage = "clientAuth"});
    folder.file("ca.pem", trusted.certificate());
    folder.file("own.pem", own.certificate);
    secret("own.key", own.key);
    secret("other.key", trusted.issue().key);
    secret("locked.key", Authority::encrypted(own.key, "secret"));
  }
  void secret(const std::string& name, const std::string& text) const {
    std::filesystem::permissions(folder.file(name, text), perms::owner_read);
  }
  void configure_tls(const JsonObject& changed) const {
    JsonObject tls{{"ca_file", "ca.pem"}, {"certificate_file", "own.pem"}, {"key_file", "own.key"}};
    for (const auto& [name, value] : changed) tls[name] = value;
    configure({{"address", guarded.address()}, {"tls", std::move(tls)}});
  }
  /// What it says instead of starting.
  std::string refused(const JsonObject& changed) const {
    configure_tls(changed);
    const ProgramRun run = run_program(program({cluster_program, "serve", path("mcp.json")}));
    BOOST_TEST(run.status == 2);
    return run.errors;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(replicas_share_a_redis_that_is_reached_over_tls, TlsCluster) {
  configure_tls({});
  const Replica one(*this, "one");
  const Replica other(*this, "other");
  Client first(http::connect(one.url()));
  Client second(http::connect(other.url()));
  BOOST_TEST(first.call("echo", {{"text", "one"}}).text() == "one");
  BOOST_TEST(second.call("echo", {{"text", "two"}}).text() == "two");
  BOOST_TEST(first.call("echo", {{"text", "three"}}).is_error);  // two a minute
}

BOOST_FIXTURE_TEST_CASE(a_redis_that_is_another_is_told_to_whoever_calls, TlsCluster) {
  configure_tls({{"server_name", "redis.example.com"}});
  const Replica one(*this, "one");
  Client client(http::connect(one.url()));
  BOOST_TEST(client.call("echo", {{"text", "one"}}).is_error);
  BOOST_TEST(
      eventually([&] { return has(content_of(path("one.log")), "its certificate is refused: hostname mismatch"); }),
      content_of(path("one.log")));
}

BOOST_FIXTURE_TEST_CASE(files_that_cannot_be_used_stop_the_start, TlsCluster) {
  folder.file("empty.pem");
  BOOST_TEST(has(refused({{"ca_file", "nowhere.pem"}}), R"("ca_file": expected certificates (PEM): )"));
  BOOST_TEST(has(refused({{"ca_file", "empty.pem"}}), R"("ca_file": expected certificates (PEM): )"));
  BOOST_TEST(has(refused({{"ca_file", "."}}), R"("ca_file": expected certificates (PEM): )"));
  BOOST_TEST(has(refused({{"ca_file", "mcp.json"}}), R"(TLS: "ca": expected certificates (PEM)"));
  BOOST_TEST(
      has(refused({{"certificate_file", "nowhere.pem"}}), R"("certificate_file": expected certificates (PEM): )"));
  BOOST_TEST(has(refused({{"key_file", "nowhere.key"}}), R"("key_file": expected a file of yours)"));
  BOOST_TEST(has(refused({{"key_file", "other.key"}}), R"("key": expected the one of "certificate")"));
  BOOST_TEST(has(refused({{"key_file", "locked.key"}}), "that is not encrypted"));
  BOOST_TEST(has(refused({{"server_name", "redis.example.com:6379"}}), R"("server_name": expected a name)"));
  std::filesystem::permissions(folder / "own.key", perms::group_read, std::filesystem::perm_options::add);
  BOOST_TEST(has(refused({}), "that nobody else can read or write (chmod 600), with a private key"));
}
