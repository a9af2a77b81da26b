// Transports that can be waited for together with others, and read without waiting.
#pragma once

#include <array>
#include <cstddef>

namespace toolwire::transport {

/// A transport that waits for one descriptor only, and writes to one.
class Pollable {
 public:
  virtual ~Pollable() = default;
  virtual int input_descriptor() const = 0;
  virtual int output_descriptor() const = 0;
  /// As Transport::read, but without waiting: Transport::interrupted if nothing is there.
  virtual std::ptrdiff_t read_at_once(char* into, std::size_t room) = 0;
};

/// A transport that can be lent to whoever waits anyway.
class Lendable {
 public:
  using Awaited = std::array<int, 3>;
  virtual ~Lendable() = default;
  /// One of these is readable when there is something to read, or when a waiting `read` would end for another reason.
  /// Negative: none.
  virtual Awaited awaited() const = 0;
  /// Reads what is there; 0 if nothing is, or if only Transport::read can tell what is wrong.
  virtual std::ptrdiff_t read_at_once(char* into, std::size_t room) = 0;
};

}  // namespace toolwire::transport
