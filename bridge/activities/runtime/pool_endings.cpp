// How the processes of a pool end, and the pool itself.
#include <algorithm>

#include <toolwire/redact.hpp>

#include "activities/clean_text.hpp"
#include "activities/runtime/pool_parts.hpp"

namespace toolwire::bridge::runtimes {
namespace {

std::string last_words(const std::string& tail) {
  std::string text = redact(mcp::clean_text(tail));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

/// Kills it. What it ran is answered when it is gone.
void RuntimePool::Parts::end(Slot& slot, std::string reason, bool is_to_blame) {
  if (slot.life == Life::none || !slot.reason.empty()) return;
  slot.reason = std::move(reason);
  slot.is_to_blame = is_to_blame;
  if (slot.life == Life::ready) {
    const std::lock_guard lock(mutex_);
    --state_.running;
  }
  slot.life = Life::leaving;
  stop_timer(slot);
  slot.child->kill();
}

/// Asks it to end by itself; it has nothing to do.
void RuntimePool::Parts::say_goodbye(Slot& slot) {
  if (slot.life == Life::starting) return end(slot, "it is not needed any more", false);
  if (slot.life != Life::ready) return;
  slot.reason = "it is not needed any more";
  slot.is_to_blame = false;
  slot.life = Life::leaving;
  {
    const std::lock_guard lock(mutex_);
    --state_.running;
  }
  ask(slot, "shutdown", R"({"timeout":0})");
  slot.child->close_input();
  set_timer(slot, options.drain, [&slot] { slot.child->kill(); });
}

void RuntimePool::Parts::gone(Slot& slot, const std::string& how) {
  const std::string tail = slot.child ? last_words(slot.child->error_tail()) : "";
  std::string reason = slot.reason.empty() ? how : slot.reason;
  if (slot.reason.empty() || slot.is_to_blame) reason += tail;
  if (slot.life == Life::ready) {
    const std::lock_guard lock(mutex_);
    --state_.running;
  }
  stop_timer(slot);
  slot.asked.clear();
  slot.life = Life::none;
  // Its own function is on the stack.
  loop_.post([child = std::shared_ptr<RuntimeChild>(std::move(slot.child))] {});
  note_failure(slot, reason);
  fail_calls_of(slot, reason);
  if (!slot.was_ready && slot.is_to_blame && !any(Life::ready) && !any(Life::starting))
    fail_waiting({"unavailable", subject() + " could not be started: " + reason, true});
  dispatch();
  end_when_idle();
}

void RuntimePool::Parts::fail_calls_of(Slot& slot, const std::string& reason) {
  const std::set<std::uint64_t> calls = std::move(slot.calls);
  slot.calls.clear();
  for (const std::uint64_t id : calls) {
    Pending& pending = calls_.at(id);
    const std::string tool = pending.work.calls.front().tool;
    fail(pending, {"unavailable", subject() + " ended while it ran \"" + tool + "\": " + reason, true});
    forget(id);
  }
  slot.abandoned = 0;
}

void RuntimePool::Parts::note_failure(Slot& slot, const std::string& reason) {
  slot.not_before = slot.is_to_blame ? slot.back_off.failed(Clock::now()) : Clock::time_point{};
  if (is_closed_ || is_retired_) return;
  log_(reason);
  const std::lock_guard lock(mutex_);
  ++state_.failures;
  state_.trouble = reason;
  changed_.notify_all();
}

void RuntimePool::Parts::retire() {
  loop_.post([this] {
    is_retired_ = true;
    end_when_idle();
  });
}

void RuntimePool::Parts::end_when_idle() {
  if (!is_retired_ || !calls_.empty()) return;
  for (const auto& slot : slots_) say_goodbye(*slot);
  if (!std::ranges::all_of(slots_, [](const auto& slot) { return slot->life == Life::none; })) return;
  const std::lock_guard lock(mutex_);
  all_gone_ = true;
  changed_.notify_all();
}

void RuntimePool::Parts::close() {
  const std::lock_guard one_at_a_time(closing_);
  loop_.post([this] {
    is_closed_ = true;
    is_retired_ = true;
    fail_waiting({"cancelled", "the bridge is shutting down"});
    for (auto& [id, pending] : calls_) fail(pending, {"cancelled", "the bridge is shutting down"});
    for (const auto& slot : slots_) {
      if (!slot->calls.empty()) end(*slot, "the bridge is shutting down", false);
    }
    end_when_idle();
  });
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return all_gone_; });
  }
  loop_.stop();
}

}  // namespace toolwire::bridge::runtimes
