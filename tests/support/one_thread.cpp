// Linked into the tests that the thread sanitizer leaves out as tests of one thread: one that starts a second is to be
// taken out of that list, and fails until it is.
#include <pthread.h>

#include <cstdio>
#include <cstdlib>

/// In the place of the C library's.
extern "C" int pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) noexcept {
  std::fputs("this test starts a thread: take it out of toolwire_tests_of_one_thread in support/not_sanitized.cmake\n",
             stderr);
  std::abort();
}
