// Descriptions of prompts, as servers send and clients receive them (specification: server/prompts). Plain values.
#pragma once

#include <string>
#include <vector>

#include "toolwire/json.hpp"

namespace toolwire {

/// The description of one argument of a prompt. On the wire every argument is a text.
struct PromptArgument {
  std::string name;
  std::string description = {};
  std::string title = {};  // sent from 2025-06-18 on
  bool required = false;
};

/// A prompt as a server lists it.
struct ListedPrompt {
  std::string name = {};
  std::string title = {};
  std::string description = {};
  std::vector<PromptArgument> arguments = {};
  Json raw = {};  ///< All of it, as sent.
};

/// A prompt as a client gets it (specification: server/prompts).
struct PromptMessages {
  std::string description = {};
  JsonArray messages = {};  ///< {role, content}, as sent.
  Json raw = {};
};

}  // namespace toolwire
