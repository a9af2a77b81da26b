#include "fuzz/shrink.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include <toolwire/json.hpp>

namespace toolwire::conformance {
namespace {

using Still = std::function<bool(const Lines&)>;

/// Tries without parts of `size`, of half of that, and so on, from the end: what matters is mostly there. Whether
/// anything went.
template <class Sequence>
bool take_parts_away(Sequence& whole, const std::function<bool(const Sequence&)>& still) {
  const std::size_t before = whole.size();
  for (std::size_t size = (whole.size() + 1) / 2; size > 0; size /= 2) {
    for (std::size_t end = whole.size(); end > 0;) {
      const std::size_t begin = end > size ? end - size : 0;
      Sequence less = whole;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(begin), less.begin() + static_cast<std::ptrdiff_t>(end));
      if (still(less)) whole = std::move(less);
      end = begin;
    }
  }
  return whole.size() < before;
}

using StillJson = std::function<bool()>;  // of the whole message, which is changed in place

bool take_members_away(Json& value, const StillJson& still);

bool take_members_away(JsonObject& object, const StillJson& still) {
  std::vector<std::string> names;
  for (const auto& member : object) names.emplace_back(member.key());
  bool any = false;
  for (const std::string& name : names) {
    const JsonObject before = object;
    object.erase(name);
    if (still()) {
      any = true;
      continue;
    }
    object = before;
    any = take_members_away(object.at(name), still) || any;
  }
  return any;
}

bool take_items_away(JsonArray& array, const StillJson& still) {
  bool any = false;
  for (std::size_t i = array.size(); i > 0; --i) {
    const JsonArray before = array;
    array.erase(array.begin() + static_cast<std::ptrdiff_t>(i - 1));
    if (still()) {
      any = true;
      continue;
    }
    array = before;
    any = take_members_away(array[i - 1], still) || any;
  }
  return any;
}

bool shorten_text(JsonString& text, const StillJson& still) {
  std::string bytes(text);
  const auto fits = [&](const std::string& shorter) {
    text = shorter;
    return still();
  };
  const bool any = take_parts_away<std::string>(bytes, fits);
  text = bytes;
  return any;
}

bool take_members_away(Json& value, const StillJson& still) {
  if (JsonObject* const object = value.if_object()) return take_members_away(*object, still);
  if (JsonArray* const array = value.if_array()) return take_items_away(*array, still);
  constexpr std::size_t short_enough = 8;
  if (JsonString* const text = value.if_string(); text != nullptr && text->size() > short_enough)
    return shorten_text(*text, still);
  return false;
}

std::optional<Json> as_json(const std::string& line) {
  try {
    return parse_json(line, {.max_depth = 512});
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

void shrink_line(Lines& lines, std::size_t number, const Still& still) {
  if (std::optional<Json> message = as_json(lines[number])) {
    const auto with_message = [&] {
      Lines all = lines;
      all[number] = to_json_text(*message);
      if (!still(all)) return false;
      lines = std::move(all);
      return true;
    };
    while (take_members_away(*message, with_message)) {
    }
    return;
  }
  std::string line = lines[number];
  take_parts_away<std::string>(line, [&](const std::string& shorter) {
    Lines all = lines;
    all[number] = shorter;
    return still(all);
  });
  lines[number] = line;
}

}  // namespace

Lines shrink(Lines lines, const Still& still) {
  while (take_parts_away<Lines>(lines, still)) {
  }
  for (std::size_t number = 0; number < lines.size(); ++number) shrink_line(lines, number, still);
  return lines;
}

}  // namespace toolwire::conformance
