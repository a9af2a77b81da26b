// A vector of what can be moved by copying its bytes. It grows without having everything twice for a moment, and a
// large one gives back all of its memory.
#pragma once

#include <cstddef>

#include "system/memory.hpp"

namespace toolwire::json {

/// Knows nothing of construction and destruction: `room` is raw, and what is taken away is no more touched.
template <class T>
class Pile {
 public:
  Pile() = default;
  Pile(const Pile&) = delete;
  Pile& operator=(const Pile&) = delete;
  ~Pile() {
    if (bytes_ != nullptr) system::give_back_memory(bytes_, room_ * sizeof(T));
  }

  T* begin() { return static_cast<T*>(bytes_); }
  T* end() { return begin() + size_; }
  std::size_t size() const { return size_; }

  /// Room for `count` more behind the last. Throws std::bad_alloc.
  T* room(std::size_t count) {
    if (room_ - size_ < count) grow(count);
    return end();
  }
  /// The same, of an empty one that is not to grow any more.
  T* exact_room(std::size_t count) {
    resize(count);
    return end();
  }
  void added(std::size_t count) { size_ += count; }
  void take_away(std::size_t count) { size_ -= count; }

 private:
  void grow(std::size_t count) {
    std::size_t room = room_ == 0 ? first_room : room_;
    while (room - size_ < count) room *= 2;
    resize(room);
  }
  void resize(std::size_t room) {
    bytes_ = system::resize_memory(bytes_, room_ * sizeof(T), room * sizeof(T));
    room_ = room;
  }

  static constexpr std::size_t first_room = 64;

  void* bytes_ = nullptr;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

}  // namespace toolwire::json
