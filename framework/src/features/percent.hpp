// Percent-encoding (RFC 3986 §2.1), and what of a URI is looked at before anybody else sees it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolwire::features {

/// The text a part of a URI stands for; nothing if an escape is incomplete, or the text is not UTF-8 or holds a NUL.
std::optional<std::string> percent_decoded(std::string_view encoded);

/// Whether a client may mean a resource by it: a scheme, and neither blanks nor control characters. Less than RFC 3986
/// asks for, because what is no resource is not found anyway and some clients leave non-ASCII letters as they are.
bool is_usable_uri(std::string_view text);

/// Whether one of the segments between '/' or '\' is "..".
bool has_dot_segment(std::string_view path);

}  // namespace toolwire::features
