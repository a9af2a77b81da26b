// What a program writes to its standard error: the end of it kept, its lines passed on as they come. Independent of
// programs.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace toolwire::bridge {

/// One thread.
class ErrorLines {
 public:
  using Take = std::function<void(std::string_view line)>;

  /// Keeps the last `kept` bytes. `take` may be empty; long lines come to it in pieces.
  ErrorLines(std::size_t kept, Take take) : kept_(kept), take_(std::move(take)) {}

  void add(std::string_view bytes);
  /// Passes on a last, unfinished line, and nothing after that.
  void finish();
  /// From the beginning of a line, where there is one.
  std::string tail() const;

 private:
  void pass_lines();

  const std::size_t kept_;
  Take take_;
  std::string end_;      // the kept text
  bool is_cut_ = false;  // something before it was dropped
  std::string line_;     // the last one, not yet passed on
};

}  // namespace toolwire::bridge
