// Events between servers over a real NATS: what becomes of them while it is away, does not let one in or refuses, and
// what a stranger there can do.
#define BOOST_TEST_MODULE nats_events_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "event_bus_cases.hpp"
#include "nats/library/connection.hpp"
#include "nats/library/nkey.hpp"
#include "nats_server.hpp"
#include "nats_stranger.hpp"

namespace {

using namespace std::chrono_literals;
using namespace toolwire_test;
using toolwire::Event;
namespace nats = toolwire::nats;

constexpr const char* events_subject = "toolwire.events";

bool has(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

/// A replica's bus.
std::shared_ptr<toolwire::EventBus> bus_with(nats::Options options) {
  return nats::event_bus(nats::make_client(std::move(options)));
}
std::shared_ptr<toolwire::EventBus> bus_at(const NatsServer& server) {
  return bus_with(nats_options(server.address()));
}

const bool registered = [] {
  add_event_bus_cases("nats", [] {
    static NatsServer server;
    static int cases = 0;
    nats::Options options = nats_options(server.address());
    options.prefix = "case" + std::to_string(++cases);
    return TwoEnds{bus_with(options), bus_with(options)};
  });
  return true;
}();

struct Two {
  explicit Two(const NatsServer& server) : ends{bus_at(server), bus_at(server)}, one(*ends.one), other(*ends.other) {
    wait_for_each_other(one, other);
  }
  TwoEnds ends;
  Member one;
  Member other;
};

const Event news{Event::Kind::resource_updated, "secret://subject", R"("uri":"secret://subject")"};
const Event later{Event::Kind::resource_updated, "secret://later", ""};

/// What is logged.
struct Log {
  nats::Options with(nats::Options options) {
    options.log = [this](const std::string& line) {
      const std::lock_guard lock(mutex);
      text += line + "\n";
    };
    return options;
  }
  bool says(std::string_view words) {
    return eventually([&] { return says_by_now(words); });
  }
  bool says_by_now(std::string_view words) {
    const std::lock_guard lock(mutex);
    return has(text, words);
  }
  std::mutex mutex;
  std::string text;
};

std::string failure_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_cases_of_all_buses_are_registered) { BOOST_TEST(registered); }

BOOST_AUTO_TEST_CASE(who_was_cut_off_is_told_that_something_may_be_missing_and_hears_again) {
  NatsServer server;
  Two two(server);
  server.kill();
  two.one.tell(news);  // is lost, and holds nothing up
  server.start_again();
  BOOST_TEST(two.one.misses_some());
  BOOST_TEST(two.other.misses_some());
  wait_for_each_other(two.one, two.other);
  two.one.tell(later);
  BOOST_TEST(two.other.hears(later));
}

BOOST_AUTO_TEST_CASE(that_others_have_another_key_is_logged_once) {
  NatsServer server;
  Log log;
  nats::Options other = log.with(nats_options(server.address()));
  other.key = "another key than that of all";
  const auto bus = bus_at(server);
  const auto other_bus = bus_with(std::move(other));
  Member one(*bus);
  Member two(*other_bus);
  const std::string said = "toolwire.events\": it is sealed with another key";
  BOOST_TEST(eventually([&] {
    one.tell(news);
    return log.says_by_now(said);
  }));
  BOOST_TEST(two.heard().empty());
  const std::lock_guard lock(log.mutex);
  BOOST_TEST(log.text.find(said) == log.text.rfind(said));
}

// Before 3.6 the library puts messages into subscriptions that it has freed, if nobody keeps them.
BOOST_AUTO_TEST_CASE(subscriptions_come_and_go_while_much_is_said) {
  struct Nobody final : nats::Events {
    void came(std::uint64_t /*subscription*/, nats::Message&& /*message*/) override { ++heard; }
    void closed(const std::string& /*why*/) override {}
    void refused(const std::string& /*what*/) override {}
    std::atomic<int> heard{0};
  };
  NatsServer server;
  const auto events = std::make_shared<Nobody>();
  nats::Connection guests({.address = server.address()}, events);
  nats::Connection talker({.address = server.address()}, events);
  std::atomic<bool> done{false};
  std::thread talking([&] {
    while (!done) talker.publish("much", "", std::string(20'000, 'x'));
  });
  int refused = 0;
  for (std::uint64_t i = 1; i <= 10'000; ++i) {
    if (!guests.subscribe(i, "much", "").empty()) ++refused;
    if (i == 1) BOOST_TEST(eventually([&] { return events->heard > 0; }));
    if (i > 3) guests.unsubscribe(i - 3);
  }
  done = true;
  talking.join();
  BOOST_TEST(refused == 0);
  BOOST_TEST(guests.flush(10s).empty());
}

BOOST_AUTO_TEST_CASE(what_is_told_once_one_knows_that_something_was_missed_is_heard) {
  NatsServer server;
  Two two(server);
  for (int i = 0; i < 5; ++i) {
    server.kill();
    server.start_again();
    const Event next{Event::Kind::resource_updated, "after " + std::to_string(i), ""};
    BOOST_TEST(two.one.misses_some());
    BOOST_TEST(two.other.misses_some());
    two.one.tell(next);
    BOOST_TEST(two.other.hears(next));
  }
}

BOOST_AUTO_TEST_CASE(who_begins_while_nats_is_away_is_told_the_same) {
  NatsServer server;
  server.kill();
  Log log;
  const auto bus = bus_with(log.with(nats_options(server.address())));
  Member early(*bus);
  BOOST_TEST(log.says("cannot be used"));
  Member second(*bus);  // of the same connection, which has failed before
  server.start_again();
  BOOST_TEST(early.misses_some());
  BOOST_TEST(second.misses_some());
  BOOST_TEST(log.says("is there again"));
  const auto other_bus = bus_at(server);
  Member other(*other_bus);
  wait_for_each_other(early, other);
  other.tell(news);
  BOOST_TEST(early.hears(news));
}

BOOST_AUTO_TEST_CASE(a_nats_that_has_stopped_holds_up_nobody_who_tells) {
  NatsServer server;
  Two two(server);
  server.stop();
  const Event big{Event::Kind::resource_updated, "big", std::string(500'000, 'x')};
  for (int i = 0; i < 200; ++i) two.one.tell(big);  // more than the system and the queue take: it would wait for ever
  server.go_on();
  BOOST_TEST(eventually([&] {
    two.one.tell(later);
    const auto heard = two.other.heard();
    return std::find(heard.begin(), heard.end(), later) != heard.end();
  }));
}

BOOST_AUTO_TEST_CASE(a_stranger_reads_nothing_and_what_is_forged_altered_or_said_again_is_not_heard) {
  NatsServer server;
  Stranger stranger(server);
  Two two(server);
  two.one.tell(news);
  BOOST_TEST(two.other.hears(news));
  std::string sealed;
  for (const nats::Message& message : stranger.messages(1)) {
    BOOST_TEST(!has(message.payload, "secret"));
    BOOST_TEST(!has(message.payload, "probe"));
    BOOST_TEST(!has(message.subject, "secret"));
    sealed = message.payload;
  }
  stranger.send(events_subject, sealed);  // the last one, again
  for (std::size_t at = 0; at < sealed.size(); at += 7) {
    std::string altered = sealed;
    altered[at] = static_cast<char>(altered[at] ^ 1);
    stranger.send(events_subject, altered);
  }
  stranger.send(events_subject, "");
  stranger.send(events_subject, R"(["x",1,0,"",""])");
  nats::Options other_key = nats_options(server.address());
  other_key.key = "the key of another cluster";
  const auto other_bus = bus_with(other_key);
  Member foreign(*other_bus);
  Member foreigner(*other_bus);
  wait_for_each_other(foreign, foreigner);
  foreign.tell({Event::Kind::resource_updated, "forged", ""});
  BOOST_TEST(foreigner.hears({Event::Kind::resource_updated, "forged", ""}));
  two.one.tell(later);  // what came before it was looked at
  BOOST_TEST(two.other.hears(later));
  std::size_t heard_news = 0;
  for (const Event& event : two.other.heard()) {
    BOOST_TEST(event.subject != "forged");
    if (event == news) ++heard_news;
  }
  BOOST_TEST(heard_news == 1u);
  BOOST_TEST(!has(foreign.heard().empty() ? "" : foreign.heard().back().subject, "secret"));
}

BOOST_AUTO_TEST_CASE(an_nkey_lets_in_and_another_does_not) {
  const std::string seed = nats::new_seed();
  BOOST_TEST(seed.size() == 58u);
  BOOST_TEST(seed.starts_with("SU"));
  NatsServer server("authorization { users: [ { nkey: " + nats::public_key_of(seed) + " } ] }\n");
  nats::Options options = nats_options(server.address());
  options.nkey_seed = seed;
  const TwoEnds ends{bus_with(options), bus_with(options)};
  Member one(*ends.one);
  Member other(*ends.other);
  wait_for_each_other(one, other);
  one.tell(news);
  BOOST_TEST(other.hears(news));

  Log log;
  options.nkey_seed = nats::new_seed();
  const auto refused = bus_with(log.with(options));
  Member outside(*refused);
  BOOST_TEST(log.says("Authorization Violation"));
  one.tell(later);
  BOOST_TEST(other.hears(later));
  BOOST_TEST(outside.heard().empty());
  Log without;
  const auto nobody = bus_with(without.with(nats_options(server.address())));
  Member anonymous(*nobody);
  BOOST_TEST(without.says("cannot be used"));
}

BOOST_AUTO_TEST_CASE(what_the_server_does_not_permit_is_logged_and_ends_nothing) {
  const std::string seed = nats::new_seed();
  NatsServer server("authorization { users: [ { nkey: " + nats::public_key_of(seed) +
                    ", permissions: { publish: \"elsewhere\", subscribe: \"toolwire.>\" } } ] }\n");
  nats::Options options = nats_options(server.address());
  options.nkey_seed = seed;
  Log log;
  const auto bus = bus_with(log.with(options));
  Member one(*bus);
  BOOST_TEST(eventually([&] {
    one.tell(news);
    const std::lock_guard lock(log.mutex);
    return has(log.text, "ermissions Violation for Publish to \"toolwire.events\"");
  }));
}

BOOST_AUTO_TEST_CASE(options_that_cannot_be_right_are_refused) {
  const auto refusal = [](const std::function<void(nats::Options&)>& change) {
    nats::Options options = nats_options("127.0.0.1:4222");
    change(options);
    return failure_of([&] { nats::make_client(options); });
  };
  BOOST_TEST(has(refusal([](auto& options) { options.address = "nowhere"; }), "expected HOST:PORT"));
  BOOST_TEST(has(refusal([](auto& options) { options.key = "short"; }), "at least 16 bytes"));
  BOOST_TEST(has(refusal([](auto& options) { options.prefix = "a.>"; }), "the prefix of subjects"));
  BOOST_TEST(has(refusal([](auto& options) { options.prefix = ""; }), "the prefix of subjects"));
  for (const char* const wrong : {"SU", "SUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "no seed"})
    BOOST_TEST(has(refusal([&](auto& options) { options.nkey_seed = wrong; }), "expected the seed of a NATS user"));
  BOOST_TEST(has(refusal([](auto& options) { options.nkey_seed = nats::new_seed() + "A"; }), "expected the seed"));
}
