// TLS to a server elsewhere, without that server: what is refused, what is waited for, and what of a connection needs
// no Redis to be shown.
#define BOOST_TEST_MODULE tls_streams_test
#include <boost/test/unit_test.hpp>

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "certificates.hpp"
#include "listening_socket.hpp"
#include "process_bench.hpp"
#include "redis/connection.hpp"
#include "redis_server.hpp"
#include "scripted_redis.hpp"
#include "store_cases.hpp"
#include "streams/system/endpoint.hpp"
#include "streams/tls_context.hpp"
#include "tls_peer.hpp"

namespace {

using namespace std::chrono_literals;
using namespace toolwire_test;
using toolwire::Tls;
namespace redis = toolwire::redis;
namespace streams = toolwire::streams;
namespace ready = toolwire::system::ready;

bool has(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

redis::Options options_at(const std::string& address, const std::string& server_name = "") {
  redis::Options options = redis_options(address);
  options.tls = Tls{.ca = trusted().certificate(), .server_name = server_name};
  return options;
}

std::string asked(const redis::Options& options) {
  try {
    return ask(redis::make_client(options), {"GET", "key"}).text;
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// As a Redis that knows one answer.
void answer(SSL* session) {
  for (std::string said = "+PONG\r\n"; !TlsPeer::some(session).empty(); said = "$2\r\nok\r\n")
    TlsPeer::say(session, said);
}

/// What a client has to say about a server with this certificate.
std::string asked_of(const Certified& server, const std::string& server_name = "") {
  const TlsPeer peer(server, answer);
  return asked(options_at(peer.address(), server_name));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_server_is_taken_for_what_its_alternative_names_say) {
  BOOST_TEST(asked_of(trusted().issue()) == "ok");
  BOOST_TEST(asked_of(trusted().issue(), "localhost") == "ok");
  BOOST_TEST(asked_of(trusted().issue({.names = "DNS:redis.example.com"}), "redis.example.com.") == "ok");
  BOOST_TEST(asked_of(trusted().issue({.names = "DNS:*.example.com"}), "redis.example.com") == "ok");
  BOOST_TEST(asked_of(trusted().issue({.names = "IP:::1"}), "::1") == "ok");
}

BOOST_AUTO_TEST_CASE(a_server_that_is_another_is_refused_at_once) {
  struct Row {
    const char* what;
    Certified server;
    const char* name;
    const char* why;
  };
  const std::vector<Row> rows{
      {"another authority", Authority("another").issue(), "", "unable to get local issuer certificate"},
      {"an authority of the same name", Authority().issue(), "", "certificate signature failure"},
      {"none", Authority::self_signed(), "", "self-signed certificate"},
      {"another address", trusted().issue({.names = "IP:127.0.0.2"}), "", "IP address mismatch"},
      {"another name", trusted().issue(), "redis.example.com", "hostname mismatch"},
      {"part of a name", trusted().issue({.names = "DNS:r*.example.com"}), "redis.example.com", "hostname mismatch"},
      {"a common name", trusted().issue({.common_name = "localhost", .names = ""}), "localhost", "hostname mismatch"},
      {"an address as a name", trusted().issue({.names = "DNS:127.0.0.1"}), "", "IP address mismatch"},
      {"one of yesterday", trusted().issue({.begins = -7'200, .ends = -3'600}), "", "certificate has expired"},
      {"one of tomorrow", trusted().issue({.begins = 3'600}), "", "certificate is not yet valid"},
      {"one of a client", trusted().issue({.usage = "clientAuth"}), "", "certificate purpose"}};
  for (const Row& row : rows) {
    const std::string said = asked_of(row.server, row.name);
    BOOST_TEST(has(said, "cannot be used: its certificate is refused: "), row.what << ": " << said);
    BOOST_TEST(has(said, row.why), row.what << ": " << said);
  }
}

BOOST_AUTO_TEST_CASE(without_authorities_those_of_the_system_count_alone) {
  const TlsPeer peer(trusted().issue(), answer);
  redis::Options options = options_at(peer.address());
  options.tls->ca = "";
  BOOST_TEST(has(asked(options), "unable to get local issuer certificate"));
}

BOOST_AUTO_TEST_CASE(an_older_version_is_refused) {
  for (const int version : {TLS1_VERSION, TLS1_1_VERSION}) {
    const TlsPeer peer(trusted().issue(), {.newest = version, .ciphers = "DEFAULT@SECLEVEL=0"}, answer);
    const std::string said = asked(options_at(peer.address()));
    BOOST_TEST(has(said, "TLS: "), said);
    BOOST_TEST(has(said, "protocol"), said);
  }
  const TlsPeer peer(trusted().issue(), {.newest = TLS1_2_VERSION}, answer);
  BOOST_TEST(asked(options_at(peer.address())) == "ok");
}

BOOST_AUTO_TEST_CASE(the_name_is_asked_for_and_an_address_is_not) {
  const auto name_at = [](const std::string& server_name) {
    std::string asked_for;
    {
      const TlsPeer peer(trusted().issue({.names = "DNS:redis.example.com,IP:127.0.0.1"}), [&](SSL* session) {
        const char* const name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name);
        asked_for = name == nullptr ? "nobody" : name;
        answer(session);
      });
      BOOST_TEST(asked(options_at(peer.address(), server_name)) == "ok");
    }
    return asked_for;
  };
  BOOST_TEST(name_at("redis.example.com.") == "redis.example.com");
  BOOST_TEST(name_at("") == "nobody");
}

BOOST_AUTO_TEST_CASE(what_is_no_tls_is_said_to_be_none) {
  ScriptedRedis plain([](int, int, const std::string&) { return ScriptedRedis::Said{"-ERR unknown command\r\n"}; });
  BOOST_TEST(has(asked(options_at(plain.address())), "it does not speak TLS"));
}

BOOST_AUTO_TEST_CASE(who_leaves_in_the_middle_of_the_handshake_is_tried_again_until_the_deadline) {
  for (const char* const begun : {"", "\x16\x03\x03"}) {
    ScriptedRedis leaves([&](int, int, const std::string&) { return ScriptedRedis::Said{begun, true}; });
    redis::Options options = options_at(leaves.address());
    options.deadline = 500ms;
    const std::string said = asked(options);
    BOOST_TEST((has(said, "closed the connection") || has(said, "reset")), said);
    BOOST_TEST(leaves.connections() > 1);
  }
}

BOOST_AUTO_TEST_CASE(who_is_silent_in_the_handshake_is_given_up_at_the_deadline) {
  for (const char* const begun : {"", "\x16\x03\x03"}) {
    ScriptedRedis silent([&](int, int, const std::string&) { return ScriptedRedis::Said{begun, false}; });
    redis::Options options = options_at(silent.address());
    options.deadline = 300ms;
    const std::string said = asked(options);
    BOOST_TEST(has(said, "cannot be used: it does not answer in TLS"), said);
  }
}

BOOST_AUTO_TEST_CASE(keys_change_while_neither_side_takes_what_the_other_says) {
  constexpr std::size_t many = 20;
  const std::string text(std::size_t{256} << 10, 'x');
  std::promise<void> is_asked;
  const TlsPeer peer(trusted().issue(), {.most_buffered = 32'768}, [&](SSL* session) {
    TlsPeer::some(session);
    TlsPeer::say(session, "+PONG\r\n");
    is_asked.get_future().wait();
    SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED);
    TlsPeer::say(session, "+first\r\n");
    SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED);
    TlsPeer::say(session, "+second\r\n");
    std::size_t read = 0;
    for (std::size_t said = 2; said < many;) {
      const std::string some = TlsPeer::some(session);
      if (some.empty()) return;
      for (read += some.size(); said < many && read > text.size() * (said + 1); ++said)
        TlsPeer::say(session, "+more\r\n");
    }
    while (!TlsPeer::some(session).empty()) continue;
  });
  const auto client = redis::make_client(options_at(peer.address()));
  std::vector<std::promise<std::string>> answers(many);
  for (std::promise<std::string>& answer : answers) {
    const std::array<std::string_view, 2> command{"ECHO", text};
    client->ask(command, toolwire::Done<redis::Reply>([&answer](auto&& result) {
                  const auto* const reply = std::get_if<redis::Reply>(&result);
                  answer.set_value(reply == nullptr ? "failed" : reply->text);
                }));
  }
  is_asked.set_value();
  for (std::size_t i = 0; i < many; ++i) {
    const std::string said = answers[i].get_future().get();
    BOOST_TEST(said == (i == 0 ? "first" : i == 1 ? "second" : "more"));
  }
}

/// New keys of the server are answered with new ones. OpenSSL does that with what is written next.
BOOST_AUTO_TEST_CASE(new_keys_hold_up_no_read_where_there_is_no_room_to_answer_them) {
  std::array<int, 2> ends{};
  BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) == 0);
  const toolwire::system::FileDescriptor own(ends[0]);
  const toolwire::system::FileDescriptor other(ends[1]);
  const streams::TlsContext context({.ca = trusted().certificate()}, "localhost");
  const auto client = context.stream(own.get());
  const auto server = TlsPeer::session_over(other.get(), trusted().issue());
  for (bool is_done = false; !is_done;) {
    const streams::Moved begun = client->begin();
    is_done = SSL_do_handshake(server.get()) == 1 && begun.waits_for == 0;
    BOOST_REQUIRE(begun.error.empty());
  }
  std::array<char, streams::Stream::most_at_once> bytes{};
  BOOST_TEST(client->receive(bytes).waits_for == ready::to_read);  // but what is no answer
  std::size_t filled = 0;
  const std::string filling(1'000, 'x');
  for (ssize_t count = 0; (count = ::send(own.get(), filling.data(), filling.size(), MSG_NOSIGNAL)) > 0;)
    filled += static_cast<std::size_t>(count);
  SSL_key_update(server.get(), SSL_KEY_UPDATE_REQUESTED);
  TlsPeer::say(server.get(), "answer");
  const streams::Moved received = client->receive(bytes);
  BOOST_TEST(std::string(bytes.data(), received.count) == "answer");
  BOOST_TEST(client->send("question").waits_for == ready::to_write);
  while (filled > 0) {
    const ssize_t count = ::recv(other.get(), bytes.data(), std::min(bytes.size(), filled), 0);
    BOOST_REQUIRE(count > 0);
    filled -= static_cast<std::size_t>(count);
  }
  BOOST_TEST(client->send("question").count == 8U);
  BOOST_TEST(TlsPeer::some(server.get()) == "question");
}

namespace {

/// One whose first read waits for room to write, and whose first write waits for something to read.
class Crosswise final : public streams::Stream {
 public:
  struct Calls {
    std::atomic<int> receive{0};
    std::atomic<int> send{0};
  };
  Crosswise(int socket, Calls& calls) : socket_(socket), calls_(calls) {}

  streams::Moved begin() override { return {}; }
  streams::Moved send(std::string_view bytes) override {
    if (calls_.send++ == 0) return {.waits_for = ready::to_read};
    return streams::send_some(socket_, bytes);
  }
  streams::Moved receive(std::span<char> into) override {
    if (calls_.receive++ == 0) return {.waits_for = ready::to_write};
    return streams::receive_some(socket_, into);
  }
  void end() override {}

 private:
  const int socket_;
  Calls& calls_;
};

struct Owner final : redis::Connection::Events {
  void opened() override { ++is_open; }
  void replied(redis::Reply&& /*reply*/) override { ++replies; }
  void broke(const std::string& /*why*/) override { ++broken; }
  void untrusted(const std::string& /*why*/) override { ++broken; }
  void handled() override {}
  std::atomic<int> is_open{0};
  std::atomic<int> replies{0};
  std::atomic<int> broken{0};
};

}  // namespace

BOOST_AUTO_TEST_CASE(either_direction_of_a_connection_may_wait_for_the_other) {
  const ListeningSocket listener;
  Owner owner;
  Crosswise::Calls calls;
  const auto address = streams::addresses_of({.host = "127.0.0.1", .port = std::to_string(listener.port())},
                                             streams::Reach::this_machine);
  toolwire::EventLoop loop;
  redis::Connection connection(
      loop, owner, [&](int socket) { return std::make_unique<Crosswise>(socket, calls); }, std::size_t{1} << 20);
  loop.post([&] { connection.open(address.front()); });
  const toolwire::system::FileDescriptor server(::accept4(listener.descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
  BOOST_TEST(eventually([&] { return owner.is_open == 1; }));
  BOOST_TEST(streams::send_some(server.get(), "+one\r\n").count == 6U);
  BOOST_TEST(eventually([&] { return owner.replies == 1; }));  // there is room to write, and so it reads
  loop.post([&] {
    connection.append("question");
    connection.flush();
  });
  BOOST_TEST(eventually([&] { return calls.send == 1; }));
  BOOST_TEST(streams::send_some(server.get(), "+two\r\n").count == 6U);
  std::array<char, 100> bytes{};
  BOOST_TEST(::recv(server.get(), bytes.data(), bytes.size(), 0) == 8);
  BOOST_TEST(eventually([&] { return owner.replies == 2; }));
  loop.stop();
  BOOST_TEST(calls.send == 2);
  BOOST_TEST(owner.broken == 0);
}

BOOST_AUTO_TEST_CASE(who_shows_no_certificate_that_the_server_trusts_is_told_so_at_once) {
  const auto asked_with = [](const Certified& own) {
    const TlsPeer peer(trusted().issue(), {.client_ca = trusted().certificate()}, answer);
    redis::Options options = options_at(peer.address());
    options.tls->certificate = own.certificate;
    options.tls->key = own.key;
    return asked(options);
  };
  BOOST_TEST(asked_with(trusted().issue({.common_name = "a replica", .names = "", .usage = "clientAuth"})) == "ok");
  const Authority between = trusted().intermediate();
  Certified own = between.issue();
  BOOST_TEST(has(asked_with(own), "cannot be used: TLS: "));
  own.certificate += between.certificate();
  BOOST_TEST(asked_with(own) == "ok");
  BOOST_TEST(has(asked_with({}), "alert certificate required"));
  BOOST_TEST(has(asked_with(Authority("another").issue()), "alert unknown ca"));
  BOOST_TEST(has(asked_with(trusted().issue({.ends = -1'800})), "alert certificate expired"));
}

BOOST_AUTO_TEST_CASE(a_peer_that_is_gone_raises_no_signal) {
  static std::atomic<int> raised{0};
  raised = 0;
  struct sigaction counting {};
  struct sigaction before {};
  counting.sa_handler = [](int) { ++raised; };
  ::sigaction(SIGPIPE, &counting, &before);
  std::array<int, 2> ends{};
  BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) == 0);
  const toolwire::system::FileDescriptor own(ends[0]);
  toolwire::system::FileDescriptor(ends[1]).reset();
  const streams::TlsContext context({}, "localhost");
  const streams::Moved begun = context.stream(own.get())->begin();
  ::sigaction(SIGPIPE, &before, nullptr);
  BOOST_TEST(begun.error == "Broken pipe");
  BOOST_TEST(!begun.is_refusal);
  BOOST_TEST(raised == 0);
}

BOOST_AUTO_TEST_CASE(the_end_is_said_to_the_server) {
  std::promise<int> end;
  {
    const TlsPeer peer(trusted().issue(), [&](SSL* session) {
      answer(session);
      end.set_value(SSL_get_shutdown(session));
    });
    BOOST_TEST(asked(options_at(peer.address())) == "ok");
  }
  BOOST_TEST((end.get_future().get() & SSL_RECEIVED_SHUTDOWN) != 0);
}

BOOST_AUTO_TEST_CASE(texts_that_cannot_be_used_are_refused_and_nobody_is_asked_for_a_password) {
  const Certified own = trusted().issue();
  const auto refused = [&](const Tls& tls, std::string_view words, const std::string& host = "localhost") {
    BOOST_CHECK_EXCEPTION(streams::TlsContext(tls, host), std::invalid_argument,
                          [&](const std::invalid_argument& error) {
                            BOOST_TEST_INFO(error.what());
                            return has(error.what(), words);
                          });
  };
  const std::string spoilt = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  refused({.ca = "no certificate"}, R"("ca": expected certificates (PEM, "-----BEGIN CERTIFICATE-----"), found none)");
  refused({.ca = own.key}, R"("ca": expected certificates)");
  refused({.ca = own.certificate + spoilt}, R"("ca": expected certificates (PEM), found one that cannot be read)");
  refused({.certificate = own.certificate}, R"(expected both "certificate" and its "key")");
  refused({.key = own.key}, R"(expected both "certificate" and its "key")");
  refused({.certificate = own.key, .key = own.key}, R"("certificate": expected certificates)");
  refused({.certificate = own.certificate, .key = own.certificate}, R"("key": expected a private key)");
  refused({.certificate = own.certificate, .key = Authority::encrypted(own.key, "secret")}, "that is not encrypted");
  refused({.certificate = own.certificate, .key = trusted().issue().key},
          R"("key": expected the one of "certificate")");
  refused({.server_name = "redis.example.com:6379"}, R"("server_name": expected a name or an address)");
  refused({.server_name = "*.example.com"}, R"("server_name": expected a name or an address)");
  refused({}, R"("server_name": expected a name or an address)", "fe80::1%eth0");
  BOOST_CHECK_NO_THROW(streams::TlsContext({.certificate = own.certificate + own.key, .key = own.key}, "localhost"));
}

BOOST_AUTO_TEST_CASE(nothing_goes_to_another_machine_in_the_clear) {
  const auto refused = [](auto change, std::string_view words) {
    redis::Options options = redis_options("127.0.0.1:6379");
    change(options);
    BOOST_CHECK_EXCEPTION(redis::make_client(options), std::invalid_argument,
                          [&](const std::invalid_argument& error) { return has(error.what(), words); });
  };
  for (const char* const address :
       {"redis:6379", "10.0.0.1:6379", "[2001:db8::1]:6379", "0.0.0.0:6379", "localhost.x:1"})
    refused([&](redis::Options& options) { options.address = address; }, "may be another machine: expected TLS");
  for (const char* const address : {"127.1.2.3:6379", "[::1]:6379", "LocalHost:6379", "unix:/run/redis.sock"}) {
    redis::Options options = redis_options(address);
    BOOST_CHECK_NO_THROW(redis::make_client(options));
    options.is_tunnelled = true;
    refused([&](redis::Options& changed) { changed = options; }, "to which no tunnel leads");
  }
  refused([](redis::Options& options) { options = options_at("unix:/run/redis.sock"); }, "TLS is for HOST:PORT");
  refused(
      [](redis::Options& options) {
        options = options_at("redis:6379");
        options.is_tunnelled = true;
      },
      "not through a tunnel");
  redis::Options tunnelled = redis_options("redis:6379");
  tunnelled.is_tunnelled = true;
  BOOST_CHECK_NO_THROW(redis::make_client(tunnelled));
}

/// Whatever a resolver says "localhost" is.
BOOST_AUTO_TEST_CASE(addresses_of_other_machines_are_left_out_where_only_this_one_will_do) {
  const streams::Endpoint other{.host = "192.0.2.1", .port = "6379"};
  BOOST_TEST(streams::addresses_of(other, streams::Reach::anywhere).size() == 1U);
  BOOST_CHECK_EXCEPTION(
      streams::addresses_of(other, streams::Reach::this_machine), std::runtime_error,
      [](const std::runtime_error& error) { return has(error.what(), "\"192.0.2.1\" is not this machine"); });
  BOOST_TEST(!streams::addresses_of({.host = "127.0.0.1", .port = "1"}, streams::Reach::this_machine).empty());
}
