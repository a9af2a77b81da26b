// A connection that is recorded: a Transport around a Transport, so that nothing else knows of it.
#pragma once

#include <cstddef>

#include "server/trace_file.hpp"
#include "toolwire/transport.hpp"

namespace toolwire::server {

/// Passes everything on unchanged and records it. Threading as in Transport. Both must outlive it.
class Trace final : public Transport {
 public:
  Trace(Transport& traced, TraceFile& file) : traced_(traced), file_(file) {}

  std::ptrdiff_t read(char* into, std::size_t room) override;
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override;
  void interrupt() override { traced_.interrupt(); }
  bool input_closed() override { return traced_.input_closed(); }

 private:
  Transport& traced_;
  TraceFile& file_;
  std::size_t ahead_ = 0;  // bytes that are recorded but were not accepted yet: the next to be written
};

}  // namespace toolwire::server
