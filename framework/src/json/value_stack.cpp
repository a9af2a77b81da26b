#include "json/value_stack.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace toolwire::json {
namespace {

constexpr std::size_t taken_at_once = std::size_t{1} << 16;  // values, before their memory is given back

// A table has as many places as it was made for members, and a member's place is hash % places of an FNV hash whose
// salt has known low bits. With 2^n places a client could choose names that all meet in one place and keep a processor
// busy for a long time. An odd number of places makes the unknown high bits of the salt count.
constexpr std::size_t always_quick = 64;

std::size_t places_for(std::size_t members) { return members > always_quick ? members | 1 : members; }

/// `from` and `to` have one storage; `from` is left without memory and need not be destroyed.
void relocate(Json& from, Json& to) {
  std::destroy_at(&to);
  std::construct_at(&to, boost::json::pilfer(from));
}

}  // namespace

ValueStack::~ValueStack() { std::destroy(values_.begin(), values_.end()); }

void ValueStack::append(Pile<char>& text, std::string_view part) {
  if (part.empty()) return;
  std::memcpy(text.room(part.size()), part.data(), part.size());
  text.added(part.size());
}

void ValueStack::push_string(std::string_view last_part) {
  if (parts_.size() == 0) return push(boost::json::string_view(last_part));
  JsonString text(storage_);
  text.reserve(parts_.size() + last_part.size());
  text.append({parts_.begin(), parts_.size()});
  text.append(last_part);
  parts_.take_away(parts_.size());
  push_container(std::move(text));
}

void ValueStack::push_name(std::string_view last_part) {
  append(names_, last_part);
  *names_ends_.room(1) = names_.size();
  names_ends_.added(1);
}

template <class Kind>
void ValueStack::push_empty(Kind kind) {
  std::construct_at(values_.room(1), kind, storage_);
  values_.added(1);
}

void ValueStack::push_container(Json&& container) {
  std::construct_at(values_.room(1), std::move(container));
  values_.added(1);
}

/// Has `take` move the last values out of the stack, in their order, and leave them without memory, so that they need
/// not be destroyed. If it throws, those that are left stay.
template <class Take>
void ValueStack::take_last(std::size_t count, const Take& take) {
  Json* const first = values_.end() - count;
  for (std::size_t from = 0; from < count; from += taken_at_once) {
    const std::size_t some = std::min(taken_at_once, count - from);
    for (Json* value = first + from; value != first + from + some; ++value) take(*value);
    if (some == taken_at_once) system::forget_memory(first + from, some * sizeof(Json));
  }
  values_.take_away(count);
}

void ValueStack::push_array(std::size_t elements) {
  if (elements == 0) return push_empty(boost::json::array_kind);
  JsonArray array(storage_);
  array.reserve(elements);
  std::size_t taken = 0;
  take_last(elements, [&](Json& element) {
    if (taken == array.size()) array.resize(std::min(elements, taken + taken_at_once));  // touches no more memory yet
    relocate(element, array[taken++]);
  });
  push_container(std::move(array));
}

void ValueStack::push_object(std::size_t members) {
  if (members == 0) return push_empty(boost::json::object_kind);
  JsonObject object(storage_);
  object.reserve(places_for(members));
  const std::size_t* end = names_ends_.end() - members;
  const std::size_t first = end == names_ends_.begin() ? 0 : end[-1];
  std::size_t begin = first;
  take_last(members, [&](Json& value) {
    // An empty one has no place in a pile that was never filled.
    const std::string_view name =
        *end == begin ? std::string_view("") : std::string_view(names_.begin() + begin, *end - begin);
    const auto [member, is_new] = object.emplace(name, std::move(value));
    if (!is_new) member->value() = std::move(value);  // NOLINT(bugprone-use-after-move): only a new one was moved
    std::destroy_at(&value);
    std::construct_at(&value);
    begin = *end++;
  });
  names_.take_away(names_.size() - first);
  names_ends_.take_away(members);
  push_container(std::move(object));
}

Json ValueStack::release() {
  Json value(std::move(*values_.begin()));
  std::destroy_at(values_.begin());
  values_.take_away(1);
  return value;
}

}  // namespace toolwire::json
