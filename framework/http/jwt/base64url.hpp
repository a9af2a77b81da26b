// Base64 as tokens and keys carry bytes in (RFC 7515 §2): the URL-safe alphabet, without padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolwire::http::jwt {

/// The bytes; nothing for any other character, padding, or bits at the end that say nothing, so that no two texts are
/// the same bytes.
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace toolwire::http::jwt
