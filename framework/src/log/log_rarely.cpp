#include <toolwire/system/log_line.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "log/log.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds pause{10};
constexpr std::size_t most_texts = 100;

/// What was said when, and how often it was not said since then.
class Said {
 public:
  /// How often this was kept back before; -1: it is kept back now, too.
  std::ptrdiff_t take(std::string_view text, Clock::time_point now) {
    const MutexLock lock(mutex_);
    const auto found = texts_.find(text);
    if (found == texts_.end()) {
      if (texts_.size() >= most_texts) texts_.clear();
      texts_.emplace(text, Entry{.at = now});
      return 0;
    }
    if (now - found->second.at >= pause) return std::exchange(found->second, {.at = now}).kept_back;
    ++found->second.kept_back;
    return -1;
  }

 private:
  struct Entry {
    Clock::time_point at = {};
    std::ptrdiff_t kept_back = 0;
  };

  Mutex mutex_;
  std::map<std::string, Entry, std::less<>> texts_ TOOLWIRE_GUARDED_BY(mutex_);
};

Said& said() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): it has to outlive every thread
  static Said& the_said = *new Said;
  return the_said;
}

}  // namespace

void log_rarely(LogLevel level, std::string_view text) noexcept {
  try {
    const std::ptrdiff_t before = said().take(text, Clock::now());
    if (before < 0) return;
    process::log(level, before == 0 ? std::string(text)
                                    : std::string(text) + " (and " + std::to_string(before) +
                                          " times since this was said last)");
  } catch (...) {  // out of memory
  }
}

}  // namespace toolwire
