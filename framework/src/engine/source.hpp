// What an engine reads: the stream of one peer. Independent of what is read.
#pragma once

namespace toolwire::engine {

/// Read by one thread at a time. `interrupt`, `input_closed`, `all_answered` and `cancel_all` come from any thread.
class Source {
 public:
  enum class Outcome {
    more,     ///< something was read and handled
    nothing,  ///< an interrupt, or there was nothing to read
    rest,     ///< nothing can be read for now, though something is there: to be tried again in a moment
    large,    ///< a message is so large that handling it takes its time: `go_on` does that, on whatever thread
    ended     ///< there will be no more
  };

  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  /// Reads once, waits for that, and handles the messages. Calls Channel::turn_begins between the two.
  virtual Outcome wait_and_read() = 0;
  /// The same where something is said to be there; must not wait.
  virtual Outcome read_at_once() = 0;
  /// Handles the large message, and those that were read after it; never `nothing`.
  virtual Outcome go_on() = 0;

  /// What to wait for: a descriptor to read from, and one to write to. Negative: it cannot be waited for together with
  /// others, and `read_at_once` is never called.
  virtual int input_descriptor() const = 0;
  virtual int output_descriptor() const = 0;

  /// Makes a `wait_and_read` that waits at this moment return; may miss one that is about to wait.
  virtual void interrupt() = 0;
  /// The peer sends no more; what it has sent may still have to be read. Asked only where there is no descriptor.
  virtual bool input_closed() = 0;
  /// No accepted request waits for its answer.
  virtual bool all_answered() = 0;
  /// The engine is to stop, but not yet: whoever can go elsewhere may be told. From any thread.
  virtual void give_notice() {}
  /// Nothing will be read any more, because the engine is to stop: what can only end with the peer's help ends now.
  /// From any thread.
  virtual void stop_reading() {}
  /// Cancels what is in flight.
  virtual void cancel_all() = 0;
  /// The channel is over, and no thread of the engine uses it any more. The last that is called.
  virtual void over() {}
};

}  // namespace toolwire::engine
