// Standard input and output of this process as the protocol's stream, hidden from all other code in the process.
// Independent of lines.
#pragma once

#include <sys/types.h>

#include <toolwire/transport.hpp>

#include <atomic>
#include <cstddef>

#include "transport/descriptor_reader.hpp"
#include "transport/descriptor_writer.hpp"
#include "transport/pollable.hpp"
#include "transport/protocol_streams.hpp"

namespace toolwire::transport {

/// Reads with a plain blocking read(2), nothing else: the fastest way there is. `interrupt` breaks that off with
/// SIGURG (by default ignored by the system, and otherwise unused), for which an empty handler is installed. SIGPIPE
/// gets an empty handler too unless it has one or is ignored: unlike SIG_IGN that is not inherited by programs the
/// tools start. `read` may report a spurious interrupt when any other signal is handled. Threading as in Transport;
/// one per process.
class StdioTransport final : public Transport, public Pollable {
 public:
  /// Takes the standard streams. Throws std::system_error.
  StdioTransport();
  /// For streams taken before.
  explicit StdioTransport(ProtocolStreams streams);

  std::ptrdiff_t read(char* into, std::size_t room) override;
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override;
  void interrupt() override;
  bool input_closed() override;
  int input_descriptor() const override { return streams_.in.get(); }
  int output_descriptor() const override { return streams_.out.get(); }
  std::ptrdiff_t read_at_once(char* into, std::size_t room) override;
  /// As that of DescriptorWriter. Any thread.
  int write_error() const { return writer_.error(); }
  /// As that of DescriptorReader. Any thread.
  int read_error() const { return read_error_; }

 private:
  ProtocolStreams streams_;
  DescriptorReader reader_at_once_;
  DescriptorWriter writer_;
  std::atomic<pid_t> reader_ = 0;  // the thread that is inside read(2), or about to be
  std::atomic<bool> ended_ = false;
  std::atomic<int> read_error_ = 0;
};

}  // namespace toolwire::transport
