// Speaks HTTP/1.1 with other programs: any number of requests at once that hold no thread, each with a deadline, a
// bound on its answer and a check of the address it reaches. Independent of tools, manifests and JSON.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <toolwire/engine.hpp>
#include <toolwire/result.hpp>

namespace toolwire {

/// Who chose the origin (scheme, host, port) of a request, which decides what addresses it may reach.
enum class HttpOrigin {
  /// Written by the operator in a manifest, bindings file or command line of this machine: any address but link-local
  /// ones, as long as its name does not begin to lead closer to this machine than when it was first resolved.
  operators,
  /// Came from elsewhere (a fetched manifest, a value in a template): public addresses only.
  other
};

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;
struct HttpResponse;

/// One request. A plain value.
struct HttpRequest {
  using Clock = std::chrono::steady_clock;

  std::string method = "GET";
  std::string url = {};      ///< http or https; without user name and password, which belong into a header.
  HttpHeaders headers = {};  ///< Sent as given. Length, transfer coding and `Accept-Encoding` are added.
  std::string body = {};
  std::optional<Clock::time_point> deadline = {};
  std::size_t response_limit = std::size_t{8} << 20;  ///< Bytes of the body, after it was unpacked.
  HttpOrigin origin = HttpOrigin::other;
  std::optional<Clock::time_point> not_before = {};  ///< Begins no earlier.
  bool proxy_of_environment = false;  ///< Through the proxy that `https_proxy` and the like name, if they do.
  /// If given, it gets the body of the answer in pieces as they come, instead of HttpResponse::body; `response_limit`
  /// does not count then. Called as the callback is, before it: with an empty piece when the head has come, then for
  /// each piece. False: no more is wanted, and the request ends with the answer as it is. Not called for redirects.
  std::function<bool(const HttpResponse& head, std::string_view piece)> on_piece = {};
};

/// What a server answered, whatever its status. A plain value.
struct HttpResponse {
  int status = 0;
  HttpHeaders headers = {};  ///< Names in lower case, in the order they came.
  std::string body = {};

  /// The first header of this name (in lower case), or nothing.
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
  [[nodiscard]] bool success() const { return status >= 200 && status < 300; }
};

/// Why there is no answer. `text` names the origin and the cause, never a path, a query, a header or a body.
struct HttpFailure {
  /// "unavailable" (not reached, or the connection broke), "timeout", "cancelled",
  /// "too_large", "denied" (the address or a redirect is not allowed), "back_end_error" (not HTTP), "busy", or
  /// "invalid_request" (nothing was sent: the request itself is wrong).
  std::string code;
  std::string text;
  bool was_sent = true;  ///< False: it is certain that the server has not seen the request.

  /// Later it may succeed, and nothing was done by now.
  [[nodiscard]] bool retryable() const { return code == "busy" || (code == "unavailable" && !was_sent); }
  /// It may have been done.
  [[nodiscard]] bool is_unknown() const { return code == "unavailable" && was_sent; }
};

using HttpOutcome = std::variant<HttpResponse, HttpFailure>;

struct HttpClientOptions {
  /// Addresses and networks ("169.254.169.254", "10.0.0.0/8", "fd00::/8") that any request may reach
  /// (`--allow-address`).
  std::vector<std::string> allowed_addresses = {};
  /// "http://host:port" that all requests go through, but for those of the operator to this machine; empty: none. The
  /// proxy then decides which addresses are reached. Proxies named in the environment are used by requests that ask
  /// for them only.
  std::string proxy = {};
  /// Certificates to trust, PEM; empty: those of the file SSL_CERT_FILE if the environment names one, else the
  /// system's.
  std::string ca_file = {};
  std::size_t max_requests = 16'384;    ///< Waiting or under way; beyond, "busy".
  std::size_t max_connections = 4'096;  ///< At once; further requests wait for their turn.
  std::shared_ptr<Engine> engine = {};  ///< Whose threads it works on; empty: of its own.
};

/// The client. Thread-safe. Calls under way share it, and the last share may be dropped in a callback, for which
/// destruction would wait: so its owner closes it first. Redirects are followed within the same
/// origin only, five at most.
class HttpClient {
 public:
  /// Called once, on a thread of the engine (once the client is closed, on the caller's), one at a time: keep it short.
  /// It must not throw.
  using Callback = std::function<void(HttpOutcome&&)>;

  /// Throws std::invalid_argument for an address in the options that is none.
  explicit HttpClient(const HttpClientOptions& options = {});
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  /// Closes it. Not in a callback, unless it was closed before.
  ~HttpClient();

  /// Answers requests in progress, and later ones, with "cancelled". Not in a callback.
  void close();

  /// Begins a request and returns at once. A stop ends it with "cancelled".
  void start(HttpRequest request, std::stop_token stop, Callback callback);

  /// Waits for the answer. Not in a callback.
  HttpOutcome fetch(HttpRequest request, std::stop_token stop = {});

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

/// "http://host:port" of a URL, as errors show it and as origins are compared: lower case, the port always there.
/// Nothing if it is not an http or https URL with a host and without user name.
std::optional<std::string> http_origin_of(std::string_view url);

/// Why no request can have a header of this name, as in "the header …"; empty if one can.
std::string wrong_header_name(std::string_view name);

}  // namespace toolwire
