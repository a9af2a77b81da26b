// Which request follows an answer that redirects. Decides only.
#pragma once

#include <string_view>
#include <variant>

#include <toolwire/http/detail/http_client.hpp>
#include <toolwire/http/detail/http_url.hpp>

namespace toolwire {

/// 301, 302, 303, 307, 308.
bool is_redirect(int status);

/// Where the request goes next, with `request` changed into what is sent there; or why it does not. `status` is of an
/// answer from `at`; `redirects` have been followed before.
std::variant<HttpUrl, HttpFailure> follow_redirect(HttpRequest& request, const HttpUrl& at, int status,
                                                   std::string_view location, int redirects);

}  // namespace toolwire
