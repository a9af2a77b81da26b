#include "client/line_reader.hpp"

#include <stdexcept>
#include <utility>

#include <toolwire/system/signals_blocked.hpp>

namespace toolwire::client {
namespace {

constexpr std::chrono::milliseconds between_interrupts{1};

template <class Kind>
Kind* transport_as(Transport& transport, bool wanted) {
  return wanted ? dynamic_cast<Kind*>(&transport) : nullptr;
}

}  // namespace

LineReader::LineReader(Transport& transport, std::size_t max_line, const Readers& readers, Steps steps)
    : transport_{transport},
      steps_{std::move(steps)},
      max_line_{max_line},
      watchable_{transport_as<system::Watchable>(transport, readers.engine != nullptr)},
      lendable_{transport_as<transport::Lendable>(transport, readers.lends && watchable_ == nullptr)} {
  if (watchable_ != nullptr) {
    read_on_engine(*readers.engine);
    return;
  }
  const system::SignalsBlocked inherited_by_the_thread;
  thread_ = std::thread{[this] { run(); }};
}

/// The first call may come before the watch is known here, hence the lock.
void LineReader::read_on_engine(Engine& engine) {
  lines_.emplace(max_line_);
  const MutexLock lock(mutex_);
  is_watched_ = true;
  input_ = engine.watch(watchable_->input_event(), Engine::readable, [this](unsigned) { read_ready(); });
}

/// Called by the engine, once for each piece, so that it comes to others in between.
void LineReader::read_ready() {
  if (stopping_) return;  // whoever stops it ends the watch
  std::string failure;
  try {
    if (read_what_is_there()) return;
  } catch (const std::exception& error) {  // out of memory, most likely
    failure = error.what();
  }
  {
    const MutexLock lock(mutex_);
    if (!std::exchange(is_watched_, false)) return;
    input_.end();  // waits for nobody: this is its call
  }
  end_reading(failure);
}

/// False at the end of input.
bool LineReader::read_what_is_there() {
  const auto room = lines_->room();
  const std::ptrdiff_t count = watchable_->try_read(room.data(), room.size());
  if (count == Transport::interrupted) return true;
  if (count != Transport::end_of_input) {
    lines_->added(static_cast<std::size_t>(count));
    take_lines();
    return true;
  }
  if (const auto line = lines_->rest(); line && !stopping_) steps_.take(*line);
  return false;
}

void LineReader::end_reading(const std::string& failure) {
  steps_.ended(failure);
  const MutexLock lock(mutex_);
  reading_ = false;
  gone_.notify_all();
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
  if (watchable_ != nullptr) return stop_on_engine();
  stopping_ = true;
  MutexLock lock(mutex_);
  while (reading_) {
    transport_.interrupt();  // may miss a read that is about to begin, hence again
    recall();
    gone_.wait_for(lock, between_interrupts);
  }
  if (thread_.joinable()) thread_.join();
}

/// A call that has had the end of input is not the watch's any more, and is waited for here.
void LineReader::stop_on_engine() {
  stopping_ = true;
  MutexLock lock(mutex_);
  if (std::exchange(is_watched_, false)) {
    Engine::Watch input = std::move(input_);
    lock.unlock();
    input.end();
    lock.lock();
    reading_ = false;
    gone_.notify_all();
  }
  gone_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return !reading_; });
}

}  // namespace toolwire::client
