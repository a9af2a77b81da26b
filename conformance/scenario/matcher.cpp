#include "scenario/matcher.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include <toolwire/schema.hpp>

#include "driver/message.hpp"

namespace toolwire::conformance {
namespace {

std::string check(const Json& matcher, const Json* found, const std::string& place);

std::string wrong(const std::string& place, const std::string& expected, const Json* found) {
  return (place.empty() ? "" : "at " + place + ": ") + "expected " + expected + ", found " +
         (found == nullptr ? "nothing" : shown(*found));
}

Json pattern_schema(const Json& pattern) { return JsonObject{{"type", "string"}, {"pattern", pattern}}; }

std::string fit(const Json& schema, const Json* found, const std::string& place) {
  if (found == nullptr) return wrong(place, "a value", found);
  const auto violations = Schema::compile(schema).validate(*found);
  if (violations.empty()) return "";
  const SchemaViolation& first = violations.front();
  const std::string inner = place + first.instance_path;
  boost::system::error_code none;
  const Json* const its_value = found->find_pointer(first.instance_path, none);
  return (inner.empty() ? "" : "at " + inner + ": ") + first.message + ", found " +
         shown(its_value == nullptr ? *found : *its_value);
}

std::string contain(const Json& item, const Json* found, const std::string& place) {
  const JsonArray* const array = found == nullptr ? nullptr : found->if_array();
  const auto matches = [&](const Json& one) { return check(item, &one, "").empty(); };
  if (array != nullptr && std::ranges::any_of(*array, matches)) return "";
  return wrong(place, "an array with " + shown(item), found);
}

std::string be_other_than(const Json& matcher, const Json* found, const std::string& place) {
  return check(matcher, found, place).empty() ? wrong(place, "anything but " + shown(matcher), found) : "";
}

std::string be_one_of(const Json& matchers, const Json* found, const std::string& place) {
  const auto matches = [&](const Json& one) { return check(one, found, place).empty(); };
  return std::ranges::any_of(matchers.get_array(), matches) ? "" : wrong(place, "one of " + shown(matchers), found);
}

std::string be_absent(const Json&, const Json* found, const std::string& place) {
  return found == nullptr ? "" : wrong(place, "nothing", found);
}

bool are_equal(const Json& left, const Json& right);

bool are_equal(const JsonObject& left, const JsonObject& right) {
  const auto is_in_right = [&](const auto& member) {
    const Json* const other = right.if_contains(member.key());
    return other != nullptr && are_equal(member.value(), *other);
  };
  return left.size() == right.size() && std::ranges::all_of(left, is_in_right);
}

/// As numbers, however they are written.
bool are_equal(const Json& left, const Json& right) {
  if (left.is_number() && right.is_number() && (left.is_double() || right.is_double()))
    return left.to_number<double>() == right.to_number<double>();
  if (left.is_object() && right.is_object()) return are_equal(left.get_object(), right.get_object());
  if (left.is_array() && right.is_array())
    return std::ranges::equal(left.get_array(), right.get_array(),
                              [](const Json& one, const Json& other) { return are_equal(one, other); });
  return left == right;
}

std::string equal(const Json& value, const Json* found, const std::string& place) {
  return found != nullptr && are_equal(value, *found) ? "" : wrong(place, shown(value), found);
}

void check_schema(const Json& schema) {
  if (to_json_text(schema).find("${") == std::string::npos) Schema::compile(schema);
}
void check_pattern(const Json& pattern) {
  if (!pattern.is_string()) throw std::invalid_argument("expected a pattern, found " + shown(pattern));
  check_schema(pattern_schema(pattern));
}
/// Names the place in what `look` throws.
template <class Look>
void check_at(std::string_view name, Look look) {
  try {
    look();
  } catch (const std::exception& error) {
    const std::string why = error.what();
    throw std::invalid_argument(below("", name) + (why.starts_with('/') ? "" : ": ") + why);
  }
}
void check_matchers(const JsonArray& list) {
  for (std::size_t i = 0; i < list.size(); ++i) check_at(std::to_string(i), [&] { check_matcher(list[i]); });
}
void check_list(const Json& list) {
  if (!list.is_array()) throw std::invalid_argument("expected an array of matchers, found " + shown(list));
  check_matchers(list.get_array());
}
void check_true(const Json& value) {
  if (value != Json(true)) throw std::invalid_argument("expected true, found " + shown(value));
}

struct Word {
  std::string_view name;
  std::string (*check)(const Json& argument, const Json* found, const std::string& place);
  void (*check_argument)(const Json& argument);
};

constexpr std::array words{
    Word{"$schema", fit, check_schema},
    Word{"$matches",
         [](const Json& pattern, const Json* found, const std::string& place) {
           return fit(pattern_schema(pattern), found, place);
         },
         check_pattern},
    Word{"$exactly", equal, [](const Json&) {}},
    Word{"$contains", contain, check_matcher},
    Word{"$not", be_other_than, check_matcher},
    Word{"$any_of", be_one_of, check_list},
    Word{"$absent", be_absent, check_true},
};

const Word* find_word(std::string_view name) {
  const auto found = std::ranges::find(words, name, &Word::name);
  return found == words.end() ? nullptr : &*found;
}

bool has_words(const JsonObject& matcher) {
  return !matcher.empty() && std::string_view(matcher.begin()->key()).starts_with('$');
}

std::string check_members(const JsonObject& matcher, const Json* found, const std::string& place) {
  const JsonObject* const object = found == nullptr ? nullptr : found->if_object();
  if (object == nullptr) return wrong(place, "an object", found);
  for (const auto& [name, member] : matcher) {
    if (auto why = check(member, object->if_contains(name), below(place, name)); !why.empty()) return why;
  }
  return "";
}

std::string check_words(const JsonObject& matcher, const Json* found, const std::string& place) {
  for (const auto& [name, argument] : matcher) {
    if (auto why = find_word(name)->check(argument, found, place); !why.empty()) return why;
  }
  return "";
}

std::string check_items(const JsonArray& matcher, const Json* found, const std::string& place) {
  const JsonArray* const array = found == nullptr ? nullptr : found->if_array();
  if (array == nullptr || array->size() != matcher.size())
    return wrong(place, "an array of " + std::to_string(matcher.size()), found);
  for (std::size_t i = 0; i < matcher.size(); ++i) {
    if (auto why = check(matcher[i], &(*array)[i], below(place, std::to_string(i))); !why.empty()) return why;
  }
  return "";
}

std::string check(const Json& matcher, const Json* found, const std::string& place) {
  if (const JsonObject* const object = matcher.if_object())
    return has_words(*object) ? check_words(*object, found, place) : check_members(*object, found, place);
  if (const JsonArray* const array = matcher.if_array()) return check_items(*array, found, place);
  return equal(matcher, found, place);
}

void check_object(const JsonObject& matcher) {
  for (const auto& [name, argument] : matcher) {
    const Word* const word = find_word(name);
    const bool wants_word = has_words(matcher);
    if (wants_word != (word != nullptr))
      throw std::invalid_argument("expected " +
                                  std::string(wants_word
                                                  ? "one of $schema, $matches, $exactly, $contains, $not, "
                                                    "$any_of and $absent beside others of them"
                                                  : "no words with $ beside members (use $exactly for such a name)") +
                                  ", found \"" + std::string(name) + "\"");
    check_at(name, [word, &given = argument] { word != nullptr ? word->check_argument(given) : check_matcher(given); });
  }
}

}  // namespace

std::string mismatch(const Json& matcher, const Json* found) { return check(matcher, found, ""); }

void check_matcher(const Json& matcher) {
  if (const JsonObject* const object = matcher.if_object()) return check_object(*object);
  if (const JsonArray* const array = matcher.if_array()) check_matchers(*array);
}

}  // namespace toolwire::conformance
