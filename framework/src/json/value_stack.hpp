// The values of containers that are not finished yet, while a text is read. A container is made in the size it needs,
// and what has gone into it leaves the stack meanwhile, so that building takes little more memory than the result.
#pragma once

#include <boost/json/storage_ptr.hpp>
#include <cstddef>
#include <memory>
#include <string_view>
#include <toolwire/json.hpp>

#include "json/pile.hpp"

namespace toolwire::json {

/// Every function may throw std::bad_alloc. One thread.
class ValueStack {
 public:
  /// Values take their memory from `storage`.
  explicit ValueStack(boost::json::storage_ptr storage) : storage_(std::move(storage)) {}
  ValueStack(const ValueStack&) = delete;
  ValueStack& operator=(const ValueStack&) = delete;
  ~ValueStack();

  /// A number, a truth value or null.
  template <class T>
  void push(T plain) {
    std::construct_at(values_.room(1), plain, storage_);
    values_.added(1);
  }
  /// A part of a string; the rest follows.
  void push_part(std::string_view part) { append(parts_, part); }
  void push_string(std::string_view last_part);
  /// The same of a name.
  void push_name_part(std::string_view part) { append(names_, part); }
  void push_name(std::string_view last_part);
  /// The last values become an array.
  void push_array(std::size_t elements);
  /// The last names and values become an object; of members of one name the last counts.
  void push_object(std::size_t members);

  /// The one value that is left, once.
  Json release();

 private:
  static void append(Pile<char>& text, std::string_view part);
  template <class Kind>
  void push_empty(Kind kind);
  void push_container(Json&& container);
  template <class Take>
  void take_last(std::size_t count, const Take& take);

  boost::json::storage_ptr storage_;
  Pile<Json> values_;
  Pile<char> parts_;
  Pile<char> names_;              // one after the other …
  Pile<std::size_t> names_ends_;  // … and where each ends
};

}  // namespace toolwire::json
