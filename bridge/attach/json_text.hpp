// Finds the parts of JSON text without building anything: where the members of an object and the elements of an array
// begin and end. Checks nothing; text that is no JSON just has no further parts.
#pragma once

#include <optional>
#include <string_view>

namespace toolwire::attach {

/// A member as it stands in the text: its name without quotes, escapes and all, and its value.
struct Member {
  std::string_view name;
  std::string_view value;
};

/// The members of an object, from the first to the last. Views of the text.
class Members {
 public:
  explicit Members(std::string_view object);
  std::optional<Member> next();

 private:
  std::string_view rest_;
};

/// The elements of an array.
class Elements {
 public:
  explicit Elements(std::string_view array);
  std::optional<std::string_view> next();

 private:
  std::string_view rest_;
};

/// The value of a member; empty if there is none.
std::string_view member(std::string_view object, std::string_view name);

bool is_object(std::string_view value);
bool is_array(std::string_view value);
/// What stands between the quotes; empty for what is no string.
std::string_view text_in(std::string_view value);

}  // namespace toolwire::attach
