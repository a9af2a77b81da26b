#include <toolwire/transport.hpp>

#include <algorithm>
#include <cstring>
#include <string>

#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire {
namespace {

constexpr std::size_t kept_capacity = std::size_t{1} << 20;

/// One direction: bytes in at one end, out at the other. Thread-safe. Shared by the two transports.
class Stream {
 public:
  bool write(const char* bytes, std::size_t count) {
    const MutexLock lock(mutex_);
    if (reader_gone_) return false;
    bytes_.append(bytes, count);
    changed_.notify_one();
    return true;
  }

  std::ptrdiff_t read(char* into, std::size_t room) {
    MutexLock lock(mutex_);
    changed_.wait(
        lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return interrupted_ || writer_gone_ || taken_ < bytes_.size(); });
    if (interrupted_) {
      interrupted_ = false;
      return Transport::interrupted;
    }
    return take(into, room);
  }

  void interrupt() {
    const MutexLock lock(mutex_);
    interrupted_ = true;
    changed_.notify_one();
  }

  void writer_leaves() {
    const MutexLock lock(mutex_);
    writer_gone_ = true;
    changed_.notify_one();
  }

  void reader_leaves() {
    const MutexLock lock(mutex_);
    reader_gone_ = true;
  }

  bool writer_has_left() {
    const MutexLock lock(mutex_);
    return writer_gone_;
  }

 private:
  std::ptrdiff_t take(char* into, std::size_t room) TOOLWIRE_REQUIRES(mutex_) {
    const std::size_t count = std::min(room, bytes_.size() - taken_);
    std::memcpy(into, bytes_.data() + taken_, count);
    taken_ += count;
    if (taken_ == bytes_.size()) forget_taken();
    return static_cast<std::ptrdiff_t>(count);
  }

  void forget_taken() TOOLWIRE_REQUIRES(mutex_) {
    bytes_.clear();
    taken_ = 0;
    if (bytes_.capacity() > kept_capacity) bytes_.shrink_to_fit();
  }

  Mutex mutex_;
  ConditionVariable changed_;
  std::string bytes_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t taken_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // of bytes_, already read
  bool writer_gone_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool reader_gone_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool interrupted_ TOOLWIRE_GUARDED_BY(mutex_) = false;
};

class MemoryTransport final : public Transport {
 public:
  MemoryTransport(std::shared_ptr<Stream> in, std::shared_ptr<Stream> out) : in_{std::move(in)}, out_{std::move(out)} {}
  ~MemoryTransport() override {
    out_->writer_leaves();
    in_->reader_leaves();
  }

  std::ptrdiff_t read(char* into, std::size_t room) override { return in_->read(into, room); }
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking) override {
    return out_->write(bytes, count) ? static_cast<std::ptrdiff_t>(count) : peer_gone;
  }
  void interrupt() override { in_->interrupt(); }
  bool input_closed() override { return in_->writer_has_left(); }

 private:
  std::shared_ptr<Stream> in_;
  std::shared_ptr<Stream> out_;
};

}  // namespace

std::pair<std::unique_ptr<Transport>, std::unique_ptr<Transport>> memory_transports() {
  auto forth = std::make_shared<Stream>();
  auto back = std::make_shared<Stream>();
  return {std::make_unique<MemoryTransport>(forth, back), std::make_unique<MemoryTransport>(back, forth)};
}

}  // namespace toolwire
