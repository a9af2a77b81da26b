// The HTTP client and the process runner of one command, closed before they are destroyed. Independent of what uses
// them.
#pragma once

#include <memory>
#include <utility>

#include "activities/factory.hpp"

namespace toolwire::bridge {

/// To be declared before the Activities that use it. Calls under way may share the two for longer than that.
class OwnServices {
 public:
  /// They work on the engine of the options, or share one of their own.
  explicit OwnServices(HttpClientOptions options = {}) : services_(made(std::move(options))) {}
  ~OwnServices() { close(); }
  OwnServices(const OwnServices&) = delete;
  OwnServices& operator=(const OwnServices&) = delete;

  const ActivityServices& get() const { return services_; }
  /// Ends the calls in progress with "cancelled".
  void close() {
    services_.processes->close();
    services_.http->close();
  }

 private:
  static ActivityServices made(HttpClientOptions options) {
    if (!options.engine) options.engine = std::make_shared<Engine>();
    return {.http = std::make_shared<HttpClient>(options),
            .processes = std::make_shared<ProcessRunner>(ProcessRunnerOptions{.engine = options.engine}),
            .engine = options.engine,
            .logins = std::make_shared<login::Worker>(options.engine)};
  }

  const ActivityServices services_;
};

}  // namespace toolwire::bridge
