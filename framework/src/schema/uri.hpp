// Resolving URI references (RFC 3986, section 5.2) and JSON pointers written as URI fragments. Independent of schemas;
// never opens what a URI names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolwire::schema {

/// `reference` seen from `base`. An empty base leaves the reference as it is.
std::string resolve_uri(std::string_view base, std::string_view reference);

/// The URI before '#', and the fragment behind it, still percent-encoded.
struct SplitUri {
  std::string_view uri, fragment;
};
SplitUri split_fragment(std::string_view uri);

/// Undoes percent-encoding; nothing where '%' is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);

/// Appends "/token" with '~' and '/' escaped (RFC 6901).
void append_pointer(std::string& pointer, std::string_view token);

/// "~1" and "~0" undone; nothing where another character follows '~'.
std::optional<std::string> unescaped_token(std::string_view token);

}  // namespace toolwire::schema
