// Which requests may be sent as they are, and HTTP's way of writing names and values. Decides only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "http_client/client.hpp"

namespace toolwire::bridge {

/// Why a request cannot be sent as it is, or nothing: method, URL, headers.
std::optional<HttpFailure> problem_of(const HttpRequest& request);

/// Whether it can be the name of a header (RFC 9110 §5.6.2).
bool is_token(std::string_view text);
/// ASCII letters made small: names of headers are compared so.
std::string lower(std::string_view text);
/// Without white space and line ends around it.
std::string_view trimmed(std::string_view text);
/// The value of a header that came: a space in the place of what is no part of one (RFC 9110 §5.5).
std::string one_line(std::string_view value);

}  // namespace toolwire::bridge
