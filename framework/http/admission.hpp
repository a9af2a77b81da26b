// What a request is refused for before its body is read: where it goes, where it comes from, and what it is said to be.
// Independent of what is in it.
#pragma once

#include <optional>
#include <string_view>

#include "header_fields.hpp"
#include "refusal.hpp"
#include "toolwire/http/handler.hpp"

namespace toolwire::http {

/// Throws std::invalid_argument for options that cannot be meant.
void check(const HandlerOptions& options);

/// Without the query.
std::string_view path_of(std::string_view target);

/// Nothing if it is let in, whatever it asks for: by `Host` and `Origin`.
std::optional<Refusal> refused_for_origin(const Request& request, const HandlerOptions& options);
/// Nothing if it is let in.
std::optional<Refusal> refused_at_the_door(const Request& request, const HandlerOptions& options);

}  // namespace toolwire::http
