#include "workspace/tools/symbol_tools.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <toolwire/describe.hpp>
#include <utility>

#include "workspace/symbols/outline.hpp"
#include "workspace/symbols/symbol_search.hpp"
#include "workspace/text/shown_path.hpp"
#include "workspace/tools/answer.hpp"

namespace workspace {
namespace {

using toolwire::Context;
using toolwire::field;
using toolwire::fields;
using namespace std::chrono_literals;

constexpr std::string_view kinds_text =
    "Only these kinds, as ctags calls them: function, class, struct, method, macro …, several separated by commas; "
    "empty: all";

struct OutlineFile {
  std::string path;
  std::string kinds;
  std::int64_t offset = 1;

  static constexpr auto describe() {
    return fields(field<&OutlineFile::path>("The file, relative to the workspace root"),
                  field<&OutlineFile::kinds>(kinds_text).optional(),
                  field<&OutlineFile::offset>("Only symbols from this line on, as the notice of an earlier answer says")
                      .between(1, 100'000'000)
                      .optional());
  }
};

struct FindSymbol {
  std::string name;
  NameMatch match = NameMatch::exact;
  bool ignore_case = false;
  std::string kinds;
  std::string path = ".";
  std::string glob;
  std::string type;
  bool include_ignored = false;
  std::int64_t limit = 100;
  std::string cursor;

  static constexpr auto describe() {
    return fields(
        field<&FindSymbol::name>(
            "The name of a function, class, variable …; with the end of its scope as in Class::name "
            "or module.name"),
        field<&FindSymbol::match>("How names fit: exact, prefix (they begin so) or contains").optional(),
        field<&FindSymbol::ignore_case>("Whether case is ignored").named("ignoreCase").optional(),
        field<&FindSymbol::kinds>(kinds_text).optional(),
        field<&FindSymbol::path>("The directory or file to look in, relative to the workspace root; . is the root")
            .optional(),
        field<&FindSymbol::glob>("Only files that match, such as *.cpp or src/, as in search_text; empty: all")
            .optional(),
        field<&FindSymbol::type>("Only files of a kind, named as in search_text: cpp, py …; empty: all").optional(),
        field<&FindSymbol::include_ignored>("Whether what .gitignore files name is looked at too")
            .named("includeIgnored")
            .optional(),
        field<&FindSymbol::limit>("How many definitions to show at most").between(1, 2000).optional(),
        field<&FindSymbol::cursor>("Go on with this file, as the notice of an earlier answer says").optional());
  }
};

SymbolRequest request_of(const FindSymbol& wanted) {
  return {.name = wanted.name,
          .match = wanted.match,
          .ignore_case = wanted.ignore_case,
          .kinds = wanted.kinds,
          .path = wanted.path,
          .names = {.glob = wanted.glob, .type = wanted.type},
          .include_ignored = wanted.include_ignored,
          .limit = static_cast<std::uint64_t>(wanted.limit),
          .cursor = wanted.cursor};
}

}  // namespace

toolwire::Tool outline_tool(const Roots& roots, const std::shared_ptr<SymbolStore>& symbols) {
  return toolwire::make_tool(
      tool_info<OutlineAnswer>(
          "outline", "Outline of a file", Effect::reads, 30s,
          "List what a source file defines: functions, classes, methods, types, macros, with their lines, in most "
          "languages (by Universal Ctags). Use it to find your way in a long file before reading parts of it with "
          "read_file; to find where something is defined in the workspace use find_symbol. Answers a line "
          "\"first-last: "
          "kind name(signature)\" for each, indented below what it belongs to. A notice in brackets below says how to "
          "go on."),
      [&roots, symbols](const OutlineFile& wanted, Context& context) {
        OutlineResult result = outline(roots, *symbols,
                                       {.path = path_meant(wanted.path),
                                        .kinds = wanted.kinds,
                                        .offset = static_cast<std::uint64_t>(wanted.offset)},
                                       context.stop_token());
        return answer(std::move(result.text), result.answer);
      });
}

toolwire::Tool find_symbol_tool(const Roots& roots, const std::shared_ptr<SymbolStore>& symbols) {
  return toolwire::make_tool(
      tool_info<SymbolAnswer>(
          "find_symbol", "Find a definition", Effect::reads, 60s,
          "Find where a function, class, method, type, macro or variable is defined in the workspace (by Universal "
          "Ctags). Use it instead of search_text when you know the name and want the definition, not the uses. Answers "
          "path:first-last: kind name(signature) in scope (language) for each definition, sorted by path. Skips what "
          ".gitignore files name, files that hold secrets and symbolic links. A notice in brackets below says what was "
          "left out and how to go on."),
      [&roots, symbols](const FindSymbol& wanted, Context& context) {
        SymbolResult result =
            find_symbols(roots, *symbols, request_of(wanted), context.stop_token(), [&context](std::uint64_t files) {
              context.progress(static_cast<double>(files), {}, std::to_string(files) + " files looked at");
            });
        return answer(std::move(result.text), result.answer);
      });
}

}  // namespace workspace
