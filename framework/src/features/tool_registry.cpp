#include "features/tool_registry.hpp"

#include <algorithm>
#include <stdexcept>

namespace toolwire::features {

void ToolRegistry::add(std::shared_ptr<const ServedTool> served) {
  const std::string& name = served->tool.info.name;
  std::lock_guard lock(mutex_);
  if (!by_name_.emplace(name, served).second)
    throw std::invalid_argument("tool \"" + name + "\": there is one of this name already");
  ordered_.push_back(std::move(served));
  ++version_;
  listed_.reset();
}

bool ToolRegistry::remove(std::string_view name) {
  std::lock_guard lock(mutex_);
  auto found = by_name_.find(std::string(name));
  if (found == by_name_.end()) return false;
  std::erase(ordered_, found->second);
  by_name_.erase(found);
  ++version_;
  listed_.reset();
  return true;
}

std::shared_ptr<const ServedTool> ToolRegistry::find(std::string_view name) const {
  std::lock_guard lock(mutex_);
  auto found = by_name_.find(std::string(name));
  return found != by_name_.end() ? found->second : nullptr;
}

ToolRegistry::Listing ToolRegistry::list() const {
  std::lock_guard lock(mutex_);
  if (!listed_) listed_ = std::make_shared<const Tools>(ordered_);
  return {listed_, version_};
}

}  // namespace toolwire::features
