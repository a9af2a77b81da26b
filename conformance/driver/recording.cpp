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

}  // namespace toolwire::conformance
