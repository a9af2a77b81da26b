// A transport that needs no thread which reads it: who uses it waits for a descriptor, among others.
#pragma once

#include <cstddef>

namespace toolwire::system {

/// What such a transport is beside a Transport. Its descriptors stay the same, and open, as long as it lives, and serve
/// for waiting alone. Once, before it is read for the first time, its reader decides between these and
/// Transport::read.
class Watchable {
 public:
  virtual ~Watchable() = default;

  /// Readable while `try_read` would return anything but Transport::interrupted, until it has returned
  /// Transport::end_of_input. May be readable too often.
  virtual int input_event() = 0;
  /// As Transport::read, but without waiting: Transport::interrupted also if nothing is there.
  virtual std::ptrdiff_t try_read(char* into, std::size_t room) = 0;
  /// Readable while Transport::write without waiting would take something, or the other side is gone. -1: nobody
  /// tells.
  virtual int output_event() = 0;
};

}  // namespace toolwire::system
