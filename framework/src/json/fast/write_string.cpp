#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "json/fast.hpp"
#include "json/fast/copy_run.hpp"
#include "json/fast/special_bytes.hpp"
#include "toolwire/text.hpp"

namespace toolwire::json {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";
// From here on room is made once, and only as much as is needed: costs 4 % (large) and saves two bytes of memory for
// each byte of text.
constexpr std::size_t worth_counting = std::size_t{64} << 10;
/// For what ends the message behind a text worth counting: without it these few bytes would double the memory of a text
/// of 64 MiB.
constexpr std::size_t room_behind = 1024;

/// What stands for a byte in a string; eight bytes, so that they are copied at once.
struct Escape {
  std::array<char, 7> text;
  unsigned char length;
};

constexpr std::array<Escape, 256> escapes = [] {
  constexpr std::string_view hex = "0123456789abcdef";
  std::array<Escape, 256> table{};
  for (unsigned byte = 0; byte < 0x20; ++byte)
    table[byte] = {{'\\', 'u', '0', '0', hex[byte >> 4U], hex[byte & 15U]}, 6};
  constexpr std::string_view named = "\"\\\b\f\n\r\t";
  constexpr std::string_view letters = "\"\\bfnrt";
  for (std::size_t i = 0; i < named.size(); ++i) {
    table[static_cast<unsigned char>(named[i])] = {{'\\', letters[i]}, 2};
  }
  return table;
}();

/// Texts of at most so many bytes, as names are and most values, are looked at as a whole. Without it +2 % (call,
/// modern).
constexpr std::size_t short_text = SpecialBytes::block;

/// Whether none of eight characters has to be escaped or is beyond ASCII. The highest bit of each tells; what one of
/// them takes from its neighbour changes nothing then.
bool are_eight_plain(std::uint64_t eight) {
  constexpr std::uint64_t each = 0x0101'0101'0101'0101U;
  const std::uint64_t quotes = (eight ^ each * '"') - each;
  const std::uint64_t backslashes = (eight ^ each * '\\') - each;
  return ((eight | (eight - each * ' ') | quotes | backslashes) & each * 0x80U) == 0;
}

/// The same of the sixteen from here on.
bool are_sixteen_plain(const char* from) {
  const SpecialBytes found = special_in_16(from);
  return (found.special | found.beyond_ascii) == 0;
}

template <class Word>
Word word_at(const char* from) {
  Word word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// The same of all, some of which may be looked at twice.
bool is_plain(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  if (text.size() >= 16) {
    for (; end - at > 16; at += 16) {
      if (!are_sixteen_plain(at)) return false;
    }
    return are_sixteen_plain(end - 16);
  }
  if (text.size() >= 8)
    return are_eight_plain(word_at<std::uint64_t>(at)) && are_eight_plain(word_at<std::uint64_t>(end - 8));
  if (text.size() >= 4) {
    return are_eight_plain(std::uint64_t{word_at<std::uint32_t>(at)} << 32U | word_at<std::uint32_t>(end - 4));
  }
  return std::all_of(at, end, [](char one) { return one >= ' ' && one < 0x7F && one != '"' && one != '\\'; });
}

/// Appends a block of text in which the bytes of `special` are escaped: one by one, with what stands between them, +122
/// % (large_escaped). Reads up to 16 bytes behind it.
void append_escaped(std::string& out, const char* block, std::size_t size, std::uint64_t special) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): written before it is read
  std::array<char, SpecialBytes::block * 6 + copy_slack> room;
  char* to = room.data();
  std::size_t done = 0;
  for (; special != 0; special &= special - 1) {
    const auto next = static_cast<std::size_t>(std::countr_zero(special));
    to = copy_run(to, block + done, next - done);
    const Escape& escape = escapes[static_cast<unsigned char>(block[next])];
    std::memcpy(to, &escape, sizeof escape);  // more than its length, which the room allows
    to += escape.length;
    done = next + 1;
  }
  to = copy_run(to, block + done, size - done);
  out.append(room.data(), static_cast<std::size_t>(to - room.data()));
}

void append_escaped_rest(std::string& out, const char* bytes, std::size_t count) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below
  std::array<char, SpecialBytes::block + copy_slack> padded;
  padded.fill(' ');
  std::memcpy(padded.data(), bytes, count);
  append_escaped(out, padded.data(), count, special_in_block(padded.data()).special);
}

/// Appends UTF-8.
void append_text(std::string& out, std::string_view text) {
  constexpr std::ptrdiff_t block = SpecialBytes::block;
  const char* at = text.data();
  const char* const end = at + text.size();
  bool beyond_ascii = false;
  while (at != end) {
    const char* const special = skip_to_special(at, end, beyond_ascii);
    if (special == end || special - at >= block) {
      out.append(at, special);
      at = special;
    } else if (end - at >= block + static_cast<std::ptrdiff_t>(copy_slack)) {
      append_escaped(out, at, SpecialBytes::block, special_in_block(at).special);
      at += block;
    } else {
      const std::ptrdiff_t count = std::min(end - at, block);
      append_escaped_rest(out, at, static_cast<std::size_t>(count));
      at += count;
    }
  }
}

/// Appends text that is not all UTF-8: every part that is not becomes U+FFFD.
void append_repaired(std::string& out, std::string_view text) {
  while (!text.empty()) {
    std::size_t good = 0;
    text::Character next{0, 0, true};
    while (next.is_valid && good < text.size()) {
      next = text::first_character(text.substr(good));
      if (next.is_valid) good += next.length;
    }
    append_text(out, text.substr(0, good));
    if (!next.is_valid) out += replacement;
    text.remove_prefix(next.is_valid ? good : good + next.length);
  }
}

/// Bytes needed at least; exact but for control characters that have no escape of two bytes.
std::size_t room_for(std::string_view text) {
  std::size_t room = text.size() + 2;
  if (text.size() < worth_counting) return room;
  const char* at = text.data();
  for (std::size_t left = text.size(); left >= SpecialBytes::block; left -= SpecialBytes::block) {
    room += static_cast<std::size_t>(std::popcount(special_in_block(at).special));
    at += SpecialBytes::block;
  }
  return room + SpecialBytes::block + room_behind;
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  if (text.size() <= short_text && is_plain(text)) {
    out += '"';
    out.append(text);
    out += '"';
    return;
  }
  bool beyond_ascii = false;
  const char* const end = text.data() + text.size();
  const char* const special = skip_to_special(text.data(), end, beyond_ascii);
  if (const std::size_t room = out.size() + room_for(text); room > out.capacity()) out.reserve(room);
  out += '"';
  if (special == end && !beyond_ascii) {
    out.append(text);
  } else if (text::is_valid(text)) {
    append_text(out, text);
  } else {
    append_repaired(out, text);
  }
  out += '"';
}

}  // namespace toolwire::json
