// Checks that only observe: they look at all traffic of the other checks' sessions and send nothing themselves.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/verdict.hpp"
#include "driver/session.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::conformance {

/// What a passive check says of one session.
struct Watch {
  std::size_t looked_at = 0;  // messages (or sessions) it applies to
  std::string expected, got;  // of the first violation; empty: none
  bool only_warns = false;    // it is not worth more than a warning, whatever the level of the requirement
  void violation(std::string what_was_expected, std::string what_came) {
    if (got.empty()) expected = std::move(what_was_expected), got = std::move(what_came);
  }
};

struct PassiveCheck {
  std::string_view id;
  void (*look)(const Session& session, Watch& watch);
};

std::span<const PassiveCheck> passive_checks();

/// Collects what they find, for each revision. Thread-safe.
class Passive {
 public:
  /// `traffic_of`: the check or group that makes the session's traffic, for who wants to see it again.
  void look_at(Session& session, std::string_view traffic_of);
  /// One finding for each passive check that holds in the revision: SKIP if it saw nothing it applies to.
  std::vector<Finding> findings(const Revision& revision) const;

 private:
  struct Sum {
    std::size_t looked_at = 0;
    std::string expected, got, transcript, traffic;
    bool only_warns = false;
    Evidence evidence;
    Stimuli sent;
  };
  mutable Mutex mutex_;
  std::map<std::pair<std::string_view, std::string_view>, Sum> sums_
      TOOLWIRE_GUARDED_BY(mutex_);  // by revision and check
};

}  // namespace toolwire::conformance
