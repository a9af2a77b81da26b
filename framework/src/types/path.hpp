// Where in a JSON value one is, kept as a chain on the stack and spelled out only when something is wrong there.
// Independent of what is read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace toolwire::types {

/// One step below `parent`; both the parent and the text outlive it. A value type; one thread.
class Path {
 public:
  /// The root; `text` stands in front of every path and may be empty.
  explicit Path(std::string_view text) : name_(text) {}
  Path(const Path& parent, std::string_view member) : parent_(&parent), name_(member) {}
  Path(const Path& parent, std::size_t index) : parent_(&parent), index_(index), is_index_(true) {}

  /// True at the root when nothing stands in front of it.
  bool is_empty() const { return parent_ == nullptr && name_.empty(); }

  /// "files[0].name"; a member whose name would be ambiguous there reads `headers["a.b"]`.
  std::string text() const;

 private:
  void append_to(std::string& out) const;

  const Path* parent_ = nullptr;
  std::string_view name_;
  std::size_t index_ = 0;
  bool is_index_ = false;
};

}  // namespace toolwire::types
