// The functions of each API's form: one file per form, one line per form in the table of model_formats.cpp.
#pragma once

#include <vector>

#include <toolwire/bridge/definition.hpp>
#include <toolwire/bridge/messages.hpp>

#include "messages/formats/access.hpp"

namespace toolwire::bridge::formats {

struct Codec {
  AssistantMessage (*read_answer)(const At& response);
  JsonArray (*write_context)(const std::vector<Message>& context);
  std::vector<Message> (*read_context)(const At& messages);
  Json (*write_tool)(const ToolDefinition& tool);
};

Codec anthropic();
Codec openai_chat();
Codec openai_responses();
Codec gemini();

}  // namespace toolwire::bridge::formats
