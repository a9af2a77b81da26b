// URLs as the HTTP client uses them, parsed by the same code that connects, so that the judged address is the one
// reached. Opens nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct Curl_URL;  // of libcurl

namespace toolwire {

/// An http or https URL without user name. A plain value that is moved.
class HttpUrl {
 public:
  /// Nothing if it is not such a URL. Spaces, control characters and hosts outside ASCII are refused. Throws
  /// std::runtime_error that says what to install where there is no libcurl of 7.88 or later.
  static std::optional<HttpUrl> parse(std::string_view text);

  /// Where a `Location` of this URL leads; nothing as for `parse`.
  [[nodiscard]] std::optional<HttpUrl> follow(std::string_view location) const;

  [[nodiscard]] Curl_URL* handle() const { return handle_.get(); }
  [[nodiscard]] const std::string& host() const { return host_; }      ///< Lower case, without brackets.
  [[nodiscard]] const std::string& origin() const { return origin_; }  ///< "http://host:80", "https://[::1]:8443".

 private:
  struct Free {
    void operator()(Curl_URL* url) const;
  };
  using Handle = std::unique_ptr<Curl_URL, Free>;

  static std::optional<HttpUrl> from(Handle handle, std::string_view text);

  Handle handle_;
  std::string host_;
  std::string origin_;
};

}  // namespace toolwire
