// Questions of a back-end that are with the user: which request waits for which answer, and for how long. Independent
// of what is asked.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::mcp {

class BackRequest;

/// Thread-safe. The user's answers come with a new call of the same tool (or in a second round of the same call); the
/// keys of the questions tell which request they belong to. They cannot be guessed, nor meant for another process.
class OpenQuestions {
 public:
  using Clock = std::chrono::steady_clock;

  OpenQuestions(std::size_t max_open, std::chrono::milliseconds age);

  /// A prefix for the keys of one round of questions; nothing if too many rounds are open.
  std::optional<std::string> open(const std::shared_ptr<BackRequest>& request, Clock::time_point now);

  struct Found {
    bool answered = false;                      // there are answers to questions of some back-end of the bridge …
    std::shared_ptr<BackRequest> request = {};  // … and this request waits for them; null if it is gone or another's
    std::string prefix = {};
  };
  /// The request that waits for one of these answers; it no longer waits afterwards.
  Found take(const JsonObject& answers);

  void close(const std::string& prefix);
  /// Takes out the requests whose answers did not come in time.
  std::vector<std::shared_ptr<BackRequest>> take_old(Clock::time_point now);
  /// Takes out all requests.
  std::vector<std::shared_ptr<BackRequest>> take_all();
  /// When the next one is too late.
  std::optional<Clock::time_point> next() const;

 private:
  struct Entry {
    std::shared_ptr<BackRequest> request;
    Clock::time_point old_at;
  };
  const std::size_t max_open_;
  const std::chrono::milliseconds age_;
  const std::string ours_;
  mutable Mutex mutex_;
  std::map<std::string, Entry, std::less<>> open_ TOOLWIRE_GUARDED_BY(mutex_);  // by prefix
  std::uint64_t serial_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
};

}  // namespace toolwire::bridge::mcp
