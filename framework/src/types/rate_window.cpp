#include "toolwire/rate_window.hpp"

#include <algorithm>

namespace toolwire {
namespace {

constexpr std::chrono::minutes window{1};

/// With fewer calls allowed than were counted (the limit was edited), more than the oldest must pass.
template <class Calls>
RateWindow::Wait wait(const Calls& calls, std::int64_t per_minute, RateWindow::Clock::time_point now) {
  const auto allowed = static_cast<std::size_t>(per_minute);
  if (calls.size() < allowed) return std::nullopt;
  return std::chrono::ceil<std::chrono::milliseconds>(calls[calls.size() - allowed] + window - now);
}

std::string text_of(std::int64_t per_minute, std::chrono::milliseconds wait) {
  return std::to_string(per_minute) + " times a minute; try again in " + std::to_string(wait.count()) + " ms";
}

}  // namespace

RateWindow::Calls& RateWindow::recent(const std::string& key, Clock::time_point now) {
  if (calls_.size() >= look_through_at_ && !calls_.contains(key)) forget_old(now);
  Calls& calls = calls_[key];
  while (!calls.empty() && now - calls.front() >= window) calls.pop_front();
  return calls;
}

/// Seldom enough that each key is looked at about once for each that is added.
void RateWindow::forget_old(Clock::time_point now) {
  constexpr std::size_t few = 64;
  std::erase_if(calls_, [&](const auto& entry) { return entry.second.empty() || now - entry.second.back() >= window; });
  look_through_at_ = std::max(few, 2 * calls_.size());
}

std::size_t RateWindow::keys() const {
  const MutexLock lock(mutex_);
  return calls_.size();
}

RateWindow::Wait RateWindow::look(const std::string& key, std::int64_t per_minute, Clock::time_point now) {
  const MutexLock lock(mutex_);
  return wait(recent(key, now), per_minute, now);
}

RateWindow::Wait RateWindow::charge(const std::string& key, std::int64_t per_minute, Clock::time_point now) {
  const MutexLock lock(mutex_);
  Calls& calls = recent(key, now);
  const Wait left = wait(calls, per_minute, now);
  if (!left) calls.push_back(now);
  return left;
}

/// No name begins with a line break, and no caller has one.
std::string rate_key(const std::string& name, std::string_view caller) {
  return caller.empty() ? name : quota_key(caller) + name;
}

std::string quota_key(std::string_view caller) {
  std::string key = "\n";
  return key.append(caller).append("\n");
}

std::string rate_limited_text(const std::string& name, std::int64_t per_minute, std::chrono::milliseconds wait) {
  return "\"" + name + "\" may be called " + text_of(per_minute, wait);
}

std::string quota_reached_text(std::int64_t per_minute, std::chrono::milliseconds wait) {
  return "You may call tools " + text_of(per_minute, wait);
}

}  // namespace toolwire
