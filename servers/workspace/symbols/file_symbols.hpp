// The symbols of files of the workspace, remembered while the files stay as they are. Independent of what is asked.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "workspace/symbols/ctags.hpp"
#include "workspace/system/file_state.hpp"
#include "workspace/system/roots.hpp"

namespace workspace {

/// Files larger than this are not looked at: their symbols are of no use, or they are made by programs.
inline constexpr std::uint64_t max_bytes_tagged = std::uint64_t{4} << 20;

/// Null where ctags has ended on the file.
using FileSymbols = std::shared_ptr<const std::vector<Symbol>>;

/// A file whose symbols are wanted.
struct SymbolFile {
  const Root* root = nullptr;
  std::string path = {};  // relative to the root
  FileState state = {};
  std::string text = {};  // as read_file shows it; of a file whose symbols are remembered empty
};

/// Any number of threads may use one.
class SymbolStore {
 public:
  /// The programs must outlive it.
  explicit SymbolStore(const Programs& programs) : ctags_(programs) {}

  const Ctags& ctags() const { return ctags_; }

  /// What is remembered of this version of a file.
  std::optional<FileSymbols> known(const Root& root, const std::string& path, const FileState& state) const;

  /// Finds the symbols of the files and remembers them. One for each, in their order. Throws ToolError as `Ctags::tag`.
  std::vector<FileSymbols> find(std::vector<SymbolFile> files, const std::stop_token& stop);

 private:
  using Key = std::pair<const Root*, std::string>;
  struct Remembered {
    FileState state;
    FileSymbols symbols;
  };

  void remember(const SymbolFile& file, const FileSymbols& symbols);

  Ctags ctags_;
  mutable std::mutex mutex_;
  std::map<Key, Remembered> remembered_;  // under the lock
  std::size_t count_ = 0;                 // of symbols, under the lock
};

/// Whether a text is of interest.
using TextTest = std::function<bool(const std::string& text)>;

/// The text of an open file as read_file shows it; empty of one that is binary or, without credentials masked yet, not
/// of interest. Throws ToolError.
std::string source_text(int descriptor, Secrets secrets, const std::stop_token& stop, const TextTest& is_wanted = {});

}  // namespace workspace
