// Prompts as a server holds them. Independent of requests in progress, revisions and the wire.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "features/registry.hpp"
#include "toolwire/prompt.hpp"

namespace toolwire::features {

/// Immutable, shared by the registry and the requests that run it.
struct ServedPrompt {
  static constexpr std::string_view kind = "prompt";
  const std::string& key() const { return prompt.info.name; }
  const Visible& visible() const { return prompt.info.visible; }
  bool has_scopes() const { return !prompt.info.scopes.empty(); }

  Prompt prompt;

  /// Null if it has no such argument; an empty function for one without suggestions.
  const Completer* completer(std::string_view argument) const;
};

using PromptRegistry = Registry<ServedPrompt>;
extern template class Registry<ServedPrompt>;

/// Throws std::invalid_argument, naming the prompt, if it has no name, or two of its arguments have the same, or
/// suggestions are given for an argument it does not have.
std::shared_ptr<const ServedPrompt> serve(Prompt prompt);

/// Checks what a request brings: an object of texts, every one an argument of the prompt, and none that is required
/// missing. Returns the violations, one a line; empty if there are none.
std::string violations_of(const PromptInfo& info, const Json& texts);

}  // namespace toolwire::features
