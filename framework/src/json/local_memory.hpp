// Memory for values that live shortly: a buffer on the stack first, then blocks that are given back together.
// Knows nothing of what the values are.
#pragma once

#include <array>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/storage_ptr.hpp>
#include <cstddef>

namespace toolwire::json {

/// Must outlive every value made with it. One thread.
template <std::size_t bytes>
class LocalMemory {
 public:
  LocalMemory() : resource_(buffer_.data(), buffer_.size()) {}
  LocalMemory(const LocalMemory&) = delete;
  LocalMemory& operator=(const LocalMemory&) = delete;

  boost::json::storage_ptr storage() { return &resource_; }

 private:
  std::array<unsigned char, bytes> buffer_;  // not initialised: only what is used costs anything
  boost::json::monotonic_resource resource_;
};

}  // namespace toolwire::json
