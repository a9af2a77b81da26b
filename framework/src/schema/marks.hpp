// Which members or elements of one value some subschema has evaluated, for unevaluatedProperties and unevaluatedItems.
// Independent of schemas. On the stack for up to 256 of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace toolwire::schema {

/// One bit for each member, in the order they stand in the object, or each element. Lives as long as one instruction
/// list runs.
class Marks {
 public:
  explicit Marks(std::size_t size) : size_(size) {
    if (size > near_.size() * 64) far_.resize((size + 63) / 64);
  }
  Marks(const Marks&) = delete;
  Marks& operator=(const Marks&) = delete;

  std::size_t size() const { return size_; }
  void add(std::size_t index) { words()[index / 64] |= std::uint64_t{1} << index % 64; }
  void add_first(std::size_t count) {
    for (std::size_t index = 0; index < count && !all_; ++index) add(index);
  }
  void add_all() { all_ = true; }
  bool has(std::size_t index) const { return all_ || (words()[index / 64] >> index % 64 & 1) != 0; }

  void merge(const Marks& other) {
    all_ = all_ || other.all_;
    for (std::size_t word = 0; word < (size_ + 63) / 64; ++word) words()[word] |= other.words()[word];
  }

 private:
  std::uint64_t* words() { return far_.empty() ? near_.data() : far_.data(); }
  const std::uint64_t* words() const { return far_.empty() ? near_.data() : far_.data(); }

  std::array<std::uint64_t, 4> near_ = {};
  std::vector<std::uint64_t> far_;
  std::size_t size_;
  bool all_ = false;
};

}  // namespace toolwire::schema
