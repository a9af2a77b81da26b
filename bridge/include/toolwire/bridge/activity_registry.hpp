// Implementations by name. Knows no tools: an Activity may serve several, one, or none.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <toolwire/bridge/activity.hpp>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

namespace detail {

template <class Value>
Outcome<Json> to_json_outcome(Value&& value) {
  using Plain = std::remove_cvref_t<Value>;
  if constexpr (std::is_convertible_v<Value&&, Outcome<Json>>) {
    return std::forward<Value>(value);
  } else {
    return Outcome<Json>(encode(std::forward<Value>(value)));
  }
  static_assert(!std::is_void_v<Plain>);
}

/// `function(parameters, call, context)`, of which it may leave out the last or the last two.
template <class F>
NativeActivity native_activity(F function) {
  return [function = std::move(function)](const Json& parameters, const Call& call,
                                          ActivityContext& context) mutable -> Outcome<Json> {
    if constexpr (std::is_invocable_v<F&, const Json&, const Call&, ActivityContext&>) {
      return to_json_outcome(function(parameters, call, context));
    } else if constexpr (std::is_invocable_v<F&, const Json&, ActivityContext&>) {
      return to_json_outcome(function(parameters, context));
    } else {
      return to_json_outcome(function(parameters));
    }
  };
}

}  // namespace detail

/// Thread-safe. A call in flight keeps the Activity it began with, even if its name is bound to another.
class ActivityRegistry {
 public:
  using Snapshot = std::map<std::string, ActivityPointer, std::less<>>;

  ActivityRegistry() = default;
  ActivityRegistry(const ActivityRegistry&) = delete;
  ActivityRegistry& operator=(const ActivityRegistry&) = delete;

  /// Puts an Activity under a name, in the place of any that was there. Throws std::invalid_argument if the name is
  /// empty or there is no Activity.
  void add(std::string name, ActivityPointer activity);
  /// The same with a function: `function(parameters)`, `(parameters, context)` or `(parameters, call, context)`, where
  /// `parameters` is a `const Json&`. It returns Json, Outcome<Json>, or what `encode` takes; it may be called from
  /// several threads at once.
  template <class F>
  requires std::is_invocable_v<F&, const Json&> || std::is_invocable_v<F&, const Json&, ActivityContext&> ||
      std::is_invocable_v<F&, const Json&, const Call&, ActivityContext&>
  void add(std::string name, F function) {
    add(std::move(name), make_activity(detail::native_activity(std::move(function))));
  }
  /// Returns false if there was none.
  bool remove(std::string_view name);
  /// Adds, replaces and removes in one step: listeners are called once.
  void replace(const std::vector<std::string>& gone, Snapshot added);

  /// Null if there is none.
  ActivityPointer find(std::string_view name) const;
  Snapshot snapshot() const;

  /// Calls `listener` after every change, on the thread that made it. It cannot be removed: it must be safe to call as
  /// long as the registry lives.
  void on_change(std::function<void()> listener);

 private:
  void tell();

  mutable Mutex mutex_;
  Snapshot activities_ TOOLWIRE_GUARDED_BY(mutex_);
  std::vector<std::function<void()>> listeners_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::bridge
