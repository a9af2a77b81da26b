// What one server has, served by another one, too (Server::mount): it follows every change.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/resource_registry.hpp"
#include "features/served_prompt.hpp"
#include "features/tool_registry.hpp"
#include "protocol/service.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/server.hpp"

namespace toolwire::server {

/// The things of one kind that are mounted, each as the server has it that it comes from, and as the other one has it.
/// One thread at a time.
template <class Item>
class MountedItems {
 public:
  using Shared = std::shared_ptr<const Item>;
  using Listing = typename features::Registry<Item>::Listing;
  using Step = typename features::Registry<Item>::Step;
  struct Pair {
    Shared theirs;
    Shared ours;
  };
  /// What follows a change: the step of the registry, and what is mounted after it.
  struct Next {
    Step step;
    std::vector<Pair> pairs;
    std::vector<Shared> left_out;  // theirs, whose key somebody else has
    std::uint64_t version = 0;
  };

  bool is_current(std::uint64_t their_version) const { return version_ == their_version; }
  /// Whether one that is free now would be added.
  bool leaves_out() const { return !left_out_.empty(); }
  /// `make(theirs)` makes ours of one, and `refuse(error)` is told why one cannot be had: because that has thrown, or
  /// because `into` has one of this key that does not come from here. Of one that was left out before it is not told.
  template <class Make, class Refuse>
  Next follow(const Listing& theirs, const features::Registry<Item>& into, Make make, Refuse refuse) const;
  void take(Next&& next) {
    pairs_ = std::move(next.pairs);
    left_out_ = std::move(next.left_out);
    version_ = next.version;
  }

 private:
  const Pair* of_key(const std::string& key) const;

  std::vector<Pair> pairs_;
  std::vector<Shared> left_out_;
  std::uint64_t version_ = 0;  // of the list they were made of
};

class Mount;

/// The mounts of one server, for those who have freed a name in it: whoever goes is not followed any more. Thread-safe.
class Followers {
 public:
  void add(Mount& mount);
  void remove(Mount& mount);
  /// What was left out of a list comes if it can now. For whoever has taken something out of the list, before the
  /// clients are told.
  void something_is_free(protocol::Topic topic);

 private:
  Mutex mutex_;  // held while they follow
  std::vector<Mount*> mounts_ TOOLWIRE_GUARDED_BY(mutex_);
};

/// Thread-safe. Belongs to the state of the server that serves what is mounted, which it must not outlive, and keeps
/// that of the other.
class Mount final : public protocol::Service::Listener {
 public:
  /// Throws std::invalid_argument, naming the prefix, if something cannot be mounted; then nothing is.
  static void add(Server::State& into, std::shared_ptr<Server::State> from, const std::string& prefix);

  Mount(Server::State& into, std::shared_ptr<Server::State> from, std::string prefix);
  ~Mount();
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;

  /// Something was taken out of a list here.
  void try_again(protocol::Topic topic);
  /// Something has changed there.
  void tell(const protocol::Change& change) override;
  /// These are of the clients of the other.
  void end_subscriptions() override {}

 private:
  static bool reaches(const Server::State& from, const Server::State& what);
  void begin();
  void take_all() TOOLWIRE_REQUIRES(mutex_);
  void follow(protocol::Topic topic);
  template <class Item, class Refuse>
  typename MountedItems<Item>::Next next_of(const MountedItems<Item>& items, const features::Registry<Item>& theirs,
                                            const features::Registry<Item>& ours, Refuse refuse) const;
  template <class Item>
  void follow(MountedItems<Item>& items, const features::Registry<Item>& theirs, features::Registry<Item>& ours);
  template <class Item>
  void try_again(MountedItems<Item>& items, const features::Registry<Item>& theirs, features::Registry<Item>& ours);
  template <class Item>
  void take_next(MountedItems<Item>& items, const features::Registry<Item>& theirs, features::Registry<Item>& ours);
  void offer_features() const;
  std::string where() const { return "mount \"" + prefix_ + "\": "; }

  Server::State& into_;
  const std::shared_ptr<Server::State> from_;
  const std::string prefix_;
  std::optional<std::list<protocol::Service::Listener*>::iterator> listener_;
  Mutex mutex_;  // held while registries are changed, not while clients are told
  MountedItems<features::ServedTool> tools_ TOOLWIRE_GUARDED_BY(mutex_);
  MountedItems<features::ServedPrompt> prompts_ TOOLWIRE_GUARDED_BY(mutex_);
  MountedItems<features::ServedResource> resources_ TOOLWIRE_GUARDED_BY(mutex_);
  MountedItems<features::ServedTemplate> templates_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::server
