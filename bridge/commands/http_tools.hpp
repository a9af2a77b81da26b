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
  using Done = std::function<void(ToolResult)>;
  /// A tool without an implementation is refused: there is no model here that could make up what it returns. The call
  /// goes on with the trace of its request.
  void execute(const std::string& name, const Json& arguments, const TraceContext& trace, std::stop_token stop,
               Done done);
  /// After an edit.
  void use(const LoadedSources& loaded);

 private:
  void run(const std::string& name, const Json& arguments, const CallSettings& settings, const Done& done);

  Registry& registry_;
  const std::shared_ptr<traces::Traces> spans_;  // null: there are none
  Mutex mutex_;
  std::shared_ptr<CurrentManifest> current_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::bridge
