#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include <toolwire/text.hpp>

#include "checks/security.hpp"
#include "driver/message.hpp"

namespace toolwire::conformance {
namespace {

constexpr char32_t black_flag = 0x1F3F4;  // the only base of flags written with tags
constexpr std::size_t longest_flag = 6;   // tags, their end included

constexpr std::string_view orders[] = {"<important>",
                                       "ignore all previous instructions",
                                       "ignore previous instructions",
                                       "ignore the previous instructions",
                                       "disregard all previous instructions",
                                       "disregard previous instructions",
                                       "do not tell the user",
                                       "don't tell the user",
                                       "never tell the user",
                                       "without telling the user",
                                       "do not inform the user",
                                       "do not mention this to the user",
                                       "hide this from the user"};

void add_texts(std::vector<ListedText>& texts, const std::string& where, const Json& json) {
  if (json.is_string()) texts.push_back({where, std::string(text_of(json))});
  if (const JsonArray* list = json.if_array()) {
    for (std::size_t i = 0; i < list->size(); ++i) add_texts(texts, where + "/" + std::to_string(i), (*list)[i]);
  }
  if (const JsonObject* members = json.if_object()) {
    for (const auto& [name, value] : *members) {
      if (name == "_meta") continue;
      texts.push_back({where + ", a name", std::string(name)});
      add_texts(texts, where + "/" + std::string(name), value);
    }
  }
}

bool is_control(char32_t c) {
  const bool is_layout = c == U'\n' || c == U'\t' || c == U'\r';
  return (c < 0x20 && !is_layout) || (c >= 0x7F && c < 0xA0);
}

bool is_tag(char32_t c) { return c >= 0xE0000 && c <= 0xE007F; }
bool is_override(char32_t c) { return c == 0x202D || c == 0x202E; }
bool is_selector(char32_t c) { return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF); }
bool has_no_width(char32_t c) {
  return (c >= 0x200B && c <= 0x200D) || (c >= 0x2060 && c <= 0x2064) || c == 0xFEFF || c == 0x00AD;
}
bool is_ascii_word(char32_t c) { return c < 0x80 && std::isalnum(static_cast<int>(c)) != 0; }

std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) {
    const text::Character it = text::first_character(text);
    characters += it.is_valid ? it.code : U'\uFFFD';
    text.remove_prefix(it.length);
  }
  return characters;
}

/// Whether the tag at `at` belongs to a flag.
bool is_of_a_flag(const std::u32string& text, std::size_t at) {
  std::size_t tags = 1;
  while (at > 0 && is_tag(text[at - 1]) && tags <= longest_flag) {
    --at;
    ++tags;
  }
  return tags <= longest_flag && at > 0 && text[at - 1] == black_flag;
}

bool hides(const std::u32string& text, std::size_t at) {
  const char32_t it = text[at];
  const char32_t before = at > 0 ? text[at - 1] : U' ';
  const char32_t after = at + 1 < text.size() ? text[at + 1] : U' ';
  if (is_control(it) || is_override(it)) return true;
  if (is_tag(it)) return !is_of_a_flag(text, at);
  if (is_selector(it)) return is_selector(before);
  return has_no_width(it) && is_ascii_word(before) && is_ascii_word(after);
}

}  // namespace

std::vector<ListedText> listed_texts(const Offer& offer) {
  std::vector<ListedText> texts;
  const auto add_list = [&](std::string_view kind, std::string_view key, const JsonArray& list) {
    for (const Json& item : list)
      add_texts(texts, "the " + std::string(kind) + " " + std::string(text_of(get(item, key))) + ", ", item);
  };
  add_list("tool", "name", offer.tools);
  add_list("prompt", "name", offer.prompts);
  add_list("resource", "uri", offer.resources);
  add_list("template", "uriTemplate", offer.templates);
  add_texts(texts, "the instructions", get(offer.opening, "instructions"));
  return texts;
}

std::string hidden_character(std::string_view bytes) {
  const std::u32string text = characters_of(bytes);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (hides(text, i)) return fmt::format("\\u{{{:04X}}}", static_cast<std::uint32_t>(text[i]));
  }
  return "";
}

std::string_view order_to_the_model(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto found =
      std::ranges::find_if(orders, [&](std::string_view order) { return lower.find(order) != std::string::npos; });
  return found != std::end(orders) ? *found : std::string_view();
}

}  // namespace toolwire::conformance
