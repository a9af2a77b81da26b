// Fixtures that nobody named: what a server's own tools, prompts, resources and completions turn out to be good for
// when they are tried. Only tools are called that may be. It makes no judgement.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "target/target.hpp"

namespace toolwire::conformance {

/// Fills `Offer::found` of the revisions of these names where they are served and a kind of fixture is left open by the
/// profile and the names: a session a revision, all at the same time. In each no new request is sent after ten seconds,
/// or once two were not answered within two. Where the process ends, the search goes on with another. Throws RunEnded
/// once the run is to end. Returns the sessions, in which nothing was sent that a good client does not send.
std::vector<std::unique_ptr<Session>> discover(Target& target, const std::vector<std::string>& names);

}  // namespace toolwire::conformance
