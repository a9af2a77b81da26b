// The engine where the system gives it no more threads. Not with sanitizers, which stand in this place themselves.
#include "engine/engine.hpp"

#define BOOST_TEST_MODULE engine_without_threads_test
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <chrono>
#include <thread>

#include "engine_bench.hpp"

using namespace std::chrono_literals;
using toolwire_test::EngineBench;

namespace {

std::atomic<bool> no_more{false};
std::atomic<int> refused{0};

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                              void* argument) noexcept {
  static const auto real = reinterpret_cast<decltype(&pthread_create)>(::dlsym(RTLD_NEXT, "pthread_create"));
  if (!no_more) return real(thread, attributes, run, argument);
  ++refused;
  return EAGAIN;
}

BOOST_AUTO_TEST_CASE(jobs_behind_a_slow_one_run_when_it_is_done) {
  EngineBench bench(2, 500ms, 100ms);
  std::atomic<int> ran{0};
  bench.turn([&] {
    no_more = true;
    bench.enqueue([&] {
      while (refused == 0) std::this_thread::sleep_for(1ms);  // until the driver has been replaced, or would have been
      ++ran;
    });
    for (int i = 0; i < 10; ++i) bench.enqueue([&] { ++ran; });
  });
  bench.turn([&] { BOOST_TEST(ran == 11); });
  bench.end();
  bench.engine->run();
  no_more = false;
  BOOST_TEST(ran == 11);
  BOOST_TEST(!bench.cancelled);
}
