// Drives many transfers over an EventLoop: libcurl says which descriptors and times it waits for, the loop waits.
// Independent of queues, deadlines and callers.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <toolwire/detail/event_loop.hpp>
#include "fetch/curl_library.hpp"

namespace toolwire {

/// On the loop only, but for the constructor. Every handle is removed before it is destroyed.
class HttpMulti {
 public:
  using Done = std::function<void(CURL* easy, CURLcode code)>;

  /// `done` is called on the loop for every handle that is finished; the handle has been removed.
  HttpMulti(EventLoop& loop, Done done);
  HttpMulti(const HttpMulti&) = delete;
  HttpMulti& operator=(const HttpMulti&) = delete;

  /// False if libcurl refuses (out of memory).
  bool add(CURL* easy);
  void remove(CURL* easy) { curl().multi_remove_handle(multi_.get(), easy); }

 private:
  struct Free {
    void operator()(CURLM* multi) const { curl().multi_cleanup(multi); }
  };

  static int watch(CURL* easy, curl_socket_t socket, int what, void* self, void* mark);
  static int set_timer(CURLM* multi, long milliseconds, void* self);
  void act(curl_socket_t socket, int events);

  EventLoop& loop_;
  const Done done_;
  std::optional<EventLoop::Timer> timer_;
  std::unique_ptr<CURLM, Free> multi_;  // after what its callbacks use
};

}  // namespace toolwire
