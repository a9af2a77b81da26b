// Rounds of a test that looks for races: how many, from which seed, and an end with a message when one of them hangs.
// TOOLWIRE_STRESS_SEED and TOOLWIRE_STRESS_ROUNDS choose others.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>

namespace toolwire_test {

/// Random numbers of one thread of one round.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}
  /// 0 to `most`, both included.
  std::uint64_t up_to(std::uint64_t most) { return std::uniform_int_distribution<std::uint64_t>(0, most)(engine_); }
  bool one_in(std::uint64_t many) { return up_to(many - 1) == 0; }
  /// Usually none, sometimes long enough for the engine to consider a thread stuck.
  std::uint64_t micros() {
    switch (up_to(7)) {
      case 0:
        return 1000 + up_to(4000);
      case 1:
      case 2:
        return up_to(500);
      default:
        return 0;
    }
  }

 private:
  std::mt19937_64 engine_;
};

inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : std::strtoull(text, nullptr, 10);
}

inline std::uint64_t stress_seed() { return number_from_environment("TOOLWIRE_STRESS_SEED", 20261122); }
inline std::uint64_t stress_rounds(std::uint64_t otherwise) {
  return number_from_environment("TOOLWIRE_STRESS_ROUNDS", otherwise);
}

/// Ends the process with a message that says what hangs, unless it is destroyed before. Its time limit only ends tests
/// that fail.
class Watchdog {
 public:
  explicit Watchdog(std::string what)
      : what_(std::move(what)), thread_([this] {
          std::unique_lock lock(mutex_);
          if (changed_.wait_for(lock, std::chrono::seconds(40), [this] { return over_; })) return;
          std::fprintf(stderr, "this does not end: %s\n", what_.c_str());
          std::_Exit(1);  // Boost.Test would continue after a signal
        }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  const std::string what_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace toolwire_test
