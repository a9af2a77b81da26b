// A request that says who sends it, and is sent again when new credentials may help.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include <toolwire/http/detail/credentials.hpp>
#include <toolwire/http/detail/http_client.hpp>

namespace toolwire::remote {

/// Made and begun by one thread; from then on it lives in callbacks. What it was refused with is handed on only when it
/// is not sent again, three times at most: a server that refuses has carried out nothing.
class AuthorizedRequest : public std::enable_shared_from_this<AuthorizedRequest> {
 public:
  /// As HttpClient::start. `http` must live until that is closed.
  AuthorizedRequest(HttpClient& http, std::shared_ptr<Credentials> credentials, HttpRequest request,
                    std::stop_token stop, HttpClient::Callback callback);

  void begin();

 private:
  void send(std::string authorization);
  bool take(const HttpResponse& head, std::string_view piece);
  void ended(HttpOutcome&& outcome);
  void hand_on(HttpOutcome&& outcome);

  HttpClient& http_;
  const std::shared_ptr<Credentials> credentials_;
  const HttpRequest request_;
  const std::stop_token stop_;
  const HttpClient::Callback callback_;
  std::string authorization_;  // of the try that is under way
  std::string refusal_;        // the body of an answer that may not be the last
  unsigned tries_ = 0;
};

}  // namespace toolwire::remote
