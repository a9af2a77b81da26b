#include "activities/runtime/schedule.hpp"

#include <algorithm>
#include <utility>

namespace toolwire::bridge::runtimes {

Schedule::Schedule(const ScheduleLimits& limits)
    : limits_(limits), slots_(2 * limits.places, Slot{.back_off = BackOff(limits.back_off)}) {}

std::size_t Schedule::count(Life life) const {
  return static_cast<std::size_t>(std::ranges::count(slots_, life, &Slot::life));
}

std::optional<Schedule::Refusal> Schedule::refusal(Clock::time_point now) const {
  using enum Refusal::Why;
  if (is_closed_) return Refusal{.why = closed};
  if (is_retired_) return Refusal{.why = retired};
  if (waiting_count_ >= limits_.max_waiting) return Refusal{.why = too_many_waiting};
  if (count(Life::ready) + count(Life::starting) > 0) return std::nullopt;  // even a worn-out process serves
  const Place place = next_slot();
  if (place == slots_.size()) return std::nullopt;  // all processes are leaving
  const Slot& next = slots_[place];
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next.not_before - now);
  if (wait <= limits_.max_wait) return std::nullopt;
  return Refusal{no_process_soon, wait, next.back_off.in_a_row()};
}

void Schedule::add(Call call) {
  calls_.try_emplace(call);
  waiting_.push_back(call);
  ++waiting_count_;
}

std::optional<Schedule::Assignment> Schedule::assign(Clock::time_point now) {
  while (!waiting_.empty() && !calls_.contains(waiting_.front())) waiting_.pop_front();
  if (waiting_.empty()) return std::nullopt;
  const auto place = best_place(now);
  if (!place) return std::nullopt;
  const Call call = waiting_.front();
  waiting_.pop_front();
  --waiting_count_;
  calls_.at(call).place = place;
  slots_[*place].calls.insert(call);
  return Assignment{call, *place};
}

/// How many calls a process may have now. While others start, no more than its share, so that calls are left for them.
std::size_t Schedule::share(Clock::time_point now) const {
  const bool is_any_starting = std::ranges::any_of(
      slots_, [&](const Slot& slot) { return slot.life == Life::starting && now - slot.run.began < limits_.max_hold; });
  if (newest_ != serving_ || !is_any_starting) return limits_.calls_at_once;
  const std::size_t processes = std::max<std::size_t>(1, fresh_count());
  return std::min(limits_.calls_at_once, (calls_.size() + processes - 1) / processes);
}

