// Which requests may be sent as they are. Decides only.
#pragma once

#include <optional>

#include <toolwire/http/detail/http_client.hpp>

namespace toolwire {

/// Why a request cannot be sent as it is, or nothing: method, URL, headers.
std::optional<HttpFailure> problem_of(const HttpRequest& request);

}  // namespace toolwire
