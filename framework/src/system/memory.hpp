// Memory of which large pieces come from the system and go back to it at once, instead of staying with the allocator.
#pragma once

#include <cstddef>

namespace toolwire::system {

/// Bytes. From this size on a piece is made of pages of its own: what is not touched of them costs nothing.
inline constexpr std::size_t large_memory = std::size_t{4} << 20;

/// Aligned for every type. Throws std::bad_alloc.
void* take_memory(std::size_t size);
/// `size`: what it was taken, or last resized, with.
void give_back_memory(void* memory, std::size_t size) noexcept;
/// For std::unique_ptr, made with the size.
struct GiveBackMemory {
  std::size_t size = 0;
  void operator()(void* memory) const noexcept { give_back_memory(memory, size); }
};
/// Keeps what is there, byte by byte, elsewhere if need be; nothing is copied where pages of its own grow. `memory` may
/// be null, of size 0. Throws std::bad_alloc, and leaves all as it was.
void* resize_memory(void* memory, std::size_t size, std::size_t new_size);

/// Gives back what lies under whole pages of a part of a large piece, the contents of which are lost. The room stays.
void forget_memory(void* part, std::size_t size) noexcept;

/// For a process of its own: has the allocator, too, make large pieces of pages of their own for good. By itself
/// (glibc) it keeps pieces of up to 32 MiB once one of their size was given back.
void let_go_of_large_memory() noexcept;
/// In such a process has the allocator give back the whole pages between pieces that are in use (glibc). Takes about a
/// millisecond after a message of hundreds of thousands of values. Thread-safe.
void give_back_freed_memory() noexcept;

}  // namespace toolwire::system
