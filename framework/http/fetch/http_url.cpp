#include <toolwire/http/detail/http_url.hpp>

#include <algorithm>
#include <utility>

#include <toolwire/http/detail/header_text.hpp>
#include <toolwire/http/detail/http_client.hpp>
#include <toolwire/system/network_address.hpp>
#include "fetch/curl_library.hpp"

namespace toolwire {
namespace {

std::string part(CURLU* url, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (curl().url_get(url, which, &text, flags) != CURLUE_OK || text == nullptr) return {};
  std::string copy(text);
  curl().free(text);
  return copy;
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~' && c != '\\'; });
}

}  // namespace

void HttpUrl::Free::operator()(Curl_URL* url) const { curl().url_cleanup(url); }

std::optional<HttpUrl> HttpUrl::parse(std::string_view text) { return from(Handle(curl().url()), text); }

std::optional<HttpUrl> HttpUrl::follow(std::string_view location) const {
  return from(Handle(curl().url_dup(handle_.get())), location);
}

std::optional<HttpUrl> HttpUrl::from(Handle handle, std::string_view text) {
  if (!handle || text.empty() || !is_plain(text)) return std::nullopt;
  if (curl().url_set(handle.get(), CURLUPART_URL, std::string(text).c_str(), CURLU_DISALLOW_USER) != CURLUE_OK)
    return std::nullopt;
  const std::string scheme = header_text::lower(part(handle.get(), CURLUPART_SCHEME));
  const std::string host = header_text::lower(part(handle.get(), CURLUPART_HOST));
  // In a host "%88" is a byte: what was plain as it was written need not be so any more.
  if ((scheme != "http" && scheme != "https") || host.empty() || !is_plain(host)) return std::nullopt;
  HttpUrl url;
  url.host_ = system::without_brackets(host);
  url.origin_ = scheme + "://" + host + ":" + part(handle.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
  url.handle_ = std::move(handle);
  return url;
}

std::optional<std::string> http_origin_of(std::string_view url) {
  const auto parsed = HttpUrl::parse(url);
  if (!parsed) return std::nullopt;
  return parsed->origin();
}

}  // namespace toolwire
