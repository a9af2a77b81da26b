// Inputs that a thread which waits for its own input reads along with it. Where an input has a thread of its own, every
// message costs a switch to that thread, and another on the thread's way back to its wait. Knows nothing of what is
// read.
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
  /// One of these is readable when there is something to read, or a `read` that waits would end otherwise. Negative:
  /// none.
  virtual Awaited awaited() const = 0;
  /// What is there; 0 where only Transport::read can tell what is wrong, or nothing is there.
  virtual std::ptrdiff_t read_at_once(char* into, std::size_t room) = 0;
};

/// Thread-safe, each function for one of two sides. Inputs belong to a thread of their own, which lends them as long as
/// somebody reads along, and gets them back for all that is out of the ordinary: the end, an interrupt, a reader that
/// is stuck in what came before. So nothing depends on anybody reading along.
class ReadAlong {
 public:
  /// An input to be lent.
  class Input {
   public:
    virtual ~Input() = default;
    /// Reads what is there and deals with it, without waiting; false if the input's own thread has to look.
    virtual bool read_along() = 0;
    /// Whether something is to come that somebody waits for.
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

  /// Called by the input's own thread; returns when the input is that thread's alone again, at once if nobody reads
  /// along, or all is quiet.
  void lend(Input& input, const ReadableAtOnce::Awaited& awaited);
  /// Makes `lend` return.
  void recall(const Input& input);
  /// The same if the input is not waited for at this moment, since nothing was expected of it. Called once something
  /// is: from then on it is waited for, by whom ever.
  void expect(const Input& input) {
    if (alone_) recall(input);
  }

  // The side of the thread that waits:

  bool is_wished_for() const { return wishes_.load(std::memory_order_relaxed) > 0; }
  /// Reads along from now on. False if somebody does already, or `own` is nothing that can be waited for, as a file.
  bool begin(int own);
  /// Gives all inputs back, and interrupts a wait. Only after a `begin` that succeeded; from any thread.
  void end();
  /// Nothing is expected of any input that is lent, so that the next wait may be for the own input alone, which is
  /// cheaper: what comes unasked for waits for a `wait`, which is due after some turns in any case, or until all is
  /// quiet. Of the thread that waits, as the next.
  bool may_wait_alone();
  void not_alone();
  /// All is quiet: gives all inputs back, and no more are lent before `not_alone`. From any thread.
  void quiet();
  /// Waits for the own input, another or an interrupt. One thread at a time.
  Ready wait();
  /// Has the input read that `wait` has named. Another thread may wait meanwhile.
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
    std::mutex reading;  // held by who reads it along
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
  unsigned turns_alone_ = 0;  // of the thread that waits
  std::atomic<bool> quiet_ = false;
  std::atomic<bool> waits_ = false;
  std::mutex mutex_;
  std::condition_variable given_back_;
  int own_ = -1;
  std::uint64_t last_id_;
  std::vector<std::shared_ptr<Lent>> lent_;
};

}  // namespace toolwire::transport
