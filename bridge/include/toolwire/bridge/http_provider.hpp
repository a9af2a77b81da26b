// Serves a manifest over HTTP as the Tool Discovery Protocol has it: discovery and execution.
// Knows neither where the manifest comes from nor how a tool is run; both are functions it is given.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <toolwire/bridge/manifest.hpp>
#include <toolwire/context.hpp>
#include <toolwire/result.hpp>

namespace toolwire::bridge {

struct HttpProviderOptions {
  std::string host = "127.0.0.1";  // an address or a name of this machine
  int port = 15'000;               // 0: any that is free
  std::string token = {};          // asked for as `Authorization: Bearer …`, if not empty; needed beyond loopback
  std::vector<std::string> host_names = {};     // further names in `Host` that mean this provider
  std::vector<std::string> origins = {};        // web pages that may ask: "https://inbox.example"
  std::size_t max_body = std::size_t{4} << 20;  // bytes; longer: 413
  std::size_t max_connections = 256;  // at once; for one more the one that is idle longest is closed, else: 503
  std::size_t max_calls = 48;  // running at once, also for clients that have left; one more: 503 and "busy". Less than
                               // the connections, so that discovery is answered whatever the tools do
  std::chrono::milliseconds request_time{10'000};  // to send a whole request (408), and to begin one (closed)
  std::chrono::milliseconds answer_time{30'000};   // to take a whole answer
  std::chrono::milliseconds drain{1'000};          // how long calls may continue after `stop`
};

/// Something else that is read with GET, beside the tools.
struct HttpPage {
  std::string path = {};  // "/health"
  std::string type = {};  // its Content-Type
  /// Called for every request, from several threads.
  std::function<std::string()> text = {};
  bool open = false;  // also without the token
};

/// GET /api/v1/tools, GET /api/v1/tools/{name} and POST /api/v1/tools/execute, over toolwire's own HTTP server
/// (toolwire/http/site.hpp). Browsers are kept out: `Host`, `Origin` and `Content-Type` are checked (DNS rebinding,
/// cross-site requests). `listen` and `run` are for one thread, `stop` for any; a provider runs once.
class HttpProvider {
 public:
  /// The manifest as it is now; null while the scenario is unavailable. Called for every request, from several threads,
  /// and quick; the same pointer means the same manifest.
  using Source = std::function<std::shared_ptr<const Manifest>()>;
  /// Runs a tool of the manifest and hands its result to `done`, once, now or later and from any thread. While it has
  /// not returned it holds a thread, of which there are as many as calls may run. `stop` fires when the client has gone
  /// or the provider stops.
  using Execute = std::function<void(const std::string& tool, Json arguments, std::stop_token stop,
                                     std::function<void(ToolResult)> done)>;
  /// The same, and it is told which trace the request belongs to, by its header fields (W3C Trace Context).
  using TracedExecute = std::function<void(const std::string& tool, Json arguments, const TraceContext& trace,
                                           std::stop_token stop, std::function<void(ToolResult)> done)>;

  /// Throws std::invalid_argument for options that contradict each other: an address beyond loopback without a token.
  HttpProvider(HttpProviderOptions options, Source source, Execute execute, std::vector<HttpPage> pages = {});
  HttpProvider(HttpProviderOptions options, Source source, TracedExecute execute, std::vector<HttpPage> pages = {});
  ~HttpProvider();
  HttpProvider(const HttpProvider&) = delete;
  HttpProvider& operator=(const HttpProvider&) = delete;

  /// Opens the port and returns its number. Throws std::runtime_error naming address and reason.
  int listen();
  /// Serves until `stop`; then requests under way are answered, calls get the drain time, and who connects meanwhile
  /// gets 503.
  void run();
  void stop();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace toolwire::bridge
