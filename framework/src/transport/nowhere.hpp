// The transport of a channel that writes nothing and is not read: one that accepts clients, or that others share.
#pragma once

#include <cstddef>

#include "toolwire/transport.hpp"

namespace toolwire::transport {

class Nowhere final : public Transport {
 public:
  std::ptrdiff_t read(char*, std::size_t) override { return end_of_input; }
  std::ptrdiff_t write(const char*, std::size_t, Blocking) override { return peer_gone; }
  void interrupt() override {}
  bool input_closed() override { return true; }
};

}  // namespace toolwire::transport
