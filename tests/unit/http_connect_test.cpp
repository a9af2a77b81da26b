// A server over HTTP as a program reaches it by toolwire/http/connect.hpp.
#include <toolwire/http/connect.hpp>

#define BOOST_TEST_MODULE http_connect_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <toolwire/client.hpp>
#include <toolwire/engine.hpp>
#include <utility>
#include <vector>

#include "http_served.hpp"
#include "relay.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

std::string url_of(const HttpServed& served) { return "http://" + served.host() + "/mcp"; }

/// A port that lets in who says this, at that time.
http::Port port_for(const std::function<std::string()>& expected) {
  http::Port port = patient();
  port.authenticate = [expected](const http::Request& head, Done<Principal> done) {
    for (const http::Field& field : head.fields) {
      if (field.name == "Authorization" && field.value == expected()) return done("somebody");
    }
    done.fail(std::make_exception_ptr(http::NotAuthenticated("not that one")));
  };
  return port;
}

/// A port whose clients call it by this name.
http::Port port_named(const std::string& name) {
  http::Port port = patient();
  port.handler.hosts = {name};
  return port;
}

/// https://mcp.example.com/mcp with this certificate, which only the proxy knows the way to.
struct EncryptedServer {
  explicit EncryptedServer(const Certificate& certificate)
      : front(Relay::tls(served.port, certificate)), proxy(Relay::proxy(front.port())) {}
  Client client(http::ConnectOptions options) const {
    options.proxy = "http://" + proxy.host();
    return Client(http::connect("https://mcp.example.com/mcp", std::move(options)));
  }

  HttpServed served{port_named("mcp.example.com")};
  Relay front;
  Relay proxy;
};

std::string why_not(const std::function<void()>& attempt) {
  try {
    attempt();
  } catch (const std::exception& problem) {
    return problem.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_url_is_all_that_a_client_needs) {
  HttpServed served;
  Client client(http::connect(url_of(served)));
  BOOST_TEST(client.server().name == "served");
  BOOST_TEST(client.list_tools().size() == 4U);
  BOOST_TEST(client.call<std::string>("echo", {{"text", "over HTTP"}}) == "over HTTP");
}

BOOST_AUTO_TEST_CASE(many_clients_share_the_threads_of_one_engine) {
  HttpServed served;
  const auto engine = std::make_shared<Engine>();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 8; ++i)
    clients.push_back(
        std::make_unique<Client>(http::connect(url_of(served), {.engine = engine}), ClientOptions{.engine = engine}));
  std::vector<CallHandle> calls;
  for (const auto& client : clients) calls.push_back(client->start_call("echo", {{"text", "one of many"}}));
  for (CallHandle& call : calls) BOOST_TEST(call.wait().text() == "one of many");
}

BOOST_AUTO_TEST_CASE(a_token_says_who_is_calling) {
  HttpServed served(port_for([] { return std::string("Bearer of-this-test"); }));
  Client client(http::connect(url_of(served), {.token = "of-this-test"}));
  BOOST_TEST(client.call<std::string>("echo", {{"text", "let in"}}) == "let in");
  const std::string refused = why_not([&] { Client(http::connect(url_of(served), {.token = "of-another"})); });
  BOOST_TEST(says(refused, "HTTP 401"), refused);
}