/// The process with the fewest calls. None goes to a process in which a tool is being given up, since that process may
/// have to be killed. A worn-out process serves until another does.
std::optional<Schedule::Place> Schedule::best_place(Clock::time_point now) const {
  const bool is_fresh_there = has_fresh();
  const std::size_t at_once = share(now);
  std::optional<Place> best;
  for (Place place = 0; place < slots_.size(); ++place) {
    const Slot& slot = slots_[place];
    if (!serves(slot) || slot.abandoned > 0 || slot.calls.size() >= at_once) continue;
    if (is_fresh_there && is_worn(slot)) continue;
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

bool Schedule::is_worn(const Slot& slot) const {
  const Recycling& most = limits_.recycling;
  const auto reached = [](std::uint64_t count, std::uint64_t limit) { return limit > 0 && count >= limit; };
  return reached(slot.run.served, most.max_calls) || reached(slot.run.failures, most.max_failures) ||
         reached(slot.run.memory, most.max_memory) || slot.run.is_aged;
}

/// The number of processes that serve or will serve, without those that wait for their replacement.
std::size_t Schedule::fresh_count() const {
  return static_cast<std::size_t>(std::ranges::count_if(slots_, [this](const Slot& slot) {
    return slot.run.generation == newest_ &&
           (slot.life == Life::starting || (slot.life == Life::ready && !is_worn(slot)));
  }));
}

bool Schedule::has_fresh() const {
  return std::ranges::any_of(slots_, [this](const Slot& slot) { return serves(slot) && !is_worn(slot); });
}

bool Schedule::has_serving() const {
  return std::ranges::any_of(slots_, [this](const Slot& slot) { return serves(slot); });
}

/// The place of the next process; `slots_.size()` if there is none. Spare places are used for replacing only, so that
/// failures in a row are counted where they happened.
std::size_t Schedule::next_slot() const {
  std::size_t next = slots_.size();
  for (Place place = 0; place < slots_.size(); ++place) {
    if (place >= limits_.places && next < slots_.size()) break;
    if (slots_[place].life != Life::none) continue;
    if (next == slots_.size() || slots_[place].not_before < slots_[next].not_before) next = place;
  }
  return next;
}

Schedule::Growth Schedule::grow(Clock::time_point now) {
  if (is_closed_ || (is_retired_ && waiting_count_ == 0)) return {};
  const std::size_t starting = count(Life::starting);
  const std::size_t ready = count(Life::ready);
  const bool has_none = starting + ready == 0;
  is_wanted_ = is_wanted_ && has_none;
  if (has_none && newest_ != serving_) accept();  // no process of the earlier generation is left
  const bool is_trial = newest_ != serving_;
  const std::size_t fresh = fresh_count();
  if (is_trial ? is_rejected_ || fresh > 0 : fresh >= limits_.places) return {};
  const bool replaces = fresh == 0 && has_serving();
  const Place place = next_slot();
  if (place == slots_.size() || !(is_trial || replaces || calls_.size() > fresh || is_wanted_)) return {};
  Slot& next = slots_[place];
  if (next.not_before > now) return has_none || is_trial ? Growth{.look = next.not_before} : Growth{};
  is_wanted_ = false;
  next.life = Life::starting;
  next.run = {.generation = newest_, .began = now};
  return {.start = place};
}

void Schedule::ready(Place place, Clock::time_point now) {
  Slot& slot = slots_[place];
  slot.life = Life::ready;
  slot.run.was_ready = true;
  slot.run.began = slot.run.idle_since = now;
}

void Schedule::answered(Place place, Clock::time_point now, bool failed) {
  Slot& slot = slots_[place];
  if (!std::exchange(slot.run.has_answered, true)) slot.back_off.started(now);
  slot.run.idle_since = now;
  ++slot.run.served;
  slot.run.failures = failed ? slot.run.failures + 1 : 0;
}

void Schedule::renew() {
  ++newest_;
  is_rejected_ = false;
}

void Schedule::renew(Place starting) {
  renew();
  slots_[starting].run.generation = newest_;
}

bool Schedule::is_on_trial(Place place) const {
  return newest_ != serving_ && slots_[place].run.generation == newest_ && slots_[place].life != Life::leaving;
}

void Schedule::accept() { serving_ = newest_; }

void Schedule::reject() { is_rejected_ = newest_ != serving_; }

std::vector<Schedule::Place> Schedule::to_leave(Clock::time_point now) {
  std::vector<Place> places;
  const Recycling& most = limits_.recycling;
  const auto passed = [now](Clock::time_point since, std::chrono::milliseconds limit) {
    return limit.count() > 0 && now - since >= limit;
  };
  for (Place place = 0; place < slots_.size(); ++place) {
    Slot& slot = slots_[place];
    if (slot.life == Life::starting && slot.run.generation != serving_ &&
        (slot.run.generation != newest_ || is_rejected_))
      places.push_back(place);
    if (slot.life != Life::ready) continue;
    slot.run.is_aged = slot.run.is_aged || passed(slot.run.began, most.max_age);
    if (!slot.calls.empty()) continue;
    const bool is_superseded = slot.run.generation != serving_ && (slot.run.generation != newest_ || is_rejected_);
    const bool goes = serves(slot) && newest_ == serving_ &&
                      ((is_worn(slot) && has_fresh()) || passed(slot.run.idle_since, most.max_idle));
    if (is_superseded || goes) places.push_back(place);
  }
  return places;
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
  loss.is_hopeless = !slot.run.was_ready && is_to_blame && count(Life::ready) + count(Life::starting) == 0;
  return loss;
}

}  // namespace toolwire::bridge::runtimes
