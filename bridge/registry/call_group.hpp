// Several calls that end as one. Knows only how each of them ended.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "registry/embedded_call.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// When the others are cancelled: never, with the first failure, the first success, the first end of any kind.
enum class GroupEnd { when_all, first_failure, first_success, first_end };

/// Shared by its calls. When the group is decided, calls that have not ended are cancelled, or never started.
class CallGroup : public std::enable_shared_from_this<CallGroup> {
 public:
  /// `decider` is the index of the call that decided; nothing if none did. Every call has an end then.
  using Done = std::function<void(std::vector<CompletedCall>&& calls, std::optional<std::size_t> decider)>;

  CallGroup(GroupEnd end, std::size_t count, Done done)
      : end_(end), ends_(count), missing_(count), done_(std::move(done)) {}

  /// Starts them in their order. Once.
  void start(const std::shared_ptr<CallCore>& core, std::vector<Call> calls, const CallSettings& settings);
  /// Sets the end of a call that is not started. Before `start`.
  void put(std::size_t index, CompletedCall end);

 private:
  bool decides(const CompletedCall& call) const;
  std::vector<CompletedCall> take_ends() TOOLWIRE_REQUIRES(mutex_);
  void ended(std::size_t index, CompletedCall&& call);

  const GroupEnd end_;
  Mutex mutex_;
  std::vector<std::optional<CompletedCall>> ends_ TOOLWIRE_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<EmbeddedCall>> under_way_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t missing_ TOOLWIRE_GUARDED_BY(mutex_);
  std::optional<std::size_t> decider_ TOOLWIRE_GUARDED_BY(mutex_);
  Done done_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::bridge
