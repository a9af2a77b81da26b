#include "system/thread_end.hpp"

#include <pthread.h>

namespace toolwire::system {
namespace {

void run_all(void* first) {
  auto* last = static_cast<AtThreadEnd*>(first);
  while (last != nullptr) {
    AtThreadEnd* const next = last->next;  // it may ask again while it runs
    last->run();
    last = next;
  }
}

/// The value of the key is the first of a list. Without a key, which a process runs out of after a thousand, what
/// threads keep stays until the process ends.
struct Key {
  pthread_key_t key{};
  bool is_made = ::pthread_key_create(&key, &run_all) == 0;
};

}  // namespace

void run_at_thread_end(AtThreadEnd& last) noexcept {
  static const Key key;
  if (!key.is_made) return;
  last.next = static_cast<AtThreadEnd*>(::pthread_getspecific(key.key));
  ::pthread_setspecific(key.key,
                        &last);  // of the first 32 keys (glibc) it needs no memory; without, it changes nothing
}

}  // namespace toolwire::system
