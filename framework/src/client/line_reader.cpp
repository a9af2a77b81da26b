#include "client/line_reader.hpp"

#include <stdexcept>
#include <utility>

#include <toolwire/system/signals_blocked.hpp>

namespace toolwire::client {
namespace {

constexpr std::chrono::milliseconds between_interrupts{1};

}  // namespace

LineReader::LineReader(Transport& transport, std::size_t max_line, bool lends, Steps steps)
    : transport_{transport},
      steps_{std::move(steps)},
      max_line_{max_line},
      lendable_{lends ? dynamic_cast<transport::Lendable*>(&transport) : nullptr} {
  const system::SignalsBlocked inherited_by_the_thread;
  thread_ = std::thread{[this] { run(); }};
}

void LineReader::run() {
  try {
    read_lines();
    steps_.ended({});
  } catch (const std::exception& error) {  // out of memory, most likely
    steps_.ended(error.what());
  }
  const MutexLock lock(mutex_);
  reading_ = false;
  gone_.notify_all();
}

void LineReader::read_lines() {
  lines_.emplace(max_line_);
  while (read_some()) {
    take_lines();
    if (lendable_ != nullptr && !stopping_) lend();
  }
  if (const auto line = lines_->rest(); line && !stopping_) steps_.take(*line);
}

bool LineReader::read_some() {
  const auto room = lines_->room();
  while (!stopping_) {
    const std::ptrdiff_t count = transport_.read(room.data(), room.size());
    if (count == Transport::end_of_input) return false;
    if (count == Transport::interrupted) continue;
    lines_->added(static_cast<std::size_t>(count));
    return true;
  }
  return false;
}

void LineReader::take_lines() {
  while (const auto line = lines_->next()) steps_.take(*line);
}

/// Returns when this thread has to read its input itself.
void LineReader::lend() {
  engine::Host::of_process().lend(*this, lendable_->awaited());
  if (!failure_.empty()) throw std::runtime_error(failure_);
}

void LineReader::recall() {
  if (lendable_ != nullptr) engine::Host::of_process().recall(*this);
}

bool LineReader::read_along() {
  if (stopping_) return false;
  try {
    const auto room = lines_->room();
    const std::ptrdiff_t count = lendable_->read_at_once(room.data(), room.size());
    if (count <= 0) return false;
    lines_->added(static_cast<std::size_t>(count));
    take_lines();
    return true;
  } catch (const std::exception& error) {
    failure_ = error.what();
    return false;
  }
}

void LineReader::expect() {
  if (lendable_ != nullptr) engine::Host::of_process().expect(*this);
}

void LineReader::await_end(std::chrono::milliseconds longest) {
  recall();
  MutexLock lock(mutex_);
  gone_.wait_for(lock, longest, [this]() TOOLWIRE_REQUIRES(mutex_) { return !reading_; });
}

void LineReader::stop() {
  stopping_ = true;
  MutexLock lock(mutex_);
  while (reading_) {
    transport_.interrupt();  // may miss a read that is about to begin, hence again
    recall();
    gone_.wait_for(lock, between_interrupts);
  }
  if (thread_.joinable()) thread_.join();
}

}  // namespace toolwire::client
