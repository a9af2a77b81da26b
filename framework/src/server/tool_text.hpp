// Tools described for people, as --list prints them.
#pragma once

#include <string>

#include "toolwire/tool.hpp"

namespace toolwire::server {

/// The name and description, then an argument a line: name, what it takes, whether it may be left out, description.
std::string text_of(const ToolInfo& info);

/// What a schema allows, in a few words: "integer from 1 to 100", "list of string", "relevance | date".
std::string words_of(const Json& schema);

}  // namespace toolwire::server
