// What the calling thread works on at the moment: for messages that name it, and for the line that a crash leaves.
// Independent of what a call is.
#pragma once

#include <cstdint>
#include <string_view>

namespace toolwire::system {

/// The texts live as long as it is the current one.
struct CurrentCall {
  std::string_view kind;         // "tool", "prompt", "resource", "list"
  std::string_view name;         // of the tool or prompt, URI of the resource
  std::string_view request;      // the id as JSON
  std::uint64_t connection = 0;  // counted from 1
};

/// Null while it works on none. May be called in a signal handler.
const CurrentCall* current_call() noexcept;

/// Makes a call the current one of this thread until it is destroyed; then it is the one before.
class CallScope {
 public:
  explicit CallScope(CurrentCall call) noexcept;
  ~CallScope();
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  const CurrentCall call_;
  const CurrentCall* const before_;
};

}  // namespace toolwire::system
