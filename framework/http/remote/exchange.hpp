// One message of the client on its way: its POST, what follows when it is put off or its stream is cut, and its answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <toolwire/http/detail/http_client.hpp>
#include "remote/answer_reader.hpp"
#include "remote/judgement.hpp"
#include "remote/received_message.hpp"
#include "remote/sent_message.hpp"

namespace toolwire::remote {

class Exchange;

/// What exchanges need of their endpoint. All functions are thread-safe.
class ExchangeOwner {
 public:
  virtual ~ExchangeOwner() = default;
  /// As HttpClient::start.
  virtual void start(HttpRequest request, std::stop_token stop, HttpClient::Callback callback) = 0;
  virtual HttpRequest post_of(const SentMessage& message) = 0;
  virtual HttpRequest stream(const std::string& last_id) = 0;
  virtual Conversation conversation() = 0;
  /// A line for the client.
  virtual void arrived(std::string line) = 0;
  /// The answer of a message has come; it has not arrived yet, and may be changed.
  virtual void answered(const SentMessage& message, const HttpResponse& head, ReceivedMessage& answer) = 0;
  /// The conversation is over.
  virtual void lost(const std::string& reason) = 0;
  /// Nothing more comes of this one.
  virtual void over(const Exchange& exchange) = 0;
};

/// Made and begun by one thread; from then on it lives in callbacks of the HTTP client, one at a time. `abort` may be
/// called by any thread. A subscription is sent again whenever its stream ends, and says then that everything may have
/// changed, since nobody tells what was missed.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  /// `max_message`: bytes of one message of the server.
  Exchange(SentMessage message, std::shared_ptr<ExchangeOwner> owner, std::size_t max_message);

  void begin();
  /// Closes its stream: nothing more of it arrives.
  void abort() { stop_.request_stop(); }
  [[nodiscard]] const SentMessage& message() const { return message_; }

 private:
  using milliseconds = std::chrono::milliseconds;

  void send(HttpRequest request, milliseconds wait);
  bool take(const HttpResponse& head, std::string_view piece);
  void take_text(const HttpResponse& head, std::string text);
  void take_answer(const HttpResponse& head, ReceivedMessage& answer);
  void note_acknowledgement(const ReceivedMessage& message);
  void ended(HttpOutcome&& outcome);
  void ended_with(const HttpResponse& head);
  void cut();
  void resume();
  void send_again();
  void refuse(const Refusal& refusal);
  void fail_to_resume(const Refusal& refusal);
  void fail(const Failure& failure);
  void over();
  [[nodiscard]] bool stays() const { return message_.method == "subscriptions/listen"; }

  const SentMessage message_;
  const std::shared_ptr<ExchangeOwner> owner_;
  std::stop_source stop_;
  AnswerReader reader_;
  unsigned tries_ = 0;     // without anything having come
  unsigned failures_ = 0;  // to resume it, in a row
  bool is_resumed_ = false;
  bool answered_ = false;
  bool acknowledged_ = false;  // of a subscription
};

}  // namespace toolwire::remote
