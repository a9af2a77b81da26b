// What has been agreed with a remote server, and the requests that follow from it. Sends nothing.
#pragma once

#include <optional>
#include <string>

#include <toolwire/http/detail/http_client.hpp>
#include <toolwire/http/detail/parameter_headers.hpp>
#include <toolwire/http/detail/remote_server.hpp>
#include "remote/judgement.hpp"
#include "remote/sent_message.hpp"

namespace toolwire::remote {

/// A plain value.
class Session {
 public:
  explicit Session(RemoteServer server);

  [[nodiscard]] HttpRequest post_of(const SentMessage& message) const;
  /// Asks for what the server says by itself, or resumes the stream with the event of this id.
  [[nodiscard]] HttpRequest stream(const std::string& last_id) const;
  /// Ends the session; nothing where there is none.
  [[nodiscard]] std::optional<HttpRequest> farewell() const;

  /// Takes note of the answer to a message. Returns why the session cannot be used, or nothing.
  std::optional<std::string> learn(const SentMessage& message, const HttpResponse& head, const Json& answer);

  [[nodiscard]] Conversation conversation() const;

 private:
  [[nodiscard]] HttpRequest request(const char* method) const;

  const RemoteServer server_;
  const std::string origin_;
  bool is_open_ = false;
  std::string id_;        // of the session
  std::string revision_;  // that was agreed on by a handshake
  ParameterHeaders parameters_;
};

}  // namespace toolwire::remote
