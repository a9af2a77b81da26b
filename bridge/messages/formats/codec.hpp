// The functions of each API's form: one file per form, one line per form in the table of model_formats.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/bridge/definition.hpp>
#include <toolwire/bridge/messages.hpp>
#include <toolwire/bridge/model_formats.hpp>

#include "messages/formats/access.hpp"

namespace toolwire::bridge::formats {

/// What an element of a conversation is to those who run its calls: nothing more of it is looked at.
struct Entry {
  /// A result that stands in it.
  struct Recorded {
    std::string id = {};
    std::string tool = {};                  // where the form names it
    std::optional<std::size_t> block = {};  // which of its blocks it is; none: the whole element
  };
  bool is_model = false;
  bool is_user = false;           // says what the model has not answered
  bool takes_results = false;     // a message that results are put into as blocks
  AssistantMessage message = {};  // of a model: its calls
  std::vector<Recorded> results = {};
};

struct Codec {
  AssistantMessage (*read_answer)(const At& response);
  JsonArray (*write_context)(const std::vector<Message>& context);
  std::vector<Message> (*read_context)(const At& messages);
  Json (*write_tool)(const ToolDefinition& tool);
  Entry (*read_entry)(const At& element);
  /// An element of the conversation, or a block of one (see `blocks`).
  Json (*write_result)(const ToolResultMessage& result);
  /// The conversation that begins with an answer, every member of its message as it came.
  JsonArray (*context_of)(const At& answer);
  std::string_view blocks = {};  // the member of a message that holds results; none: they are elements of their own
  bool joins = false;            // neighbouring elements of the model are one message
  std::string_view conversation = "messages";  // the member of a request that holds it
  std::string_view declarations = {};          // the member of an element of `tools` that holds them; none: it is one
};

Codec anthropic();
Codec openai_chat();
Codec openai_responses();
Codec gemini();
Codec pi();

Codec codec_of(ModelFormat format);

}  // namespace toolwire::bridge::formats
