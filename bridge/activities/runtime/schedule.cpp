#include "activities/runtime/schedule.hpp"

#include <algorithm>
#include <utility>

namespace toolwire::bridge::runtimes {

Schedule::Schedule(const ScheduleLimits& limits)
    : limits_(limits), slots_(limits.places, Slot{.back_off = BackOff(limits.back_off)}) {}

std::size_t Schedule::count(Life life) const {
  return static_cast<std::size_t>(std::ranges::count(slots_, life, &Slot::life));
}

std::optional<Schedule::Refusal> Schedule::refusal(Clock::time_point now) const {
  using enum Refusal::Why;
  if (is_closed_) return Refusal{.why = closed};
  if (is_retired_) return Refusal{.why = retired};
  if (waiting_count_ >= limits_.max_waiting) return Refusal{.why = too_many_waiting};
  if (count(Life::ready) + count(Life::starting) > 0) return std::nullopt;
  const Slot& next = *std::ranges::min_element(slots_, {}, &Slot::not_before);
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next.not_before - now);
  if (wait <= limits_.max_wait) return std::nullopt;
  return Refusal{no_process_soon, wait, next.back_off.in_a_row()};
}

void Schedule::add(Call call) {
  calls_.try_emplace(call);
  waiting_.push_back(call);
  ++waiting_count_;
}

std::optional<Schedule::Assignment> Schedule::assign() {
  while (!waiting_.empty() && !calls_.contains(waiting_.front())) waiting_.pop_front();
  if (waiting_.empty()) return std::nullopt;
  const auto place = best_place();
  if (!place) return std::nullopt;
  const Call call = waiting_.front();
  waiting_.pop_front();
  --waiting_count_;
  calls_.at(call).place = place;
  slots_[*place].calls.insert(call);
  return Assignment{call, *place};
}

/// The one with the fewest calls. Where a tool is being given up, the process may have to be killed: no call goes
/// there.
std::optional<Schedule::Place> Schedule::best_place() const {
  std::optional<Place> best;
  for (Place place = 0; place < slots_.size(); ++place) {
    const Slot& slot = slots_[place];
    if (slot.life != Life::ready || slot.abandoned > 0 || slot.calls.size() >= limits_.calls_at_once) continue;
    if (!best || slot.calls.size() < slots_[*best].calls.size()) best = place;
  }
  return best;
}

std::optional<Schedule::Place> Schedule::place_of(Call call) const {
  const auto found = calls_.find(call);
  return found == calls_.end() ? std::nullopt : found->second.place;
}

bool Schedule::is_abandoned(Call call) const {
  const auto found = calls_.find(call);
  return found != calls_.end() && found->second.is_abandoned;
}

void Schedule::abandon(Call call) {
  State& state = calls_.at(call);
  if (!state.place) return finish(call);
  if (!std::exchange(state.is_abandoned, true)) ++slots_[*state.place].abandoned;
}

void Schedule::finish(Call call) {
  const auto found = calls_.find(call);
  if (found == calls_.end()) return;
  const State state = found->second;
  calls_.erase(found);
  if (!state.place) {
    --waiting_count_;
    return;
  }
  Slot& slot = slots_[*state.place];
  slot.calls.erase(call);
  if (state.is_abandoned) --slot.abandoned;
}

std::vector<Schedule::Call> Schedule::take_waiting() {
  std::vector<Call> taken;
  for (const Call call : std::exchange(waiting_, {})) {
    if (calls_.erase(call) > 0) taken.push_back(call);
  }
  waiting_count_ = 0;
  return taken;
}

Schedule::Growth Schedule::grow(Clock::time_point now) {
  if (is_closed_ || (is_retired_ && waiting_count_ == 0)) return {};
  const std::size_t starting = count(Life::starting);
  const std::size_t ready = count(Life::ready);
  Slot* next = nullptr;
  for (Slot& slot : slots_) {
    if (slot.life == Life::none && (next == nullptr || slot.not_before < next->not_before)) next = &slot;
  }
  const bool has_none = starting + ready == 0;
  is_wanted_ = is_wanted_ && has_none;
  const bool shares = starting == 0 && calls_.size() > ready;
  if (next == nullptr || (waiting_count_ <= starting * limits_.calls_at_once && !shares && !is_wanted_)) return {};
  if (next->not_before > now) return has_none ? Growth{.look = next->not_before} : Growth{};
  is_wanted_ = false;
  next->life = Life::starting;
  next->was_ready = false;
  next->has_answered = false;
  return {.start = static_cast<Place>(next - slots_.data())};
}

void Schedule::ready(Place place) {
  slots_[place].life = Life::ready;
  slots_[place].was_ready = true;
}

void Schedule::answered(Place place, Clock::time_point now) {
  Slot& slot = slots_[place];
  if (!std::exchange(slot.has_answered, true)) slot.back_off.started(now);
}

void Schedule::leave(Place place) { slots_[place].life = Life::leaving; }

Schedule::Loss Schedule::gone(Place place, bool is_to_blame, Clock::time_point now) {
  Slot& slot = slots_[place];
  slot.life = Life::none;
  slot.not_before = is_to_blame ? slot.back_off.failed(now) : Clock::time_point{};
  Loss loss;
  loss.calls.assign(slot.calls.begin(), slot.calls.end());
  for (const Call call : loss.calls) calls_.erase(call);
  slot.calls.clear();
  slot.abandoned = 0;
  loss.is_hopeless = !slot.was_ready && is_to_blame && count(Life::ready) + count(Life::starting) == 0;
  return loss;
}

}  // namespace toolwire::bridge::runtimes
