#include "client/later_request.hpp"

#include <utility>
#include <variant>

namespace toolwire::client {

LaterRequest::LaterRequest(std::shared_ptr<Connection> connection, std::string method,
                           std::function<void(RequestOutcome&&)> done)
    : connection_{std::move(connection)}, method_{std::move(method)}, done_{std::move(done)} {}

void LaterRequest::start(const JsonObject& params, CallOptions options) {
  const bool wants_progress = options.on_progress != nullptr;
  pending_->on_progress = std::move(options.on_progress);
  pending_->on_done = [this, self = shared_from_this()]() mutable {
    const auto owned = std::exchange(self, nullptr);
    finish();
  };
  add_trace(options.meta, options.trace);
  timeout_ = options.timeout.value_or(connection_->options().timeout);
  const auto deadline = deadline_after(timeout_);
  try {
    connection_->send_at_once(pending_, method_, params, wants_progress, options.meta);
  } catch (...) {
    pending_->on_done = nullptr;
    throw;
  }
  // Not before: what is given up has been sent.
  clock_.start(connection_->deadlines(), time_until(deadline), weak_from_this());
}

void LaterRequest::cancel(const std::string& reason) {
  const std::string because = reason.empty() ? "" : ": " + reason;
  connection_->abandon(*pending_, {.kind = Failure::Kind::cancelled, .text = "the request was cancelled" + because},
                       reason);
}

void LaterRequest::timed_out() { connection_->abandon(*pending_, client::timed_out(method_, timeout_), "timeout"); }

void LaterRequest::finish() {
  clock_.end(connection_->deadlines());
  Pending::Outcome outcome = pending_->take_outcome();
  const auto done = std::exchange(done_, nullptr);  // it may own the holder of the handle
  try {
    if (const auto* failure = std::get_if<Failure>(&outcome)) {
      done(failure->exception());
    } else {
      done(std::move(std::get<Json>(outcome)));
    }
  } catch (...) {  // a function of the embedding program; it has nobody to tell
  }
}

}  // namespace toolwire::client
