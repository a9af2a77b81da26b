// The texts in schemas of a server that is not trusted, made fit for terminals and models. Knows nothing of what the
// schemas require.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <toolwire/json.hpp>

namespace toolwire::bridge {

/// Of a title or a description; more is no prose, and would fill the context of every model.
inline constexpr std::size_t max_prose = 32'768;

/// Stripped (toolwire/text.hpp), and cut after `most` bytes with a notice.
std::string clean_prose(std::string_view prose, std::size_t most = max_prose);

/// The schema with its members `title`, `description` and `$comment` as `clean_prose` makes them, at any depth.
/// Constraints stay as they are.
Json clean_schema(const Json& schema);

}  // namespace toolwire::bridge
