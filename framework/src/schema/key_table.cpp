#include "schema/key_table.hpp"

#include <random>

namespace toolwire::schema {

const std::uint64_t KeyTable::salt_ =
    (static_cast<std::uint64_t>(std::random_device{}()) << 32 | std::random_device{}()) | 1;

std::uint32_t KeyTable::add(std::string_view name) {
  const KeyImage image = key_image(name.data(), name.size());
  if ((entries_.size() + 1) * 4 > buckets_.size()) {  // at most a quarter full: most searches end at the first bucket
    buckets_.assign(buckets_.size() < 8 ? 8 : buckets_.size() * 4, none);
    fill_buckets();
  }
  std::uint32_t at = hash(image, name.data()) & mask_;
  for (; buckets_[at] != none; at = (at + 1) & mask_) {
    if (matches(entries_[buckets_[at]], image, name.data())) return buckets_[at];
  }
  entries_.push_back({image, static_cast<std::uint32_t>(text_.size())});
  text_ += name;
  longest_ = longest_ < name.size() ? name.size() : longest_;
  return buckets_[at] = size() - 1;
}

void KeyTable::fill_buckets() {
  mask_ = static_cast<std::uint32_t>(buckets_.size() - 1);
  for (std::uint32_t index = 0; index < entries_.size(); ++index) {
    std::uint32_t at = hash(entries_[index].image, text_.data() + entries_[index].offset) & mask_;
    while (buckets_[at] != none) at = (at + 1) & mask_;
    buckets_[at] = index;
  }
}

}  // namespace toolwire::schema
