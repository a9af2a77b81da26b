// The words for types, limits and numbers in messages to a model. Independent of the values that are judged.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "toolwire/detail/type_table.hpp"

namespace toolwire::types {

/// "7", "1.5", "1e+30": the shortest text that reads back as the same number.
std::string number_text(long double value);

/// "a string", "one of "relevance", "newest"", "an array".
std::string phrase(const detail::Shape& shape);

/// The phrase of the field's type with its limits: "an integer between 1 and 100".
std::string phrase(const detail::FieldShape& field);

/// "between 1 and 100", "at least 1", "at most 100"; empty when nothing limits the number.
std::string range_phrase(const FieldInfo& limits);

/// "1 to 10 items", "at least 1 item", "at most 10 items", "2 items"; `unit` is in the singular.
std::string size_phrase(std::size_t low, std::size_t high, std::string_view unit);

/// "an object with "width" (a number) and "height" (a number)": what must be there.
std::string required_phrase(const detail::ObjectShape& shape);

/// "missing (a string: Text to look for)".
std::string missing_text(const detail::FieldShape& field);

}  // namespace toolwire::types
