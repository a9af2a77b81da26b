// The tools that `toolwire-bridge http` provides: those of a served bridge, under the scenario of its manifest.
// Independent of HTTP.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include <toolwire/bridge/manifest.hpp>
#include <toolwire/result.hpp>

#include "commands/served_bridge.hpp"
#include "http/current_manifest.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// Thread-safe. The bridge must outlive it.
class HttpTools {
 public:
  /// Throws std::invalid_argument if there is not one manifest.
  HttpTools(ServedBridge& served, const LoadedSources& loaded);

  std::shared_ptr<const Manifest> manifest();
  /// A tool without an implementation is refused: there is no model here that could make up what it returns.
  void execute(const std::string& name, const Json& arguments, std::stop_token stop,
               const std::function<void(ToolResult)>& done);
  /// After an edit.
  void use(const LoadedSources& loaded);

 private:
  Registry& registry_;
  Mutex mutex_;
  std::shared_ptr<CurrentManifest> current_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::bridge
