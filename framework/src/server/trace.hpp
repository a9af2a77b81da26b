// A connection that is recorded: a Transport around a Transport, so that nothing else knows of it.
#pragma once

#include <cstddef>

#include "server/trace_file.hpp"
#include "toolwire/transport.hpp"
#include "transport/pollable.hpp"

namespace toolwire::server {

/// Passes everything on unchanged and records it. Threading as in Transport. Both must outlive it.
class Trace final : public Transport, public transport::Pollable {
 public:
  Trace(Transport& traced, TraceFile& file)
      : traced_(traced), pollable_(dynamic_cast<transport::Pollable*>(&traced)), file_(file) {}

  std::ptrdiff_t read(char* into, std::size_t room) override;
  std::ptrdiff_t read_at_once(char* into, std::size_t room) override;
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override;
  void interrupt() override { traced_.interrupt(); }
  bool input_closed() override { return traced_.input_closed(); }
  int input_descriptor() const override { return pollable_ == nullptr ? -1 : pollable_->input_descriptor(); }
  int output_descriptor() const override { return pollable_ == nullptr ? -1 : pollable_->output_descriptor(); }

 private:
  std::ptrdiff_t recorded(const char* bytes, std::ptrdiff_t count);

  Transport& traced_;
  transport::Pollable* const pollable_;  // the same, if it can be waited for together with others
  TraceFile& file_;
  std::size_t ahead_ = 0;  // bytes that are recorded but were not accepted yet: the next to be written
};

}  // namespace toolwire::server
