// Finding a name in a fixed set: the property names of a schema object, the strings of an enum. Independent of schemas.
// Built for a fixed set that is searched far more often than it is built.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace toolwire::schema {

/// The identity of a name in three registers: exact for up to 16 bytes, and almost always enough to tell longer ones
/// apart.
struct KeyImage {
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
  std::uint32_t size = 0;

  bool operator==(const KeyImage&) const = default;
};

inline std::uint64_t load8(const char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

inline std::uint64_t load4(const char* from) {
  std::uint32_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// Reads only the bytes of the text: overlapping loads instead of reading past its end.
inline KeyImage key_image(const char* text, std::size_t size) {
  KeyImage image{0, 0, static_cast<std::uint32_t>(size)};
  if (size >= 8) {
    image.head = load8(text);
    image.tail = load8(text + size - 8);
  } else if (size >= 4) {
    image.head = load4(text);
    image.tail = load4(text + size - 4);
  } else if (size > 0) {
    image.head = static_cast<unsigned char>(text[0]) |
                 static_cast<std::uint64_t>(static_cast<unsigned char>(text[size / 2])) << 8 |
                 static_cast<std::uint64_t>(static_cast<unsigned char>(text[size - 1])) << 16;
  }
  return image;
}

/// Distinct names, numbered in the order they were added. Threads may share one that no longer grows.
class KeyTable {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  /// Returns the number of the name, also when it was there before.
  std::uint32_t add(std::string_view name);

  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  std::string_view name(std::uint32_t index) const {
    return {text_.data() + entries_[index].offset, entries_[index].image.size};
  }

  /// The number of the name, or `none`. Looks first at `guess`: members mostly come in the order of the schema.
  std::uint32_t find(const char* text, std::size_t size, std::uint32_t guess) const {
    if (size > longest_) return none;
    const KeyImage image = key_image(text, size);
    if (guess < entries_.size() && matches(entries_[guess], image, text)) return guess;
    for (std::uint32_t at = hash(image, text) & mask_;; at = (at + 1) & mask_) {
      const std::uint32_t index = buckets_[at];
      if (index == none) return none;
      if (matches(entries_[index], image, text)) return index;
    }
  }
  std::uint32_t find(std::string_view name) const { return find(name.data(), name.size(), none); }

 private:
  struct Entry {
    KeyImage image;
    std::uint32_t offset = 0;
  };

  // Salted by a number that differs between processes: a hostile schema cannot choose names that collide.
  static std::uint32_t hash(const KeyImage& image, const char* text) {
    std::uint64_t mixed = fold(image.head ^ salt_, image.tail ^ image.size ^ (salt_ >> 7));
    for (std::size_t at = 8; at + 8 < image.size; at += 8) mixed = fold(mixed ^ salt_, load8(text + at));
    return static_cast<std::uint32_t>(mixed ^ (mixed >> 32));
  }
  static std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  bool matches(const Entry& entry, const KeyImage& image, const char* text) const {
    return entry.image == image &&
           (image.size <= 16 || std::memcmp(text_.data() + entry.offset, text, image.size) == 0);
  }

  void fill_buckets();

  static const std::uint64_t salt_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> buckets_ = {none};
  std::string text_;
  std::size_t longest_ = 0;
  std::uint32_t mask_ = 0;
};

}  // namespace toolwire::schema
