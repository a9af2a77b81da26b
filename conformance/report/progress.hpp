// The progress line while checks run, for terminals only. Of a finding it shows only the verdict.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "catalogue/verdict.hpp"

namespace toolwire::conformance {

/// Not thread-safe. Erases its line when it ends. Writes to standard error.
class Progress {
 public:
  explicit Progress(bool shown) : shown_(shown) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { erase(); }

  void say(const std::string& text);
  void count(const Finding& finding);
  void erase();

 private:
  const bool shown_;
  bool written_ = false;
  std::size_t done_ = 0, failed_ = 0;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace toolwire::conformance
