// The members of the outermost object of a line as raw text, also when the line is not quite JSON. Independent of
// values; what is inside a member is passed over.
#pragma once

#include <string_view>

namespace toolwire::json {

/// Goes through the members from the first to the last. Stops at the first place from which nesting would be a guess.
/// The line must outlive it. One thread.
class MemberScan {
 public:
  explicit MemberScan(std::string_view line);

  /// Goes to the next member. False when there is none, or none that can be told with certainty.
  bool next();

  std::string_view name() const { return name_; }    ///< As written, without the quotes.
  std::string_view value() const { return value_; }  ///< As written; may be anything in a damaged line.
  bool is_ended() const {
    return is_ended_;
  }                    ///< Whether a ',' or '}' follows, so that nothing of the value is missing.
  bool is_id() const;  ///< Whether the name, its escapes resolved, is "id".

 private:
  std::string_view line_;
  std::string_view name_;
  std::string_view value_;
  std::size_t at_;
  bool is_ended_ = false;
  bool is_over_ = false;
};

/// The last member "id" of the outermost object as written, in a line that did parse; a part of `line`.
std::string_view raw_id(std::string_view line);

}  // namespace toolwire::json
