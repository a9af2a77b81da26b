#include "workspace/symbols/outline.hpp"

#include <algorithm>
#include <toolwire/error.hpp>

#include "workspace/text/parts.hpp"
#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

// How deep a symbol lies: below those whose scope and name its own scope is made of. Symbols come in the order of
// lines.
class Nesting {
 public:
  std::size_t depth_of(const Symbol& symbol) {
    while (!above_.empty() && !is_below(symbol, *above_.back())) above_.pop_back();
    const std::size_t depth = above_.size();
    above_.push_back(&symbol);
    return depth;
  }

 private:
  // A separator ("::", ".", "#") of one or two characters stands between the parts of a scope, or a quote around one.
  static bool is_below(const Symbol& symbol, const Symbol& above) {
    constexpr std::size_t separators = 4;
    const std::size_t least = above.scope.size() + above.name.size();
    return !symbol.scope.empty() && symbol.scope.starts_with(above.scope) && symbol.scope.ends_with(above.name) &&
           symbol.scope.size() >= least && symbol.scope.size() <= least + (above.scope.empty() ? 0 : separators);
  }

  std::vector<const Symbol*> above_;
};

class Outline {
 public:
  explicit Outline(TextBudget budget) : text_(budget) {}

  void add_all(const std::vector<Symbol>& symbols, const OutlineRequest& request) {
    const KindChoice kinds{request.kinds};
    Nesting nesting;
    for (const Symbol& symbol : symbols) {
      if (!kinds.takes(symbol)) continue;
      const std::size_t depth = nesting.depth_of(symbol);
      ++answer_.symbols;
      answer_.language = symbol.language;
      if (symbol.line >= request.offset && !answer_.next_offset) add(symbol, depth);
    }
    if (answer_.next_offset)
      notice("More symbols follow. Continue with offset " + std::to_string(*answer_.next_offset) +
             ", or narrow with kinds.");
  }

  void say_nothing(const std::string& name, bool is_known, const OutlineRequest& request) {
    if (!text_.is_empty()) return;
    if (answer_.symbols > 0) return notice("No symbol at or behind line " + std::to_string(request.offset) + '.');
    notice(!is_known               ? "ctags knows no language of a file with the name " + shown_path(name) + '.'
           : request.kinds.empty() ? "No symbol."
                                   : "No symbol of these kinds.");
  }

  OutlineResult result() && { return {text_.text(), std::move(answer_)}; }

 private:
  void add(const Symbol& symbol, std::size_t depth) {
    std::string line = std::string(2 * depth, ' ') + symbol_text(symbol);
    if (depth == 0 && !symbol.scope.empty()) line += " in " + symbol.scope;
    if (!text_.add_line(line)) answer_.next_offset = symbol.line;
  }

  void notice(const std::string& text) {
    text_.notice(text);
    answer_.notices.push_back(text);
  }

  BoundedText text_;
  OutlineAnswer answer_;
};

FileSymbols symbols_of(const Root& root, const std::string& path, SymbolStore& store, const std::stop_token& stop) {
  const FileDescriptor file = root.open_file(path);
  SymbolFile wanted{.root = &root, .path = root.relative(path)};
  wanted.state = state_of(file.get()).value_or(FileState{});
  if (const auto known = store.known(root, wanted.path, wanted.state)) return *known;
  if (wanted.state.size > max_bytes_tagged)
    throw toolwire::ToolError("path: the file is larger than 4 MiB, the most in which symbols are looked for");
  wanted.text = source_text(file.get(), root.secrets(), stop);
  std::vector<SymbolFile> files;
  files.push_back(std::move(wanted));
  return store.find(std::move(files), stop).front();
}

}  // namespace

KindChoice::KindChoice(const std::string& list) {
  for (const std::string_view kind : parts_of(list, ',')) {
    if (!kind.empty()) kinds_.emplace_back(kind);
  }
}

bool KindChoice::takes(const Symbol& symbol) const {
  return kinds_.empty() || std::find(kinds_.begin(), kinds_.end(), symbol.kind) != kinds_.end();
}

std::string symbol_text(const Symbol& symbol) {
  std::string text = std::to_string(symbol.line);
  if (symbol.end > symbol.line) text += '-' + std::to_string(symbol.end);
  return text + ": " + symbol.kind + ' ' + symbol.name + symbol.signature;
}

OutlineResult outline(const Roots& roots, SymbolStore& store, const OutlineRequest& request,
                      const std::stop_token& stop, TextBudget budget) {
  const Located where = roots.locate(request.path);
  const FileSymbols symbols = symbols_of(*where.root, where.path, store, stop);
  if (symbols == nullptr) throw toolwire::ToolError("ctags has failed on this file");
  Outline made{budget};
  made.add_all(*symbols, request);
  made.say_nothing(where.path, store.ctags().knows(where.path, stop), request);
  return std::move(made).result();
}

}  // namespace workspace
