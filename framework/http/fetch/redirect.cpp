#include "fetch/redirect.hpp"

#include <string>
#include <utility>

namespace toolwire {
namespace {

constexpr int max_redirects = 5;

}  // namespace

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

std::variant<HttpUrl, HttpFailure> follow_redirect(HttpRequest& request, const HttpUrl& at, int status,
                                                   std::string_view location, int redirects) {
  const auto refused = [&](const char* code, const std::string& text) {
    return HttpFailure{code, at.origin() + ": " + text};
  };
  if (redirects >= max_redirects) return refused("back_end_error", "more than five redirects");
  auto next = at.follow(location);
  if (!next) return refused("denied", "redirects to something that is no http or https URL");
  if (next->origin() != at.origin())
    return refused("denied", "redirects to " + next->origin() + ", another host; that is not followed");
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (status == 303) {
    request.method = request.method == "HEAD" ? "HEAD" : "GET";
    request.body.clear();
  } else if (!reads && (status == 301 || status == 302)) {
    return refused("back_end_error", "answers " + request.method + " with status " + std::to_string(status) +
                                         ", which leaves open what is to be repeated");
  }
  return std::move(*next);
}

}  // namespace toolwire
