// What the head and the body of an HTTP answer mean for the message that they answer. Decides only.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <toolwire/http/detail/http_client.hpp>
#include "remote/received_message.hpp"
#include "remote/sent_message.hpp"

namespace toolwire::remote {

/// The form of a body: messages as events, or as JSON, or a text that says why there are none.
enum class BodyForm { events, json, reason };
BodyForm form_of(const HttpResponse& head);

/// When a request that the server put off is sent again; nothing if it is not. `tries`: how often it was sent.
/// 429 says that it was not begun, 503 does not: then only what reads is sent again.
std::optional<std::chrono::milliseconds> time_to_retry(const HttpResponse& head, const SentMessage& message,
                                                       unsigned tries);

/// What is known of the conversation that a message belongs to.
struct Conversation {
  std::string origin = {};   ///< For texts: "http://host:80".
  bool has_session = false;  ///< The server has given it an id.
  bool is_open = false;      ///< Its first message has been answered.
  /// What has to be done before the server lets in again, as the end of a sentence; empty: nothing is known to be.
  std::string login_needed = {};
};

/// Why an answer without messages is none. Exactly one of the three is there.
struct Refusal {
  std::optional<JsonObject> error = {};  ///< The server's own.
  std::optional<Failure> failure = {};   ///< Of this message alone.
  std::string end = {};                  ///< Why the whole conversation is over.
  bool session_lost = false;             ///< With `end`: it can be begun anew, and the message was not carried out.
};
Refusal refusal_of(const HttpResponse& head, std::string_view body, const SentMessage& message,
                   const Conversation& conversation);
/// The same where no answer came.
Refusal refusal_of(const HttpFailure& failure, const Conversation& conversation);

}  // namespace toolwire::remote
