// The back-ends a bindings file names, and the Activities that run there. Keeps servers running while the file changes
// around them. Knows nothing of other kinds of Activity.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/bridge/activity.hpp>

#include "activities/bindings.hpp"
#include "activities/mcp/back_end.hpp"

namespace toolwire::bridge::mcp {

/// Thread-safe. Destruction ends all servers; Activities that are still held fail from then on.
class BackEndPool {
 public:
  /// `log` as BackEndOptions::log.
  explicit BackEndPool(std::function<void(const std::string&)> log) : log_(std::move(log)) {}
  ~BackEndPool() { end(); }
  BackEndPool(const BackEndPool&) = delete;
  BackEndPool& operator=(const BackEndPool&) = delete;

  struct Reading {
    std::vector<std::pair<std::string, ActivityPointer>> activities = {};  // in the order of their names
    std::vector<ManifestProblem> problems = {};                            // if there are any, nothing has changed
  };
  /// Makes the Activities of all bindings of the kind "mcp". A server whose settings are the same as before goes on
  /// running; one that is not named any more is ended when the last Activity that uses it is gone. Starts nothing:
  /// that is left to the first call.
  Reading read(const Bindings& bindings);

  /// The back-ends there are, by name.
  std::map<std::string, std::shared_ptr<BackEnd>> back_ends() const;
  /// Ends all servers, at once.
  void end();

 private:
  struct Entry {
    Json settings;
    std::string directory;
    std::shared_ptr<BackEnd> back_end;
  };
  const std::function<void(const std::string&)> log_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;  // guarded by mutex_
};

}  // namespace toolwire::bridge::mcp
