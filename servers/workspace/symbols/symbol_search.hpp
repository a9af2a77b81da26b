// The answer of find_symbol: where a name is defined in the files below a path. Independent of the protocol.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <toolwire/describe.hpp>
#include <vector>

#include "workspace/names/name_filter.hpp"
#include "workspace/symbols/file_symbols.hpp"
#include "workspace/system/roots.hpp"
#include "workspace/text/bounded_text.hpp"

namespace workspace {

/// How a symbol's name and what is asked for fit together.
enum class NameMatch { exact, prefix, contains };

struct SymbolRequest {
  std::string name;
  NameMatch match = NameMatch::exact;
  bool ignore_case = false;
  std::string kinds = {};  // several with commas between; empty: all
  std::string path = ".";
  NameChoice names = {};
  bool include_ignored = false;
  std::uint64_t limit = 100;
  std::string cursor = {};  // where to begin, as an earlier answer gave it: a file, or "path:count"
};

/// What the text does not say.
struct SymbolAnswer {
  std::uint64_t files = 0;
  std::optional<std::string> cursor = {};
  std::vector<std::string> notices = {};

  static constexpr auto describe() {
    using toolwire::field;
    return toolwire::fields(field<&SymbolAnswer::files>("How many source files were looked at"),
                            field<&SymbolAnswer::cursor>("Given if there are more: the next call's cursor"),
                            field<&SymbolAnswer::notices>("What was left out, and how to go on"));
  }
};

struct SymbolResult {
  std::string text;
  SymbolAnswer answer;
};

/// Told now and then how many files have been looked at.
using SymbolProgress = std::function<void(std::uint64_t files)>;

/// One line "path:first-last: kind name signature in scope (language)" for each definition, in the order of a walk.
/// Only files in which the name stands are given to ctags. Throws ToolError for a bad path, glob, type or cursor, or if
/// ctags cannot be used.
SymbolResult find_symbols(const Roots& roots, SymbolStore& store, const SymbolRequest& request,
                          const std::stop_token& stop, const SymbolProgress& progress, TextBudget budget = {});

}  // namespace workspace
