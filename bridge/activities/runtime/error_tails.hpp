// Assigns what a process writes to its standard error to the one call it can come from, so that the error of a call
// never quotes what another call wrote. Knows calls by number only, and no processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace toolwire::bridge::runtimes {

/// Keeps the last bytes that were written while exactly one call ran, by call, and those written before the first call.
/// What is written while several calls run, or between calls, can come from any of them and is not kept. One thread.
class ErrorTails {
 public:
  using Call = std::uint64_t;

  explicit ErrorTails(std::size_t kept) : kept_(kept) {}

  void begin(Call call);
  /// Forgets what the call wrote. Unknown calls are ignored.
  void end(Call call);
  void add(std::string_view bytes);

  /// What the call wrote, from the beginning of a line where there is one.
  std::string of(Call call) const;
  /// What was written before the first call, for the error of a failed start; nothing once a call has begun.
  std::string before_calls() const { return before_.whole_lines(); }
  /// Whether something was written while this call ran beside others.
  bool has_unattributed(Call call) const;

 private:
  struct Tail {
    std::string text = {};
    bool is_cut = false;
    bool has_unattributed = false;

    void add(std::string_view bytes, std::size_t kept);
    std::string whole_lines() const;
  };

  const std::size_t kept_;
  Tail before_;
  bool has_begun_ = false;
  std::map<Call, Tail> running_;
};

}  // namespace toolwire::bridge::runtimes
