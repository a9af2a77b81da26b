// Lets a thread that waits for its own input read other inputs as well. Where an input has a thread of its own, every
// message costs a switch to that thread and another back. Independent of what is read.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/system/wake_event.hpp>

namespace toolwire::transport {

/// A transport that waits for one descriptor only.
class WaitsForDescriptor {
 public:
  virtual ~WaitsForDescriptor() = default;
  virtual int awaited_descriptor() const = 0;
};

/// A transport that can be read without waiting.
class ReadableAtOnce {
 public:
  using Awaited = std::array<int, 3>;
  virtual ~ReadableAtOnce() = default;
  /// One of these is readable when there is something to read, or when a waiting `read` would end for another reason.
  /// Negative: none.
  virtual Awaited awaited() const = 0;
  /// Reads what is there; 0 if nothing is, or if only Transport::read can tell what is wrong.
  virtual std::ptrdiff_t read_at_once(char* into, std::size_t room) = 0;
};

/// Thread-safe; each function is for one of two sides. An input belongs to a thread of its own, which lends it as long
/// as somebody reads along, and gets it back for everything out of the ordinary: the end, an interrupt, a reader that
/// is stuck in an earlier message. So nothing depends on anybody reading along.
class ReadAlong {
 public:
  /// An input to be lent.
  class Input {
   public:
    virtual ~Input() = default;
    /// Reads what is there and handles it, without waiting; false if the input's own thread has to take over.
    virtual bool read_along() = 0;
    /// Whether somebody waits for something from this input.
    virtual bool expects_something() const = 0;
  };
  struct Ready {
    enum class What { own, other, interrupted };
    What what = What::interrupted;
    std::uint64_t which = 0;  // of the others
  };

  /// Throws std::system_error if descriptors have run out.
  ReadAlong();

  /// The one of this process, which has one standard input.
  static ReadAlong& of_process();

  // The side of inputs:

  /// While one lives there is an input to be lent, now or later.
  class Wish {
   public:
    explicit Wish(ReadAlong& along) : along_{along} { ++along_.wishes_; }
    Wish(const Wish&) = delete;
    Wish& operator=(const Wish&) = delete;
    ~Wish() { --along_.wishes_; }

   private:
    ReadAlong& along_;
  };

  /// Called by the input's own thread; returns when the input belongs to that thread alone again: at once if nobody
  /// reads along, or after `quiet`.
  void lend(Input& input, const ReadableAtOnce::Awaited& awaited);
  /// Makes `lend` return.
  void recall(const Input& input);
  /// To be called when something is expected of the input from now on. If the input is not being waited for, because
  /// nothing was expected of it before, makes `lend` return, so that its own thread waits for it.
  void expect(const Input& input) {
    if (alone_) recall(input);
  }

  // The side of the thread that waits:

  bool is_wished_for() const { return wishes_.load(std::memory_order_relaxed) > 0; }
  /// Reads along from now on. False if somebody does already, or `own` cannot be waited for (a file, for example).
  bool begin(int own);
  /// Gives all inputs back, and interrupts a wait. Only after a `begin` that succeeded; from any thread.
  void end();
  /// Whether the next wait may be for the own input alone, which is cheaper: nothing is expected of any input that is
  /// lent. What comes unexpectedly waits for the next `wait`, which is due after some turns in any case, or for
  /// `quiet`. For the thread that waits, as the next functions.
  bool may_wait_alone();
  void not_alone();
  /// Called when nothing has come for a while: gives all inputs back, and none is lent before `not_alone`. From any
  /// thread.
  void quiet();
  /// Waits for the own input, another or an interrupt. One thread at a time.
  Ready wait();
  /// Reads the input that `wait` has named. Another thread may wait meanwhile.
  void read(std::uint64_t which);
  void interrupt() const { wake_.set(); }

 private:
  struct Lent {
    Lent(Input& what, const ReadableAtOnce::Awaited& where, std::uint64_t number)
        : input{what}, awaited{where}, id{number} {}
    Input& input;
    const ReadableAtOnce::Awaited awaited;
    const std::uint64_t id;
    bool out = true;     // guarded by mutex_
    std::mutex reading;  // held by whoever reads it along
  };

  bool watch(int descriptor, std::uint64_t id) const;
  void forget(int descriptor) const;
  bool watch(const Lent& lent) const;
  void give_back(Lent& lent);
  void give_all_back();

  const system::WakeEvent wake_;
  const system::FileDescriptor awaited_;
  std::atomic<int> wishes_ = 0;
  std::atomic<bool> on_ = false;  // written with mutex_ held
  std::atomic<bool> alone_ = false;
  unsigned turns_alone_ = 0;  // used by the thread that waits
  std::atomic<bool> quiet_ = false;
  std::atomic<bool> waits_ = false;
  std::mutex mutex_;
  std::condition_variable given_back_;
  int own_ = -1;
  std::uint64_t last_id_;
  std::vector<std::shared_ptr<Lent>> lent_;
};

}  // namespace toolwire::transport
