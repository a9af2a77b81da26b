// The Approval of a bridge: asks the user about the tools that require it, as the user's preferences have it.
#pragma once

#include <memory>

#include <toolwire/bridge/policy.hpp>

#include "policy/preferences.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// Who is asked: the user, through a form; or no one, because the host asks before every call it makes.
enum class AskedBy { bridge, host };

/// Denied arguments are refused in either case. Thread-safe; a call keeps the preferences it began with.
class PreferredApproval : public Approval {
 public:
  explicit PreferredApproval(AskedBy asked_by, Preferences preferences = {});

  void use(Preferences preferences);
  std::shared_ptr<const Preferences> preferences() const;

  /// Of all tools, where the bridge asks: preferences may change while a question is open.
  bool asks_about(const ToolDefinition&) const override { return asked_by_ == AskedBy::bridge; }
  Decision decide(CallInHand& call) override;

 private:
  const AskedBy asked_by_;
  mutable Mutex mutex_;
  std::shared_ptr<const Preferences> preferences_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::bridge
