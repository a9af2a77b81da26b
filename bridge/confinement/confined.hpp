// The additional interface of Activities that run programs under a confinement.
#pragma once

#include "confinement/report.hpp"

namespace toolwire::bridge {

/// A second base of an Activity. Thread-safe.
class Confined {
 public:
  virtual ~Confined() = default;

  /// What its programs really are refused. Changes nothing.
  virtual ConfinementReport confinement() const = 0;
};

}  // namespace toolwire::bridge
