#include "json/builder.hpp"

#include <vector>

#include "json/number.hpp"

namespace toolwire::json {
namespace {

// A table has as many places as members were parsed, and a member's place is hash % places of an FNV hash whose salt
// has known low bits. With 2^n members a client could choose names that all meet in one place and keep a processor busy
// for a long time. An odd number of places makes the unknown high bits of the salt count. So large even objects are
// built with one member more, which is taken away at the end; its name is not UTF-8, so that no text can contain it.
constexpr std::size_t always_quick = 64;
constexpr std::string_view padding_name = "\xFF";

void remove_padding(JsonObject& object) {
  if (object.empty()) return;
  const auto last = object.end() - 1;
  if (last->key() == padding_name) object.erase(last);
}

void remove_all_padding(Json& root) {
  std::vector<Json*> rest = {&root};
  while (!rest.empty()) {
    Json& value = *rest.back();
    rest.pop_back();
    if (auto* const object = value.if_object()) {
      remove_padding(*object);
      for (auto& member : *object) rest.push_back(&member.value());
    } else if (auto* const array = value.if_array()) {
      for (Json& element : *array) rest.push_back(&element);
    }
  }
}

}  // namespace

Json Builder::release() {
  Json value = stack_.release();
  if (is_padded_) remove_all_padding(value);
  return value;
}

bool Builder::on_object_end(std::size_t members, Error&) {
  if (--depth_ == 0) outermost_members_ = members;
  if (members > always_quick && members % 2 == 0) {
    stack_.push_key(padding_name);
    stack_.push_null();
    is_padded_ = true;
    ++members;
  }
  stack_.push_object(members);
  return true;
}

bool Builder::on_double(double, View raw, Error& error) {
  if (at_id_) note_id(raw);
  if (const auto number = nearest_double({raw.data(), raw.size()})) {
    stack_.push_double(*number);
    return true;
  }
  refused_number_ = true;
  refused_at_ = static_cast<std::size_t>(raw.data() - text_.data());
  error = boost::json::make_error_code(boost::json::error::input_error);
  return false;
}

void Builder::watch_name(View part) {
  if (name_.empty()) {
    at_id_ = part == "id";
    return;
  }
  name_.append(part.data(), part.size());
  at_id_ = name_ == "id";
  name_.clear();
}

void Builder::note_id(View raw) {
  id_seen_ = IdSeen::text;
  id_at_ = static_cast<std::size_t>(raw.data() - text_.data());
  id_length_ = raw.size();
  at_id_ = false;
}

// A string reported out of the text itself has no escapes, so that its quotes stand right around it.
void Builder::note_string_id(View part) {
  const bool is_in_text = part.data() >= text_.data() && part.data() < text_.data() + text_.size();
  if (!is_in_text) return scan_for_id();
  note_id(View(part.data() - 1, part.size() + 2));
}

void Builder::scan_for_id() {
  id_seen_ = IdSeen::scan;
  at_id_ = false;
}

}  // namespace toolwire::json
