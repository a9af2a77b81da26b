#include "features/serial_line.hpp"

#include <utility>

namespace toolwire::features {

SerialLine::Number SerialLine::join() {
  const MutexLock lock(mutex_);
  places_.try_emplace(places_.end(), ++last_);
  return last_;
}

bool SerialLine::is_first(Number number) const {
  const MutexLock lock(mutex_);
  return !places_.empty() && places_.begin()->first == number;
}

void SerialLine::wait(Number number, Done<SerialTurn> done) {
  {
    const MutexLock lock(mutex_);
    const auto place = places_.find(number);
    if (place == places_.end()) return;
    if (place != places_.begin()) {
      place->second.done.emplace(std::move(done));
      return;
    }
  }
  done(SerialTurn{});
}

bool SerialLine::begin(Number number) {
  const MutexLock lock(mutex_);
  const auto place = places_.find(number);
  if (place == places_.end()) return false;
  place->second.has_begun = true;
  return true;
}

bool SerialLine::give_up(Number number) {
  Left left;
  {
    const MutexLock lock(mutex_);
    const auto place = places_.find(number);
    if (place == places_.end() || place->second.has_begun) return false;
    left = take_out(place);
  }
  left.tell();
  return true;
}

void SerialLine::leave(Number number) {
  Left left;
  {
    const MutexLock lock(mutex_);
    const auto place = places_.find(number);
    if (place == places_.end()) return;
    left = take_out(place);
  }
  left.tell();
}

SerialLine::Left SerialLine::take_out(Places::iterator place) {
  Left left;
  const bool was_first = place == places_.begin();
  left.gone = places_.extract(place);
  if (was_first && !places_.empty()) left.next = std::exchange(places_.begin()->second.done, std::nullopt);
  return left;
}

void SerialLine::Left::tell() {
  if (next) (*next)(SerialTurn{});
}

std::shared_ptr<SerialLine> SerialLines::of(const std::string& key) {
  const MutexLock lock(mutex_);
  any_.store(true, std::memory_order_release);
  std::erase_if(lines_, [](const auto& one) { return one.second.expired(); });
  auto& known = lines_[key];
  auto line = known.lock();
  if (!line) known = line = std::make_shared<SerialLine>();
  return line;
}

}  // namespace toolwire::features
