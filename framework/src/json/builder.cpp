#include "json/builder.hpp"

#include "json/number.hpp"

namespace toolwire::json {
namespace {

// Boost takes hash % capacity of an FNV hash whose salt has known low bits, so that with 2^n places a client could
// choose names that all meet in one of them. An odd number of places makes the unknown high bits of the salt count.
// Small objects are searched from the front and need exactly as many places as members.
std::size_t places_for(std::size_t members) { return members <= 16 ? members : members | 1U; }

}  // namespace

bool Builder::on_object_end(std::size_t members, Error& error) {
  JsonObject object(places_for(members), storage_);
  auto value = values_.end() - static_cast<std::ptrdiff_t>(members);
  auto key = keys_.end() - static_cast<std::ptrdiff_t>(members);
  const auto first_value = value;
  const auto first_key = key;
  for (; key != keys_.end(); ++key, ++value) {
    const auto [place, is_new] = object.emplace(View(*key), std::move(*value));
    if (is_new) continue;
    if (!note_duplicate(*key, error)) return false;
    place->value() = std::move(*value);
  }
  values_.erase(first_value, values_.end());
  keys_.erase(first_key, keys_.end());
  values_.emplace_back(std::move(object));
  --depth_;
  return true;
}

bool Builder::on_array_end(std::size_t elements, Error&) {
  JsonArray array(storage_);
  array.reserve(elements);
  const auto first = values_.end() - static_cast<std::ptrdiff_t>(elements);
  for (auto value = first; value != values_.end(); ++value) array.emplace_back(std::move(*value));
  values_.erase(first, values_.end());
  values_.emplace_back(std::move(array));
  --depth_;
  return true;
}

bool Builder::on_double(double, View raw, Error& error) {
  if (at_id_) note_id(raw);
  const auto number = nearest_double({raw.data(), raw.size()});
  if (!number) return refuse(Refusal::number_too_large, static_cast<std::size_t>(raw.data() - text_.data()), error);
  values_.emplace_back(*number, storage_);
  return true;
}

std::string_view Builder::whole_key(View part) {
  if (is_in_text(part)) return {part.data(), part.size()};
  return joined_keys_.emplace_front(part.data(), part.size());
}

std::string_view Builder::joined_key(View part) {
  parts_.append(part.data(), part.size());
  const std::string_view key = joined_keys_.emplace_front(parts_);
  parts_.clear();
  return key;
}

bool Builder::note_duplicate(std::string_view key, Error& error) {
  if (is_envelope_ && depth_ == 1 && duplicate_.empty()) duplicate_ = key.empty() ? "\"\"" : key;
  if (duplicate_keys_ == DuplicateKeys::last_wins) return true;
  duplicate_ = key;
  const bool in_text = is_in_text({key.data(), key.size()});
  return refuse(Refusal::duplicate, in_text ? static_cast<std::size_t>(key.data() - text_.data()) : text_.size(),
                error);
}

bool Builder::refuse(Refusal refusal, std::size_t at, Error& error) {
  refusal_ = refusal;
  refused_at_ = at;
  error = boost::json::make_error_code(boost::json::error::input_error);
  return false;
}

void Builder::note_id(View raw) {
  id_seen_ = IdSeen::text;
  id_at_ = static_cast<std::size_t>(raw.data() - text_.data());
  id_length_ = raw.size();
  at_id_ = false;
}

// A string reported in one piece out of the text itself has no escapes, so that its quotes stand right around it.
void Builder::note_string_id(View part) {
  if (!parts_.empty() || !is_in_text(part)) return scan_for_id();
  note_id(View(part.data() - 1, part.size() + 2));
}

void Builder::scan_for_id() {
  id_seen_ = IdSeen::scan;
  at_id_ = false;
}

}  // namespace toolwire::json
