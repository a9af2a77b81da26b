// A library that is loaded before a program (LD_PRELOAD): the program's time of day is SHIFTED_SECONDS later than it
// is.
#include <dlfcn.h>
#include <sys/time.h>

#include <cstdlib>
#include <ctime>

namespace {

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));  // what dlsym is for
}

time_t shift() {
  static const time_t seconds = [] {
    const char* const text = std::getenv("SHIFTED_SECONDS");
    return text == nullptr ? 0 : static_cast<time_t>(std::strtol(text, nullptr, 10));
  }();
  return seconds;
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* into) noexcept {
  static const auto next = real<int (*)(clockid_t, timespec*)>("clock_gettime");
  const int status = next(clock, into);
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) into->tv_sec += shift();
  return status;
}

int gettimeofday(timeval* into, void* zone) noexcept {
  static const auto next = real<int (*)(timeval*, void*)>("gettimeofday");
  const int status = next(into, zone);
  if (status == 0) into->tv_sec += shift();
  return status;
}

time_t time(time_t* into) noexcept {
  static const auto next = real<time_t (*)(time_t*)>("time");
  const time_t now = next(nullptr) + shift();
  if (into != nullptr) *into = now;
  return now;
}
}
