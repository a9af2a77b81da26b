// Compares a message with what a test expects. Independent of transports and of the protocol.
//
// An expectation is JSON in which some strings have a special meaning:
//   "<any>" anything   "<string>" "<integer>" "<number>" "<object>" "<array>"   a value of that kind
//   "<contains WORDS>" a string with these words in it
//   "<save NAME>"      a string, remembered as NAME      "<saved NAME>"   the string remembered as NAME
//   "<absent>"         as a member's value: the object has no such member
// An object matches one with exactly its members, unless it has the member "..." (of any value): then there may be
// more.
#pragma once

#include <map>
#include <string>

#include "toolwire/json.hpp"

namespace toolwire_test {

using Saved = std::map<std::string, std::string, std::less<>>;

/// Why `actual` does not match, beginning with the place; empty if it does. Remembers into `saved`.
std::string mismatch(const toolwire::Json& expected, const toolwire::Json& actual, Saved& saved);

/// A copy of a message to send in which strings are replaced: "<saved NAME>" by the string remembered; "<flipped NAME>"
/// by it with one character changed; "<cut NAME>" by all but its last four; "<repeat COUNT TEXT>" by TEXT repeated.
/// Throws std::invalid_argument if nothing was remembered under the name.
toolwire::Json filled_in(const toolwire::Json& message, const Saved& saved);

}  // namespace toolwire_test
