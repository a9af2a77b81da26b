#include "workspace/text/utf8.hpp"

#include <limits>
#include <toolwire/text.hpp>

namespace workspace {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

std::size_t ascii_run(std::string_view bytes) {
  std::size_t n = 0;
  while (n < bytes.size() && bytes[n] != '\0' && static_cast<unsigned char>(bytes[n]) < 0x80) ++n;
  return n;
}

}  // namespace

ValidText valid_utf8_prefix(std::string_view bytes, std::size_t most) {
  ValidText result;
  while (result.consumed < bytes.size()) {
    std::string_view rest = bytes.substr(result.consumed);
    const std::size_t room = most - result.text.size();
    if (const std::size_t run = ascii_run(rest.substr(0, room)); run > 0) {
      result.text += rest.substr(0, run);
      result.consumed += run;
      continue;
    }
    const toolwire::text::Character character = toolwire::text::first_character(rest);
    const bool stays = character.is_valid && character.code != 0;
    const std::string_view shown = stays ? rest.substr(0, character.length) : replacement;
    if (shown.size() > room) break;
    result.text += shown;
    result.consumed += character.length;
  }
  return result;
}

std::string valid_utf8(std::string_view bytes) {
  return valid_utf8_prefix(bytes, std::numeric_limits<std::size_t>::max()).text;
}

}  // namespace workspace
