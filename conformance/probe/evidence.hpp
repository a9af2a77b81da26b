// What the session of a failed check shows of the reason: several checks that fail of one cause show the same. It knows
// no check, and blames nobody.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "catalogue/verdict.hpp"
#include "driver/session.hpp"

namespace toolwire::conformance {

/// The kind of a line: "input that is no message", "a line of more than a megabyte", or the method it names.
/// `size`: its bytes, where `line` holds only the first of them.
std::string kind_of_line(std::string_view line, std::size_t size);

/// What `session` shows, from event number `from` of its recording on, of why `finding` is a failure.
Evidence evidence_of(const Session& session, std::size_t from, const Finding& finding);

}  // namespace toolwire::conformance
