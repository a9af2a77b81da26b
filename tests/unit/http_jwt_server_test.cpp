// A server of HTTP whose callers have signed tokens, as many threads see it.
#include <toolwire/http/jwt.hpp>

#define BOOST_TEST_MODULE http_jwt_server_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "http_served.hpp"
#include "jwt_issuer.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using namespace toolwire_test;

namespace {

http::JwtOptions options_for(const JwtIssuer& issuer, std::function<void(Done<std::string>)> fetch) {
  http::JwtOptions options{.resource = {.resource = issuer.resource, .authorization_servers = {issuer.url}}};
  options.fetch_keys = std::move(fetch);
  return options;
}

http::Port port_for(const http::JwtOptions& options) {
  http::Port port = patient();
  port.authenticate = http::jwt_authenticator(options);
  port.resource = options.resource;
  return port;
}

void tell_callers(Server& server) {
  server.tool("caller", "Who calls", [](const Context& context) { return context.principal().id; });
}

std::string bearer(const std::string& token) { return "Authorization: Bearer " + token + "\r\n"; }

std::optional<RawAnswer> asked(const HttpServed& served, const std::string& fields) {
  RawHttp client = served.client();
  client.send(served.call("caller", "{}", fields).text());
  return client.answer();
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_who_come_at_once_wait_for_one_set_of_keys_and_are_told_apart) {
  constexpr int callers = 8;
  const JwtIssuer issuer;
  std::atomic<int> fetches = 0;
  std::promise<Done<std::string>> asked_for;
  HttpServed served(port_for(options_for(issuer, [&](Done<std::string> done) {
    if (++fetches == 1) asked_for.set_value(std::move(done));
  })));
  tell_callers(served.server);
  std::atomic<int> right = 0;
  std::vector<std::thread> clients;
  clients.reserve(callers);
  for (int i = 0; i < callers; ++i) {
    clients.emplace_back([&, name = "caller-" + std::to_string(i)] {
      RawHttp client = served.client();
      for (int round = 0; round < 10; ++round) {
        client.send(served.call("caller", "{}", bearer(issuer.token_of(name))).text());
        const auto answer = client.answer();
        const std::string expected = "\"text\":\"" + issuer.url + " " + name + "\"";
        if (answer && answer->status == 200 && answer->body.find(expected) != std::string::npos) ++right;
      }
    });
  }
  asked_for.get_future().get()(issuer.jwks());
  for (std::thread& client : clients) client.join();
  BOOST_TEST(right == callers * 10);
  BOOST_TEST(fetches == 1);
}

BOOST_AUTO_TEST_CASE(keys_that_come_too_late_let_the_next_one_in) {
  const JwtIssuer issuer;
  std::promise<Done<std::string>> asked_for;
  http::Port port =
      port_for(options_for(issuer, [&](Done<std::string> done) { asked_for.set_value(std::move(done)); }));
  port.limits.authenticate = 40ms;
  HttpServed served(port);
  tell_callers(served.server);
  BOOST_TEST(asked(served, bearer(issuer.token_of("ann")))->status == 503);
  asked_for.get_future().get()(issuer.jwks());
  BOOST_TEST(asked(served, bearer(issuer.token_of("ann")))->status == 200);
}

BOOST_AUTO_TEST_CASE(keys_may_come_when_the_server_is_gone) {
  const JwtIssuer issuer;
  std::promise<Done<std::string>> asked_for;
  std::optional<Done<std::string>> kept;
  {
    HttpServed served(
        port_for(options_for(issuer, [&](Done<std::string> done) { asked_for.set_value(std::move(done)); })));
    RawHttp client = served.client();
    client.send(served.call("caller", "{}", bearer(issuer.token_of("ann"))).text());
    kept.emplace(asked_for.get_future().get());
  }
  (*kept)(issuer.jwks());
}

BOOST_AUTO_TEST_CASE(a_refusal_comes_before_the_body_is_read) {
  const JwtIssuer issuer;
  HttpServed served(port_for(options_for(issuer, [&](Done<std::string> done) { done(issuer.jwks()); })));
  for (const std::string& fields : {std::string(), bearer("a.b.c"), bearer(issuer.token_of("ann") + "A")}) {
    RawHttp client = served.client();
    client.send(served.call("caller", "{}", fields).head() + "Content-Length: 1000000\r\n\r\n");  // and no body yet
    const auto refused = client.answer();
    BOOST_TEST_REQUIRE(refused.has_value());
    BOOST_TEST(refused->status == 401);
    BOOST_TEST(refused->field("www-authenticate").find(http::metadata_url({.resource = issuer.resource})) !=
               std::string::npos);
  }
}
