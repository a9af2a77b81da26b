#include "server/trace.hpp"

#include <algorithm>

namespace toolwire::server {

std::ptrdiff_t Trace::recorded(const char* bytes, std::ptrdiff_t count) {
  if (count > 0)
    file_.record(TraceLines::Direction::in, {bytes, static_cast<std::size_t>(count)}, TraceFile::Wait::briefly);
  return count;
}

std::ptrdiff_t Trace::read(char* into, std::size_t room) { return recorded(into, traced_.read(into, room)); }

std::ptrdiff_t Trace::read_at_once(char* into, std::size_t room) {
  return recorded(into, pollable_->read_at_once(into, room));
}

/// Recorded before it is written: afterwards the peer's reaction might be recorded first.
std::ptrdiff_t Trace::write(const char* bytes, std::size_t count, Blocking blocking) {
  if (count > ahead_) {
    file_.record(TraceLines::Direction::out, {bytes + ahead_, count - ahead_}, TraceFile::Wait::no);
    ahead_ = count;
  }
  const std::ptrdiff_t written = traced_.write(bytes, count, blocking);
  ahead_ -= written < 0 ? ahead_ : std::min(ahead_, static_cast<std::size_t>(written));
  return written;
}

}  // namespace toolwire::server
