#include "driver/recording.hpp"

#include <algorithm>

namespace toolwire::conformance {
namespace {

std::string_view arrow(Direction direction) {
  switch (direction) {
    case Direction::to_server:
      return " -> ";
    case Direction::from_server:
      return " <- ";
    case Direction::errors:
      return " !! ";
    case Direction::remark:
      break;
  }
  return " -- ";
}

}  // namespace

void Recording::add(Direction direction, std::string_view bytes) {
  const auto at = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_);
  if (events_.size() >= kept_events) {  // the first half shows how it began, the second how it ended
    events_.erase(events_.begin() + kept_events / 2);
    ++dropped_;
  }
  events_.push_back({at, direction, std::string(bytes.substr(0, kept_bytes)), bytes.size()});
}

std::string Recording::text(std::size_t from) const {
  std::string text;
  for (std::size_t i = std::min(from, events_.size()); i < events_.size(); ++i) {
    const Event& event = events_[i];
    text.append(std::to_string(event.at.count())).append(" ms").append(arrow(event.direction)).append(event.bytes);
    if (event.total > event.bytes.size()) text.append("… (").append(std::to_string(event.total)).append(" bytes)");
    if (text.back() != '\n') text.push_back('\n');
  }
  return text;
}

Stimuli Recording::stimuli(std::size_t from, std::size_t opening) const {
  Stimuli all;
  bool answered = true;
  std::size_t size = 0;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    if (event.direction == Direction::from_server) answered = true;
    if (i < from && (event.direction != Direction::to_server || opening == 0)) continue;
    if (i < from) --opening;
    if (event.direction == Direction::remark && event.bytes.starts_with("signal")) return {};
    if (event.direction == Direction::remark && event.bytes == input_closed) all.ends_input = true;
    if (event.direction != Direction::to_server) continue;
    size += event.total;
    if (event.total > event.bytes.size() || size > max_stimuli || dropped_ > 0) return {};
    if (answered) all.steps.emplace_back();
    all.steps.back() += event.bytes;
    answered = false;
  }
  return all;
}

}  // namespace toolwire::conformance
