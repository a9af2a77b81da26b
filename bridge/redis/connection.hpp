// One connection to a Redis: bytes of commands out, replies in. Independent of what is asked, of who waits for the
// replies and of what happens when it breaks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <toolwire/detail/event_loop.hpp>
#include "redis/system/endpoint.hpp"
#include "reply.hpp"

namespace toolwire::redis {

/// On the loop only. Closed at first, and whenever it broke; then it can be opened again.
class Connection {
 public:
  /// What its owner is told, on the loop, perhaps inside a call of `open` or `flush`.
  class Events {
   public:
    virtual void opened() = 0;
    virtual void replied(Reply&& reply) = 0;  ///< May close the connection.
    virtual void broke(const std::string& why) = 0;
    virtual void handled() = 0;  ///< After all of these that the system caused at once.

   protected:
    ~Events() = default;
  };

  Connection(EventLoop& loop, Events& events, std::size_t max_reply)
      : loop_(loop), events_(events), max_reply_(max_reply) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void open(const SocketAddress& address);
  /// Without an event.
  void close();

  /// Has no effect before `flush`.
  void append(std::string_view command) { output_.append(command); }
  void flush();
  std::size_t unwritten() const { return output_.size() - written_; }

 private:
  void wait_for(std::uint32_t events);
  void handle(std::uint32_t events);
  void finish_connecting();
  void read();
  bool read_some();
  void pass_replies();
  void break_off(const std::string& why);

  EventLoop& loop_;
  Events& events_;
  const std::size_t max_reply_;
  system::FileDescriptor socket_;
  bool is_connecting_ = false;
  std::uint32_t waited_for_ = 0;
  std::string output_;
  std::size_t written_ = 0;  // of it
  std::unique_ptr<ReplyReader> reader_;
};

}  // namespace toolwire::redis
