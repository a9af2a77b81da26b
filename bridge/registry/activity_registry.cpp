#include <toolwire/bridge/activity_registry.hpp>

#include <stdexcept>

namespace toolwire::bridge {
namespace {

void check(const std::string& name, const ActivityPointer& activity) {
  if (name.empty()) throw std::invalid_argument("an Activity needs a name; the empty one means that the model does it");
  if (!activity) throw std::invalid_argument("Activity \"" + name + "\": there is nothing to run");
}

}  // namespace

void ActivityRegistry::add(std::string name, ActivityPointer activity) {
  Snapshot added;
  added.emplace(std::move(name), std::move(activity));
  replace({}, std::move(added));
}

bool ActivityRegistry::remove(std::string_view name) {
  if (!find(name)) return false;
  replace({std::string(name)}, {});
  return true;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): `added` takes what it replaces
void ActivityRegistry::replace(const std::vector<std::string>& gone, Snapshot added) {
  for (const auto& [name, activity] : added) check(name, activity);
  std::vector<ActivityPointer> outlive_the_lock;
  {
    const MutexLock lock(mutex_);
    for (const std::string& name : gone) {
      if (auto found = activities_.find(name); found != activities_.end()) {
        outlive_the_lock.push_back(std::move(found->second));
        activities_.erase(found);
      }
    }
    for (auto& [name, activity] : added) {
      ActivityPointer& place = activities_[name];
      std::swap(place, activity);
    }
  }
  tell();
}

ActivityPointer ActivityRegistry::find(std::string_view name) const {
  const MutexLock lock(mutex_);
  const auto found = activities_.find(name);
  return found != activities_.end() ? found->second : nullptr;
}

ActivityRegistry::Snapshot ActivityRegistry::snapshot() const {
  const MutexLock lock(mutex_);
  return activities_;
}

void ActivityRegistry::on_change(std::function<void()> listener) {
  const MutexLock lock(mutex_);
  listeners_.push_back(std::move(listener));
}

void ActivityRegistry::tell() {
  std::vector<std::function<void()>> listeners;
  {
    const MutexLock lock(mutex_);
    listeners = listeners_;
  }
  for (const auto& listener : listeners) listener();
}

}  // namespace toolwire::bridge
