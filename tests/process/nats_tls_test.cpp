// A NATS that is reached over TLS: who is let through the passage between it and libnats, and what is refused.
#define BOOST_TEST_MODULE nats_tls_test
#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <toolwire/system/ready_set.hpp>

#include "certificates.hpp"
#include "event_bus_cases.hpp"
#include "nats/library/connection.hpp"
#include "nats/library/passage.hpp"
#include "nats_server.hpp"
#include "scratch_folder.hpp"
#include "scripted_redis.hpp"
#include "streams/system/endpoint.hpp"
#include "streams/system/stream.hpp"
#include "streams/system/wait.hpp"
#include "streams/way.hpp"

namespace {

using namespace std::chrono_literals;
using namespace toolwire_test;
namespace nats = toolwire::nats;
namespace streams = toolwire::streams;

bool has(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

/// Wants certificates of clients.
class TlsNats {
 public:
  explicit TlsNats(const Certified& own) : server_(settings(own)) {}
  std::string address() const { return server_.address(); }
  void kill() { server_.kill(); }
  void start_again() { server_.start_again(); }

 private:
  std::string settings(const Certified& own) const {
    const auto at = [&](const char* name, const std::string& text) {
      return "\"" + folder_.file(name, text).string() + "\"\n";
    };
    return "tls {\n  cert_file: " + at("own.pem", own.certificate) + "  key_file: " + at("own.key", own.key) +
           "  ca_file: " + at("ca.pem", trusted().certificate()) + "  verify: true\n}\n";
  }

  ScratchFolder folder_;
  NatsServer server_;
};

nats::Options options_at(const std::string& address, const Certified& own = replica()) {
  nats::Options options = nats_options(address);
  options.tls = toolwire::Tls{.ca = trusted().certificate(), .certificate = own.certificate, .key = own.key};
  return options;
}

std::shared_ptr<toolwire::EventBus> bus_with(const nats::Options& options) {
  return nats::event_bus(nats::make_client(options));
}

const bool registered = [] {
  add_event_bus_cases("nats_over_tls", [] {
    static const TlsNats server(trusted().issue());
    static int cases = 0;
    nats::Options options = options_at(server.address());
    options.prefix = "case" + std::to_string(++cases);
    return TwoEnds{bus_with(options), bus_with(options)};
  });
  return true;
}();

struct Heard final : nats::Events {
  void came(std::uint64_t /*subscription*/, nats::Message&& message) override {
    const std::lock_guard lock(mutex);
    bytes += message.payload.size();
    changed.notify_all();
  }
  void closed(const std::string& /*why*/) override {}
  void refused(const std::string& /*what*/) override {}
  bool all(std::size_t wanted) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, 30s, [&] { return bytes >= wanted; });
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::size_t bytes = 0;
};

nats::ConnectionSettings settings_of(const nats::Options& options, std::chrono::milliseconds deadline = 2s) {
  return {.address = options.address,
          .way = std::make_shared<const streams::Way>(streams::way_to(options.address, options.tls, false)),
          .deadline = deadline};
}

/// Why there is no connection; empty if there is one.
std::string refusal(const nats::Options& options, std::chrono::milliseconds deadline = 2s) {
  try {
    const nats::Connection made(settings_of(options, deadline), std::make_shared<Heard>());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_cases_of_all_buses_are_registered) { BOOST_TEST(registered); }

BOOST_AUTO_TEST_CASE(a_server_that_is_another_is_refused) {
  const TlsNats right(trusted().issue());
  BOOST_TEST(refusal(options_at(right.address())) == "");
  BOOST_TEST(has(refusal(options_at(right.address(), {})), "alert "));
  const TlsNats other(Authority("another").issue());
  BOOST_TEST(has(refusal(options_at(other.address())), "its certificate is refused: unable to get local issuer"));
  const TlsNats elsewhere(trusted().issue({.names = "DNS:nats.example.com"}));
  BOOST_TEST(has(refusal(options_at(elsewhere.address())), "its certificate is refused: IP address mismatch"));
  const TlsNats old(trusted().issue({.begins = -7'200, .ends = -3'600}));
  BOOST_TEST(has(refusal(options_at(old.address())), "its certificate is refused: certificate has expired"));
}

BOOST_AUTO_TEST_CASE(a_server_without_tls_is_told_nothing) {
  const NatsServer plain;
  BOOST_TEST(refusal(options_at(plain.address())) == "it does not speak TLS");
}

/// ScriptedRedis speaks second, so these are asked for their greeting by nobody.
BOOST_AUTO_TEST_CASE(a_server_that_is_silent_is_given_up_at_the_deadline) {
  ScriptedRedis silent([](int, int, const std::string&) { return ScriptedRedis::Said{}; });
  BOOST_TEST(refusal(options_at(silent.address()), 300ms) == "it does not answer");
}

BOOST_AUTO_TEST_CASE(large_messages_come_and_go_whole_in_both_directions_at_once) {
  const TlsNats server(trusted().issue());
  const auto first = std::make_shared<Heard>();
  const auto second = std::make_shared<Heard>();
  nats::Connection one(settings_of(options_at(server.address())), first);
  nats::Connection other(settings_of(options_at(server.address())), second);
  BOOST_TEST(one.subscribe(1, "to.one", "").empty());
  BOOST_TEST(other.subscribe(1, "to.other", "").empty());
  BOOST_TEST(one.flush(10s).empty());
  BOOST_TEST(other.flush(10s).empty());
  const std::string text(std::size_t{1} << 20, 'x');
  constexpr std::size_t many = 20;
  const auto tell = [&](nats::Connection& from, const char* subject) {
    for (std::size_t i = 0; i < many; ++i) BOOST_TEST(from.publish(subject, "", text).empty());
  };
  tell(one, "to.other");
  tell(other, "to.one");
  BOOST_TEST(first->all(many * text.size()));
  BOOST_TEST(second->all(many * text.size()));
}

BOOST_AUTO_TEST_CASE(a_server_that_was_killed_is_found_again) {
  TlsNats server(trusted().issue());
  const auto bus = bus_with(options_at(server.address()));
  const auto other_bus = bus_with(options_at(server.address()));
  Member one(*bus);
  Member other(*other_bus);
  wait_for_each_other(one, other);
  server.kill();
  server.start_again();
  BOOST_TEST(one.misses_some());
  wait_for_each_other(one, other);
  one.tell({toolwire::Event::Kind::resource_updated, "a://b", ""});
  BOOST_TEST(other.hears({toolwire::Event::Kind::resource_updated, "a://b", ""}));
}

/// Somebody else of this machine finds the port that is there for libnats.
BOOST_AUTO_TEST_CASE(only_who_knows_the_name_is_let_through) {
  const TlsNats server(trusted().issue());
  const nats::Options options = options_at(server.address());
  const nats::Passage passage(streams::way_to(options.address, options.tls, false), 2s);
  const auto answer_to = [&](const std::string& said) {
    const auto address = streams::addresses_of(streams::read_endpoint(passage.address()), streams::Reach::anywhere);
    const auto socket = streams::begin_to_connect(address.front());
    const auto until = std::chrono::steady_clock::now() + 10s;
    streams::wait_until_ready(socket.get(), toolwire::system::ready::to_write, until);
    streams::send_some(socket.get(), said);
    std::string heard;
    std::array<char, 4'096> bytes{};
    while (streams::wait_until_ready(socket.get(), toolwire::system::ready::to_read, until)) {
      const streams::Moved moved = streams::receive_some(socket.get(), bytes);
      if (!moved.error.empty()) break;
      heard.append(bytes.data(), moved.count);
      if (has(heard, "PONG")) break;
    }
    return heard;
  };
  for (const std::string& said : {std::string("CONNECT {\"name\":\"toolwire\"}\r\nPING\r\n"), std::string("PING\r\n"),
                                  std::string(70'000, 'x')}) {
    const std::string heard = answer_to(said);
    BOOST_TEST(heard.starts_with("INFO {"));
    BOOST_TEST(!has(heard, "PONG"));
    BOOST_TEST(!has(heard, "tls_required"));
  }
  BOOST_TEST(has(answer_to("CONNECT {\"verbose\":false,\"name\":\"" + passage.name() + "\"}\r\nPING\r\n"), "PONG"));
}

BOOST_AUTO_TEST_CASE(nothing_goes_to_another_machine_in_the_clear) {
  const auto refused = [](const nats::Options& options, std::string_view words) {
    BOOST_CHECK_EXCEPTION(nats::make_client(options), std::invalid_argument,
                          [&](const std::invalid_argument& error) { return has(error.what(), words); });
  };
  refused(nats_options("nats.internal:4222"), "may be another machine: expected TLS");
  refused(nats_options("unix:/run/nats"), "expected HOST:PORT");
  nats::Options options = options_at("nats.internal:4222");
  BOOST_CHECK_NO_THROW(nats::make_client(options));
  options.is_tunnelled = true;
  refused(options, "not through a tunnel");
}
