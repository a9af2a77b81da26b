// The tools that `toolwire-bridge http` provides: read from files, and read again when these were edited. Independent
// of HTTP.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <toolwire/bridge/manifest.hpp>
#include <toolwire/result.hpp>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

struct HttpToolsFiles {
  std::string manifest = {};
  std::string bindings = {};  // empty: beside the manifest, if there is one
  std::string profile = {};
  std::string preferences = {};
  bool no_watch = false;

  /// The files to watch for edits.
  std::vector<std::string> all() const;
};

/// Thread-safe. A call keeps the tools it began with. Problems are reported on standard error.
class EditedTools {
 public:
  /// Throws std::runtime_error if the files cannot be used.
  explicit EditedTools(HttpToolsFiles files);
  ~EditedTools();
  EditedTools(const EditedTools&) = delete;
  EditedTools& operator=(const EditedTools&) = delete;

  std::shared_ptr<const Manifest> manifest();
  void execute(const std::string& name, const Json& arguments, std::stop_token stop,
               std::function<void(ToolResult)> done);

  /// Reads the files again. Files that cannot be used leave everything as it was. One thread at a time.
  void read_again();

 private:
  class Tools;
  std::shared_ptr<Tools> current();

  const HttpToolsFiles files_;
  Mutex mutex_;
  std::shared_ptr<Tools> tools_ TOOLWIRE_GUARDED_BY(mutex_);
  /// Replaced tools in which calls may still be under way: they must not be destroyed on a thread of their own. Used by
  /// `read_again`.
  std::vector<std::shared_ptr<Tools>> replaced_;
};

}  // namespace toolwire::bridge
