// One HTTP request and its answer, between a program's HTTP server and the handler. Plain values, and an interface that
// the program implements. Independent of MCP.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <toolwire/context.hpp>
#include <toolwire/detail/mutex.hpp>
#include <toolwire/server_options.hpp>
#include <vector>

namespace toolwire::http {

/// A header field: its name, in any case, and its value without white space around it.
struct Field {
  std::string name = {};
  std::string value = {};
};

/// A whole request, as the program's server has read it.
struct Request {
  std::string method = {};         // "POST"
  std::string target = {};         // "/mcp"; a query after it is passed over
  std::vector<Field> fields = {};  // all, in their order; one that came twice is there twice. HTTP/2: with a "host"
  std::string body = {};           // without its transfer coding
  std::optional<Peer> peer = {};   // the process at the other end, where it is known
  Principal principal = {};        // who calls, as the program has made sure; without an id: it does not know
};

/// How an answer begins.
struct Head {
  int status = 0;
  std::vector<Field> fields = {};
  std::optional<std::size_t> length = {};  // bytes of the body; none: it goes on until `finish`, as a stream
};

/// An answer that is whole, with its Content-Type among the fields.
struct Reply {
  int status = 200;
  std::vector<Field> fields = {};
  std::string body = {};
};

/// Where an answer goes: implemented by the program, one object for each request. `start` is called first, once, then
/// `write` any number of times, then `finish`, once; never two at a time, inside of `Handler::handle` or later on other
/// threads. They must not throw, and should not wait: what a slow client does not take is kept, and `is_behind`.
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  virtual void start(const Head& head) = 0;
  virtual void write(std::string_view bytes) = 0;
  virtual void finish() = 0;
  /// More is kept than the program likes: nothing is written until it says `caught_up`. From any thread.
  virtual bool is_behind() const { return false; }

  /// The client has left: to be called by the program, once it knows, from any thread and also inside of `write`. In
  /// 2026-07-28 this cancels what was asked for. Nothing more need come afterwards, not even `finish`.
  void closed();
  /// Not behind any more. From any thread.
  void caught_up();

  /// Who is told of these: the handler.
  class Listener {
   public:
    virtual void on_closed() = 0;
    virtual void on_caught_up() = 0;

   protected:
    ~Listener() = default;
  };
  /// For the handler. Returns false if the client has left already.
  bool tell(std::weak_ptr<Listener> listener);

 private:
  Mutex mutex_;
  std::weak_ptr<Listener> listener_ TOOLWIRE_GUARDED_BY(mutex_);
  bool closed_ TOOLWIRE_GUARDED_BY(mutex_) = false;
};

/// Sends all of an answer: `start`, `write`, `finish`.
void send(const Reply& reply, Exchange& exchange);

}  // namespace toolwire::http
