// Tools of other languages put into a bridge: a pool for each entry of "runtimes", and what it lists. Reads no files.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <toolwire/bridge/bridge.hpp>

#include "activities/bindings.hpp"
#include "activities/runtime/pool.hpp"
#include "confinement/confined.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// One thread at a time, while pools list their tools on theirs. The bridge must outlive it; destruction ends all
/// processes.
class ServedRuntimes {
 public:
  using Problem = std::function<void(const std::string&)>;
  /// Whether the user wants a tool; changes it to what the user wants. Throws std::invalid_argument if it cannot be so.
  using IsEnabled = std::function<bool(ToolDefinition&)>;

  /// The pools work on the engine.
  ServedRuntimes(Bridge& bridge, std::shared_ptr<Engine> engine, Problem problem);
  ~ServedRuntimes();
  ServedRuntimes(const ServedRuntimes&) = delete;
  ServedRuntimes& operator=(const ServedRuntimes&) = delete;

  /// Has one process of each pool started. Pools whose settings have not changed stay; the others finish their calls.
  /// The first of two entries of one name counts.
  void apply(const std::vector<const Bindings*>& all, IsEnabled is_enabled);

  /// Offers what is known. A tool whose name one of another source has is left to that: a binding may lead it here.
  void offer();
  /// Until all have listed their tools or failed to.
  void wait_for_tools(std::chrono::milliseconds time);

  std::vector<ConfinedProgram> programs() const;

  /// What has happened to each so far, by name. From any thread.
  std::map<std::string, runtimes::PoolState> states() const;

  bool are_there() const {
    const MutexLock lock(mutex_);
    return !entries_.empty();
  }

  /// Null if there is none.
  std::shared_ptr<runtimes::RuntimePool> find(const std::string& name) const;

 private:
  struct Entry {
    Json settings = {};
    std::string directory = {};
    std::shared_ptr<runtimes::RuntimePool> pool = {};
    runtimes::RuntimeListing listing = {};  // the last
    std::vector<std::string> activities = {};
    std::set<std::string> said = {};  // what the log was told once: of schemas, and of names that others have
  };

  std::shared_ptr<runtimes::RuntimePool> make(const std::string& name, const Json& settings, const Bindings& bindings);
  void take(const runtimes::RuntimePool* pool, const runtimes::RuntimeListing& listing);
  void offer(const std::string& name, Entry& entry) TOOLWIRE_REQUIRES(mutex_);
  static std::string tools_of(const Entry& entry);
  void say_who_has_the_name(const std::string& name, Entry& entry, const std::string& tool, const std::string& provider)
      TOOLWIRE_REQUIRES(mutex_);
  void say_what_is_left(const std::string& name, Entry& entry, const RegisteredTool& tool) TOOLWIRE_REQUIRES(mutex_);
  void withdraw(const std::string& name, Entry& entry);

  Bridge& bridge_;
  const std::shared_ptr<Engine> engine_;
  const Problem problem_;
  mutable Mutex mutex_;
  IsEnabled is_enabled_ TOOLWIRE_GUARDED_BY(mutex_);
  std::map<std::string, Entry> entries_ TOOLWIRE_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<runtimes::RuntimePool>> retired_ TOOLWIRE_GUARDED_BY(mutex_);
  bool is_over_ TOOLWIRE_GUARDED_BY(mutex_) = false;
};

}  // namespace toolwire::bridge
