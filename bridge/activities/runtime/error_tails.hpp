// What a process writes to its standard error, given to the one call it can be of: an error of a call never quotes what
// another call said. Decides only; knows neither processes nor calls but by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace toolwire::bridge::runtimes {

/// The last bytes of what was said while exactly one call ran, by call; and, until the first begins, of what was said
/// before. What is said while several run, or between calls, can be of any of them and is kept for none. One thread.
class ErrorTails {
 public:
  using Call = std::uint64_t;

  explicit ErrorTails(std::size_t kept) : kept_(kept) {}

  void begin(Call call);
  /// What it said is forgotten. Calls that are not known are ignored.
  void end(Call call);
  void add(std::string_view bytes);

  /// From the beginning of a line, where there is one.
  std::string of(Call call) const;
  /// Of a start that fails: nothing once a call has begun.
  std::string before_calls() const { return before_.whole_lines(); }
  /// Whether something was said while this call ran beside others.
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
