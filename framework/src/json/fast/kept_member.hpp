// The value of a member that comes with every message and seldom changes, read once.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>

namespace toolwire::json {

/// Of one connection: the text of `_meta` of its last request, or of the last result, and once the same bytes have come
/// twice in a row its value, for every one that brings them again: requests share it, results get a copy. Nothing but
/// all bytes of the text decides. One that differs each time (a progress token, a trace) costs one comparison and one
/// copy, and is never kept as a value. One thread at a time; what is shared may be read on several.
class KeptMember {
 public:
  enum class Of { requests, results };

  explicit KeptMember(Of of = Of::requests) : of_(of) {}
  Of of() const { return of_; }
  /// Whether `rest` of a line begins with the kept text; an object ends with its brace, whatever comes behind it.
  bool is_next(std::string_view rest) const { return !text_.empty() && rest.starts_with(text_); }
  std::size_t length() const { return text_.size(); }
  bool has_value() const { return value_ != nullptr; }
  const Json& value() const { return *value_; }
  /// Notes the text of a valid value that has just been read.
  void note(std::string_view text) {
    value_.reset();
    if (text.size() > longest || !text.starts_with('{')) text = {};
    text_.assign(text);
  }
  /// Keeps a copy of the value of the text, which takes `memory` bytes. It is on the heap, because a copy of a value
  /// takes its memory where the value has its own, and tools copy parts of this one, each on its thread.
  void keep(const Json& value, std::size_t memory) {
    value_ = std::make_shared<const Json>(value, boost::json::storage_ptr());
    memory_ = memory;
  }

  /// The message that is being read shares the value. Returns the bytes that it takes.
  std::size_t share() {
    shared_ = value_;
    return memory_;
  }
  void share_nothing() { shared_.reset(); }
  /// The value if the message read last shares it, else null.
  const std::shared_ptr<const Json>& shared() const { return shared_; }

 private:
  static constexpr std::size_t longest = 2048;  // bytes
  const Of of_;
  std::string text_;
  std::shared_ptr<const Json> value_;
  std::size_t memory_ = 0;
  std::shared_ptr<const Json> shared_;
};

}  // namespace toolwire::json
