// The message about a member that a struct does not have. Independent of the values of
// members.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "toolwire/detail/type_table.hpp"
#include "toolwire/json.hpp"

namespace toolwire::types {

/// Words for the unknown members of one object. Refers to the shape; lives on the stack while the object is read.
class UnknownMember {
 public:
  /// `is_root`: the object is the arguments themselves.
  UnknownMember(const detail::ObjectShape& shape, const JsonObject& object, bool is_root);

  bool knows(std::string_view name) const;

  /// "not an argument of this tool; did you mean "color"? expected: color, size". Only what is still missing is
  /// suggested.
  std::string text(std::string_view name) const;

 private:
  std::vector<std::string_view> names_;
  std::vector<std::string_view> missing_;
  bool is_root_;
};

}  // namespace toolwire::types
