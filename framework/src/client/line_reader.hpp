// Reads the lines of a transport: on threads of an engine, or on a thread of its own that may lend the transport to
// one. Knows nothing of what the lines say.
#pragma once

#include <toolwire/engine.hpp>
#include <toolwire/transport.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "engine/guests.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/system/watchable.hpp"
#include "transport/line_splitter.hpp"
#include "transport/pollable.hpp"

namespace toolwire::client {

/// Thread-safe. Begins to read when it is made.
class LineReader : private engine::Guest {
 public:
  using Line = transport::LineSplitter::Line;

  /// Called on the thread that reads, one at a time.
  struct Steps {
    std::function<void(const Line&)> take;
    /// Once, after the last line, unless an engine reads and `stop` comes before. `failure`: what went wrong if reading
    /// or `take` threw, else empty.
    std::function<void(const std::string& failure)> ended;
    /// Whether somebody waits for a line; from any thread.
    std::function<bool()> expects_something;
  };

  /// Who reads beside a thread of the reader's own.
  struct Readers {
    std::shared_ptr<Engine> engine = {};  // in place of a thread, if the transport is Watchable
    bool lends = false;                   // else: the engine of the process, if the transport is Lendable
  };

  /// `max_line` in bytes.
  LineReader(Transport& transport, std::size_t max_line, const Readers& readers, Steps steps);
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;
  ~LineReader() override { stop(); }

  /// From now on somebody waits for a line.
  void expect();

  /// Makes the reader's own thread look for the end of input, and waits for it at most this long.
  void await_end(std::chrono::milliseconds longest);

  /// Takes no more lines, and waits until reading has ended. Not from inside a step.
  void stop();

 private:
  void read_on_engine(Engine& engine);
  void read_ready();
  bool read_what_is_there();
  void end_reading(const std::string& failure);
  void stop_on_engine();
  void run();
  void read_lines();
  bool read_some();
  void take_lines();
  void lend();
  void recall();
  bool read_along() override;
  bool expects_something() const override { return steps_.expects_something(); }

  Transport& transport_;
  const Steps steps_;
  const std::size_t max_line_;
  system::Watchable* const watchable_;            // the transport, if an engine reads it
  transport::Lendable* const lendable_;           // the transport, if its input is to be lent
  std::optional<transport::LineSplitter> lines_;  // this and the next are used by whoever reads
  std::string failure_;                           // while another thread read
  std::atomic<bool> stopping_ = false;
  Mutex mutex_;
  ConditionVariable gone_;
  bool reading_ TOOLWIRE_GUARDED_BY(mutex_) = true;
  std::thread thread_ TOOLWIRE_GUARDED_BY(mutex_);
  bool is_watched_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // by an engine, as is the next
  Engine::Watch input_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::client
