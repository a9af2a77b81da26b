// The sentences of violations, written for a model that will try again. Independent of programs and walking values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/program.hpp"

namespace toolwire::schema {

/// A value as it is shown: JSON text, shortened beyond some 60 characters.
std::string shown(const Json& value);
std::string quoted(std::string_view text);

/// "a string or null" for a set of kinds.
std::string type_phrase(Kinds kinds, bool integers_only);

/// "999 is not between 1 and 100".
std::string range_phrase(const RangePlan& plan, const Json& number);
/// The keyword of the bound that the number is beyond.
std::string_view range_keyword(const RangePlan& plan, const Json& number);

/// "has 3 characters; expected at least 5".
std::string size_phrase(std::size_t size, std::string_view unit, std::uint32_t least, std::uint32_t most);

/// `expected "a"` or `expected one of "a", "b"`.
std::string value_set_phrase(const ValueSet& set);

/// "a, b and 3 more", at most twenty of them.
std::string list_phrase(const std::vector<std::string>& names);

}  // namespace toolwire::schema
