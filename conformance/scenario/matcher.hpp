// What a value has to be like. A matcher is JSON: an object matches one that has its members, whatever else that has;
// an array one of the same length, item by item; anything else its equal, 3 and 3.0 alike. An object whose members
// begin with "$" asks for something else, all of it:
//   "$schema"    the value fits this JSON Schema          "$contains"  an array with an item that matches
//   "$matches"   a string in which this pattern is found  "$not"       does not match
//   "$exactly"   the value and no member more             "$any_of"    matches one of a list
//   "$absent"    true: the member is not there
#pragma once

#include <string>

#include <toolwire/json.hpp>

namespace toolwire::conformance {

/// Why `found` (null: it is not there) does not match: `at /content/0/text: expected "3", found "4"`. Empty if it does.
std::string mismatch(const Json& matcher, const Json* found);

/// Throws std::invalid_argument, which begins with the place in the matcher, for what is none.
void check_matcher(const Json& matcher);

}  // namespace toolwire::conformance
