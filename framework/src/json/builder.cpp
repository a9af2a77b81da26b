#include "json/builder.hpp"

#include "json/number.hpp"

namespace toolwire::json {

bool Builder::refuse(Refused what, Error& error) {
  refused_ = what;
  error = boost::json::make_error_code(boost::json::error::input_error);
  return false;
}

bool Builder::on_double(double, View raw, Error& error) {
  if (at_id_) note_id(raw);
  if (const auto number = nearest_double({raw.data(), raw.size()})) {
    stack_.push(*number);
    return count(error);
  }
  refused_at_ = static_cast<std::size_t>(raw.data() - text_.data());
  return refuse(Refused::number, error);
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

// A string reported in one part, out of the text itself, has no escapes, so that its quotes stand right around it.
void Builder::note_string_id(View last_part, std::size_t size) {
  const bool is_in_text = last_part.data() >= text_.data() && last_part.data() < text_.data() + text_.size();
  if (!is_in_text || last_part.size() != size) return scan_for_id();
  note_id(View(last_part.data() - 1, size + 2));
}

void Builder::scan_for_id() {
  id_seen_ = IdSeen::scan;
  at_id_ = false;
}

}  // namespace toolwire::json
