// The answers of outline and find_symbol: what a file defines, and where a name is defined. Independent of the
// protocol.
#pragma once

#include <cstdint>
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

struct OutlineRequest {
  std::string path;
  std::string kinds = {};    // several with commas between; empty: all
  std::uint64_t offset = 1;  // symbols that begin before this line are left out
};

/// What the text does not say.
struct OutlineAnswer {
  std::uint64_t symbols = 0;
  std::optional<std::string> language = {};
  std::optional<std::uint64_t> next_offset = {};
  std::vector<std::string> notices = {};

  static constexpr auto describe() {
    using toolwire::field;
    return toolwire::fields(
        field<&OutlineAnswer::symbols>("How many the file has, of the wanted kinds"),
        field<&OutlineAnswer::language>("As ctags calls it"),
        field<&OutlineAnswer::next_offset>("Given if there are more: the next call's offset").named("nextOffset"),
        field<&OutlineAnswer::notices>("What was left out, and how to go on"));
  }
};

struct OutlineResult {
  std::string text;
  OutlineAnswer answer;
};

/// One line "first-last: kind name signature" for each symbol, indented below the one it belongs to. Throws ToolError
/// if there is no such file, or ctags cannot be used.
OutlineResult outline(const Roots& roots, SymbolStore& store, const OutlineRequest& request,
                      const std::stop_token& stop, TextBudget budget = {});

/// "12-30: function name(int a)"; the last line is left out where it is the first.
std::string symbol_text(const Symbol& symbol);

/// The kinds a request names; empty: all.
class KindChoice {
 public:
  explicit KindChoice(const std::string& list);
  bool takes(const Symbol& symbol) const;

 private:
  std::vector<std::string> kinds_;
};

}  // namespace workspace
