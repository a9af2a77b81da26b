// Requests for a part of an answer. Takes values, returns a value.
#pragma once

#include <optional>

#include "http/message.hpp"

namespace toolwire::bridge::http {

/// Answers are whole: many small ranges would make a large one, and a part of JSON is not JSON. The answer (416) to a
/// `Range` that is none, as "bytes=9-3"; nothing for one that is passed over.
std::optional<Answer> refused_range(const Request& request);

}  // namespace toolwire::bridge::http
