#include "server/mount.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "features/mounted.hpp"
#include "log/log.hpp"
#include "server/state.hpp"

namespace toolwire::server {
namespace {

using protocol::Feature;
using protocol::Topic;

/// Held by one mount at a time in the whole process, so that no two servers can mount each other.
Mutex mounting;

[[noreturn]] void refuse(const std::string& prefix, const std::string& why) {
  throw std::invalid_argument("mount \"" + prefix + "\": " + why);
}

/// The server that serves has its own of these, and what is mounted would be served without those it was made for.
void check_options(const std::string& prefix, const ServerOptions& options) {
  const std::pair<bool, const char*> own[] = {{options.executor != nullptr, "executor"},
                                              {options.identify != nullptr, "identify"},
                                              {options.on_exception != nullptr, "on_exception"},
                                              {options.kept_output > 0, "kept_output"},
                                              {options.stores.outputs != nullptr, "stores.outputs"},
                                              {options.stores.events != nullptr, "stores.events"}};
  for (const auto& [is_set, name] : own) {
    if (is_set)
      refuse(prefix,
             std::string("the other server's option ") + name + " would not count; give it to the one that serves");
  }
}

template <class Item>
std::string taken(const Item& item) {
  return std::string(Item::kind) + " \"" + item.key() + "\": there is one of this name already";
}

template <class Item>
std::vector<std::string> keys_of(const std::vector<Item>& pairs) {
  std::vector<std::string> keys;
  keys.reserve(pairs.size());
  for (const auto& pair : pairs) keys.push_back(pair.ours->key());
  return keys;
}

}  // namespace

// What is mounted of one kind

template <class Item>
const typename MountedItems<Item>::Pair* MountedItems<Item>::of_key(const std::string& key) const {
  const auto found = std::ranges::find_if(pairs_, [&](const Pair& pair) { return pair.ours->key() == key; });
  return found != pairs_.end() ? &*found : nullptr;
}

template <class Item>
template <class Make, class Refuse>
typename MountedItems<Item>::Next MountedItems<Item>::follow(const Listing& theirs,
                                                             const features::Registry<Item>& into, Make make,
                                                             Refuse refuse) const {
  Next next{.step = {}, .pairs = {}, .left_out = {}, .version = theirs.version};
  std::unordered_map<const Item*, const Pair*> known;
  for (const Pair& pair : pairs_) known.emplace(pair.theirs.get(), &pair);
  std::unordered_set<std::string> kept;
  for (const Shared& item : *theirs.items) {
    if (const auto found = known.find(item.get()); found != known.end()) {
      next.pairs.push_back(*found->second);
      kept.insert(found->second->ours->key());
      continue;
    }
    try {
      const Pair pair{item, make(item)};
      const Shared there = into.find(pair.ours->key());
      const Pair* const before = of_key(pair.ours->key());
      const bool replaces = there != nullptr && before != nullptr && before->ours == there;
      if (there != nullptr && !replaces) throw std::invalid_argument(taken(*pair.ours));
      (replaces ? next.step.replace : next.step.add).push_back(pair.ours);
      kept.insert(pair.ours->key());
      next.pairs.push_back(pair);
    } catch (const std::invalid_argument& error) {
      if (std::ranges::find(left_out_, item) == left_out_.end()) refuse(error);
      next.left_out.push_back(item);
    }
  }
  for (const Pair& pair : pairs_) {
    if (!kept.contains(pair.ours->key()) && into.find(pair.ours->key()) == pair.ours)
      next.step.remove.push_back(pair.ours->key());
  }
  next.step.order = keys_of(next.pairs);
  return next;
}

// Those who follow

void Followers::add(Mount& mount) {
  const MutexLock lock(mutex_);
  mounts_.push_back(&mount);
}

void Followers::remove(Mount& mount) {
  const MutexLock lock(mutex_);
  std::erase(mounts_, &mount);
}

void Followers::something_is_free(Topic topic) {
  const MutexLock lock(mutex_);
  for (Mount* const mount : mounts_) mount->try_again(topic);
}

// The mount

bool Mount::reaches(const Server::State& from, const Server::State& what) {
  return &from == &what ||
         std::ranges::any_of(from.mounts, [&](const auto& mount) { return reaches(*mount->from_, what); });
}

void Mount::add(Server::State& into, std::shared_ptr<Server::State> from, const std::string& prefix) {
  if (!features::is_name(prefix)) refuse(prefix, "a prefix is made of A-Z, a-z, 0-9, '_', '-' and '.'");
  const MutexLock lock(mounting);
  if (reaches(*from, into)) refuse(prefix, "the server would be mounted in itself");
  check_options(prefix, from->options);
  auto mount = std::make_unique<Mount>(into, std::move(from), prefix);
  mount->begin();
  into.mounts.push_back(std::move(mount));
}

Mount::Mount(Server::State& into, std::shared_ptr<Server::State> from, std::string prefix)
    : into_(into), from_(std::move(from)), prefix_(std::move(prefix)) {
  if (!from_->begin_mounted())
    refuse(prefix_,
           "the other server's middleware would not stand around what is mounted; give it to the one that serves");
}

Mount::~Mount() {
  into_.followers.remove(*this);
  if (listener_) from_->forget(*listener_);
  from_->end_mounted();
}

void Mount::begin() {
  {
    const MutexLock lock(mutex_);
    take_all();
  }
  into_.followers.add(*this);
  listener_ = from_->listen(*this);
  for (const Topic topic : {Topic::tools_list, Topic::prompts_list, Topic::resources_list}) {
    follow(topic);  // what has changed before it was heard of
    into_.tell({topic});
  }
}

/// All or nothing.
void Mount::take_all() {
  const auto refuse_it = [this](const std::exception& error) { refuse(prefix_, error.what()); };
  auto tools = next_of(tools_, from_->tools, into_.tools, refuse_it);
  auto prompts = next_of(prompts_, from_->prompts, into_.prompts, refuse_it);
  auto resources = next_of(resources_, from_->resources.resources, into_.resources.resources, refuse_it);
  auto templates = next_of(templates_, from_->resources.templates, into_.resources.templates, refuse_it);
  try {
    into_.tools.change(tools.step, [&] {
      into_.prompts.change(prompts.step, [&] {
        into_.resources.resources.change(resources.step, [&] { into_.resources.templates.change(templates.step); });
      });
    });
  } catch (const std::invalid_argument& error) {
    refuse_it(error);
  }
  tools_.take(std::move(tools));
  prompts_.take(std::move(prompts));
  resources_.take(std::move(resources));
  templates_.take(std::move(templates));
  offer_features();
}

template <class Item, class Refuse>
typename MountedItems<Item>::Next Mount::next_of(const MountedItems<Item>& items,
                                                 const features::Registry<Item>& theirs,
                                                 const features::Registry<Item>& ours, Refuse refuse) const {
  const auto make = [&](const std::shared_ptr<const Item>& item) -> std::shared_ptr<const Item> {
    if constexpr (std::is_same_v<Item, features::ServedTool>) {
      if (item->line) into_.serial_lines.share();
      return features::mounted(item, prefix_, from_->options.output_budget);
    } else if constexpr (std::is_same_v<Item, features::ServedPrompt>) {
      return features::mounted(item, prefix_);
    } else {
      return item;
    }
  };
  return items.follow(theirs.list(), ours, make, refuse);
}

template <class Item>
void Mount::follow(MountedItems<Item>& items, const features::Registry<Item>& theirs, features::Registry<Item>& ours) {
  if (!items.is_current(theirs.version())) take_next(items, theirs, ours);
}

template <class Item>
void Mount::try_again(MountedItems<Item>& items, const features::Registry<Item>& theirs,
                      features::Registry<Item>& ours) {
  if (items.leaves_out() || !items.is_current(theirs.version())) take_next(items, theirs, ours);
}

/// What cannot be had is left out, and tried again with the next change there, and when something is taken out here.
template <class Item>
void Mount::take_next(MountedItems<Item>& items, const features::Registry<Item>& theirs,
                      features::Registry<Item>& ours) {
  const auto leave_out = [this](const std::exception& error) {
    process::log(LogLevel::error, where() + error.what() + "; it is left out");
  };
  try {
    auto next = next_of(items, theirs, ours, leave_out);
    if (!items.is_current(next.version) || !next.step.add.empty()) ours.change(next.step);
    items.take(std::move(next));
  } catch (const std::invalid_argument& error) {
    leave_out(error);
  }
}

void Mount::follow(Topic topic) {
  const MutexLock lock(mutex_);
  if (topic == Topic::tools_list) follow(tools_, from_->tools, into_.tools);
  if (topic == Topic::prompts_list) follow(prompts_, from_->prompts, into_.prompts);
  if (topic == Topic::resources_list) {
    follow(resources_, from_->resources.resources, into_.resources.resources);
    follow(templates_, from_->resources.templates, into_.resources.templates);
  }
  offer_features();
}

void Mount::try_again(Topic topic) {
  const MutexLock lock(mutex_);
  if (topic == Topic::tools_list) try_again(tools_, from_->tools, into_.tools);
  if (topic == Topic::prompts_list) try_again(prompts_, from_->prompts, into_.prompts);
  if (topic == Topic::resources_list) {
    try_again(resources_, from_->resources.resources, into_.resources.resources);
    try_again(templates_, from_->resources.templates, into_.resources.templates);
  }
}

void Mount::tell(const protocol::Change& change) {
  if (change.topic == Topic::task) return;  // of a client of the other
  follow(change.topic);
  into_.followers.something_is_free(change.topic);
  into_.tell(change);
}

void Mount::offer_features() const {
  const protocol::Features there = from_->offered();
  for (const Feature feature : {Feature::tools, Feature::prompts, Feature::resources, Feature::resource_updates,
                                Feature::completions, Feature::tasks}) {
    if (there.has(feature)) into_.offer(feature);
  }
}

}  // namespace toolwire::server
