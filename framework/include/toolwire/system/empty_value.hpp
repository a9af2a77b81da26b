// Options of a command line whose value is empty. A program takes an empty text for an option that was not given: a
// variable of a script that is not set would switch off what the option asks for.
#pragma once

#include <string>

namespace toolwire::system {

/// What is wrong with a value; empty if it has any text.
std::string refuse_empty_value(const std::string& value);

/// The first "--name=" before "--", for which CLI11 would take the next word; null if there is none.
const char* option_without_value(int argc, const char* const* argv);

}  // namespace toolwire::system
