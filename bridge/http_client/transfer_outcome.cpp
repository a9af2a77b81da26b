// The end of a transfer: its failures in words, and redirects.
#include "http_client/transfer.hpp"

#include <array>
#include <system_error>
#include <utility>

namespace toolwire::bridge {
namespace {

constexpr int max_redirects = 5;

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

bool broke_connection(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_PARTIAL_FILE:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_OPERATION_TIMEDOUT:  // of connecting: the request's deadline is kept elsewhere
      return true;
    default:
      return false;
  }
}

std::string cause(CURL* easy, CURLcode code) {
  std::string text = ::curl_easy_strerror(code);
  long error = 0;
  ::curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &error);
  if (code == CURLE_COULDNT_CONNECT && error != 0)
    text += " (" + std::generic_category().message(static_cast<int>(error)) + ")";
  return text;
}

}  // namespace

std::optional<std::string_view> HttpResponse::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::optional<HttpOutcome> HttpTransfer::outcome(CURLcode code) {
  if (code != CURLE_OK) return refused_ ? *refused_ : failure_of(code);
  long status = 0;
  ::curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  response_.status = static_cast<int>(status);
  return redirect_or_response();
}

HttpFailure HttpTransfer::failure_of(CURLcode code) const {
  // libcurl's own words for the code: its longer texts may quote what came over the connection.
  return failure(broke_connection(code) ? "unavailable" : "back_end_error", cause(easy_.get(), code));
}

std::optional<HttpOutcome> HttpTransfer::redirect_or_response() {
  const auto location = response_.header("location");
  if (!is_redirect(response_.status) || !location) return std::move(response_);
  if (auto problem = follow(*location)) return std::move(*problem);
  prepare();
  return std::nullopt;
}

std::optional<HttpFailure> HttpTransfer::follow(std::string_view location) {
  if (++redirects_ > max_redirects) return failure("back_end_error", "more than five redirects");
  auto next = url_.follow(location);
  if (!next) return failure("denied", "redirects to something that is no http or https URL");
  if (next->origin() != url_.origin())
    return failure("denied", "redirects to " + next->origin() + ", another host; that is not followed");
  const bool reads = request_.method == "GET" || request_.method == "HEAD";
  if (response_.status == 303) {
    request_.method = request_.method == "HEAD" ? "HEAD" : "GET";
    request_.body.clear();
  } else if (!reads && (response_.status == 301 || response_.status == 302)) {
    return failure("back_end_error", "answers " + request_.method + " with status " + std::to_string(response_.status) +
                                         ", which leaves open what is to be repeated");
  }
  url_ = std::move(*next);
  return std::nullopt;
}

}  // namespace toolwire::bridge
