// Ends a program that takes too long, and everything that it has started, also when this process is asked to end.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>
#include <toolwire/child_process.hpp>
#include <toolwire/system/end_by_signal.hpp>

namespace toolwire::install {

/// Somebody asks this process to end, by Ctrl-C, SIGTERM or the end of the terminal.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

/// Blocks these signals in its thread while it lives: all other threads have to be started meanwhile, or to have them
/// blocked. The program must outlive it. One that comes before the guard is there leaves the program behind: hold them
/// (EndingSignalsHeld) while it is started.
class ProgramGuard {
 public:
  ProgramGuard(ChildProcess& process, std::chrono::milliseconds limit);
  ProgramGuard(const ProgramGuard&) = delete;
  ProgramGuard& operator=(const ProgramGuard&) = delete;
  ~ProgramGuard();

  [[nodiscard]] bool is_late() const { return is_late_; }  ///< It was ended, because its time was over.
  [[nodiscard]] bool is_interrupted() const { return is_interrupted_; }

 private:
  std::atomic<bool> is_late_ = false;
  std::atomic<bool> is_interrupted_ = false;
  const system::EndingSignalsHeld held_ = {};  ///< Before any thread is started.
  std::optional<system::EndBySignal> signal_ = {};
  std::jthread clock_ = {};
};

}  // namespace toolwire::install
