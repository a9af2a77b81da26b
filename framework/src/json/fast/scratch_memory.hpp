// Bytes to work in for a moment. Knows nothing of what they are for.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace toolwire::json {

/// Not initialised. Memory of a moderate size is kept by the thread that ends it and used again: taken anew for every
/// large message it would cost more than the work in it. One thread.
class ScratchMemory {
 public:
  explicit ScratchMemory(std::size_t size) {
    if (Block& kept = kept_by_thread(); kept.size >= size) {
      block_ = std::exchange(kept, {});
    } else {
      block_ = {std::make_unique_for_overwrite<char[]>(size), size};
    }
  }
  ScratchMemory(const ScratchMemory&) = delete;
  ScratchMemory& operator=(const ScratchMemory&) = delete;
  ~ScratchMemory() {
    if (block_.size <= max_kept && block_.size > kept_by_thread().size) kept_by_thread() = std::move(block_);
  }

  char* bytes() { return block_.memory.get(); }

 private:
  static constexpr std::size_t max_kept = std::size_t{2} << 20;
  struct Block {
    std::unique_ptr<char[]> memory;
    std::size_t size = 0;
  };
  static Block& kept_by_thread() {
    thread_local Block kept;
    return kept;
  }

  Block block_;
};

}  // namespace toolwire::json
