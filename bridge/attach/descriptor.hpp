// One descriptor that is closed with its owner, and the few calls that are made with it. Blocks only where it says so.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace toolwire::attach {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// How much of the text could be written without waiting, after poll(2) has said that there is room; -1, with errno.
/// The descriptor may be anybody's: nothing of it is changed.
std::ptrdiff_t write_some(int descriptor, std::string_view text);

/// Whether a write to the descriptor that ended with `error` says that the other end is closed: that of a pipe, a
/// socket or a terminal, or of nothing. A full disk is another matter.
bool says_nobody_reads(int descriptor, int error);

}  // namespace toolwire::attach
