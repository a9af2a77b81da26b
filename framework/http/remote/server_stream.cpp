#include "remote/server_stream.hpp"

#include <utility>

#include "remote/missed_changes.hpp"

namespace toolwire::remote {

ServerStream::ServerStream(std::shared_ptr<ExchangeOwner> owner, std::stop_token stop, std::size_t max_message)
    : owner_(std::move(owner)), stop_(std::move(stop)), reader_(max_message) {}

void ServerStream::open(std::chrono::milliseconds wait) {
  reader_.begin();
  is_resumed_ = !reader_.events().last_id().empty();
  HttpRequest request = owner_->stream(reader_.events().last_id());
  if (wait.count() > 0) request.not_before = HttpRequest::Clock::now() + wait;
  request.on_piece = [self = shared_from_this()](const HttpResponse& head, std::string_view piece) {
    return self->take(head, piece);
  };
  owner_->start(std::move(request), stop_,
                [self = shared_from_this()](HttpOutcome&& outcome) { self->ended(outcome); });
}

bool ServerStream::take(const HttpResponse& head, std::string_view piece) {
  if (form_of(head) != BodyForm::events) return false;
  if (piece.empty() && std::exchange(has_been_open_, true) && !is_resumed_) {
    for (std::string& line : missed_list_changes()) owner_->arrived(std::move(line));
  }
  return reader_.take(head, piece, [this](std::string&& text) { take_text(std::move(text)); });
}

/// Answers of requests come on their own streams: here they would be somebody else's.
void ServerStream::take_text(std::string&& text) {
  tries_ = 0;
  try {
    for (ReceivedMessage& message : received_messages(std::move(text))) {
      if (!message.is_response()) owner_->arrived(std::move(message.line));
    }
  } catch (const JsonError&) {  // no message, and nobody waits for it
  }
}

void ServerStream::ended(const HttpOutcome& outcome) {
  if (stop_.stop_requested()) return;
  const auto* const failure = std::get_if<HttpFailure>(&outcome);
  if (failure != nullptr && failure->code == "cancelled") return owner_->lost(failure->text);
  const auto* const head = std::get_if<HttpResponse>(&outcome);
  const bool is_refused = head != nullptr && head->status >= 400 && head->status < 500;
  if (is_refused && head->status == 404 && owner_->conversation().has_session)
    return owner_->lost(owner_->conversation().origin + " no longer knows the session (HTTP 404)");
  if (is_refused || (head != nullptr && form_of(*head) != BodyForm::events && head->success())) return;
  open(wait_before(tries_++, reader_.events().retry()));
}

}  // namespace toolwire::remote
