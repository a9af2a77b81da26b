// Pages that users were asked to open, until the user has finished there (2025-11-25 client/elicitation, completion
// notifications). Later revisions have no such notification: their clients call again.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::protocol {

struct Connection;
class Service;

/// Thread-safe. Remembers the newest pages only: a report on an older one tells nobody, which the specification allows.
class OpenPages {
 public:
  void opened(std::string id, std::weak_ptr<Connection> by) {
    constexpr std::size_t max_remembered = 1024;
    const MutexLock lock(mutex_);
    pages_.emplace_back(std::move(id), std::move(by));
    if (pages_.size() > max_remembered) pages_.pop_front();
  }

  /// The connection that asked for this page, which is forgotten; null if there is none.
  std::shared_ptr<Connection> take(std::string_view id) {
    const MutexLock lock(mutex_);
    for (auto page = pages_.begin(); page != pages_.end(); ++page) {
      if (page->first != id) continue;
      auto connection = page->second.lock();
      pages_.erase(page);
      return connection;
    }
    return nullptr;
  }

 private:
  Mutex mutex_;
  std::list<std::pair<std::string, std::weak_ptr<Connection>>> pages_ TOOLWIRE_GUARDED_BY(mutex_);
};

/// Tells the client that was asked to have this page opened that it is done. Returns false if there is none, or it
/// cannot be told.
bool complete_elicitation(Service& service, std::string_view id);

}  // namespace toolwire::protocol
