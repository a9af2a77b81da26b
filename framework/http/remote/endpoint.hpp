// A conversation with a remote server: what the client says becomes requests, what comes back becomes lines.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include <toolwire/http/detail/http_client.hpp>
#include <toolwire/http/detail/incoming_lines.hpp>
#include "remote/exchange.hpp"
#include "remote/session.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::remote {

/// Thread-safe. Requests that are under way keep it until they have ended.
class Endpoint : public ExchangeOwner, public std::enable_shared_from_this<Endpoint> {
 public:
  /// `http`: used until its end at most, and not owned: the last request that is under way would end it, in itself.
  /// `max_message`: bytes of one message of the server.
  Endpoint(RemoteServer server, HttpClient& http, std::size_t max_message);

  /// Sends a message of the client, without waiting.
  void send(std::string_view line);
  /// Whether very much is under way.
  bool is_full();
  /// Ends what is under way, tells the server that the session is over, and waits a second at most for it to hear that.
  /// Not in a callback of the HTTP client.
  void close();
  /// Ends what is under way; the client reads this as the reason.
  void lost(const std::string& reason) override;
  IncomingLines& incoming() { return incoming_; }

 private:
  void start(HttpRequest request, std::stop_token stop, HttpClient::Callback callback) override;
  HttpRequest post_of(const SentMessage& message) override;
  HttpRequest stream(const std::string& last_id) override;
  Conversation conversation() override;
  void arrived(std::string line) override;
  void answered(const SentMessage& message, const HttpResponse& head, ReceivedMessage& answer) override;
  void over(const Exchange& exchange) override;

  void leave_out_tools(ReceivedMessage& answer);
  void begin(SentMessage message);
  void cancel(SentMessage message);
  void abort_unanswered_probe() TOOLWIRE_REQUIRES(mutex_);
  void abort_all();

  HttpClient& http_;
  const std::shared_ptr<Credentials> credentials_;
  const std::size_t max_message_;
  IncomingLines incoming_;
  std::stop_source stop_;  // of the stream that the server has for itself
  Mutex telling_;          // held while somebody is told
  std::function<void(const std::string& why)> left_out_ TOOLWIRE_GUARDED_BY(telling_);
  Mutex mutex_;
  Session session_ TOOLWIRE_GUARDED_BY(mutex_);
  std::map<const Exchange*, std::shared_ptr<Exchange>> under_way_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t bytes_under_way_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  bool is_introducing_itself_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // nothing overtakes notifications/initialized
  std::deque<SentMessage> held_ TOOLWIRE_GUARDED_BY(mutex_);        // until then
};

}  // namespace toolwire::remote
