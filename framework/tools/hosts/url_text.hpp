// Texts as parts of a URL (RFC 3986 §2.1) and as base64 (RFC 4648 §4).
#pragma once

#include <string>
#include <string_view>

namespace toolwire::hosts {

/// Every byte but letters, digits and - . _ ~ as %XX.
std::string percent_encoded(std::string_view bytes);

std::string base64(std::string_view bytes);

}  // namespace toolwire::hosts
