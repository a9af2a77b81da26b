// One POST from its message to the end of its answer: a connection of its own, whose output becomes the body, as one
// JSON text or as a stream of events (2026-07-28 basic/transports/streamable-http, receiving messages).
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front.hpp"
#include "jsonrpc/message.hpp"
#include "protocol/connection.hpp"
#include "session_id.hpp"
#include "toolwire/http/exchange.hpp"
#include "toolwire/http/protected_resource.hpp"
#include "toolwire/transport.hpp"

namespace toolwire::http {

/// Thread-safe. Held by the front until it is answered, and by the calls that came with it.
///
/// Its output is that of any connection, lines one after the other, with three of its own in between: the answer, the
/// point in time at which to begin a stream, and a sign of life. So whoever writes has them in their order.
class Post final : public Transport, public Exchange::Listener, public std::enable_shared_from_this<Post> {
 public:
  struct Settings {
    bool is_modern = true;
    Principal principal = {};
    std::shared_ptr<const Peer> peer = nullptr;
    Session session = {};                                         // of the revisions with a handshake, after it
    std::string session_id = {};                                  // what it came as
    TraceContext trace = {};                                      // of its header fields
    std::shared_ptr<const ProtectedResource> resource = nullptr;  // if it is known what tokens are for
    std::chrono::system_clock::duration session_age = std::chrono::hours(24);
  };

  Post(std::shared_ptr<Front> front, std::shared_ptr<Exchange> exchange, Settings settings);
  ~Post() override;

  /// Begins to answer; once. A batch has at least one request.
  void begin(jsonrpc::Request&& request);
  void begin(std::vector<jsonrpc::Request>&& batch);

  /// Of the session, by a notification.
  bool is_of_session(std::string_view id) const { return settings_.session_id == id; }
  /// Returns false if no call of it has this key.
  bool cancel(std::string_view key);
  /// The answer to a question. Returns false if it is not expected.
  bool take_answer(jsonrpc::Response&& response) { return connection_.outgoing.answered(std::move(response)); }
  const std::string& question_prefix() const { return question_prefix_; }
  const std::string& caller() const { return settings_.principal.id; }

  /// Unless it is answered.
  void become_stream();
  /// A sign of life, unless something was sent since the last. Returns false if it is no stream.
  bool keep_alive();
  bool is_answered() const { return connection_.in_flight.unsettled() == 0; }
  /// No question will be answered any more; subscriptions end.
  void stop_reading();
  void cancel_all();
  /// Nobody is there to answer it any more.
  void abandon();

  void on_closed() override;
  void on_caught_up() override;

 private:
  class Answers;

  std::ptrdiff_t read(char*, std::size_t) override { return end_of_input; }
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override;
  void interrupt() override {}
  bool input_closed() override { return true; }

  std::shared_ptr<protocol::Connection> connection() { return {shared_from_this(), &connection_}; }
  bool enter();
  void go_on_later();
  void answer(std::string_view text);
  void flush();
  void flush_later();
  void peer_left_later();
  void peer_left();
  void leave();

  void on_line(std::string_view line) TOOLWIRE_REQUIRES(sending_);
  void on_answer(std::string_view text) TOOLWIRE_REQUIRES(sending_);
  void send_json(std::string_view text) TOOLWIRE_REQUIRES(sending_);
  void send_unavailable() TOOLWIRE_REQUIRES(sending_);
  void begin_stream() TOOLWIRE_REQUIRES(sending_);
  void send_event(std::string_view text) TOOLWIRE_REQUIRES(sending_);
  void finish() TOOLWIRE_REQUIRES(sending_);
  std::optional<int> error_code_in(std::string_view answer) const;
  Head head_for(std::string_view answer) const;
  std::optional<std::string> minted_session(std::string_view answer) const;

  const std::shared_ptr<Front> front_;
  const std::shared_ptr<Exchange> exchange_;
  const Settings settings_;
  const std::string question_prefix_;
  protocol::Connection connection_;
  std::uint64_t id_ = 0;           // at the front
  std::string id_text_;            // of the request, as JSON; of a batch empty
  std::vector<std::string> keys_;  // of the requests
  bool is_initialize_ = false;
  bool listens_ = false;  // to changes, at the service
  std::list<protocol::Service::Listener*>::iterator listener_;
  std::atomic<bool> has_left_{false};
  std::atomic<bool> gone_{false};  // the client
  std::atomic<bool> answered_{false};
  std::atomic<bool> ended_{false};  // its exchange
  std::atomic<bool> streams_{false};
  std::atomic<bool> quiet_{false};  // since the last sign of life

  Mutex sending_;                                   // held while functions of the exchange are called
  std::string line_ TOOLWIRE_GUARDED_BY(sending_);  // the beginning of one
  bool started_ TOOLWIRE_GUARDED_BY(sending_) = false;
  bool finished_ TOOLWIRE_GUARDED_BY(sending_) = false;
};

}  // namespace toolwire::http
