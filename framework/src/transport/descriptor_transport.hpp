// A pair of descriptors, borrowed or owned, as a transport. Independent of lines; standard input and output have their
// own transport.
#pragma once

#include <toolwire/transport.hpp>

#include <atomic>

#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/system/wake_event.hpp>
#include "transport/descriptor_reader.hpp"
#include "transport/descriptor_writer.hpp"
#include "transport/pollable.hpp"

namespace toolwire::transport {

/// True if `in` has hung up or failed: a poll that does not wait.
bool peer_has_closed(int in);

/// Borrows its descriptors. Threading as in Transport.
class DescriptorTransport : public Transport, public Pollable {
 public:
  /// Throws std::system_error if no event descriptor is left.
  DescriptorTransport(int in, int out);

  std::ptrdiff_t read(char* into, std::size_t room) override;
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override;
  void interrupt() override;
  bool input_closed() override;
  int input_descriptor() const override { return in_; }
  int output_descriptor() const override { return writer_.descriptor(); }
  std::ptrdiff_t read_at_once(char* into, std::size_t room) override;

 private:
  bool wait_for_input();

  int in_;
  system::WakeEvent wake_;
  DescriptorReader reader_at_once_;
  DescriptorWriter writer_;
  std::atomic<bool> ended_ = false;
};

/// The same with descriptors of its own; `out` stays closed where `in` serves both directions.
class OwningDescriptorTransport final : public DescriptorTransport {
 public:
  explicit OwningDescriptorTransport(system::FileDescriptor in, system::FileDescriptor out = {});

 private:
  system::FileDescriptor own_in_;
  system::FileDescriptor own_out_;
};

}  // namespace toolwire::transport
