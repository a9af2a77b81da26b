#include "fetch/multi.hpp"

#include <chrono>
#include <new>
#include <utility>

#include <toolwire/system/ready_set.hpp>

namespace toolwire {
namespace {

std::uint32_t waited_for(int what) {
  return (what & CURL_POLL_IN ? system::ready::to_read : 0U) | (what & CURL_POLL_OUT ? system::ready::to_write : 0U);
}

int select_bits(std::uint32_t events) {
  return (events & system::ready::to_read ? CURL_CSELECT_IN : 0) |
         (events & system::ready::to_write ? CURL_CSELECT_OUT : 0) |
         (events & system::ready::failed ? CURL_CSELECT_ERR : 0);
}

constexpr long kept_connections = 64;

}  // namespace

HttpMulti::HttpMulti(EventLoop& loop, Done done) : loop_(loop), done_(std::move(done)) {
  multi_.reset(curl().multi_init());
  if (!multi_) throw std::bad_alloc();
  curl().multi_setopt(multi_.get(), CURLMOPT_SOCKETFUNCTION, &watch);
  curl().multi_setopt(multi_.get(), CURLMOPT_SOCKETDATA, this);
  curl().multi_setopt(multi_.get(), CURLMOPT_TIMERFUNCTION, &set_timer);
  curl().multi_setopt(multi_.get(), CURLMOPT_TIMERDATA, this);
  curl().multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, kept_connections);
}

bool HttpMulti::add(CURL* easy) { return curl().multi_add_handle(multi_.get(), easy) == CURLM_OK; }

int HttpMulti::watch(CURL*, curl_socket_t socket, int what, void* self, void*) {
  HttpMulti& multi = *static_cast<HttpMulti*>(self);
  if (what == CURL_POLL_REMOVE) {
    multi.loop_.forget(socket);  // libcurl closes one that is being connected before it says so
    return 0;
  }
  const bool watched = multi.loop_.watch_borrowed(
      socket, waited_for(what), [&multi, socket](std::uint32_t events) { multi.act(socket, select_bits(events)); });
  return watched ? 0 : -1;
}

int HttpMulti::set_timer(CURLM*, long milliseconds, void* self) {
  HttpMulti& multi = *static_cast<HttpMulti*>(self);
  if (multi.timer_) multi.loop_.cancel(*multi.timer_);
  multi.timer_.reset();
  if (milliseconds < 0) return 0;
  // Zero too goes through the loop: libcurl must not be entered from its own callback.
  multi.timer_ = multi.loop_.at(EventLoop::Clock::now() + std::chrono::milliseconds(milliseconds), [&multi] {
    multi.timer_.reset();
    multi.act(CURL_SOCKET_TIMEOUT, 0);
  });
  return 0;
}

void HttpMulti::act(curl_socket_t socket, int events) {
  int running = 0;
  curl().multi_socket_action(multi_.get(), socket, events, &running);
  int left = 0;
  while (const CURLMsg* message = curl().multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL* easy = message->easy_handle;
    const CURLcode code = message->data.result;  // the message goes with the handle
    remove(easy);
    done_(easy, code);
  }
}

}  // namespace toolwire
