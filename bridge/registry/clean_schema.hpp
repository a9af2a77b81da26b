// The texts in schemas of a server that is not trusted, made fit for terminals and models. Knows nothing of what the
// schemas require.
#pragma once

#include <toolwire/json.hpp>

namespace toolwire::bridge {

/// The schema with its members `title`, `description` and `$comment` stripped (toolwire/text.hpp), at any depth.
/// Constraints stay as they are.
Json clean_schema(const Json& schema);

}  // namespace toolwire::bridge
