// Header fields as a client has sent them: found without regard to case, and their values taken apart. Independent of
// what they are for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolwire/http/exchange.hpp"

namespace toolwire::http {

/// The same but for the case of what is ASCII.
bool equal_without_case(std::string_view one, std::string_view other);

/// A view of the fields of a request, which outlives it.
class HeaderFields {
 public:
  explicit HeaderFields(const std::vector<Field>& fields) : fields_(fields) {}

  /// The value of the first of this name (in lower case).
  std::optional<std::string_view> find(std::string_view name) const;
  std::string_view value_or_empty(std::string_view name) const { return find(name).value_or(std::string_view()); }
  /// The values of all of this name as one list, as RFC 9110 §5.3 joins them.
  std::string joined(std::string_view name) const;
  /// How often there is one of this name.
  std::size_t count(std::string_view name) const;
  /// The name, in lower case, of a field of this protocol (mcp-…) that occurs more than once; empty: there is none.
  std::string repeated_mcp_field() const;

 private:
  const std::vector<Field>& fields_;
};

/// What stands behind "Bearer" in an `Authorization` (RFC 6750 §2.1); nothing where that says another scheme, or none.
std::optional<std::string_view> bearer_token(std::string_view authorization);
/// Whether it is the secret, which is not empty, in a time that says nothing of how much of it is.
bool is_secret(std::string_view said, std::string_view secret);
/// What stands between these characters.
std::vector<std::string> words_in(std::string_view text, std::string_view separators = " ");
/// Whether it is at least one visible ASCII character, and nothing else.
bool is_visible_ascii(std::string_view text);

/// Whether an `Accept` (RFC 9110 §12.5.1) takes this media type.
bool accepts(std::string_view accept, std::string_view media_type);
/// Whether a `Content-Type` says this media type, with whatever parameters.
bool has_media_type(std::string_view content_type, std::string_view media_type);

/// A mirrored value: as it is, or what `=?base64?…?=` holds (2026-07-28 basic/transports/streamable-http, value
/// encoding). Nothing if it has characters that are not allowed, or is no base64.
std::optional<std::string> mirrored_value(std::string_view text);

}  // namespace toolwire::http
