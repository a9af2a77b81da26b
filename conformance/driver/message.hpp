// A line of the server as a message. It knows JSON-RPC, not MCP, and only checks whether it is a message at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <toolwire/json.hpp>

#include "driver/recording.hpp"

namespace toolwire::conformance {

struct Message {
  enum class Kind { request, notification, response, batch, foreign };

  Kind kind = Kind::foreign;
  std::string text = {};     // the line as it came, without its line feed
  Json json = {};            // null if it is no JSON
  std::string problem = {};  // why it is foreign
  bool ended = true;         // by a line feed
  Clock::time_point at = Clock::now();

  std::string method() const;  // of requests and notifications
  /// The member `id` as JSON, if there is one.
  std::optional<Json> id() const;
  bool is_error() const;
  /// `result`, `error` or `params`; null if it is not there.
  const Json& member(std::string_view name) const;
  std::int64_t error_code() const;  // 0 if there is none
};

/// Never throws; a line that is not a message has a `problem`.
Message read_message(std::string_view line, bool ended);

/// Whether a response refuses its request because too many came before it, in whatever words: an error, or a result
/// with isError.
bool refuses_as_too_many(const Message& response);

/// A member of an object, or null if there is none, or it is no object: `get(json, "params", "uri")`.
const Json& get(const Json& json, std::string_view name);
template <class... More>
const Json& get(const Json& json, std::string_view name, More... more) {
  return get(get(json, name), more...);
}
/// The JSON pointer (RFC 6901) of a member or an item of what `pointer` leads to.
std::string below(const std::string& pointer, std::string_view name);
/// Standard base64 with padding (RFC 4648 §4), not empty.
bool is_base64(std::string_view text);
/// A type and a subtype with / between them.
bool is_mime_type(std::string_view text);
/// Begins with a scheme (RFC 3986, section 3.1).
bool has_scheme(std::string_view uri);
/// YYYY-MM-DD, and perhaps T and a time.
bool is_date_time(std::string_view text);
/// As JSON text for a report, at most 500 bytes of it.
std::string shown(const Json& json);
/// The text of a string, else "".
std::string_view text_of(const Json& json);

}  // namespace toolwire::conformance
