// Two confinements of one program put together, so that nothing is let through that either of them refuses.
#pragma once

#include <string>

#include "confinement/confinement.hpp"

namespace toolwire::bridge {

struct StricterConfinement {
  Confinement confinement = {};
  std::string conflict = {};  ///< In which member neither of the two is the stricter one; empty: in none.
};

/// Member by member the stricter one, and of limits the smaller one. "read-only" and "workspace" are in conflict, and
/// so are different folders and different lists of programs.
StricterConfinement stricter(const Confinement& one, const Confinement& other);

}  // namespace toolwire::bridge
