// What the text of a string has to look like: the pattern and the format that describe() asks for. Independent of where
// the string stands.
#pragma once

#include <string>
#include <string_view>

#include "toolwire/describe.hpp"

namespace toolwire::types {

/// Throws std::invalid_argument for a pattern that cannot run in linear time or is none, and for an unknown format.
void check_text_form(const FieldInfo& field);

/// What is wrong with `text`: "does not match the pattern ^[a-z]+$", "is not a valid email"; empty where nothing is.
/// Throws as check_text_form. From any thread.
std::string wrong_form(const FieldInfo& field, std::string_view text);

/// " that matches ^[a-z]+$ in the format email"; empty where any text will do.
std::string form_phrase(const FieldInfo& field);

}  // namespace toolwire::types
