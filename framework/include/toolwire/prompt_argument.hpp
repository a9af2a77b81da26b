// What servers tell, and clients hear, of one argument of a prompt (specification: server/prompts). A plain value.
#pragma once

#include <string>

namespace toolwire {

/// What is told about one argument of a prompt. On the wire every argument is a text.
struct PromptArgument {
  std::string name;
  std::string description = {};
  std::string title = {};  // sent from 2025-06-18 on
  bool required = false;
};

}  // namespace toolwire
