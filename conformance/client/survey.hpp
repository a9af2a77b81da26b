// What a host does with a correct server: which revisions it speaks, whether it calls a tool, and what it shows.
#pragma once

#include <string>
#include <vector>

#include "client/check.hpp"
#include "target/target.hpp"

namespace toolwire::conformance {

/// What is told by plays of the case `plain`, one for each revision.
HostTraits traits_of(const std::vector<Play>& plays);

/// Puts what the host spoke in each of them into the offers of `target`.
void note_offers(const std::vector<Play>& plays, Target& target);

/// Throws std::runtime_error, with the last of its standard error, if none of them has a session.
void require_sessions(const std::vector<Play>& plays);

}  // namespace toolwire::conformance
