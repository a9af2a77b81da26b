#include "toolwire/http/exchange.hpp"

#include <utility>

namespace toolwire::http {

bool Exchange::tell(std::weak_ptr<Listener> listener) {
  const MutexLock lock(mutex_);
  listener_ = std::move(listener);
  return !closed_;
}

void Exchange::closed() {
  std::shared_ptr<Listener> listener;
  {
    const MutexLock lock(mutex_);
    closed_ = true;
    listener = listener_.lock();
  }
  if (listener) listener->on_closed();
}

void Exchange::caught_up() {
  std::shared_ptr<Listener> listener;
  {
    const MutexLock lock(mutex_);
    listener = listener_.lock();
  }
  if (listener) listener->on_caught_up();
}

void send(const Reply& reply, Exchange& exchange) {
  exchange.start({.status = reply.status, .fields = reply.fields, .length = reply.body.size()});
  if (!reply.body.empty()) exchange.write(reply.body);
  exchange.finish();
}

}  // namespace toolwire::http
