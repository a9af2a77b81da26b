// The name of whoever an issuer's token is for, so that no two of them have the same.
#pragma once

#include <string>
#include <string_view>

namespace toolwire::http::jwt {

/// Whether it can be the `sub` of somebody: not empty, and no character was lost when it was read as JSON.
bool is_subject(std::string_view subject);

/// See jwt_authenticator. `issuer` as `wrong_identifier` takes it: without spaces, and without "#".
std::string principal_of(std::string_view issuer, std::string_view subject);

}  // namespace toolwire::http::jwt
