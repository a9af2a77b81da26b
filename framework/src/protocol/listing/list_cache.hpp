// Texts of whole lists, serialized once per revision and version of the list.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "protocol/revision.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::protocol {

/// Thread-safe.
class ListCache {
 public:
  /// The text for this revision; `make` is called when the list has changed since it was last made.
  template <class Make>
  std::shared_ptr<const std::string> text(const Revision& revision, std::uint64_t version, Make make) const {
    const MutexLock lock(mutex_);
    auto& [made_for, text] = texts_[&revision];
    if (!text || made_for != version) {
      std::string fresh;
      make(fresh);
      text = std::make_shared<const std::string>(std::move(fresh));
      made_for = version;
    }
    return text;
  }

 private:
  mutable Mutex mutex_;
  mutable std::map<const Revision*, std::pair<std::uint64_t, std::shared_ptr<const std::string>>> texts_
      TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::protocol
