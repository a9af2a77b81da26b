#include "json/fast/arena.hpp"

#include <algorithm>
#include <array>
#include <boost/json/storage_ptr.hpp>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "json/fast.hpp"
#include "system/memory.hpp"
#include "system/thread_end.hpp"

namespace toolwire::json {
namespace {

constexpr std::size_t kept_size = 2048;
/// Bytes. What was worked on with as many values has left holes in the allocator's memory, too: up to 30 MB.
constexpr std::size_t much = std::size_t{16} << 20;

// NOLINTBEGIN(cppcoreguidelines-no-malloc): this is where memory comes from.

/// Blocks of `kept_size` that a thread keeps.
class KeptBlocks {
 public:
  KeptBlocks() = default;
  KeptBlocks(const KeptBlocks&) = delete;
  KeptBlocks& operator=(const KeptBlocks&) = delete;
  ~KeptBlocks() {
    while (count_ > 0) std::free(blocks_[--count_]);
  }
  void* take() { return count_ > 0 ? blocks_[--count_] : std::malloc(kept_size); }
  void give_back(void* block) {
    if (count_ < blocks_.size()) {
      blocks_[count_++] = block;
    } else {
      std::free(block);
    }
  }

 private:
  std::array<void*, 64> blocks_{};
  std::size_t count_ = 0;
};

KeptBlocks& kept_blocks() { return system::OfThread<KeptBlocks>::get(); }

}  // namespace

Arena::~Arena() {
  std::size_t in_large_blocks = 0;
  while (blocks_ != nullptr) {
    Block* block = blocks_;
    blocks_ = block->next;
    if (block->size == kept_size) {
      kept_blocks().give_back(block);
    } else {
      in_large_blocks += block->size;
      system::give_back_memory(block, block->size);
    }
  }
  if (in_large_blocks >= much) system::give_back_freed_memory();
}

void* Arena::do_allocate(std::size_t size, std::size_t align) {
  auto padding = static_cast<std::size_t>(-reinterpret_cast<std::uintptr_t>(free_)) & (align - 1);
  if (free_ == nullptr || padding + size > static_cast<std::size_t>(end_ - free_)) {
    add_block(size + align);
    padding = static_cast<std::size_t>(-reinterpret_cast<std::uintptr_t>(free_)) & (align - 1);
  }
  char* result = free_ + padding;
  free_ = result + size;
  return result;
}

void Arena::add_block(std::size_t at_least) {
  if (sizeof(Block) + std::max(at_least, expected_) > kept_size) {
    blocks_ = large_block(at_least);
  } else {
    void* const memory = kept_blocks().take();
    if (memory == nullptr) throw std::bad_alloc();
    blocks_ = new (memory) Block{blocks_, kept_size};
  }
  expected_ = 2 * blocks_->size;  // in case this is not enough
  free_ = reinterpret_cast<char*>(blocks_) + sizeof(Block);
  end_ = reinterpret_cast<char*>(blocks_) + blocks_->size;
}

Arena::Block* Arena::large_block(std::size_t at_least) {
  const std::size_t taken = total_size();
  if (taken + at_least > most_) throw Full();
  const std::size_t size = sizeof(Block) + std::max(at_least, std::min(expected_, most_ - taken));
  return new (system::take_memory(size)) Block{blocks_, size};
}

// NOLINTEND(cppcoreguidelines-no-malloc)

boost::json::storage_ptr arena_for(std::size_t text_size) {
  const Arena* unused = nullptr;
  return arena_for(text_size, std::numeric_limits<std::size_t>::max(), unused);
}

boost::json::storage_ptr arena_for(std::size_t text_size, std::size_t most, const Arena*& arena) {
  Arena* made = nullptr;
  auto storage = boost::json::make_shared_resource<Arena>(text_size + text_size / 4, most, made);
  arena = made;
  return storage;
}

}  // namespace toolwire::json
