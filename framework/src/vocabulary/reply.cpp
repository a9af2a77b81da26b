#include "toolwire/reply.hpp"

#include <exception>

namespace toolwire {

Reply::Reply(Send send) : send_(std::move(send)), exceptions_(std::uncaught_exceptions()) {}

Reply& Reply::operator=(Reply&& other) noexcept {
  if (this != &other) {
    drop();
    send_ = std::exchange(other.send_, nullptr);
    exceptions_ = other.exceptions_;
  }
  return *this;
}

Reply::~Reply() { drop(); }

void Reply::drop() noexcept {
  if (!send_ || std::uncaught_exceptions() > exceptions_) return;
  try {
    send(failure("dropped", "The tool gave up this call without an answer.", false));
  } catch (...) {  // out of memory: the call itself still notices that nobody holds it any more
  }
}

void Reply::send(AnyOutcome&& outcome) {
  if (Send answer = std::exchange(send_, nullptr)) answer(std::move(outcome));
}

}  // namespace toolwire
