// Percent-encoding (RFC 3986 §2.1), and the checks that every URI passes first.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolwire::features {

/// The decoded text of a part of a URI; nothing if an escape is incomplete, or the text is not UTF-8 or holds a NUL.
std::optional<std::string> percent_decoded(std::string_view encoded);

/// Whether a client may mean a resource by it: a scheme, and neither blanks nor control characters. Less than RFC 3986
/// asks for, because what is no resource is not found anyway and some clients leave non-ASCII letters as they are.
bool is_usable_uri(std::string_view text);

/// Whether one of the segments between '/' or '\' is "..".
bool has_dot_segment(std::string_view path);

}  // namespace toolwire::features
