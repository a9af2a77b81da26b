// HTTP's way of writing names and values in header fields. Independent of what they are for.
#pragma once

#include <string>
#include <string_view>

namespace toolwire::header_text {

/// Whether it can be the name of a header (RFC 9110 §5.6.2).
bool is_token(std::string_view text);
/// ASCII letters made small: names of headers are compared so.
std::string lower(std::string_view text);
/// Without white space and line ends around it.
std::string_view trimmed(std::string_view text);
/// The value of a header that came: a space in the place of what is no part of one (RFC 9110 §5.5).
std::string one_line(std::string_view value);
/// Whether it has characters that no value has: line breaks, and all below a space but the tab.
bool has_control(std::string_view value);

}  // namespace toolwire::header_text
