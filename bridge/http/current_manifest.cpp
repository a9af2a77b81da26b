#include "http/current_manifest.hpp"

#include <utility>

namespace toolwire::bridge {

std::shared_ptr<const Manifest> CurrentManifest::get() {
  const MutexLock lock(mutex_);
  auto tools = registry_.list();
  std::string changed_at = registry_.generated_at();
  if (current_ == nullptr || tools != tools_ || changed_at != changed_at_) {
    current_ = make(*tools);
    tools_ = std::move(tools);
    changed_at_ = std::move(changed_at);
  }
  return current_;
}

std::shared_ptr<const Manifest> CurrentManifest::make(const std::vector<ToolPointer>& tools) const {
  auto manifest = std::make_shared<Manifest>(base_);
  manifest->tools.clear();
  for (const ToolPointer& tool : tools) manifest->tools.push_back(tool->definition);
  manifest->categories = registry_.categories();
  const bool unchanged = to_json(*manifest) == to_json(base_);
  if (!unchanged || base_.generated_at.empty()) manifest->generated_at = registry_.generated_at();
  return manifest;
}

}  // namespace toolwire::bridge
