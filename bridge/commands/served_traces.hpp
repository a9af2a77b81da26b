// The traces of a served bridge: its spans and the exporter that sends them to the collector of the configuration. Put
// together here; the parts are in traces/.
#pragma once

#include <memory>
#include <optional>

#include "activities/factory.hpp"
#include "commands/configured.hpp"
#include "system/engine_timers.hpp"
#include "traces/exporter.hpp"
#include "traces/traces.hpp"

namespace toolwire::bridge {

/// Does nothing where the configuration has no "traces". What uses it must have ended, or share it.
class ServedTraces {
 public:
  /// The HTTP client must be open until `end`.
  ServedTraces(const std::optional<Configured>& configured, const ActivityServices& services);
  ~ServedTraces() { end(); }
  ServedTraces(const ServedTraces&) = delete;
  ServedTraces& operator=(const ServedTraces&) = delete;

  /// Null if there are none.
  const std::shared_ptr<traces::Traces>& spans() const { return spans_; }
  /// What has become of the spans; nothing if there are none.
  std::optional<traces::Exporter::Counts> counts() const;
  /// Sends what there is, within a second and a half.
  void end();

 private:
  std::optional<EngineTimers> timers_;
  std::shared_ptr<traces::Exporter> exporter_;
  std::shared_ptr<traces::Traces> spans_;
};

}  // namespace toolwire::bridge
