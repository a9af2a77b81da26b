// The HTTP client and the process runner of one command, closed before they are destroyed. Independent of what uses
// them.
#pragma once

#include <memory>

#include "activities/factory.hpp"

namespace toolwire::bridge {

/// To be declared before the Activities that use it. Calls under way may share the two for longer than that.
class OwnServices {
 public:
  explicit OwnServices(const HttpClientOptions& options = {})
      : services_{std::make_shared<HttpClient>(options), std::make_shared<ProcessRunner>()} {}
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
  const ActivityServices services_;
};

}  // namespace toolwire::bridge
