#include "json/fast/unescape.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "json/fast/copy_run.hpp"
#include "json/fast/special_bytes.hpp"
#include "text/write_character.hpp"

namespace toolwire::json {
namespace {

constexpr std::array<char, 256> simple_escapes = [] {
  std::array<char, 256> meaning{};
  meaning['"'] = '"';
  meaning['\\'] = '\\';
  meaning['/'] = '/';
  meaning['b'] = '\b';
  meaning['f'] = '\f';
  meaning['n'] = '\n';
  meaning['r'] = '\r';
  meaning['t'] = '\t';
  return meaning;
}();

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// The number behind "\u" at `at`, or nothing.
std::optional<std::uint32_t> code_unit(const char* at, const char* end) {
  if (end - at < 6 || at[0] != '\\' || at[1] != 'u') return std::nullopt;
  std::uint32_t code = 0;
  for (int i = 2; i < 6; ++i) {
    const int digit = hex_digit(at[i]);
    if (digit < 0) return std::nullopt;
    code = code << 4U | static_cast<std::uint32_t>(digit);
  }
  return code;
}

/// Where source and text stand. A step moves both.
struct Places {
  const char* from;
  char* to;
};

/// Steps over the escape at `places.from`; false if it is none, or half a pair.
bool step_over_escape(Places& places, const char* end) {
  if (end - places.from < 2) return false;
  const char meaning = simple_escapes[static_cast<unsigned char>(places.from[1])];
  if (meaning != 0) {
    *places.to++ = meaning;
    places.from += 2;
    return true;
  }
  const auto code = code_unit(places.from, end);
  if (!code || (*code >= 0xDC00 && *code < 0xE000)) return false;
  if (*code < 0xD800 || *code >= 0xE000) {
    places = {places.from + 6, text::write_character(places.to, *code)};
    return true;
  }
  const auto low = code_unit(places.from + 6, end);
  if (!low || *low < 0xDC00 || *low >= 0xE000) return false;
  places = {places.from + 12,
            text::write_character(places.to, 0x10000U + ((*code - 0xD800U) << 10U) + (*low - 0xDC00U))};
  return true;
}

enum class End { reached, not_yet, none };

/// Goes through a block, which is followed by at least 16 more bytes; an escape may end behind it.
End unescape_block(Places& places, const char* end, bool& beyond_ascii) {
  const char* const block = places.from;
  const SpecialBytes found = special_in_block(block);
  beyond_ascii = beyond_ascii || found.beyond_ascii != 0;
  std::uint64_t special = found.special;
  std::size_t done = 0;
  while (special != 0) {
    const auto next = static_cast<std::size_t>(std::countr_zero(special));
    places.to = copy_run(places.to, block + done, next - done);
    places.from = block + next;
    if (*places.from == '"') return End::reached;
    if (*places.from != '\\' || !step_over_escape(places, end)) return End::none;
    done = static_cast<std::size_t>(places.from - block);
    if (done >= SpecialBytes::block) return End::not_yet;
    special &= ~std::uint64_t{0} << done;
  }
  places.to = copy_run(places.to, block + done, SpecialBytes::block - done);
  places.from = block + SpecialBytes::block;
  return End::not_yet;
}

End unescape_byte(Places& places, const char* end, bool& beyond_ascii) {
  const auto byte = static_cast<unsigned char>(*places.from);
  if (byte == '"') return End::reached;
  if (byte < 0x20) return End::none;
  if (byte == '\\') return step_over_escape(places, end) ? End::not_yet : End::none;
  beyond_ascii = beyond_ascii || byte >= 0x80;
  *places.to++ = *places.from++;
  return End::not_yet;
}

}  // namespace

std::optional<Unescaped> unescape(const char* from, const char* end, char* into) {
  Places places{from, into};
  bool beyond_ascii = false;
  End state = End::not_yet;
  while (state == End::not_yet && places.from != end) {
    const bool has_block = end - places.from >= static_cast<std::ptrdiff_t>(SpecialBytes::block + unescape_slack);
    state = has_block ? unescape_block(places, end, beyond_ascii) : unescape_byte(places, end, beyond_ascii);
  }
  if (state != End::reached) return std::nullopt;
  return Unescaped{static_cast<std::size_t>(places.from + 1 - from), static_cast<std::size_t>(places.to - into),
                   beyond_ascii};
}

}  // namespace toolwire::json
