// Suggestions for the arguments of prompts and the parameters of resource templates, while a user types them
// (specification: server/utilities/completion). Independent of what they belong to.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolwire {

/// The best suggestions first. The first 100 are sent; `total` and `has_more` follow from `values` unless they are set.
struct Completion {
  Completion() = default;
  Completion(std::vector<std::string> all) : values(std::move(all)) {}

  std::vector<std::string> values = {};
  std::optional<std::size_t> total = {};  // how many there are in all
  bool has_more = false;                  // there are more than `values`
};

/// What is filled in already: the values of other arguments by name. Sent by clients from 2025-06-18 on.
using CompletionContext = std::map<std::string, std::string>;

/// Suggests values that begin with `value`. May be called from several threads at once, and for every key the
/// user presses. What it throws is answered with -32603.
using Completer = std::function<Completion(std::string_view value, const CompletionContext& context)>;

/// By name of the argument. An empty function: an argument without suggestions.
using Completers = std::map<std::string, Completer, std::less<>>;

/// Suggests those of a list that begin with the typed text, ignoring the case of ASCII letters.
Completer complete_from(std::vector<std::string> choices);

}  // namespace toolwire
