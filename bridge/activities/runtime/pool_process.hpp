// One process of a pool from its start to its end: its listing, checks while it is idle, an orderly end or a kill.
// Independent of the other processes; passes calls through.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <toolwire/detail/event_loop.hpp>
#include "activities/runtime/child.hpp"
#include "activities/runtime/error_tails.hpp"
#include "activities/runtime/listing.hpp"
#include "activities/runtime/options.hpp"
#include "activities/runtime/wire.hpp"

namespace toolwire::bridge::runtimes {

/// How a process ended.
struct ProcessEnding {
  std::string reason = {};
  bool is_planned = false;    // it was asked to end
  bool is_to_blame = true;    // it ended by itself, or was killed for something it did
  std::string at_start = {};  // what it wrote before its first call
  std::function<std::string(std::uint64_t call)> said_by = [](std::uint64_t) { return std::string(); };
};

/// Called with the events of a process, on the loop's thread.
struct ProcessEvents {
  std::function<void()> ready = {};    ///< It has answered all it was asked: at its start, and after each look.
  std::function<void()> leaving = {};  ///< It is being ended and gets no more calls.
  std::function<void(RuntimeListing&&)> listed = {};
  std::function<void(RuntimeMessage&&)> answered = {};  ///< A call.
  std::function<void(const RuntimeMessage&)> progressed = {};
  std::function<void(std::string_view line)> said = {};  ///< Of its standard error.
  std::function<bool()> has_calls = {};                  ///< Whether it runs any.
  /// The last event. The process must not be destroyed in it.
  std::function<void(ProcessEnding&&)> gone = {};
};

/// On the loop's thread only.
class PoolProcess {
 public:
  /// Starts it, and asks for its tools if they are not known. `last_id` numbers all that is sent. What is referred to
  /// outlives it. Throws as `spawn`.
  PoolProcess(EventLoop& loop, const RuntimeOptions& options, std::uint64_t& last_id, bool wants_listing,
              ProcessEvents events);
  PoolProcess(const PoolProcess&) = delete;
  PoolProcess& operator=(const PoolProcess&) = delete;

  /// The line of a call, or of a batch.
  void begin(std::uint64_t call, std::string_view line);
  /// Lines about calls that have begun.
  void send(std::string_view lines) { child_.send(lines); }
  /// Kills it. The first reason counts.
  void end(std::string reason, bool is_to_blame);
  /// Asks an idle process to end by itself. If it does not in time, it is killed.
  void say_goodbye();
  /// Bytes; 0 if that is not known.
  std::uint64_t memory() const { return child_.memory(); }
  /// Whether it is being ended.
  bool is_leaving() const { return ending_.has_value(); }

 private:
  void ask(std::string method, std::string_view params = "{}");
  void take_line(std::string_view line);
  void tell_stray(std::string_view line);
  void take_own_answer(RuntimeMessage&& message);
  void begin_looking();
  void look_after();
  void set_timer(std::chrono::milliseconds after, EventLoop::Job job);
  void stop_timer();
  void take_end(const std::string& how);

  EventLoop& loop_;
  const RuntimeOptions& options_;
  std::uint64_t& last_id_;
  const ProcessEvents events_;
  std::map<std::uint64_t, std::string> asked_ = {};  // requests of ours that are not calls, by id: their methods
  std::optional<EventLoop::Timer> timer_ = {};       // of the start, the next look, the answer to a ping, the end
  std::optional<ProcessEnding> ending_ = {};         // why it is being ended; nothing: it is not
  ErrorTails errors_;
  RuntimeChild child_;  // the last member: its events use the others
};

}  // namespace toolwire::bridge::runtimes
