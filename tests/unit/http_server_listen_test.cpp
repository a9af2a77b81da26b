// Where an HTTP server listens, whom it lets in, and on whose threads it works.
#include <toolwire/http/listen.hpp>

#define BOOST_TEST_MODULE http_server_listen_test
#include <poll.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <toolwire/engine.hpp>
#include <vector>

#include "http_served.hpp"
#include "scratch_folder.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using namespace toolwire_test;
using toolwire::system::FileDescriptor;

namespace {

http::Port authenticated_by(http::Authenticate authenticate) {
  http::Port port = patient();
  port.authenticate = std::move(authenticate);
  return port;
}

/// Knows one token, whose owner is "ann".
void know_ann(const http::Request& head, Done<Principal> done) {
  for (const http::Field& field : head.fields) {
    if (field.name == "Authorization" && field.value == "Bearer of-ann") return done("ann");
  }
  done.fail(std::make_exception_ptr(http::NotAuthenticated("no token", R"(Bearer realm="tests")")));
}

FileDescriptor listening_socket(in_addr_t address) {
  FileDescriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(address);
  BOOST_REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
  BOOST_REQUIRE(::listen(socket.get(), 8) == 0);
  return socket;
}

bool has_ipv6() {
  const FileDescriptor socket{::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

auto says(const char* what) {
  return [what](const std::exception& error) {
    return std::string_view(error.what()).find(what) != std::string_view::npos;
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_port_that_others_can_reach_needs_to_know_who_calls) {
  Server server({"refusing", "1"});
  for (const char* const address : {"0.0.0.0", "::"}) {
    if (std::string_view(address) == "::" && !has_ipv6()) continue;
    http::Port port;
    port.address = address;
    BOOST_CHECK_EXCEPTION(http::listen(server, port), std::invalid_argument, says("Port::authenticate"));
    port.authenticate = know_ann;
    BOOST_CHECK_EXCEPTION(http::listen(server, port), std::invalid_argument, says("Port::handler.hosts"));
    port.handler.hosts = {"mcp.example.com"};
    BOOST_TEST(http::listen(server, port) != 0);
  }
  const int handed_over = listening_socket(INADDR_ANY).release();
  BOOST_CHECK_EXCEPTION(http::listen(server, {.descriptor = handed_over}), std::invalid_argument,
                        says("Port::authenticate"));
}

BOOST_AUTO_TEST_CASE(options_that_cannot_be_meant_are_refused) {
  Server server({"refusing", "1"});
  const auto refused = [&](const std::function<void(http::Port&)>& change) {
    http::Port port;
    change(port);
    BOOST_CHECK_THROW(http::listen(server, port), std::invalid_argument);
  };
  refused([](http::Port& port) { port.handler.path = "mcp"; });
  refused([](http::Port& port) { port.handler.max_body = 0; });
  refused([](http::Port& port) { port.health = "health"; });
  refused([](http::Port& port) { port.limits.connections = 0; });
  refused([](http::Port& port) { port.limits.head = 0; });
  refused([](http::Port& port) { port.limits.idle = 0ms; });
  refused([](http::Port& port) { port.limits.stalled = -1ms; });
  BOOST_CHECK_EXCEPTION(http::listen(server, {.address = "localhost"}), std::system_error, says("in numbers"));
  BOOST_CHECK_THROW(http::listen(server, {.descriptor = 1'000'000}), std::system_error);
  const FileDescriptor no_listener{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  BOOST_CHECK_EXCEPTION(http::listen(server, {.descriptor = no_listener.get()}), std::system_error,
                        says("that listens"));
  const FileDescriptor no_stream{::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)};
  BOOST_CHECK_THROW(http::listen(server, {.descriptor = no_stream.get()}), std::system_error);
  const std::uint16_t taken = http::listen(server, {});
  BOOST_CHECK_THROW(http::listen(server, {.port = taken}), std::system_error);
  server.stop();
  BOOST_CHECK_THROW(http::listen(server, {}), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_port_can_be_added_while_the_server_runs) {
  HttpServed served;
  const std::uint16_t second = http::listen(served.server, patient());
  RawHttp client(second);
  RawCall call = served.echo("there");
  call.host = "localhost:" + std::to_string(second);
  client.send(call.text());
  BOOST_TEST(client.answer()->status == 200);
  BOOST_TEST(served.answers());
}

BOOST_AUTO_TEST_CASE(ipv6_is_spoken_where_there_is_some) {
  if (!has_ipv6()) {
    BOOST_TEST_MESSAGE("there is no ::1: left out");
    return;
  }
  http::Port port = patient();
  port.address = "::1";
  const HttpServed served(port);
  FileDescriptor socket{::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  address.sin6_port = htons(served.port);
  BOOST_REQUIRE(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  RawHttp client(std::move(socket));
  RawCall call = served.echo("there");
  call.host = "[::1]:" + std::to_string(served.port);
  client.send(call.text());
  BOOST_TEST(client.answer()->status == 200);
}

BOOST_AUTO_TEST_CASE(sockets_that_listen_already_are_used) {
  http::Port port = patient();
  port.descriptor = listening_socket(INADDR_LOOPBACK).release();
  const HttpServed served(port);
  BOOST_TEST(served.port != 0);
  BOOST_TEST(served.answers());
}

BOOST_AUTO_TEST_CASE(a_unix_socket_can_be_handed_over) {
  const ScratchFolder folder;
  const std::string path = (folder / "socket").string();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const auto* const at = reinterpret_cast<const sockaddr*>(&address);
  FileDescriptor listening{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  BOOST_REQUIRE(::bind(listening.get(), at, sizeof address) == 0);
  BOOST_REQUIRE(::listen(listening.get(), 8) == 0);
  http::Port port = patient();
  port.descriptor = listening.release();
  const HttpServed served(port);
  BOOST_TEST(served.port == 0);
  FileDescriptor socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  BOOST_REQUIRE(::connect(socket.get(), at, sizeof address) == 0);
  RawHttp client(std::move(socket));
  RawCall call = served.echo("there");
  call.host = "localhost";
  client.send(call.text());
  BOOST_TEST(client.answer()->status == 200);
}

BOOST_AUTO_TEST_CASE(descriptors_that_are_handed_over_are_those_for_this_process) {
  const std::string own = std::to_string(::getpid());
  const auto handed_over = [](const std::string& process, const std::string& count) {
    ::setenv("LISTEN_PID", process.c_str(), 1);
    ::setenv("LISTEN_FDS", count.c_str(), 1);
    return http::handed_over_sockets();
  };
  BOOST_TEST(http::handed_over_sockets().empty());
  BOOST_TEST(handed_over(own, "2") == (std::vector{3, 4}), boost::test_tools::per_element());
  BOOST_TEST(handed_over(own, "0").empty());
  BOOST_TEST(handed_over("1", "2").empty());
  for (const char* const wrong : {"many", "", "-1", "1x", "10001", "2147483647"})
    BOOST_CHECK_THROW(handed_over(own, wrong), std::invalid_argument);
  ::unsetenv("LISTEN_PID");
  ::unsetenv("LISTEN_FDS");
}

BOOST_AUTO_TEST_CASE(who_calls_is_asked_before_the_body_is_read_and_told_to_the_tool) {
  HttpServed served(authenticated_by(know_ann));
  served.server.tool("caller", "Who calls", [](const Context& context) { return context.principal().id; });
  RawHttp client = served.client();
  client.send(served.call("caller", "{}", "Authorization: Bearer of-ann\r\n").text());
  const auto told = client.answer();
  BOOST_REQUIRE(told.has_value());
  BOOST_TEST(told->body.find(R"("text":"ann")") != std::string::npos);

  RawHttp stranger = served.client();
  stranger.send(served.call("caller").head() + "Content-Length: 1000000\r\n\r\n");  // and no body yet
  const auto refused = stranger.answer();
  BOOST_REQUIRE(refused.has_value());
  BOOST_TEST(refused->status == 401);
  BOOST_TEST(refused->field("www-authenticate") == R"(Bearer realm="tests")");
  BOOST_TEST(refused->field("connection") == "close");

  RawHttp balancer = served.client();
  balancer.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
  BOOST_TEST(balancer.answer()->status == 200);
}

BOOST_AUTO_TEST_CASE(pages_are_read_by_who_may_call) {
  http::Port port = authenticated_by(know_ann);
  int read = 0;
  port.pages = {{"/metrics", "text/plain", [&] { return "read " + std::to_string(++read); }},
                {"/broken", "text/plain", []() -> std::string { throw std::runtime_error("a secret of the server"); }}};
  const HttpServed served(port);
  const auto asked = [&](const std::string& what, const std::string& fields) {
    RawHttp client = served.client();
    client.send(what + " HTTP/1.1\r\n" + fields + "Content-Length: 0\r\n\r\n");
    return client.answer().value();
  };
  const std::string host = "Host: " + served.host() + "\r\n";
  const std::string ann = "Authorization: Bearer of-ann\r\n";
  const RawAnswer page = asked("GET /metrics?x", host + ann);
  BOOST_TEST(page.status == 200);
  BOOST_TEST(page.body == "read 1");
  BOOST_TEST(page.field("content-type") == "text/plain");
  BOOST_TEST(page.field("cache-control") == "no-store");
  BOOST_TEST(asked("GET /metrics", host).status == 401);
  BOOST_TEST(asked("POST /metrics", host + ann).status == 405);
  BOOST_TEST(asked("GET /metrics", "Host: evil.example\r\n" + ann).status == 403);
  BOOST_TEST(asked("GET /metrics", host + ann + "Origin: https://evil.example\r\n").status == 403);
  BOOST_TEST(asked("GET /metric", host + ann).status == 404);
  BOOST_TEST(read == 1);
  const RawAnswer broken = asked("GET /broken", host + ann);
  BOOST_TEST(broken.status == 500);
  BOOST_TEST(broken.body.find("secret") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(pages_that_cannot_be_meant_are_refused) {
  const auto text = [] { return std::string(); };
  for (const std::vector<http::Page>& pages :
       std::vector<std::vector<http::Page>>{{{"metrics", "text/plain", text}},
                                            {{"/mcp", "text/plain", text}},
                                            {{"/health", "text/plain", text}},
                                            {{"/m?x", "text/plain", text}},
                                            {{"/metrics", "text/plain"}},
                                            {{"/.well-known/oauth-protected-resource", "text/plain", text}},
                                            {{"/metrics", "text/plain", text}, {"/metrics", "text/plain", text}}}) {
    Server server({"s", "1"});
    BOOST_CHECK_THROW(http::listen(server, {.pages = pages}), std::invalid_argument);
  }
}

BOOST_AUTO_TEST_CASE(who_calls_can_be_found_out_later) {
  std::promise<Done<Principal>> asked;
  HttpServed served(
      authenticated_by([&](const http::Request&, Done<Principal> done) { asked.set_value(std::move(done)); }));
  RawHttp client = served.client();
  client.send(served.echo("later").text());
  auto done = asked.get_future().get();
  BOOST_TEST(client.is_silent());
  done("ann");
  BOOST_TEST(client.answer()->status == 200);
}

BOOST_AUTO_TEST_CASE(where_it_is_not_known_who_calls_nobody_is_let_in) {
  const auto status_with = [](http::Authenticate authenticate, std::chrono::milliseconds patience = 10s) {
    http::Port port = authenticated_by(std::move(authenticate));
    port.limits.authenticate = patience;
    HttpServed served(port);
    RawHttp client = served.client();
    client.send(served.echo("hello").text());
    const auto answer = client.answer();
    return answer ? answer->status : 0;
  };
  BOOST_TEST(status_with([](const http::Request&, Done<Principal> done) { done(""); }) == 401);
  BOOST_TEST(status_with([](const http::Request&, Done<Principal>) {}) == 503);
  BOOST_TEST(status_with([](const http::Request&, Done<Principal>) { throw std::runtime_error("broken"); }) == 503);
  BOOST_TEST(status_with([](const http::Request&, Done<Principal> done) { done(std::string(300, 'x')); }) == 403);
  std::optional<Done<Principal>> kept;
  BOOST_TEST(status_with([&](const http::Request&, Done<Principal> done) { kept.emplace(std::move(done)); }, 40ms) ==
             503);
  (*kept)("ann");  // which nobody waits for any more
}

/// Nobody is let in with the answer to an earlier question, or without one because that was given up.
BOOST_AUTO_TEST_CASE(each_request_of_a_connection_is_asked_for) {
  std::mutex mutex;
  std::vector<Done<Principal>> kept;
  std::atomic<int> asked = 0;
  http::Port port = authenticated_by([&](const http::Request&, Done<Principal> done) {
    const std::lock_guard lock(mutex);
    if (++asked > 3) return done("ann");
    kept.push_back(std::move(done));
  });
  port.limits.authenticate = 40ms;
  HttpServed served(port);
  RawHttp client = served.client();
  const std::string nothing = served.echo("").head() + "Content-Length: 0\r\n\r\n";
  for (int i = 1; i <= 3; ++i) {
    client.send(nothing);
    BOOST_TEST(client.answer()->status == 503);
    BOOST_TEST(asked == i);
  }
  {
    const std::lock_guard lock(mutex);
    for (auto& done : kept) done("too late");
  }
  client.send(served.echo("hello").text());
  BOOST_TEST(client.answer()->status == 200);
  BOOST_TEST(asked == 4);
}

BOOST_AUTO_TEST_CASE(a_server_works_on_the_threads_of_an_engine_that_is_there) {
  ServerOptions options;
  options.engine = std::make_shared<Engine>(EngineOptions{.threads = 2});
  std::promise<void> ran;
  {
    HttpServed served(patient(), options);
    BOOST_TEST(served.answers());
    options.engine->post([&] { ran.set_value(); });
    BOOST_TEST((ran.get_future().wait_for(30s) == std::future_status::ready));
  }
  HttpServed again(patient(), options);  // which goes on
  BOOST_TEST(again.answers());
}

BOOST_AUTO_TEST_CASE(a_pump_serves_it_on_one_thread) {
  Server server({"pumped", "1"});
  std::thread::id ran_on;
  server.tool("thread", "Where it runs", [&] {
    ran_on = std::this_thread::get_id();
    return "here";
  });
  const std::uint16_t port = http::listen(server, patient());
  Pump pump(server);
  std::thread asking([&] {
    RawHttp client(port);
    const RawCall call{.tool = "thread", .arguments = "{}", .host = "127.0.0.1:" + std::to_string(port)};
    for (int i = 0; i < 3; ++i) {
      client.send(call.text());
      const auto answer = client.answer();
      if (!answer || answer->status != 200) break;
    }
    server.stop();
  });
  pollfd ready{.fd = pump.descriptor(), .events = POLLIN, .revents = 0};
  while (pump.run_ready()) ::poll(&ready, 1, 1000);
  asking.join();
  BOOST_TEST((ran_on == std::this_thread::get_id()));
}
