#include "workspace/text/expression_words.hpp"

#include <algorithm>
#include <cstddef>

#include "workspace/text/words.hpp"

namespace workspace {
namespace {

// Goes through an expression and hands each escape over; all else is copied. What RE2 will refuse is copied too.
template <class Escape>
std::string rewritten(std::string_view text, const Escape& escape) {
  std::string out;
  const auto copy = [&](std::size_t size) {
    out += text.substr(0, size);
    text.remove_prefix(std::min(size, text.size()));
  };
  bool is_in_class = false;
  while (!text.empty()) {
    if (!is_in_class && text.starts_with("\\Q")) {
      const std::size_t end = text.find("\\E");
      copy(end == std::string_view::npos ? text.size() : end + 2);
    } else if (text.front() == '\\' && text.size() > 1) {
      if (escape(text[1], is_in_class, out)) {
        text.remove_prefix(2);
      } else {
        copy(2);
      }
    } else if (is_in_class && text.starts_with("[:") && text.find(":]") != std::string_view::npos) {
      copy(text.find(":]") + 2);
    } else if (!is_in_class && text.front() == '[') {
      is_in_class = true;
      copy(text.starts_with("[^") ? 2 : 1);
      if (text.starts_with(']')) copy(1);
    } else {
      if (text.front() == ']') is_in_class = false;
      copy(1);
    }
  }
  return out;
}

bool is_class(char letter) { return std::string_view("wdsWDS").find(letter) != std::string_view::npos; }
bool is_bound(char letter) { return letter == 'b' || letter == 'B'; }

}  // namespace

WordsUsed words_used(std::string_view expression) {
  WordsUsed used;
  rewritten(expression, [&](char letter, bool is_in_class, const std::string&) {
    used.classes = used.classes || is_class(letter);
    used.bounds = used.bounds || (!is_in_class && is_bound(letter));
    used.any_byte = used.any_byte || (!is_in_class && letter == 'C');
    return false;
  });
  return used;
}

std::string for_ascii(std::string_view expression) {
  return rewritten(expression, [](char letter, bool is_in_class, std::string& out) {
    if (letter != 's' && letter != 'S') return false;
    if (is_in_class) {
      out += class_ranges(letter);
    } else {
      out += letter == 's' ? "[\\t-\\r ]" : "[^\\t-\\r ]";
    }
    return true;
  });
}

std::string for_unicode(std::string_view expression, bool with_bounds) {
  return rewritten(expression, [&](char letter, bool is_in_class, std::string& out) {
    if (!is_in_class && is_bound(letter) && !with_bounds) {
      out += "(?:)";
      return true;
    }
    if (!is_class(letter)) return false;
    out += (is_in_class ? "" : "[") + class_ranges(letter) + (is_in_class ? "" : "]");
    return true;
  });
}

}  // namespace workspace
