#include "activities/mcp/open_questions.hpp"

#include <algorithm>
#include <utility>

#include "system/random_text.hpp"

namespace toolwire::bridge::mcp {
namespace {

constexpr std::string_view of_the_bridge = "toolwire-bridge-";

}  // namespace

OpenQuestions::OpenQuestions(std::size_t max_open, std::chrono::milliseconds age)
    : max_open_(max_open), age_(age), ours_(std::string(of_the_bridge) + random_text(2) + "-") {}

std::optional<std::string> OpenQuestions::open(const std::shared_ptr<BackRequest>& request, Clock::time_point now) {
  const MutexLock lock(mutex_);
  if (open_.size() >= max_open_) return std::nullopt;
  std::string prefix = ours_ + std::to_string(++serial_) + ":";
  open_.emplace(prefix, Entry{request, now + age_});
  return prefix;
}

OpenQuestions::Found OpenQuestions::take(const JsonObject& answers) {
  Found found;
  if (answers.empty()) return found;
  const MutexLock lock(mutex_);
  for (const auto& [key, answer] : answers) {
    const std::string_view name = key;
    if (!name.starts_with(of_the_bridge)) continue;
    found.answered = true;
    const auto open = open_.find(name.substr(0, name.find(':') + 1));
    if (open == open_.end()) continue;  // of an earlier round: a request carries all answers so far
    found.prefix = open->first;
    found.request = std::move(open->second.request);
    open_.erase(open);
    return found;
  }
  return found;
}

void OpenQuestions::close(const std::string& prefix) {
  const MutexLock lock(mutex_);
  open_.erase(prefix);
}

std::vector<std::shared_ptr<BackRequest>> OpenQuestions::take_old(Clock::time_point now) {
  const MutexLock lock(mutex_);
  std::vector<std::shared_ptr<BackRequest>> old;
  for (auto entry = open_.begin(); entry != open_.end();) {
    if (entry->second.old_at > now) {
      ++entry;
      continue;
    }
    old.push_back(std::move(entry->second.request));
    entry = open_.erase(entry);
  }
  return old;
}

std::vector<std::shared_ptr<BackRequest>> OpenQuestions::take_all() { return take_old(Clock::time_point::max()); }

std::optional<OpenQuestions::Clock::time_point> OpenQuestions::next() const {
  const MutexLock lock(mutex_);
  std::optional<Clock::time_point> next;
  for (const auto& [prefix, entry] : open_) next = next ? std::min(*next, entry.old_at) : entry.old_at;
  return next;
}

}  // namespace toolwire::bridge::mcp
