#include "activities/mcp/supervision.hpp"

#include <algorithm>
#include <utility>

namespace toolwire::bridge::mcp {

Supervision::Step Supervision::next(Clock::time_point now, bool calls_wait) const {
  if (is_lost_) return Step::clean_up;
  if (!has_server_ && is_wanted_ && now >= not_before_) return Step::start;
  if (is_up_ && is_stale_ && now >= next_listing_) return Step::list;
  if (takes_calls() && calls_wait) return Step::send_waiting;
  return Step::wait;
}

std::optional<Supervision::Clock::time_point> Supervision::next_time() const {
  std::optional<Clock::time_point> next;
  if (!has_server_ && is_wanted_) next = not_before_;
  if (is_up_ && is_stale_) next = next ? std::min(*next, next_listing_) : next_listing_;
  return next;
}

void Supervision::lost(std::string reason) {
  is_lost_ = true;
  is_up_ = false;
  reason_ = std::move(reason);
}

void Supervision::begin_start() {
  is_wanted_ = false;
  is_stale_ = false;
}

void Supervision::started(Clock::time_point now) {
  next_listing_ = now + limits_.between_listings;
  back_off_.started(now);
  has_server_ = true;
  is_up_ = !is_lost_;
}

void Supervision::start_failed(Clock::time_point now, bool calls_wait) {
  next_listing_ = now + limits_.between_listings;
  is_lost_ = false;
  failed(now, calls_wait);
}

void Supervision::begin_listing(Clock::time_point now) {
  is_stale_ = false;
  next_listing_ = now + limits_.between_listings;
  is_up_ = false;
}

std::string Supervision::begin_clean_up() {
  is_lost_ = false;
  is_stale_ = false;
  return reason_;
}

void Supervision::cleaned_up(Clock::time_point now, bool calls_wait) {
  has_server_ = false;
  failed(now, calls_wait);
}

void Supervision::failed(Clock::time_point now, bool calls_wait) {
  not_before_ = back_off_.failed(now);
  is_wanted_ = calls_wait || back_off_.in_a_row() <= limits_.unasked_restarts;
}

std::optional<std::chrono::milliseconds> Supervision::too_long_a_wait(Clock::time_point now) const {
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(not_before_ - now);
  if (is_up_ || wait <= limits_.max_wait) return std::nullopt;
  return wait;
}

}  // namespace toolwire::bridge::mcp
