// Content of a tool's result as the text a model reads. What is no text becomes a line that says what it is.
#pragma once

#include <string>
#include <vector>

#include <toolwire/json.hpp>
#include <toolwire/result.hpp>

namespace toolwire::bridge {

/// Content blocks as they come over the wire.
std::string text_of_blocks(const JsonArray& blocks);
/// Content as a program makes it.
std::string text_of_content(const std::vector<Content>& content);

}  // namespace toolwire::bridge
