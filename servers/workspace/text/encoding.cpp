#include "workspace/text/encoding.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <toolwire/text.hpp>

namespace workspace {
namespace {

constexpr std::array<std::string_view, 6> names{
    "utf-8", "utf-8 with byte order mark", "utf-16le", "utf-16be", "iso-8859-1", "binary"};
constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";
constexpr std::string_view little_mark = "\xFF\xFE";
constexpr std::string_view big_mark = "\xFE\xFF";

unsigned byte(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

// UTF-16 of Latin text has a NUL in nearly every second byte, on one side only.
Encoding with_nul(std::string_view start) {
  std::array<std::size_t, 2> nuls{};
  for (std::size_t i = 0; i < start.size(); ++i) nuls[i % 2] += start[i] == '\0' ? 1U : 0U;
  const std::size_t pairs = start.size() / 2;
  const auto nearly_all = [pairs](std::size_t count) { return pairs >= 2 && count * 10 >= pairs * 8; };
  if (nearly_all(nuls[1]) && nuls[0] == 0) return Encoding::utf16_little;
  if (nearly_all(nuls[0]) && nuls[1] == 0) return Encoding::utf16_big;
  return Encoding::binary;
}

// The start may end within a character, which is no damage.
std::string_view without_last_character(std::string_view start) {
  for (std::size_t i = 0; i < 3 && !start.empty() && (byte(start, start.size() - 1) & 0xC0U) == 0x80U; ++i)
    start.remove_suffix(1);
  if (!start.empty() && byte(start, start.size() - 1) >= 0xC0U) start.remove_suffix(1);
  return start;
}

bool is_latin1(std::string_view start) {
  for (std::size_t i = 0; i < start.size(); ++i) {
    const unsigned code = byte(start, i);
    const bool is_control = (code < 0x20 && code != '\t' && code != '\n' && code != '\r' && code != '\f');
    if (is_control || code == 0x7F || (code >= 0x80 && code < 0xA0)) return false;
    // A valid multi-byte sequence of UTF-8 hardly ever occurs by chance.
    if (code >= 0xC2 && i + 1 < start.size() &&
        toolwire::text::is_valid(start.substr(i, code < 0xE0   ? 2
                                                 : code < 0xF0 ? 3
                                                               : 4)))
      return false;
  }
  return true;
}

std::string from_utf16(std::string_view bytes, bool big) {
  const auto unit = [&](std::size_t at) -> char32_t {
    return big ? (byte(bytes, at) << 8U) | byte(bytes, at + 1) : (byte(bytes, at + 1) << 8U) | byte(bytes, at);
  };
  std::string out;
  for (std::size_t i = bytes.starts_with(big ? big_mark : little_mark) ? 2 : 0; i < bytes.size(); i += 2) {
    if (i + 1 == bytes.size()) {
      toolwire::text::append_character(out, 0xFFFD);
      break;
    }
    char32_t code = unit(i);
    const bool leads = code >= 0xD800 && code < 0xDC00 && i + 3 < bytes.size();
    const char32_t low = leads ? unit(i + 2) : 0;
    if (low >= 0xDC00 && low < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
      i += 2;
    }
    toolwire::text::append_character(out, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
  }
  return out;
}

// The character at `at` of well-formed UTF-8; moves `at` behind it.
char32_t next_character(std::string_view text, std::size_t& at) {
  const toolwire::text::Character character = toolwire::text::first_character(text.substr(at));
  at += character.length;
  return character.code;
}

std::string to_utf16(std::string_view text, bool big) {
  std::string out{big ? big_mark : little_mark};
  const auto put = [&](char32_t unit) {
    const std::array<char, 2> bytes{static_cast<char>(static_cast<unsigned char>(unit >> 8U)),
                                    static_cast<char>(static_cast<unsigned char>(unit & 0xFFU))};
    out += bytes[big ? 0 : 1];
    out += bytes[big ? 1 : 0];
  };
  for (std::size_t i = 0; i < text.size();) {
    const char32_t code = next_character(text, i);
    if (code < 0x10000) {
      put(code);
    } else {
      put(0xD800 + ((code - 0x10000) >> 10U));
      put(0xDC00 + ((code - 0x10000) & 0x3FFU));
    }
  }
  return out;
}

std::optional<std::string> to_latin1(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const char32_t code = next_character(text, i);
    if (code > 0xFF) return std::nullopt;
    out += static_cast<char>(static_cast<unsigned char>(code));
  }
  return out;
}

}  // namespace

std::string_view encoding_name(Encoding encoding) { return names[static_cast<std::size_t>(encoding)]; }

bool has_wide_mark(std::string_view start) { return start.starts_with(little_mark) || start.starts_with(big_mark); }

Encoding encoding_of(std::string_view start) {
  if (start.starts_with(utf8_mark)) return Encoding::utf8_with_mark;
  if (start.starts_with(little_mark)) return Encoding::utf16_little;
  if (start.starts_with(big_mark)) return Encoding::utf16_big;
  if (start.find('\0') != std::string_view::npos) return with_nul(start);
  if (toolwire::text::is_valid(start) || toolwire::text::is_valid(without_last_character(start))) return Encoding::utf8;
  return is_latin1(start) ? Encoding::latin1 : Encoding::utf8;
}

Encoding encoding_of_whole(std::string_view bytes) {
  const Encoding start = encoding_of(bytes.substr(0, start_size));
  if (start != Encoding::utf8 && start != Encoding::latin1) return start;
  return !toolwire::text::is_valid(bytes) && is_latin1(bytes) ? Encoding::latin1 : Encoding::utf8;
}

std::string to_utf8(std::string_view bytes, Encoding encoding) {
  switch (encoding) {
    case Encoding::utf8_with_mark:
      return std::string(bytes.starts_with(utf8_mark) ? bytes.substr(utf8_mark.size()) : bytes);
    case Encoding::utf16_little:
      return from_utf16(bytes, false);
    case Encoding::utf16_big:
      return from_utf16(bytes, true);
    case Encoding::latin1: {
      std::string out;
      for (const char c : bytes) toolwire::text::append_character(out, static_cast<unsigned char>(c));
      return out;
    }
    case Encoding::utf8:
    case Encoding::binary:
      break;
  }
  return std::string(bytes);
}

std::optional<std::string> from_utf8(std::string_view text, Encoding encoding) {
  const bool needs_characters = encoding != Encoding::utf8 && encoding != Encoding::utf8_with_mark;
  const bool has_characters = toolwire::text::is_valid(text) && text.find('\0') == std::string_view::npos;
  if (needs_characters && (encoding == Encoding::binary || !has_characters)) return std::nullopt;
  switch (encoding) {
    case Encoding::utf8_with_mark:
      return std::string(utf8_mark) + std::string(text);
    case Encoding::utf16_little:
      return to_utf16(text, false);
    case Encoding::utf16_big:
      return to_utf16(text, true);
    case Encoding::latin1:
      return to_latin1(text);
    case Encoding::utf8:
    case Encoding::binary:
      break;
  }
  return std::string(text);
}

}  // namespace workspace
