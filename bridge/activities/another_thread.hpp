// Destroys what must not be destroyed on the thread that wants to: something whose own thread that is.
#pragma once

#include <memory>
#include <thread>
#include <utility>

namespace toolwire::bridge {

/// Keeps the thread until it has ended, at the latest until the program ends. Thread-safe.
void keep_until_ended(std::thread thread);

/// Destroys `owned` on a thread of its own, which the program's end waits for.
template <class T>
void destroy_on_another_thread(std::unique_ptr<T> owned) {
  keep_until_ended(std::thread([owned = std::move(owned)]() mutable { owned.reset(); }));
}

}  // namespace toolwire::bridge
