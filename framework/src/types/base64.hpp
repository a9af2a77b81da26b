// Base64 as JSON carries bytes in (RFC 4648 §4): the ordinary alphabet, padded.
#pragma once

#include <string>
#include <string_view>

namespace toolwire::types {

std::string base64(std::string_view bytes);

}  // namespace toolwire::types
