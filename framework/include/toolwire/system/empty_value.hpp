// Options of a command line whose value is empty. A program takes an empty text for an option that was not given: a
// variable of a script that is not set would switch off what the option asks for.
#pragma once

#include <string>
#include <vector>

namespace toolwire::system {

/// What is wrong with a value; empty if it has any text.
std::string refuse_empty_value(const std::string& value);

/// The first "--name=" before "--", for which CLI11 would take the next word; null if there is none.
const char* option_without_value(int argc, const char* const* argv);

/// What is wrong with the words of a command line, its program's name not among them, for a program that takes no empty
/// one: "--json: expected a value, found an empty one". Empty if each has text; what stands behind "--" is not looked
/// at.
std::string refuse_empty_words(const std::vector<std::string>& words);

}  // namespace toolwire::system
