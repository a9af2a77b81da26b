// How messages get to a server and back, whatever carries them: lines over pipes, or HTTP. It does not interpret them.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "driver/recording.hpp"

namespace toolwire::conformance {

/// Not thread-safe: one thread per connection.
class Connection {
 public:
  /// A message of the server as it came; `whole`: nothing of it is missing.
  using Line = std::function<void(std::string_view line, bool whole)>;

  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  /// Queues messages, each ended by a line feed; `pump` sends them.
  virtual void write(std::string_view bytes) = 0;
  /// Moves bytes until `done` says so, `until` is reached, or nothing can come any more. Returns what `done` said last;
  /// a wait that ends because `until` was reached counts as unmet. Throws RunEnded once the run is to end.
  bool pump(Clock::time_point until, const std::function<bool()>& done);
  bool pump(std::chrono::milliseconds time, const std::function<bool()>& done) {
    return pump(Clock::now() + time, done);
  }
  /// Moves bytes for a while; nothing in particular is waited for.
  void listen(std::chrono::milliseconds time);
  /// How many waits ended because their time was up.
  std::size_t unmet_waits() const { return unmet_waits_; }

  /// Whether nothing can come any more.
  virtual bool output_ended() const = 0;
  /// Whether the other side is gone: no message should be sent any more.
  virtual bool has_ended() { return output_ended(); }
  /// Whether something was done that servers may end of.
  virtual bool end_expected() const = 0;
  /// Reads nothing more.
  virtual void close_output() = 0;
  virtual std::size_t output_size() const = 0;
  /// Why the request with this id (as JSON text) gets no response any more, where that is known.
  virtual std::optional<std::string> refusal_of(const std::string&) const { return std::nullopt; }

  Recording& recording() { return recording_; }
  const Recording& recording() const { return recording_; }

 private:
  /// Waits so long for bytes or the end, once. False: nothing can come any more.
  virtual bool move_what_comes(std::chrono::milliseconds time) = 0;
  bool move_bytes(Clock::time_point until, const std::function<bool()>& done);

  Recording recording_;
  std::size_t unmet_waits_ = 0;
};

}  // namespace toolwire::conformance
