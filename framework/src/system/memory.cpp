#include "system/memory.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace toolwire::system {
namespace {

std::atomic<bool> is_process_of_its_own = false;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

bool is_large(std::size_t size) { return size >= large_memory; }

void* checked(void* memory) {
  if (memory == nullptr || memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

}  // namespace

// NOLINTBEGIN(cppcoreguidelines-no-malloc): this is where memory comes from.

void* take_memory(std::size_t size) {
  if (!is_large(size)) return checked(std::malloc(size));
  return checked(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

void give_back_memory(void* memory, std::size_t size) noexcept {
  if (is_large(size)) {
    ::munmap(memory, size);
  } else {
    std::free(memory);
  }
}

void* resize_memory(void* memory, std::size_t size, std::size_t new_size) {
  if (is_large(size) && is_large(new_size)) return checked(::mremap(memory, size, new_size, MREMAP_MAYMOVE));
  if (!is_large(size) && !is_large(new_size)) return checked(std::realloc(memory, new_size));
  void* const elsewhere = take_memory(new_size);
  if (memory == nullptr) return elsewhere;
  std::memcpy(elsewhere, memory, std::min(size, new_size));
  give_back_memory(memory, size);
  return elsewhere;
}

// NOLINTEND(cppcoreguidelines-no-malloc)

void let_go_of_large_memory() noexcept {
#ifdef __GLIBC__
  is_process_of_its_own = true;
  ::mallopt(M_MMAP_THRESHOLD, static_cast<int>(large_memory));
  ::mallopt(M_TRIM_THRESHOLD, static_cast<int>(large_memory + large_memory / 4));
#endif
}

void give_back_freed_memory() noexcept {
#ifdef __GLIBC__
  if (is_process_of_its_own) ::malloc_trim(0);
#endif
}

void forget_memory(void* part, std::size_t size) noexcept {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(part) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(part) + size) / page * page;
  if (begin >= end) return;
  ::madvise(static_cast<char*>(part) + (begin - reinterpret_cast<std::uintptr_t>(part)), end - begin, MADV_DONTNEED);
}

}  // namespace toolwire::system
