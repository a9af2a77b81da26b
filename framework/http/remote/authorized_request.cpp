#include "remote/authorized_request.hpp"

#include <utility>

namespace toolwire::remote {
namespace {

constexpr unsigned max_tries = 3;
constexpr std::size_t max_refusal = std::size_t{64} << 10;

}  // namespace

AuthorizedRequest::AuthorizedRequest(HttpClient& http, std::shared_ptr<Credentials> credentials, HttpRequest request,
                                     std::stop_token stop, HttpClient::Callback callback)
    : http_(http),
      credentials_(std::move(credentials)),
      request_(std::move(request)),
      stop_(std::move(stop)),
      callback_(std::move(callback)) {}

void AuthorizedRequest::begin() {
  credentials_->give([self = shared_from_this()](std::string authorization) { self->send(std::move(authorization)); });
}

void AuthorizedRequest::send(std::string authorization) {
  ++tries_;
  refusal_.clear();
  authorization_ = std::move(authorization);
  HttpRequest request = request_;
  if (!authorization_.empty()) request.headers.emplace_back("Authorization", authorization_);
  request.on_piece = [self = shared_from_this()](const HttpResponse& head, std::string_view piece) {
    return self->take(head, piece);
  };
  http_.start(std::move(request), stop_,
              [self = shared_from_this()](HttpOutcome&& outcome) { self->ended(std::move(outcome)); });
}

bool AuthorizedRequest::take(const HttpResponse& head, std::string_view piece) {
  if (!is_about_credentials(head)) return request_.on_piece(head, piece);
  refusal_.append(piece);
  return refusal_.size() <= max_refusal;
}

void AuthorizedRequest::ended(HttpOutcome&& outcome) {
  const auto* const head = std::get_if<HttpResponse>(&outcome);
  if (head != nullptr && !is_about_credentials(*head)) credentials_->accepted(authorization_);
  if (head == nullptr || !is_about_credentials(*head) || tries_ >= max_tries) return hand_on(std::move(outcome));
  const HttpResponse refusal = *head;
  credentials_->refused(refusal, authorization_, [self = shared_from_this(), refusal](bool again) {
    if (again) return self->begin();
    self->hand_on(refusal);
  });
}

void AuthorizedRequest::hand_on(HttpOutcome&& outcome) {
  const auto* const head = std::get_if<HttpResponse>(&outcome);
  if (head != nullptr && is_about_credentials(*head) && request_.on_piece(*head, "") && !refusal_.empty())
    request_.on_piece(*head, refusal_);
  callback_(std::move(outcome));
}

}  // namespace toolwire::remote
