#include "fuzz/line_maker.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace toolwire::conformance {
namespace {

constexpr std::size_t long_text = 70'000;
constexpr int deep = 100;

Json nested() {
  Json value = JsonArray{};
  for (int i = 0; i < deep; ++i) value = JsonArray{std::move(value)};
  return value;
}

/// All values below this one.
void collect(Json& value, std::vector<Json*>& all) {
  if (JsonObject* const object = value.if_object()) {
    for (auto& member : *object) {
      all.push_back(&member.value());
      collect(member.value(), all);
    }
  } else if (JsonArray* const array = value.if_array()) {
    for (Json& item : *array) {
      all.push_back(&item);
      collect(item, all);
    }
  }
}

}  // namespace

std::string LineMaker::next() {
  Json message = messages_[below(messages_.size())];
  const std::size_t kind = below(4);
  if (kind == 0) return to_json_text(message);
  std::string text = to_json_text(changed(std::move(message)));
  return kind == 3 ? damaged(std::move(text)) : text;
}

Json LineMaker::changed(Json message) {
  for (std::size_t times = 1 + below(3); times > 0; --times) {
    std::vector<Json*> all{&message};
    collect(message, all);
    change(*all[below(all.size())]);
  }
  return message;
}

void LineMaker::change(Json& value) {
  JsonObject* const object = value.if_object();
  if (object != nullptr && below(3) != 0) return change_members(*object);
  if (value.is_array() && below(2) == 0) {
    value.get_array().push_back(odd_value());
  } else if (value.is_string() && below(2) == 0) {
    value.get_string().append(noise());
  } else {
    value = odd_value();
  }
}

void LineMaker::change_members(JsonObject& object) {
  if (object.empty() || below(3) == 0) {
    object[below(2) == 0 ? "unknown" : noise()] = odd_value();
    return;
  }
  const auto member = object.begin() + static_cast<std::ptrdiff_t>(below(object.size()));
  if (below(2) == 0) {
    object.erase(member);
  } else {
    Json copy = member->value();
    object["_" + std::string(member->key())] = std::move(copy);
  }
}

Json LineMaker::odd_value() {
  switch (below(14)) {
    case 0:
      return nullptr;
    case 1:
      return below(2) == 0;
    case 2:
      return -1;
    case 3:
      return 0;
    case 4:
      return 1e308;
    case 5:
      return std::numeric_limits<std::int64_t>::min();
    case 6:
      return std::numeric_limits<std::uint64_t>::max();
    case 7:
      return 0.1;
    case 8:
      return "";
    case 9:
      return Json(std::string(long_text, 'x'));
    case 10:
      return Json(noise());
    case 11:
      return JsonObject{};
    case 12:
      return nested();
    default:
      return JsonArray{nullptr, JsonObject{{"a", JsonArray{}}}};
  }
}

/// A few characters that programs stumble over.
std::string LineMaker::noise() {
  static constexpr std::string_view all[] = {std::string_view("\0", 1),
                                             "\r",
                                             "\x7f",
                                             "\\",
                                             "\"",
                                             "%s%n",
                                             "../..",
                                             "\xF0\x9F\x98\x80",
                                             "\xE2\x80\xAE",  // NOLINT(misc-misleading-bidirectional): its subject
                                             "\xEF\xBF\xBF",
                                             "$ref",
                                             "__proto__",
                                             "constructor",
                                             "'; --",
                                             "\t",
                                             "\xC2\x85"};
  return std::string(all[below(std::size(all))]);
}

std::string LineMaker::damaged(std::string text) {
  const std::size_t at = below(text.size());
  const std::size_t count = 1 + below(std::min<std::size_t>(text.size() - at, 16));
  switch (below(6)) {
    case 0:
      text.resize(at);
      break;
    case 1:
      text.erase(at, count);
      break;
    case 2:
      text.insert(at, text.substr(at, count));
      break;
    case 3:
      text[at] = static_cast<char>(random_() & 0xFF);
      break;
    case 4:
      text.insert(at, noise());
      break;
    default:
      text += text;
  }
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace toolwire::conformance
