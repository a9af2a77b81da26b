// What has to be known of a message to send it over HTTP. Decides only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <toolwire/json.hpp>

namespace toolwire::remote {

/// A message of the client. A plain value.
struct SentMessage {
  enum class Kind { request, notification, response };

  std::string text = {};  ///< All of it, without a line feed.
  Kind kind = Kind::notification;
  Json id = {};             ///< Of a request.
  std::string method = {};  ///< Of a request or notification.
  std::string name = {};    ///< What `Mcp-Name` repeats; empty if the method has none.
  Json arguments = {};      ///< Of `tools/call`.
  /// The revision that it names in `_meta`: that of a protocol without sessions (2026-07-28). Empty in others.
  std::string revision = {};
  Json listened_to = {};  ///< The filter of `subscriptions/listen`.
  Json cancels = {};      ///< The id of the request that `notifications/cancelled` is about.

  [[nodiscard]] bool is_request() const { return kind == Kind::request; }
  [[nodiscard]] bool modern() const { return !revision.empty(); }
  /// Whether sending it twice does no harm, whatever the server is.
  [[nodiscard]] bool only_reads() const;
  /// Whether it begins a conversation: before its answer nothing is known of the server.
  [[nodiscard]] bool is_opening() const { return method == "initialize" || method == "server/discover"; }
};

/// Reads a line of the client, which is a message.
SentMessage sent_message(std::string_view line);

}  // namespace toolwire::remote
