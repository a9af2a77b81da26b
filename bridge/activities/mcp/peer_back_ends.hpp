// The same server once more for each of several hosts, where they must not share a process. Knows what makes one, not
// how it works.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::mcp {

class BackEnd;

/// By their process (Context::peer_process). Thread-safe.
class PeerBackEnds {
 public:
  /// That of the host, which is made if there is none. Nothing while hosts share a process, and after `end`.
  std::shared_ptr<BackEnd> of(int peer, const std::function<std::shared_ptr<BackEnd>()>& make);
  /// From now on each host has a process of its own. False if that was so before.
  bool separate();
  bool are_separate() const;
  std::vector<std::shared_ptr<BackEnd>> all() const;
  /// The host has left.
  std::shared_ptr<BackEnd> take(int peer);
  /// No more are made.
  std::vector<std::shared_ptr<BackEnd>> end();

 private:
  mutable Mutex mutex_;
  bool separate_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool ended_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::map<int, std::shared_ptr<BackEnd>> made_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::bridge::mcp
