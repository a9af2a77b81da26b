// Programs that are run under a confinement: the additional interface of Activities, and what is said of one.
#pragma once

#include <string>

#include "confinement/report.hpp"

namespace toolwire::bridge {

/// For those who look after the bridge. A plain value.
struct ConfinedProgram {
  std::string name = {};  ///< "count_words" in quotes, or runtime "mine".
  ConfinementReport confinement = {};
};

/// A second base of an Activity. Thread-safe.
class Confined {
 public:
  virtual ~Confined() = default;

  /// What its programs really are refused. Changes nothing.
  virtual ConfinementReport confinement() const = 0;
};

}  // namespace toolwire::bridge
