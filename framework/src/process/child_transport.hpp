// This process's ends of a program's streams as a transport that another thread can end. Independent of starting and
// stopping the program.
#pragma once

#include <toolwire/transport.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/system/wake_event.hpp>
#include <toolwire/system/watchable.hpp>
#include "toolwire/detail/mutex.hpp"
#include "transport/pollable.hpp"

namespace toolwire::process {

/// Threading as in Transport, `read_at_once` and `try_read` as `read`; `close_output` and `end_input` from any thread.
class ChildTransport final : public Transport, public transport::Lendable, public system::Watchable {
 public:
  /// `in` and `out` are used by nobody else and do not block; `out` is closed where `in` is a socket for both. `exited`
  /// becomes readable when the program has ended, or is -1; it is borrowed. Throws std::system_error.
  ChildTransport(system::FileDescriptor in, system::FileDescriptor out, int exited);

  std::ptrdiff_t read(char* into, std::size_t room) override;
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override;
  void interrupt() override;
  bool input_closed() override;
  Awaited awaited() const override { return {in_.get(), reader_wake_.descriptor(), exited_}; }
  std::ptrdiff_t read_at_once(char* into, std::size_t room) override;
  int input_event() override { return awaited_.get(); }
  std::ptrdiff_t try_read(char* into, std::size_t room) override;
  int output_event() override { return room_.get(); }

  /// End of input for the program; a write that waits returns `peer_gone`.
  void close_output();

  /// The program has ended: reading takes what is available and no longer waits.
  void end_input();

 private:
  enum class Event { none, input, interrupt };
  enum Source : std::uint32_t { from_input, from_interrupt, from_exit };

  void watch(int descriptor, Source source);
  void watch_output(int descriptor, std::uint32_t events);
  Event wait_for_input(int timeout);
  bool wait_for_room() TOOLWIRE_REQUIRES(writing_);
  std::ptrdiff_t read_now(char* into, std::size_t room);
  std::ptrdiff_t write_once(const char* bytes, std::size_t count) const TOOLWIRE_REQUIRES(writing_);

  system::FileDescriptor in_;
  system::FileDescriptor out_ TOOLWIRE_GUARDED_BY(writing_);
  int exited_;
  bool is_socket_;
  system::WakeEvent reader_wake_;
  system::FileDescriptor awaited_;  // epoll: cheaper than to hand the same three to poll(2) before each read
  system::WakeEvent writer_wake_;
  system::FileDescriptor room_;  // epoll of the output, which is closed when another thread may wait for it
  Mutex writing_;
  std::atomic<bool> output_closed_ = false;
  std::atomic<bool> input_ends_ = false;  // only what is available is read
  std::atomic<bool> at_end_ = false;
  std::size_t left_to_read_;  // once input_ends_
};

}  // namespace toolwire::process
