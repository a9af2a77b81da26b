// Replaces operator new and delete of the test program that includes it, in one source file, and counts what is
// allocated.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace toolwire_test {

/// How often operator new was called, by all threads.
inline std::atomic<long> allocations{
    0};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): see operator new

}  // namespace toolwire_test

// NOLINTBEGIN(misc-definitions-in-headers, cppcoreguidelines-no-malloc): included once a program; here memory comes
// from
void* operator new(std::size_t size) {
  ++toolwire_test::allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
// NOLINTEND(misc-definitions-in-headers, cppcoreguidelines-no-malloc)
