#include "inspect/unanswered.hpp"

#include <utility>

namespace toolwire::inspect {

std::optional<ServerRequest> Unanswered::keep(ServerRequest&& request) {
  request.params = nullptr;
  kept_.push_back(std::move(request));
  if (kept_.size() <= most) return std::nullopt;
  std::optional<ServerRequest> oldest(std::move(kept_.front()));
  kept_.pop_front();
  return oldest;
}

}  // namespace toolwire::inspect
