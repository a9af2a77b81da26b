#include "event_bus_cases.hpp"

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <thread>
#include <utility>

#include "toolwire/client.hpp"
#include "toolwire/server.hpp"
#include "toolwire/testing.hpp"

namespace toolwire_test {
namespace {

using namespace std::chrono_literals;
using toolwire::Event;
namespace ut = boost::unit_test;

constexpr auto patience = 30s;
const Event probe{.kind = Event::Kind::task, .subject = "probe"};

std::vector<Event> without_probes(std::vector<Event> events) {
  std::erase(events, probe);
  return events;
}

struct Two {
  explicit Two(const TwoEnds& bus) : one(*bus.one), other(*bus.other) { wait_for_each_other(one, other); }
  Member one;
  Member other;
};

void others_hear_what_is_told_whole_and_in_order(const TwoEnds& bus) {
  Two two(bus);
  const std::vector<Event> told{{Event::Kind::tools_list, "", ""},
                                {Event::Kind::prompts_list, "", ""},
                                {Event::Kind::resources_list, "", ""},
                                {Event::Kind::resource_updated, "file:///ä \"b\"", R"("uri":"file:///ä \"b\"")"},
                                {Event::Kind::task, std::string("a\0b", 3), std::string(3'000'000, 'x')},
                                {Event::Kind::client_message, "a session", R"("principal":"ann","body":"{}")"},
                                {Event::Kind::task_wake_up, "a task", ""}};
  for (const Event& event : told) two.one.tell(event);
  BOOST_TEST(two.other.hears(told.back()));
  BOOST_TEST((without_probes(two.other.heard()) == told));
}

void who_tells_does_not_hear_itself(const TwoEnds& bus) {
  Two two(bus);
  const Event mine{Event::Kind::resource_updated, "mine", ""};
  const Event answer{Event::Kind::resource_updated, "answer", ""};
  two.one.tell(mine);
  BOOST_TEST(two.other.hears(mine));
  two.other.tell(answer);
  BOOST_TEST(two.one.hears(answer));
  BOOST_TEST((without_probes(two.one.heard()) == std::vector{answer}));
}

void the_same_may_be_told_again(const TwoEnds& bus) {
  Two two(bus);
  const Event same{Event::Kind::tools_list, "", ""};
  const Event last{Event::Kind::resource_updated, "last", ""};
  for (int i = 0; i < 3; ++i) two.one.tell(same);
  two.one.tell(last);
  BOOST_TEST(two.other.hears(last));
  BOOST_TEST(without_probes(two.other.heard()).size() == 4u);
}

void who_has_left_hears_nothing(const TwoEnds& bus) {
  Two two(bus);
  Member third(*bus.other);
  wait_for_each_other(two.one, third);
  two.other.leave();
  const std::size_t before = two.other.heard().size();
  const Event late{Event::Kind::resource_updated, "late", ""};
  two.one.tell(late);
  BOOST_TEST(third.hears(late));
  BOOST_TEST(two.other.heard().size() == before);
}

/// A server with a resource, and a client that hears of changes; each in this process, on a bus of its own.
struct Replica {
  explicit Replica(const std::shared_ptr<toolwire::EventBus>& bus)
      : server({.name = "s", .version = "1"},
               {.declares = {.tools = true, .resources = true, .resource_updates = true}, .stores = {.events = bus}}) {
    toolwire::ResourceInfo info;
    info.uri = "state://now";
    info.name = "now";
    info.subscribable = true;
    server.resource(info, [] { return std::string("now"); });
    server.tool("there", "Is there", [] { return std::string("yes"); });
  }
  toolwire::Server server;
};

void clients_of_a_server_hear_what_happens_at_another(const TwoEnds& bus) {
  for (const char* const revision : {"2025-11-25", "2026-07-28"}) {
    Replica one(bus.one);
    Replica other(bus.other);
    toolwire::testing::Client client(one.server, {.revision = revision});
    toolwire::testing::Client elsewhere(other.server, {.revision = revision});
    std::atomic<int> lists{0};
    std::atomic<int> updates{0};
    const auto listening = client.subscribe_lists([&] { ++lists; });
    const auto watching = client.subscribe_resources({"state://now"}, [&](const std::string& uri) {
      if (uri == "state://now") ++updates;
    });
    const auto comes = [](const std::atomic<int>& count, const std::function<void()>& act) {
      const auto until = std::chrono::steady_clock::now() + patience;
      for (const int before = count; count == before && std::chrono::steady_clock::now() < until;) {
        act();  // again: the bus may not be connected yet
        std::this_thread::sleep_for(1ms);
      }
      return count > 0;
    };
    BOOST_TEST(comes(updates, [&] { other.server.resource_updated("state://now"); }));
    BOOST_TEST(comes(lists, [&] { other.server.resource_list_changed(); }));
  }
}

struct Case {
  const char* name;
  void (*run)(const TwoEnds& bus);
};

#define TOOLWIRE_CASE(name) \
  Case { #name, name }

constexpr Case cases[] = {TOOLWIRE_CASE(others_hear_what_is_told_whole_and_in_order),
                          TOOLWIRE_CASE(who_tells_does_not_hear_itself), TOOLWIRE_CASE(the_same_may_be_told_again),
                          TOOLWIRE_CASE(who_has_left_hears_nothing),
                          TOOLWIRE_CASE(clients_of_a_server_hear_what_happens_at_another)};

}  // namespace

Member::Member(toolwire::EventBus& bus)
    : member_(bus.join({.heard =
                            [this](const Event& event) {
                              const std::lock_guard lock(mutex_);
                              heard_.push_back(event);
                              changed_.notify_all();
                            },
                        .missed =
                            [this] {
                              const std::lock_guard lock(mutex_);
                              missed_ = true;
                              changed_.notify_all();
                            }})) {}

bool Member::hears(const Event& event) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience,
                           [&] { return std::find(heard_.begin(), heard_.end(), event) != heard_.end(); });
}

bool Member::misses_some() {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [&] { return std::exchange(missed_, false); });
}

std::vector<Event> Member::heard() {
  const std::lock_guard lock(mutex_);
  return heard_;
}

void wait_for_each_other(Member& one, Member& other) {
  const auto until = std::chrono::steady_clock::now() + patience;
  const auto probes = [](Member& member) {
    const auto heard = member.heard();
    return std::count(heard.begin(), heard.end(), probe);
  };
  // Some may have been heard before, over a connection that is gone.
  const auto one_had = probes(one);
  const auto other_had = probes(other);
  while ((probes(one) == one_had || probes(other) == other_had) && std::chrono::steady_clock::now() < until) {
    one.tell(probe);
    other.tell(probe);
    std::this_thread::sleep_for(1ms);
  }
}

void add_event_bus_cases(const char* name, const MakeBus& make) {
  auto* const suite = BOOST_TEST_SUITE(name);
  for (const Case& one : cases) {
    suite->add(ut::make_test_case([make, run = one.run] { run(make()); }, one.name, __FILE__, __LINE__));
  }
  ut::framework::master_test_suite().add(suite);
}

}  // namespace toolwire_test
