// The files a bridge serves, read again and again while they are edited: manifests, tool schemas, bindings. What cannot
// be used any more stays as it last could. Starts nothing and registers nothing.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/bridge/tool_files.hpp>

#include "activities/bindings.hpp"

namespace toolwire::bridge {

/// One file of tools and the bindings beside it.
struct ToolSource {
  std::string file = {};
  ToolFiles tools = {};
  std::vector<std::string> left_out = {};  // names in a manifest that is not used whole
  Bindings bindings = {};
};

struct LoadedSources {
  std::vector<ToolSource> sources = {};  // in the order given, those of a folder by name
  Bindings bindings = {};                // of all; they take the places of those beside the files
  bool whole = true;                     // every file could be read and used
  bool fits = true;                      // see fits_together.hpp
};

/// One thread at a time.
class ToolSources {
 public:
  /// `bindings`: a file for all, or empty. A file that is not there is a problem of `load`.
  ToolSources(std::vector<std::string> paths, std::string bindings, std::string profile);

  /// Every file is to be a manifest: what is something else has the problems of a manifest.
  void expect_manifests() { only_manifests_ = true; }
  /// Bindings for all that stand elsewhere, in the place of those of a file; nothing: there are none.
  void use_bindings(std::optional<Bindings> bindings) { given_ = std::move(bindings); }

  /// Reads everything. Each problem is reported with file and place. The first time, tools of a manifest that are wrong
  /// are left out; later, a file with any problem stays as it was. What does not fit together is not kept for later.
  LoadedSources load(const std::function<void(const std::string&)>& problem);

  /// What is to be watched: files, those that may come to be beside them, and folders.
  std::vector<std::string> watched() const;

 private:
  using Problem = std::function<void(const std::string&)>;
  std::vector<std::string> files(LoadedSources& into, const Problem& problem) const;
  void read_tools(ToolSource& source, LoadedSources& into, const Problem& problem);
  Bindings read_bindings(const std::string& file, LoadedSources& into, const Problem& problem);

  const std::vector<std::string> paths_;
  const std::string bindings_;
  const std::string profile_;
  struct Usable {
    std::map<std::string, ToolFiles> tools;
    std::map<std::string, Bindings> bindings;
  };
  bool only_manifests_ = false;
  std::optional<Bindings> given_;
  Usable usable_;  // as each file last could be used
  bool loaded_ = false;
};

}  // namespace toolwire::bridge
