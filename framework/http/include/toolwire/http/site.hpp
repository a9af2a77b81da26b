// HTTP/1.1 for what a program answers itself: the connections and limits of listen.hpp, without MCP behind them
// (library toolwire::http_server).
//
//     toolwire::http::SiteServer site({.at_head = [](const Request& head) { … }, .answer = …}, {.port = 8080});
//     site.run();                                         // until somebody calls site.stop()
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <toolwire/http/exchange.hpp>
#include <toolwire/http/listen.hpp>

namespace toolwire::http {

/// What is answered. The functions are called from several threads at once, and must not throw.
struct Site {
  /// The answer to a request by its head alone, before its body is read; nothing: `answer` is called with all of it.
  /// Called on the thread that reads, so it must be quick. Empty: never an answer. A request with a body that is
  /// answered here ends its connection.
  std::function<std::optional<Reply>(const Request& head)> at_head = {};
  /// Answers a request through its exchange: now, or later and from any thread. May take its time: others are answered
  /// meanwhile, as long as there are threads.
  std::function<void(Request request, std::shared_ptr<Exchange> exchange)> answer = {};
  /// How a request that the server refuses itself is told so: one that is no HTTP, is too large or comes too slowly.
  /// Empty: in plain text.
  std::function<Reply(int status, std::string_view why)> refuse = {};
};

/// Where, and within which bounds.
struct SiteOptions {
  std::string address = "127.0.0.1";  // of this machine, in numbers; who may call is up to the functions of the site
  std::uint16_t port = 0;             // 0: a free one
  std::size_t max_body = std::size_t{16} << 20;  // bytes; a longer body gets 413
  unsigned threads = 8;                          // of `answer` at once, each started when it is needed; at least 1
  std::chrono::milliseconds drain{1'000};        // after a stop, for requests under way to be answered and taken
  ConnectionLimits limits = {};
};

/// `run` once, or never; `stop` from any thread.
class SiteServer {
 public:
  /// Listens: who connects waits until `run`. Throws std::system_error if that cannot be listened on, or descriptors
  /// have run out; std::invalid_argument for options that cannot be meant.
  SiteServer(Site site, const SiteOptions& options);
  /// After `run` has returned, if it was called.
  ~SiteServer();
  SiteServer(const SiteServer&) = delete;
  SiteServer& operator=(const SiteServer&) = delete;

  std::uint16_t port() const;
  /// Serves on this thread, and on others as it needs them, until a stop: then what was accepted is answered within
  /// the drain, while those who connect meanwhile are asked as before, and every connection is closed. Waits for each
  /// `answer` that runs.
  void run();
  void stop();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace toolwire::http
