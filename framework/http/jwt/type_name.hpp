// What the `typ` of a token is compared by.
#pragma once

#include <string>
#include <string_view>

namespace toolwire::http::jwt {

/// In lower case, and without "application/", which may be left out (RFC 7515 §4.1.9).
std::string type_name(std::string_view type);

}  // namespace toolwire::http::jwt
