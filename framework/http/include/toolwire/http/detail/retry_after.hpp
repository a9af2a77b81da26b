// When a server wants to be asked again.
#pragma once

#include <chrono>
#include <optional>

#include <toolwire/http/detail/http_client.hpp>

namespace toolwire {

/// How long from now the server of an answer wants to be left alone: its `Retry-After` (RFC 9110 §10.2.3), in seconds
/// or as a date, which is compared with the server's own clock (`Date`) if the answer says that. No longer than a day;
/// 0 for a date that is over. Nothing without the header, and if it is neither.
std::optional<std::chrono::seconds> retry_after(
    const HttpResponse& answer, std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

}  // namespace toolwire