BOOST_AUTO_TEST_CASE(a_token_that_is_refused_is_asked_for_again) {
  std::mutex mutex;
  std::string valid = "Bearer first";
  std::vector<std::string> refusals;
  HttpServed served(port_for([&] {
    const std::lock_guard lock(mutex);
    return valid;
  }));
  std::string known = "Bearer first";
  Client client(http::connect(url_of(served), {.authorization = [&](std::string_view refused) {
                                const std::lock_guard lock(mutex);
                                if (!refused.empty()) refusals.emplace_back(refused);
                                if (!refused.empty()) known = valid;
                                return known;
                              }}));
  BOOST_TEST(client.call<std::string>("echo", {{"text", "before"}}) == "before");
  {
    const std::lock_guard lock(mutex);
    valid = "Bearer second";
  }
  BOOST_TEST(client.call<std::string>("echo", {{"text", "after"}}) == "after");
  const std::lock_guard lock(mutex);
  BOOST_TEST(refusals == std::vector<std::string>{"Bearer first"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_function_that_knows_no_other_token_lets_the_refusal_stand) {
  HttpServed served(port_for([] { return std::string("Bearer right"); }));
  std::atomic<int> asked = 0;
  const auto wrong = [&](std::string_view) {
    ++asked;
    return std::string("Bearer wrong");
  };
  const std::string refused = why_not([&] { Client(http::connect(url_of(served), {.authorization = wrong})); });
  BOOST_TEST(says(refused, "HTTP 401"), refused);
  BOOST_TEST(asked < 12);
}

BOOST_AUTO_TEST_CASE(what_the_function_throws_is_what_the_client_reads) {
  HttpServed served(port_for([] { return std::string("Bearer right"); }));
  const auto broken = [](std::string_view) -> std::string { throw std::runtime_error("the vault is sealed"); };
  const std::string refused = why_not([&] { Client(http::connect(url_of(served), {.authorization = broken})); });
  BOOST_TEST(says(refused, "the vault is sealed"), refused);
}

BOOST_AUTO_TEST_CASE(options_that_cannot_be_used_are_refused_before_anything_is_sent) {
  using Options = http::ConnectOptions;
  const auto why = [](const std::string& url, Options options) {
    try {
      (void)http::connect(url, std::move(options));
    } catch (const std::invalid_argument& problem) {
      return std::string(problem.what());
    }
    return std::string("taken");
  };
  const std::string url = "http://127.0.0.1:9/mcp";
  BOOST_TEST(why(url, {}) == "taken");
  for (const char* const wrong : {"", "file:///etc/passwd", "127.0.0.1:9", "http://me:word@127.0.0.1/", "http:// x/"})
    BOOST_TEST(says(why(wrong, {}), "expected an http or https URL"), wrong);
  const auto some = [](std::string_view) { return std::string(); };
  BOOST_TEST(says(why(url, Options{.token = "a", .authorization = some}), "not both"));
  BOOST_TEST(says(why(url, Options{.token = "a", .headers = {{"authorization", "b"}}}), "not both"));
  BOOST_TEST(says(why(url, Options{.token = "a\r\nX: b"}), "control characters"));
  BOOST_TEST(says(why(url, Options{.headers = {{"Mcp-Session-Id", "a"}}}), "the protocol's"));
  BOOST_TEST(says(why(url, Options{.headers = {{"a b", "c"}}}), "a header's name"));
  BOOST_TEST(
      says(why(url, Options{.ca_file = "/nowhere/ca.pem"}), "cannot read certificates from \"/nowhere/ca.pem\""));
  BOOST_TEST(says(why(url, Options{.ca_file = "/etc/passwd"}), "expected certificates in PEM"));
  for (const char* const wrong : {"127.0.0.1:3128", "socks5://127.0.0.1:1080", "http://", "http://a b/"})
    BOOST_TEST(says(why(url, Options{.proxy = wrong}), "expected \"http://host:port\" as `proxy`"), wrong);
  BOOST_TEST(why(url, Options{.proxy = "http://me:word@127.0.0.1:3128"}) == "taken");
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_there_is_said_to_be_so) {
  std::string url;
  {
    HttpServed served;
    url = url_of(served);
  }
  const std::string said = why_not([&] { Client(http::connect(url)); });
  BOOST_TEST(says(said, url.substr(0, url.size() - 4)), said);
}

BOOST_AUTO_TEST_CASE(certificates_of_the_file_are_trusted_and_no_others) {
  const Certificate trusted("mcp.example.com");
  const Certificate other("mcp.example.com");
  EncryptedServer server(trusted);
  Client client = server.client({.ca_file = trusted.file()});
  BOOST_TEST(client.call<std::string>("echo", {{"text", "over TLS"}}) == "over TLS");
  for (const std::string& wrong : {std::string(), other.file()}) {
    const std::string refused = why_not([&] { server.client({.ca_file = wrong}); });
    BOOST_TEST(says(refused, "certificate"), refused);
  }
}

BOOST_AUTO_TEST_CASE(a_certificate_is_for_the_name_in_the_url) {
  const Certificate trusted("other.example.com");
  EncryptedServer server(trusted);
  const std::string refused = why_not([&] { server.client({.ca_file = trusted.file()}); });
  BOOST_TEST(says(refused, "mcp.example.com"), refused);
}

BOOST_AUTO_TEST_CASE(requests_go_through_the_proxy) {
  HttpServed served(port_named("mcp.example.com"));
  Relay proxy = Relay::proxy(served.port);
  Client client(http::connect("http://mcp.example.com/mcp", {.proxy = "http://" + proxy.host()}));
  BOOST_TEST(client.call<std::string>("echo", {{"text", "by the proxy"}}) == "by the proxy");
  BOOST_TEST(proxy.line() == "POST http://mcp.example.com/mcp HTTP/1.1");
}

BOOST_AUTO_TEST_CASE(what_is_said_in_tls_is_nothing_to_the_proxy) {
  const Certificate trusted("mcp.example.com");
  EncryptedServer server(trusted);
  Client client = server.client({.token = "a-secret", .ca_file = trusted.file()});
  BOOST_TEST(client.call<std::string>("echo", {{"text", "by the proxy"}}) == "by the proxy");
  BOOST_TEST(server.proxy.line() == "CONNECT mcp.example.com:443 HTTP/1.1");
}

BOOST_AUTO_TEST_CASE(the_proxy_of_the_environment_is_used) {
  HttpServed served(port_named("mcp.example.com"));
  Relay proxy = Relay::proxy(served.port);
  ::setenv("http_proxy", ("http://" + proxy.host()).c_str(), 1);
  {
    Client client(http::connect("http://mcp.example.com/mcp"));
    BOOST_TEST(client.call<std::string>("echo", {{"text", "by the proxy"}}) == "by the proxy");
  }
  ::unsetenv("http_proxy");
}
