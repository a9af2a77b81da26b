// A pair of descriptors, borrowed or owned, as a transport.
// Knows nothing of lines; standard input and output have their own transport.
#pragma once

#include <toolwire/transport.hpp>

#include <atomic>

#include "transport/descriptor_writer.hpp"
#include "transport/file_descriptor.hpp"
#include "transport/read_along.hpp"
#include "transport/wake_event.hpp"

namespace toolwire::transport {

/// True if `in` has hung up or failed: a poll that does not wait.
bool peer_has_closed(int in);

/// Borrows its descriptors. Threading as in Transport.
class DescriptorTransport : public Transport, public WaitsForDescriptor {
 public:
  /// Throws std::system_error if no event descriptor is left.
  DescriptorTransport(int in, int out);

  std::ptrdiff_t read(char* into, std::size_t room) override;
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override;
  void interrupt() override;
  bool input_closed() override;
  int awaited_descriptor() const override { return in_; }

 private:
  bool wait_for_input();

  int in_;
  WakeEvent wake_;
  DescriptorWriter writer_;
  std::atomic<bool> ended_ = false;
};

/// The same with descriptors of its own; `out` stays closed where `in` serves both directions.
class OwningDescriptorTransport final : public DescriptorTransport {
 public:
  explicit OwningDescriptorTransport(FileDescriptor in, FileDescriptor out = {});

 private:
  FileDescriptor own_in_;
  FileDescriptor own_out_;
};

}  // namespace toolwire::transport
