// Test cases for every bus that carries events between servers (EventBus in stores.hpp).
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "toolwire/stores.hpp"

namespace toolwire_test {

/// One bus, as two servers reach it: the same object, or one for each process.
struct TwoEnds {
  std::shared_ptr<toolwire::EventBus> one = {};
  std::shared_ptr<toolwire::EventBus> other = {};
};
using MakeBus = std::function<TwoEnds()>;

/// Somebody on a bus, and what it hears. The time limits only end tests that fail.
class Member {
 public:
  explicit Member(toolwire::EventBus& bus);

  void tell(const toolwire::Event& event) { member_->tell(event); }
  void leave() { member_.reset(); }
  bool hears(const toolwire::Event& event);
  bool misses_some();
  std::vector<toolwire::Event> heard();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<toolwire::Event> heard_;
  bool missed_ = false;
  std::unique_ptr<toolwire::EventBus::Member> member_;  // goes first
};

/// Waits until what one tells reaches the other and the other way round, for one that connects first.
void wait_for_each_other(Member& one, Member& other);

/// Registers the cases with Boost.Test, in the suite `name`.
void add_event_bus_cases(const char* name, const MakeBus& make);

}  // namespace toolwire_test
