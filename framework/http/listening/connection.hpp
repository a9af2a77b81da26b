// One connection of a client: requests one after the other, each answered before the next is looked at (RFC 9112 §9.3).
//
// The way of a request, top to bottom in connection.cpp:
//   ready → receive → read_requests → on_head (the door, who calls, "100 Continue") → hand_over → Handler::handle
//   → Answer: start, write, finish → send_more → the next request, or the end
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/engine.hpp"
#include "listening/caller_question.hpp"
#include "listening/outbox.hpp"
#include "listening/request_reader.hpp"
#include "listening/response_text.hpp"
#include "refusal.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/http/exchange.hpp"
#include "toolwire/http/listen.hpp"
#include "transport/socket.hpp"

namespace toolwire::http {

class PortListener;

/// Thread-safe. Held by its listener until it is closed. Nothing in it waits; the locks are taken in the order in which
/// they stand below, and the engine's own after them.
class Connection final : public std::enable_shared_from_this<Connection> {
 public:
  using Clock = std::chrono::steady_clock;

  Connection(std::shared_ptr<PortListener> listener, std::uint64_t id, system::FileDescriptor socket,
             std::shared_ptr<const Peer> peer);

  /// Once.
  void begin();
  /// Whether it has been waited for longer than it may. Returns whether that is to be asked again.
  bool look_at_clock(Clock::time_point now);
  /// When it ends unless its client begins a request; the end of time where one has begun.
  Clock::time_point idle_until() const;
  /// Ends soon, unless its client has begun a request meanwhile: then it returns false.
  bool give_way();
  /// The server stops: ends at once, or with the answer that is under way.
  void stop();
  /// Ends at once. With no lock held, on a thread that is not inside of another connection.
  void close();

 private:
  class Answer;
  /// How the request wants to be answered.
  struct Form {
    bool is_head = false;
    bool is_old = false;
    bool keeps = false;  // the connection
  };
  /// What the client is waited for.
  enum class Awaited { request, head, body, caller, end, nothing };

  // Reading
  void ready(unsigned what);
  void go_on();
  void go_on_later();
  void receive(bool hung_up) TOOLWIRE_REQUIRES(reading_);
  void client_left() TOOLWIRE_REQUIRES(reading_);
  void read_requests() TOOLWIRE_REQUIRES(reading_);
  bool must_wait() TOOLWIRE_REQUIRES(reading_);
  void on_head() TOOLWIRE_REQUIRES(reading_);
  void ask_who_calls() TOOLWIRE_REQUIRES(reading_);
  void begin_body() TOOLWIRE_REQUIRES(reading_);
  void hand_over() TOOLWIRE_REQUIRES(reading_);
  void answer_at_once(const Reply& what) TOOLWIRE_REQUIRES(reading_);
  void refuse(const Refusal& what) TOOLWIRE_REQUIRES(reading_);
  void pause_input(bool pause) TOOLWIRE_REQUIRES(reading_);
  Form form() TOOLWIRE_REQUIRES(reading_);

  // Writing
  std::shared_ptr<Answer> begin_answer(Form form);
  void start(const Head& head);
  void write(std::string_view bytes);
  void finish();
  bool is_behind() const;
  void send_more();
  void send_now() TOOLWIRE_REQUIRES(sending_);
  void watch_descriptor() TOOLWIRE_REQUIRES(sending_);
  void update_busy() TOOLWIRE_REQUIRES(sending_);

  // Time, and the end
  void expect(Awaited what);
  void expect_now(Awaited what) TOOLWIRE_REQUIRES(sending_);
  Clock::time_point deadline_for(Awaited what) TOOLWIRE_REQUIRES(sending_);
  void note_progress(bool has_moved) TOOLWIRE_REQUIRES(sending_);
  void set_deadline(std::atomic<Clock::time_point>& deadline, Clock::time_point when);
  void come_late(Clock::time_point now);
  void give_up();

  engine::Engine& engine() const;
  const ConnectionLimits& limits() const;

  const std::shared_ptr<PortListener> listener_;
  const std::uint64_t id_;
  const Socket socket_;
  const std::shared_ptr<const Peer> peer_;
  const std::shared_ptr<CallerQuestion> caller_ = std::make_shared<CallerQuestion>();
  std::atomic<std::uint64_t> watch_{0};
  std::atomic<bool> is_over_{false};                                        // `close` is due
  std::atomic<bool> closes_{false};                                         // after this answer: nothing more is read
  std::atomic<Clock::time_point> deadline_{Clock::time_point::max()};       // of what is awaited
  std::atomic<Clock::time_point> send_deadline_{Clock::time_point::max()};  // for the client to take something

  Mutex reading_;
  RequestReader reader_ TOOLWIRE_GUARDED_BY(reading_);
  bool waits_ TOOLWIRE_GUARDED_BY(reading_) = false;  // as must_wait has said
  bool pauses_ TOOLWIRE_GUARDED_BY(reading_) = false;
  Principal principal_ TOOLWIRE_GUARDED_BY(reading_);

  mutable Mutex sending_;
  Outbox outbox_ TOOLWIRE_GUARDED_BY(sending_);
  std::shared_ptr<Answer> answer_ TOOLWIRE_GUARDED_BY(sending_);  // under way
  Form form_ TOOLWIRE_GUARDED_BY(sending_);
  Framing framing_ TOOLWIRE_GUARDED_BY(sending_) = Framing::none;
  Awaited awaited_ TOOLWIRE_GUARDED_BY(sending_) = Awaited::nothing;
  Clock::time_point request_ends_ TOOLWIRE_GUARDED_BY(sending_) = Clock::time_point::max();  // with its body
  Clock::time_point answer_ends_ TOOLWIRE_GUARDED_BY(sending_) = Clock::time_point::max();   // and is taken
  bool input_waits_ TOOLWIRE_GUARDED_BY(sending_) = false;  // for the answer, or for the client to read
  bool has_left_ TOOLWIRE_GUARDED_BY(sending_) = false;     // the client, but it may take what is unsent
  bool is_paused_ TOOLWIRE_GUARDED_BY(sending_) = false;
  bool is_busy_ TOOLWIRE_GUARDED_BY(sending_) = false;
  bool is_closed_ TOOLWIRE_GUARDED_BY(sending_) = false;
  unsigned interest_ TOOLWIRE_GUARDED_BY(sending_) = 0;
};

}  // namespace toolwire::http
