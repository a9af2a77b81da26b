// Words in a JSON Schema that are no keywords of its. The standard ignores them, which opens what a misspelt one was to
// close.
#pragma once

#include <toolwire/json.hpp>

#include <string>
#include <vector>

namespace toolwire {

/// Each as a JSON pointer from the schema's root, in the order of the text. Those that begin with "x-" are meant to be
/// no keywords, and are left out.
std::vector<std::string> unknown_keywords(const Json& schema);

}  // namespace toolwire
