// A server that is judged over HTTP: where it is, and which headers a request to it carries. It sends nothing.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toolwire/detail/mutex.hpp>
#include <toolwire/json.hpp>

#include "driver/http_exchange.hpp"
#include "driver/revision.hpp"

namespace toolwire::conformance {

inline constexpr std::string_view session_header = "Mcp-Session-Id";
inline constexpr std::string_view version_header = "MCP-Protocol-Version";
inline constexpr std::string_view method_header = "Mcp-Method";
inline constexpr std::string_view name_header = "Mcp-Name";
inline constexpr std::string_view version_in_meta = "io.modelcontextprotocol/protocolVersion";

/// An argument of a tool that its schema annotates with x-mcp-header.
struct MirroredArgument {
  std::string header;             // "Mcp-Param-Region"
  std::vector<std::string> path;  // of names of properties
};

/// Those of a tool's inputSchema, in no certain order.
std::vector<MirroredArgument> mirrored_arguments(const Json& input_schema);

/// As the value of Mcp-Name or Mcp-Param-…: as it is, or in base64 between =?base64? and ?= where it must be.
std::string header_value(std::string_view text);
/// Always in base64.
std::string encoded_header_value(std::string_view text);

/// What `Mcp-Name` repeats of a message: the name or URI of tools/call, prompts/get and resources/read. Else null.
const Json& mirrored_name(const Json& message);

/// Thread-safe.
class HttpServer {
 public:
  /// `headers` go with each request; those of another caller take the places of these. Throws std::invalid_argument
  /// saying what was expected of the URL.
  HttpServer(std::string url, HttpHeaders headers, HttpHeaders other_caller = {});

  const std::string& text() const { return text_; }  // the URL as it was given
  const HttpUrl& url() const { return url_; }
  /// The one that `find` has found, else the first of the host's.
  const HttpAddress& address() const { return addresses_[found_]; }
  /// Whether anybody takes connections at one of the host's addresses: "localhost" has two on many machines, and
  /// servers listen at one of them.
  bool find();
  const HttpHeaders& headers() const { return headers_; }
  /// Those that say who else calls; empty: nobody is known.
  const HttpHeaders& other_caller() const { return other_caller_; }

  /// A POST of that message with the headers a client sends with it in this revision; no header of a message that is
  /// none. `session`: what the server called the session, or "".
  HttpRequest post(const Revision& revision, std::string_view message, std::string_view session = {}) const;
  /// A request without a message: GET, DELETE.
  HttpRequest bare(const Revision& revision, std::string method, std::string_view session = {}) const;

  /// Sends it. The recording has no values of either's headers: they may be secrets, and reports are published.
  std::unique_ptr<HttpExchange> start(const HttpRequest& request, Recording& recording) const;

  /// Looks for lists of tools, whose annotations say which headers their calls carry.
  void learn(const Json& message);

 private:
  void add_mirrored_arguments(HttpRequest& request, const Json& params) const;

  std::string text_;
  HttpUrl url_;
  std::vector<HttpAddress> addresses_;
  std::atomic<std::size_t> found_{0};
  HttpHeaders headers_;
  HttpHeaders other_caller_;
  mutable Mutex mutex_;
  std::map<std::string, std::vector<MirroredArgument>, std::less<>> mirrored_ TOOLWIRE_GUARDED_BY(mutex_);  // by tool
};

}  // namespace toolwire::conformance
