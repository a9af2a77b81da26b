// What an Activity says that runs programs under a confinement. Beside the interface of Activities, of which most run
// none.
#pragma once

#include "confinement/report.hpp"

namespace toolwire::bridge {

/// A second base of an Activity. Thread-safe.
class Confined {
 public:
  virtual ~Confined() = default;

  /// What its programs are refused, in truth. Changes nothing.
  virtual ConfinementReport confinement() const = 0;
};

}  // namespace toolwire::bridge
