// Stores in a real Redis over TLS: the cases of all stores, whom either side refuses, a Redis that is killed in mid
// use, and bytes that come as slowly as they can.
#define BOOST_TEST_MODULE redis_tls_test
#include <boost/test/unit_test.hpp>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "listening_socket.hpp"
#include "store_cases.hpp"
#include "task_store_cases.hpp"
#include "tls_redis.hpp"

namespace {

using namespace std::chrono_literals;
using namespace toolwire_test;
using toolwire::NonceUse;
using toolwire::Stores;
namespace redis = toolwire::redis;

bool has(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

Stores stores_with(const redis::Options& options) { return redis::stores(redis::make_client(options, redis_engine())); }

/// As options_of_case, over TLS in which both sides show certificates.
redis::Options options_over_tls() {
  static const TlsRedis server(trusted().issue(), &trusted(), "appendonly no\n");
  static int cases = 0;
  redis::Options options = tls_options(server.address(), trusted(), replica());
  options.prefix = "tls" + std::to_string(++cases) + ":";
  return options;
}

const bool registered = [] {
  add_store_cases("redis_over_tls", [] {
    constexpr redis::OutputLimits limits{.max_text = std::size_t{1} << 20};
    return redis::stores(redis::make_client(options_over_tls(), redis_engine()), limits);
  });
  add_task_store_cases("redis_tasks_over_tls",
                       [] { return redis::task_store(redis::make_client(options_over_tls(), redis_engine())); });
  return true;
}();

/// The text a nonce fails with; empty if it does not.
std::string failure_with(const redis::Options& options) {
  try {
    use(*stores_with(options).used_answers, "nonce");
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

/// Between a client and a server on ports of this machine: passes bytes on, each by itself. One connection.
class SlowRelay {
 public:
  explicit SlowRelay(int behind) : thread_([this, behind] { run(behind); }) {}
  SlowRelay(const SlowRelay&) = delete;
  SlowRelay& operator=(const SlowRelay&) = delete;
  ~SlowRelay() {
    ::shutdown(listener_.descriptor(), SHUT_RDWR);
    thread_.join();
  }

  std::string address() const { return "127.0.0.1:" + std::to_string(listener_.port()); }

 private:
  static void pass_on(int from, int to) {
    std::array<char, 4'096> bytes{};
    for (ssize_t count = 0; (count = ::recv(from, bytes.data(), bytes.size(), 0)) > 0;) {
      for (ssize_t i = 0; i < count; ++i) {
        if (::send(to, &bytes.at(static_cast<std::size_t>(i)), 1, MSG_NOSIGNAL) != 1) break;
      }
    }
    ::shutdown(from, SHUT_RDWR);
    ::shutdown(to, SHUT_RDWR);
  }

  void run(int behind) const {
    const toolwire::system::FileDescriptor client(::accept4(listener_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client.is_open()) return;
    const toolwire::system::FileDescriptor server(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(behind));
    if (::connect(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return;
    const int on = 1;
    for (const int socket : {client.get(), server.get()})
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    std::thread back([&] { pass_on(server.get(), client.get()); });
    pass_on(client.get(), server.get());
    back.join();
  }

  ListeningSocket listener_;
  std::thread thread_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_cases_of_all_stores_are_registered) { BOOST_TEST(registered); }

BOOST_AUTO_TEST_CASE(a_redis_that_is_another_is_refused) {
  struct Row {
    const char* what;
    Certified server;
    const char* why;
  };
  const std::vector<Row> rows{
      {"another authority", Authority("another").issue(), "unable to get local issuer certificate"},
      {"another name", trusted().issue({.names = "DNS:redis.example.com"}), "IP address mismatch"},
      {"one of yesterday", trusted().issue({.begins = -7'200, .ends = -3'600}), "certificate has expired"},
      {"signed by itself", Authority::self_signed(), "self-signed certificate"}};
  for (const Row& row : rows) {
    const TlsRedis server(row.server, nullptr);
    const std::string failure = failure_with(tls_options(server.address(), trusted()));
    BOOST_TEST(has(failure, "cannot be used: its certificate is refused: "), row.what << ": " << failure);
    BOOST_TEST(has(failure, row.why), row.what << ": " << failure);
  }
}

BOOST_AUTO_TEST_CASE(a_redis_that_wants_certificates_takes_those_it_trusts) {
  const TlsRedis server(trusted().issue(), &trusted());
  BOOST_TEST(failure_with(tls_options(server.address(), trusted(), replica())) == "");
  BOOST_TEST(has(failure_with(tls_options(server.address(), trusted())), "alert certificate required"));
  BOOST_TEST(has(failure_with(tls_options(server.address(), trusted(), Authority("another").issue())), "alert "));
}

BOOST_AUTO_TEST_CASE(a_redis_without_tls_is_found_out) {
  const int port = ListeningSocket().port();
  const RedisServer server("bind 127.0.0.1\nport " + std::to_string(port) + "\n");
  redis::Options options = tls_options("127.0.0.1:" + std::to_string(port), trusted());
  options.deadline = 500ms;
  const std::string failure = failure_with(options);  // it waits for a line, which there may be in what is random
  BOOST_TEST((has(failure, "does not answer in TLS") || has(failure, "does not speak TLS")), failure);
}

BOOST_AUTO_TEST_CASE(without_tls_nobody_is_let_in_where_it_is_spoken) {
  const TlsRedis server(trusted().issue(), nullptr);
  redis::Options options = redis_options(server.address());
  options.deadline = 500ms;
  BOOST_TEST(has(failure_with(options), "cannot be used: "));
}

BOOST_AUTO_TEST_CASE(what_was_answered_counts_after_redis_was_killed_and_nothing_counts_twice) {
  TlsRedis server(trusted().issue(), &trusted());
  const Stores stores = stores_with(tls_options(server.address(), trusted(), replica()));
  constexpr int rounds = 3;
  constexpr std::size_t nonces = 300;
  for (int round = 0; round < rounds; ++round) {
    std::array<std::atomic<int>, nonces> first{};
    std::atomic<int> asked{0};
    const auto ask_for = [&](std::size_t i) {
      try {
        if (use(*stores.used_answers, std::to_string(round) + "/" + std::to_string(i)) == NonceUse::first) ++first[i];
      } catch (const std::exception&) {
      }
    };
    std::thread asking([&] {
      for (std::size_t i = 0; i < nonces; ++i, ++asked) ask_for(i);
    });
    while (asked < 50 * (round + 1)) std::this_thread::sleep_for(1ms);
    server.kill();
    server.start_again();
    asking.join();
    int answered = 0;
    for (std::size_t i = 0; i < nonces; ++i) {
      answered += first[i];
      ask_for(i);
    }
    BOOST_TEST(std::ranges::all_of(first, [](const auto& count) { return count <= 1; }));
    BOOST_TEST(answered >= static_cast<int>(nonces) - 1);  // one was on its way
  }
}

BOOST_AUTO_TEST_CASE(a_stopped_redis_lets_questions_fail_and_goes_on) {
  TlsRedis server(trusted().issue(), &trusted());
  redis::Options options = tls_options(server.address(), trusted(), replica());
  options.deadline = 300ms;
  const Stores stores = stores_with(options);
  const auto failure_of = [&](const char* nonce) -> std::string {
    try {
      use(*stores.used_answers, nonce);
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  };
  BOOST_TEST(failure_of("before") == "");
  server.stop();
  BOOST_TEST(has(failure_of("unknown"), "unknown whether this was done"));
  BOOST_TEST(has(failure_of("unasked"), "does not answer"));
  server.go_on();
  while (!failure_of("after").empty()) continue;
}

BOOST_AUTO_TEST_CASE(large_values_come_and_go_whole) {
  const auto outputs = redis::output_store(redis::make_client(options_over_tls(), redis_engine()));
  for (const std::size_t size :
       {std::size_t{16} << 10, (std::size_t{16} << 10) + 1, std::size_t{1} << 20, std::size_t{8} << 20}) {
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i * 7 % 26);
    const auto found = find(*outputs, keep(*outputs, text));
    BOOST_TEST_REQUIRE((found != nullptr));
    BOOST_TEST((*found == text));
  }
}

BOOST_AUTO_TEST_CASE(commands_are_answered_in_order_however_many_wait) {
  const auto client = redis::make_client(options_over_tls(), redis_engine());
  BOOST_TEST(right_answers(*client, 5'000) == 5'000);
}

BOOST_AUTO_TEST_CASE(bytes_that_come_one_at_a_time_are_put_together) {
  const TlsRedis server(trusted().issue(), &trusted());
  const SlowRelay relay(server.port());
  const auto outputs =
      redis::output_store(redis::make_client(tls_options(relay.address(), trusted(), replica()), redis_engine()));
  const std::string text(20'000, 'x');  // two records
  const auto found = find(*outputs, keep(*outputs, text));
  BOOST_TEST_REQUIRE((found != nullptr));
  BOOST_TEST((*found == text));
}
