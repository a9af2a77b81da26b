// An HTTP client in the hands of a check: it sends requests that are right but for what the check changes, and keeps
// whatever comes back. It makes no judgement.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

#include "driver/http_server.hpp"
#include "driver/message.hpp"

namespace toolwire::conformance {

/// The messages in a reply: its JSON body, or those of its events that have any.
std::vector<Message> messages_in(const HttpReply& reply);
/// The response to that request in it, as JSON; null if there is none.
Json response_in(const HttpReply& reply, const Json& id);
/// Code of the error that is the whole reply; 0 if it is another.
std::int64_t error_code_in(const HttpReply& reply);

/// Not thread-safe. Its destruction closes its connections and ends its session.
class HttpPeer {
 public:
  HttpPeer(std::shared_ptr<HttpServer> server, const Revision& revision, JsonObject capabilities,
           std::chrono::milliseconds timeout);
  HttpPeer(const HttpPeer&) = delete;
  HttpPeer& operator=(const HttpPeer&) = delete;
  ~HttpPeer();

  /// Legacy: `initialize`, whose reply it returns, and `notifications/initialized`. Modern: nothing to do.
  const HttpReply& open();
  /// The reply to `notifications/initialized`.
  const HttpReply& initialized() const { return initialized_; }
  const std::string& session() const { return session_; }

  /// A new id for each request.
  Json next_id() { return Json("http-" + std::to_string(next_id_++)); }
  /// The message of a request, with what the revision's requests carry in `_meta`.
  Json message(const Json& id, std::string_view method, JsonObject params = {}) const;
  /// The POST of a message, with all headers it should have.
  HttpRequest post(const Json& message) const;
  HttpRequest post(std::string_view method, JsonObject params = {}) {
    return post(message(next_id(), method, std::move(params)));
  }
  /// Without a message.
  HttpRequest bare(std::string method) const;

  /// Sends it and waits until its reply is over, or time is up; then the connection is closed.
  HttpReply send(const HttpRequest& request);
  /// Sends it; the reply comes while `wait` is called.
  HttpExchange& start(const HttpRequest& request);
  bool wait(std::chrono::milliseconds time, const std::function<bool()>& done);
  bool wait(const std::function<bool()>& done) { return wait(timeout_, done); }
  void close(HttpExchange& exchange) { exchange.close(); }

  const Recording& recording() const { return recording_; }
  std::size_t unmet_waits() const { return unmet_waits_; }

 private:
  std::shared_ptr<HttpServer> server_;
  const Revision& revision_;
  JsonObject capabilities_;
  std::chrono::milliseconds timeout_;
  Recording recording_;
  std::list<std::unique_ptr<HttpExchange>> exchanges_;
  HttpReply opened_, initialized_;
  std::string session_;
  int next_id_ = 1;
  std::size_t unmet_waits_ = 0;
};

}  // namespace toolwire::conformance
