// Requests of a server that it has withdrawn, so that they are not to be answered. Knows nothing of what they ask.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <toolwire/client_options.hpp>

namespace toolwire::inspect {

/// To drop a request would be to refuse it, so they are kept. One thread at a time.
class Unanswered {
 public:
  /// Keeps it. Where they become too many, gives the oldest one back, which its server has long forgotten.
  [[nodiscard]] std::optional<ServerRequest> keep(ServerRequest&& request);

  static constexpr std::size_t most = 1'000;

 private:
  std::deque<ServerRequest> kept_;
};

}  // namespace toolwire::inspect
