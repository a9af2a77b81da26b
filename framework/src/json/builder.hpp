// Collects what Boost's event parser reports into a value, and takes note of what the value cannot tell later: the raw
// id, duplicate members, why a number was refused. boost::json::value_stack is not used: it hides duplicates, and its
// tables of 2^n members can be made to collide on purpose.
#pragma once

#include <boost/container/small_vector.hpp>
#include <boost/json/error.hpp>
#include <boost/json/storage_ptr.hpp>
#include <boost/json/string_view.hpp>
#include <forward_list>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>

namespace toolwire::json {

/// The handler of one parse; see boost::json::basic_parser for its functions. The text must outlive it. One thread.
class Builder {
 public:
  using View = boost::json::string_view;
  using Error = boost::json::error_code;
  static constexpr std::size_t max_array_size = JsonArray::max_size();
  static constexpr std::size_t max_object_size = JsonObject::max_size();
  static constexpr std::size_t max_string_size = JsonString::max_size();
  static constexpr std::size_t max_key_size = JsonString::max_size();

  enum class Refusal { none, number_too_large, duplicate };
  /// How the id was seen: `text` holds where its raw text stands, `scan` says that it has to be looked for.
  enum class IdSeen { no, text, scan };

  Builder(std::string_view text, DuplicateKeys duplicate_keys, bool is_envelope, boost::json::storage_ptr storage)
      : text_(text), storage_(std::move(storage)), duplicate_keys_(duplicate_keys), is_envelope_(is_envelope) {}

  Json release() { return std::move(values_.back()); }
  Refusal refusal() const { return refusal_; }
  std::size_t refused_at() const { return refused_at_; }
  const std::string& duplicate() const { return duplicate_; }
  IdSeen id_seen() const { return id_seen_; }
  std::size_t id_at() const { return id_at_; }
  std::size_t id_length() const { return id_length_; }

  bool on_document_begin(Error&) { return true; }
  bool on_document_end(Error&) { return true; }
  bool on_object_begin(Error&) {
    begin_composite();
    return true;
  }
  bool on_array_begin(Error&) {
    begin_composite();
    return true;
  }
  bool on_object_end(std::size_t members, Error& error);
  bool on_array_end(std::size_t elements, Error&);
  bool on_key_part(View part, std::size_t, Error&) { return add_part(part); }
  bool on_key(View part, std::size_t, Error&) {
    const std::string_view key = parts_.empty() ? whole_key(part) : joined_key(part);
    keys_.push_back(key);
    if (is_envelope_ && depth_ == 1) at_id_ = key == "id";
    return true;
  }
  bool on_string_part(View part, std::size_t, Error&) { return add_part(part); }
  bool on_string(View part, std::size_t, Error&) {
    if (at_id_) note_string_id(part);
    if (parts_.empty()) {
      values_.emplace_back(part, storage_);
      return true;
    }
    parts_.append(part.data(), part.size());
    values_.emplace_back(View(parts_), storage_);
    parts_.clear();
    return true;
  }
  bool on_number_part(View, Error&) { return true; }
  bool on_int64(std::int64_t number, View raw, Error&) {
    if (at_id_) note_id(raw);
    if (number == 0 && raw.front() == '-') {
      values_.emplace_back(-0.0, storage_);
    } else {
      values_.emplace_back(number, storage_);
    }
    return true;
  }
  bool on_uint64(std::uint64_t number, View raw, Error&) {
    if (at_id_) note_id(raw);
    values_.emplace_back(number, storage_);
    return true;
  }
  bool on_double(double, View raw, Error& error);
  bool on_bool(bool flag, Error&) {
    if (at_id_) scan_for_id();
    values_.emplace_back(flag, storage_);
    return true;
  }
  bool on_null(Error&) {
    if (at_id_) scan_for_id();
    values_.emplace_back(nullptr, storage_);
    return true;
  }
  bool on_comment_part(View, Error&) { return true; }
  bool on_comment(View, Error&) { return true; }

 private:
  void begin_composite() {
    if (at_id_) scan_for_id();
    ++depth_;
  }
  bool add_part(View part) {
    parts_.append(part.data(), part.size());
    return true;
  }
  bool is_in_text(View part) const { return part.data() >= text_.data() && part.data() < text_.data() + text_.size(); }
  std::string_view whole_key(View part);
  std::string_view joined_key(View part);
  bool note_duplicate(std::string_view key, Error& error);
  bool refuse(Refusal refusal, std::size_t at, Error& error);
  void note_id(View raw);
  void note_string_id(View part);
  void scan_for_id();

  std::string_view text_;
  boost::json::storage_ptr storage_;
  boost::container::small_vector<Json, 32> values_;
  boost::container::small_vector<std::string_view, 32> keys_;
  std::string parts_;
  std::forward_list<std::string> joined_keys_;  // a list, as keys_ points into its strings
  std::string duplicate_;
  std::size_t depth_ = 0;
  std::size_t refused_at_ = 0;
  std::size_t id_at_ = 0;
  std::size_t id_length_ = 0;
  DuplicateKeys duplicate_keys_;
  Refusal refusal_ = Refusal::none;
  IdSeen id_seen_ = IdSeen::no;
  bool is_envelope_;
  bool at_id_ = false;
};

}  // namespace toolwire::json
