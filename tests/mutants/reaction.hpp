// What a fault makes of an event: the changed message, what else is sent, and what happens to the process. Decides;
// moves no bytes.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <vector>

#include "conversation.hpp"
#include "fault.hpp"

namespace mutants {

struct Reaction {
  bool drop = false;
  std::string bytes = {};  // what goes on instead of the line, with its line feed
  std::size_t copies = 1;
  std::chrono::milliseconds delay{0};              // of these bytes alone
  std::string before = {}, after = {};             // to the host
  std::string to_server = {};                      // after the line
  std::vector<toolwire::JsonObject> process = {};  // rules with something for the process to do
};

/// Thread-safe.
class Reactions {
 public:
  explicit Reactions(Fault fault) : fault_(std::move(fault)) {}
  /// Of a line without its line feed.
  Reaction to_line(Direction direction, std::string_view line);
  /// Of "start", "end" or "exit".
  Reaction to_moment(const std::string& kind, Direction direction);
  const Fault& fault() const { return fault_; }

 private:
  Reaction react(Event event);
  void apply(const toolwire::JsonObject& rule, Event& event, Reaction& reaction);

  std::mutex mutex_;
  Fault fault_;
  Conversation conversation_;
  Notes notes_;
};

}  // namespace mutants
