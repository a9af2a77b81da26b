// The symbols of source texts, as Universal Ctags finds them. It gets the texts on its input and opens no file.
// Independent of where the texts come from.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "workspace/names/glob.hpp"
#include "workspace/system/programs.hpp"

namespace workspace {

/// Something a text defines. Words are those of ctags.
struct Symbol {
  std::string name;
  std::string kind;
  std::uint64_t line = 0;
  std::uint64_t end = 0;  // its last line; as `line` where ctags does not tell
  std::string scope = {};
  std::string signature = {};
  std::string language = {};
};

struct Source {
  std::string name;  // of the file, which tells the language
  std::string text;
};

/// Sorted by line; nothing for a text on which ctags has ended.
using TaggedSource = std::optional<std::vector<Symbol>>;

/// Any number of threads may use one.
class Ctags {
 public:
  /// The programs must outlive it.
  explicit Ctags(const Programs& programs) : programs_(programs) {}

  /// Whether ctags has a language for a file of this name. Throws ToolError if the program cannot be used: it is
  /// missing, not Universal Ctags, or was built without what keeps it from opening files.
  bool knows(std::string_view name, const std::stop_token& stop) const;

  /// One for each source, in their order. Throws ToolError likewise, or when a stop is requested.
  std::vector<TaggedSource> tag(const std::vector<Source>& sources, const std::stop_token& stop) const;

 private:
  struct Languages {
    std::set<std::string, std::less<>> extensions;
    std::set<std::string, std::less<>> names;
    std::vector<Glob> patterns;
  };

  const Languages& languages(const std::stop_token& stop) const;
  std::string said(std::vector<std::string> arguments, const std::stop_token& stop) const;
  void check(const std::stop_token& stop) const;
  Languages read_languages(const std::stop_token& stop) const;

  const Programs& programs_;
  mutable std::mutex mutex_;
  mutable std::optional<Languages> languages_;  // under the lock; then it stays
};

}  // namespace workspace
