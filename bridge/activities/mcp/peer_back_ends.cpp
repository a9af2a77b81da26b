#include "activities/mcp/peer_back_ends.hpp"

#include <utility>

namespace toolwire::bridge::mcp {

std::shared_ptr<BackEnd> PeerBackEnds::of(int peer, const std::function<std::shared_ptr<BackEnd>()>& make) {
  const MutexLock lock(mutex_);
  if (!separate_ || ended_) return nullptr;
  const auto known = made_.find(peer);
  return known != made_.end() ? known->second : made_.emplace(peer, make()).first->second;
}

bool PeerBackEnds::separate() {
  const MutexLock lock(mutex_);
  return !std::exchange(separate_, true);
}

bool PeerBackEnds::are_separate() const {
  const MutexLock lock(mutex_);
  return separate_;
}

std::vector<std::shared_ptr<BackEnd>> PeerBackEnds::all() const {
  const MutexLock lock(mutex_);
  std::vector<std::shared_ptr<BackEnd>> all;
  for (const auto& [peer, back_end] : made_) all.push_back(back_end);
  return all;
}

std::shared_ptr<BackEnd> PeerBackEnds::take(int peer) {
  const MutexLock lock(mutex_);
  const auto known = made_.find(peer);
  return known == made_.end() ? nullptr : std::move(made_.extract(known).mapped());
}

std::vector<std::shared_ptr<BackEnd>> PeerBackEnds::end() {
  const MutexLock lock(mutex_);
  ended_ = true;
  std::vector<std::shared_ptr<BackEnd>> all;
  for (auto& [peer, back_end] : std::exchange(made_, {})) all.push_back(std::move(back_end));
  return all;
}

}  // namespace toolwire::bridge::mcp
