#include "inspect/event_log.hpp"

#include <utility>

namespace toolwire::inspect {

void EventLog::add(JsonObject event) {
  event["ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun_).count();
  Json whole(std::move(event));
  const std::size_t bytes = to_json_text(whole).size();
  const MutexLock lock(mutex_);
  whole.get_object()["n"] = ++last_;
  events_.push_back({std::move(whole), bytes});
  bytes_ += bytes;
  while (events_.size() > 1 && (events_.size() > max_events || bytes_ > max_bytes)) {
    bytes_ -= events_.front().bytes;
    events_.pop_front();
  }
  grown_.notify_all();
}

Json EventLog::wait(std::uint64_t after, std::chrono::milliseconds limit) {
  MutexLock lock(mutex_);
  grown_.wait_for(lock, limit, [&]() TOOLWIRE_REQUIRES(mutex_) { return is_closed_ || last_ > after; });
  return behind(after);
}

Json EventLog::behind(std::uint64_t after) const {
  JsonArray events;
  const std::uint64_t first = last_ - events_.size() + 1;
  const std::uint64_t skipped = after >= first ? after - first + 1 : 0;
  for (std::size_t i = skipped; i < events_.size(); ++i) events.push_back(events_[i].event);
  JsonObject answer{{"events", std::move(events)}, {"last", last_}};
  if (after + 1 < first) answer["lost"] = true;
  return answer;
}

void EventLog::close() {
  const MutexLock lock(mutex_);
  is_closed_ = true;
  grown_.notify_all();
}

}  // namespace toolwire::inspect
