#include "client/listening.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace toolwire::client {

Listening::Listening(std::shared_ptr<Connection> connection, std::vector<std::string_view> lists,
                     std::function<void()> changed)
    : connection_{std::move(connection)}, lists_{std::move(lists)}, changed_{std::move(changed)} {}

void Listening::start() {
  const auto acknowledged = std::make_shared<Pending>();
  pending_->on_notification = [weak = weak_from_this(), acknowledged](const std::string& method, const Json&) {
    if (const auto self = weak.lock()) self->take(method, *acknowledged);
  };
  pending_->on_done = [acknowledged] { acknowledged->complete(Json{}); };
  if (!connection_->dialect().modern()) return connection_->listen(pending_);
  JsonObject filter;
  for (const std::string_view list : lists_) filter[std::string{list} + "ListChanged"] = true;
  connection_->send(pending_, "subscriptions/listen", {{"notifications", std::move(filter)}});
  wait_for_acknowledgement(*acknowledged);
}

/// In the reading thread.
void Listening::take(const std::string& method, Pending& acknowledged) {
  if (method == "notifications/subscriptions/acknowledged") acknowledged.complete(Json{});
  const auto tells_it = [&](std::string_view list) {
    return method == "notifications/" + std::string{list} + "/list_changed";
  };
  if (std::none_of(lists_.begin(), lists_.end(), tells_it)) return;
  connection_->call_back([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->call();
  });
}

void Listening::wait_for_acknowledgement(Pending& acknowledged) {
  const auto timeout = connection_->options().timeout;
  if (!acknowledged.wait_until(deadline_after(timeout)))
    connection_->abandon(*pending_, timed_out("subscriptions/listen", timeout), "timeout");
  if (pending_->is_done()) static_cast<void>(pending_->result());  // throws what went wrong, if anything did
}

void Listening::call() {
  const std::lock_guard lock{calling_};
  if (changed_) changed_();
}

void Listening::stop() {
  const Failure ended{.kind = Failure::Kind::cancelled, .text = "the subscription was ended"};
  if (connection_->dialect().modern()) {
    connection_->abandon(*pending_, ended, "");
  } else {
    connection_->forget(*pending_, ended);
  }
  const std::lock_guard lock{calling_};
  changed_ = nullptr;
}

}  // namespace toolwire::client
