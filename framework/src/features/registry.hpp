// The things of one kind a server has (tools, prompts, resources, …), in the order of their registration.
// Knows nothing of what they are, of revisions or of the wire.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace toolwire::features {

/// Thread-safe. `Item` has `const std::string& key() const` and a name of its kind, `Item::kind`. An item is shared
/// with the calls that use it: one that is removed stays alive until they are done.
template <class Item>
class Registry {
 public:
  using Items = std::vector<std::shared_ptr<const Item>>;
  struct Listing {
    std::shared_ptr<const Items> items;
    std::uint64_t version = 0;  // differs whenever the list does
  };

  /// Throws std::invalid_argument, naming the item, if its key is taken.
  void add(std::shared_ptr<const Item> item) {
    std::lock_guard lock(mutex_);
    if (!by_key_.emplace(item->key(), item).second) {
      throw std::invalid_argument(std::string(Item::kind) + " \"" + item->key() +
                                  "\": there is one of this name already");
    }
    ordered_.push_back(std::move(item));
    changed();
  }

  /// Returns false if there was none.
  bool remove(std::string_view key) {
    std::lock_guard lock(mutex_);
    auto found = by_key_.find(std::string(key));
    if (found == by_key_.end()) return false;
    std::erase(ordered_, found->second);
    by_key_.erase(found);
    changed();
    return true;
  }

  /// Null if there is none.
  std::shared_ptr<const Item> find(std::string_view key) const {
    std::lock_guard lock(mutex_);
    auto found = by_key_.find(std::string(key));
    return found != by_key_.end() ? found->second : nullptr;
  }

  Listing list() const {
    std::lock_guard lock(mutex_);
    if (!listed_) listed_ = std::make_shared<const Items>(ordered_);
    return {listed_, version_};
  }

 private:
  void changed() {
    ++version_;
    listed_.reset();
  }

  mutable std::mutex mutex_;
  Items ordered_;
  std::unordered_map<std::string, std::shared_ptr<const Item>> by_key_;
  std::uint64_t version_ = 1;
  mutable std::shared_ptr<const Items> listed_;  // of this version; made when first asked for
};

}  // namespace toolwire::features
