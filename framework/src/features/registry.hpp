// The things of one kind a server has (tools, prompts, resources, …), in the order of their registration. Independent
// of what they are, revisions and the wire.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "toolwire/context.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::features {

/// Throws std::invalid_argument for a text that is no scope.
inline void check_scopes(const std::vector<std::string>& scopes) {
  for (const std::string& scope : scopes) {
    if (!is_scope(scope))
      throw std::invalid_argument("a scope has visible ASCII characters, no quotes and no backslashes, unlike \"" +
                                  scope + "\"");
  }
}

/// Thread-safe. `Item` has `const std::string& key() const`, `const Visible& visible() const`, `bool has_scopes()
/// const` and a name of its kind, `Item::kind`. An item is shared with the calls that use it: one that is removed stays
/// alive until they are done.
template <class Item>
class Registry {
 public:
  using Items = std::vector<std::shared_ptr<const Item>>;
  struct Listing {
    std::shared_ptr<const Items> items;
    std::uint64_t version = 0;      // differs whenever the list does
    bool depends_on_asker = false;  // some are not there for everybody
  };

  /// Throws std::invalid_argument, naming the item, if its key is taken.
  void add(std::shared_ptr<const Item> item) {
    const MutexLock lock(mutex_);
    if (!by_key_.emplace(item->key(), item).second) taken(*item);
    if (item->has_scopes()) has_scopes_.store(true, std::memory_order_release);
    ordered_.push_back(std::move(item));
    changed();
  }

  /// Returns false if there was none.
  bool remove(std::string_view key) {
    const MutexLock lock(mutex_);
    auto found = by_key_.find(std::string(key));
    if (found == by_key_.end()) return false;
    std::erase(ordered_, found->second);
    by_key_.erase(found);
    changed();
    return true;
  }

  /// Several changes, as toolwire::Changes has them.
  struct Step {
    std::vector<std::string> remove = {};
    Items replace = {};
    Items add = {};
    std::vector<std::string> order = {};
  };
  /// Removes, replaces and adds in one step. The items named by `order` then stand in that order, at the place of the
  /// first of them; without it, what is replaced keeps its place and what is added comes last. Throws as `add`, and
  /// then nothing has changed.
  void change(const Step& step) {
    change(step, [] {});
  }
  /// The same, together with what `also` does, which is called once all is known to be possible: if it throws, nothing
  /// has changed here either. It must not use this registry.
  template <class Also>
  void change(const Step& step, Also also) {
    const MutexLock lock(mutex_);
    const std::unordered_set<std::string_view> removed(step.remove.begin(), step.remove.end());
    Items ordered = ordered_;
    std::erase_if(ordered, [&](const auto& item) { return removed.contains(item->key()); });
    std::unordered_map<std::string_view, std::size_t> places;
    for (const auto& item : ordered) places.emplace(item->key(), places.size());
    for (const auto& item : step.replace) {
      const auto [place, is_new] = places.emplace(item->key(), ordered.size());
      is_new ? ordered.push_back(item) : void(ordered[place->second] = item);
    }
    ordered.insert(ordered.end(), step.add.begin(), step.add.end());
    std::unordered_map<std::string, std::shared_ptr<const Item>> by_key;
    for (const auto& item : ordered) {
      if (!by_key.emplace(item->key(), item).second) taken(*item);
    }
    if (!step.order.empty()) arrange(ordered, step.order);
    also();
    if (std::ranges::any_of(ordered, [](const auto& item) { return item->has_scopes(); }))
      has_scopes_.store(true, std::memory_order_release);
    ordered_ = std::move(ordered);
    by_key_ = std::move(by_key);
    changed();
  }

  /// Null if there is none.
  std::shared_ptr<const Item> find(std::string_view key) const {
    const MutexLock lock(mutex_);
    auto found = by_key_.find(std::string(key));
    return found != by_key_.end() ? found->second : nullptr;
  }

  /// Whether an item is or was there that not everybody may use who sees it.
  bool has_scopes() const { return has_scopes_.load(std::memory_order_acquire); }

  std::uint64_t version() const {
    const MutexLock lock(mutex_);
    return version_;
  }

  Listing list() const {
    const MutexLock lock(mutex_);
    if (!listed_) {
      listed_ = std::make_shared<const Items>(ordered_);
      depends_on_asker_ = std::ranges::any_of(ordered_, [](const auto& item) { return item->visible() != nullptr; });
    }
    return {listed_, version_, depends_on_asker_};
  }

 private:
  [[noreturn]] static void taken(const Item& item) {
    throw std::invalid_argument(std::string(Item::kind) + " \"" + item.key() + "\": there is one of this name already");
  }

  static void arrange(Items& items, const std::vector<std::string>& order) {
    std::unordered_map<std::string_view, std::size_t> ranks;
    for (const std::string& key : order) ranks.emplace(key, ranks.size());
    Items group;
    std::size_t place = items.size();
    Items others;
    for (const auto& item : items) {
      if (ranks.contains(item->key())) {
        place = std::min(place, others.size());
        group.push_back(item);
      } else {
        others.push_back(item);
      }
    }
    std::ranges::sort(group, {}, [&](const auto& item) { return ranks.at(item->key()); });
    others.insert(others.begin() + static_cast<std::ptrdiff_t>(std::min(place, others.size())), group.begin(),
                  group.end());
    items = std::move(others);
  }

  void changed() TOOLWIRE_REQUIRES(mutex_) {
    ++version_;
    listed_.reset();
  }

  std::atomic<bool> has_scopes_{false};
  mutable Mutex mutex_;
  Items ordered_ TOOLWIRE_GUARDED_BY(mutex_);
  std::unordered_map<std::string, std::shared_ptr<const Item>> by_key_ TOOLWIRE_GUARDED_BY(mutex_);
  std::uint64_t version_ TOOLWIRE_GUARDED_BY(mutex_) = 1;
  mutable std::shared_ptr<const Items> listed_
      TOOLWIRE_GUARDED_BY(mutex_);  // of this version; made when first asked for, and so is the next
  mutable bool depends_on_asker_ TOOLWIRE_GUARDED_BY(mutex_) = false;
};

}  // namespace toolwire::features
