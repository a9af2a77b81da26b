// One connection to a Redis: bytes of commands out, replies in. Independent of what is asked, of who waits for the
// replies and of what happens when it breaks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <toolwire/detail/event_loop.hpp>

#include "reply.hpp"
#include "streams/system/endpoint.hpp"
#include "streams/system/stream.hpp"

namespace toolwire::redis {

using streams::Moved;
using streams::Stream;

/// On the loop only. Closed at first, and whenever it broke; then it can be opened again.
class Connection {
 public:
  /// What its owner is told, on the loop, perhaps inside a call of `open` or `flush`.
  class Events {
   public:
    virtual void opened() = 0;
    virtual void replied(Reply&& reply) = 0;  ///< May close the connection.
    virtual void broke(const std::string& why) = 0;
    virtual void untrusted(const std::string& why) = 0;  ///< In the place of `broke`, for Moved::is_refusal.
    virtual void handled() = 0;                          ///< After all of these that the system caused at once.

   protected:
    ~Events() = default;
  };

  /// What bytes go through between the replies and a socket.
  using MakeStream = std::function<std::unique_ptr<Stream>(int socket)>;

  Connection(EventLoop& loop, Events& events, MakeStream make_stream, std::size_t max_reply)
      : loop_(loop), events_(events), make_stream_(std::move(make_stream)), max_reply_(max_reply) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  void open(const streams::SocketAddress& address);
  /// Without an event.
  void close();

  /// Has no effect before `flush`.
  void append(std::string_view command) { output_.append(command); }
  void flush();
  std::size_t unwritten() const { return output_.size() - written_; }
  /// What is missing while nothing happens.
  std::string awaited() const;

 private:
  enum class Stage { closed, connecting, beginning, open };

  void wait_for(std::uint32_t events);
  void wait();
  void handle(std::uint32_t events);
  void finish_connecting();
  void begin();
  void read();
  bool read_some();
  void pass_replies();
  void end_stream();
  void break_off(const std::string& why);
  void break_off(const Moved& end);

  EventLoop& loop_;
  Events& events_;
  const MakeStream make_stream_;
  const std::size_t max_reply_;
  system::FileDescriptor socket_;
  std::unique_ptr<Stream> stream_;
  Stage stage_ = Stage::closed;
  std::uint32_t waited_for_ = 0;
  std::uint32_t read_waits_for_ = 0;   // of what is open
  std::uint32_t write_waits_for_ = 0;  // 0: nothing is to be written
  std::string output_;
  std::size_t written_ = 0;  // of it
  std::unique_ptr<ReplyReader> reader_;
};

}  // namespace toolwire::redis
