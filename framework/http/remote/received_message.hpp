// A message of a server, as far as it has to be known to pass it on. Decides only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

namespace toolwire::remote {

/// A plain value.
struct ReceivedMessage {
  std::string line = {};  ///< All of it, without line feeds.
  Json json = {};

  /// Whether it answers the request with this id, or with this number as a text: the client takes both.
  [[nodiscard]] bool answers(const Json& id) const;
  [[nodiscard]] bool is_response() const;
  /// What it says went wrong, if it does not say with which request: the server could not read that. Null for others.
  [[nodiscard]] const JsonObject* error_without_id() const;
};

/// The messages in a body or an event: one, or those of a batch (2025-03-26). Throws JsonError for what is no JSON.
std::vector<ReceivedMessage> received_messages(std::string text);

/// The error of the protocol in the body of an answer with an error status; its id says nothing there.
std::optional<JsonObject> error_in(std::string_view body);

/// What has gone wrong with a request before the server could answer it.
struct Failure {
  std::string code = {};  ///< "unavailable", "busy", "unauthorized", "session_lost", "back_end_error"
  std::string text = {};
  bool retryable = false;
  std::optional<std::int64_t> retry_after_ms = {};
  bool is_unknown = false;  ///< It may have been done: of a call that changes something, not retryable.
};

/// The lines that answer a request in the place of a server.
std::string failure_line(const Json& id, const Failure& failure);
std::string error_line(const Json& id, const JsonObject& error);

}  // namespace toolwire::remote
