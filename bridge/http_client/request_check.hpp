// Which requests may be sent as they are, and HTTP's way of writing names and values. Decides only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "http_client/client.hpp"

namespace toolwire::bridge {

/// Why a request cannot be sent as it is, or nothing: method, URL, headers.
std::optional<HttpFailure> problem_of(const HttpRequest& request);

/// ASCII letters made small: names of headers are compared so.
std::string lower(std::string_view text);
/// Without white space and line ends around it.
std::string_view trimmed(std::string_view text);

}  // namespace toolwire::bridge
