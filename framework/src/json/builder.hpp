// Collects what Boost's event parser reports into a value, and takes note of what the value cannot tell later: the raw
// id, how many members the outermost object had before doubled ones fell together, why the text was refused.
#pragma once

#include <boost/json/error.hpp>
#include <boost/json/string_view.hpp>
#include <boost/system/error_code.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>

#include "json/value_stack.hpp"

namespace toolwire::json {

/// The handler of one parse; see boost::json::basic_parser for its functions. The text must outlive it. One thread.
class Builder {
 public:
  using View = boost::json::string_view;
  using Error = boost::system::error_code;
  static constexpr std::size_t max_array_size = JsonArray::max_size();
  static constexpr std::size_t max_object_size = JsonObject::max_size() - 1;  // one place for the padding
  static constexpr std::size_t max_string_size = JsonString::max_size();
  static constexpr std::size_t max_key_size = JsonString::max_size();

  /// How the id was seen: `text` means that id_at and id_length tell its raw text, `scan` that it has to be looked for.
  enum class IdSeen { no, text, scan };
  /// What is refused although it is JSON: a number beyond all doubles, more values and names than allowed.
  enum class Refused { nothing, number, count };

  /// `max_values`: see Bounds.
  Builder(std::string_view text, std::size_t max_values, bool is_envelope, const boost::json::storage_ptr& storage)
      : stack_(storage), text_(text), values_left_(max_values), is_envelope_(is_envelope) {}

  /// The finished value; to be called once, after a parse that succeeded.
  Json release() { return stack_.release(); }
  /// Members of the outermost object as sent, doubled ones counted twice; 0 if it is not an object.
  std::size_t outermost_members() const { return outermost_members_; }
  Refused refused() const { return refused_; }
  /// Where the number is that was refused.
  std::size_t refused_at() const { return refused_at_; }
  IdSeen id_seen() const { return id_seen_; }
  std::size_t id_at() const { return id_at_; }
  std::size_t id_length() const { return id_length_; }

  bool on_document_begin(Error&) { return true; }
  bool on_document_end(Error&) { return true; }
  bool on_object_begin(Error& error) { return begin_composite(error); }
  bool on_array_begin(Error& error) { return begin_composite(error); }
  bool on_object_end(std::size_t members, Error&) {
    if (--depth_ == 0) outermost_members_ = members;
    stack_.push_object(members);
    return true;
  }
  bool on_array_end(std::size_t elements, Error&) {
    --depth_;
    stack_.push_array(elements);
    return true;
  }
  bool on_key_part(View part, std::size_t, Error&) {
    stack_.push_name_part(part);
    if (watches_names()) name_.append(part.data(), part.size());
    return true;
  }
  bool on_key(View part, std::size_t, Error& error) {
    stack_.push_name(part);
    if (watches_names()) watch_name(part);
    return count(error);
  }
  bool on_string_part(View part, std::size_t, Error&) {
    stack_.push_part(part);
    return true;
  }
  bool on_string(View part, std::size_t size, Error& error) {
    if (at_id_) note_string_id(part, size);
    stack_.push_string(part);
    return count(error);
  }
  bool on_number_part(View, Error&) { return true; }
  bool on_int64(std::int64_t number, View raw, Error& error) {
    if (at_id_) note_id(raw);
    if (number == 0 && raw.front() == '-') {
      stack_.push(-0.0);
    } else {
      stack_.push(number);
    }
    return count(error);
  }
  bool on_uint64(std::uint64_t number, View raw, Error& error) {
    if (at_id_) note_id(raw);
    stack_.push(number);
    return count(error);
  }
  bool on_double(double, View raw, Error& error);
  bool on_bool(bool flag, Error& error) {
    if (at_id_) scan_for_id();
    stack_.push(flag);
    return count(error);
  }
  bool on_null(Error& error) {
    if (at_id_) scan_for_id();
    stack_.push(nullptr);
    return count(error);
  }
  bool on_comment_part(View, Error&) { return true; }
  bool on_comment(View, Error&) { return true; }

 private:
  bool begin_composite(Error& error) {
    if (at_id_) scan_for_id();
    ++depth_;
    return count(error);
  }
  /// Counts one value or name.
  bool count(Error& error) {
    if (values_left_ == 0) return refuse(Refused::count, error);
    --values_left_;
    return true;
  }
  bool refuse(Refused what, Error& error);
  bool watches_names() const { return is_envelope_ && depth_ == 1; }
  void watch_name(View part);
  void note_id(View raw);
  void note_string_id(View last_part, std::size_t size);
  void scan_for_id();

  ValueStack stack_;
  std::string_view text_;
  std::string name_;  // the parts of a name that has escapes
  std::size_t values_left_;
  std::size_t depth_ = 0;
  std::size_t outermost_members_ = 0;
  std::size_t refused_at_ = 0;
  std::size_t id_at_ = 0;
  std::size_t id_length_ = 0;
  IdSeen id_seen_ = IdSeen::no;
  Refused refused_ = Refused::nothing;
  bool is_envelope_;
  bool at_id_ = false;
};

}  // namespace toolwire::json
