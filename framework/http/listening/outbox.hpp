// Bytes on their way to a client. Plain value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace toolwire::http {

class Outbox {
 public:
  bool empty() const { return sent_ == bytes_.size(); }
  std::size_t size() const { return bytes_.size() - sent_; }
  std::string_view rest() const { return std::string_view(bytes_).substr(sent_); }
  /// Where to add some.
  std::string& end() { return bytes_; }
  /// So many of the rest are sent. What was sent is let go once it is all, or more than what is left.
  void take(std::size_t count) {
    sent_ += count;
    if (empty()) return clear();
    if (sent_ <= bytes_.size() / 2) return;
    bytes_.erase(0, sent_);
    sent_ = 0;
  }
  void clear() {
    sent_ = 0;
    bytes_.clear();
    if (bytes_.capacity() > max_kept) bytes_ = {};
  }

 private:
  static constexpr std::size_t max_kept = std::size_t{16} << 10;  // bytes of an idle connection

  std::string bytes_;
  std::size_t sent_ = 0;
};

}  // namespace toolwire::http
