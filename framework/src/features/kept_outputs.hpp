// Cursors into texts that were too long for a result, and are kept for a while so that the model can read on.
// Independent of tools and of where the texts are stored.
//
// Where callers are told apart, a text is kept behind a line with the name of its caller: whatever store keeps it, only
// that caller finds it.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "toolwire/stores.hpp"

namespace toolwire::features {

/// Thread-safe.
class KeptOutputs {
 public:
  /// `has_callers`: whether they are told apart. Then no text is everybody's; those of nobody in particular have an
  /// empty name.
  explicit KeptOutputs(std::shared_ptr<OutputStore> store, bool has_callers = false)
      : store_(std::move(store)), has_callers_(has_callers) {}

  /// From now on. What was kept before is nobody's.
  void tell_callers_apart() { has_callers_.store(true, std::memory_order_release); }

  /// A part of a kept text.
  struct Part {
    std::shared_ptr<const std::string> text;
    std::string id;
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  /// Keeps a whole text; the part from `begin` to `end` is what is not shown of it, and the outcome is its cursor.
  /// Empty if there is no room for the text.
  void keep(std::string_view text, std::size_t begin, std::size_t end, std::string_view caller,
            Done<std::string> done) const;
  /// The part a cursor names; nothing if the cursor is unknown, its text was dropped or is another caller's.
  void find(std::string_view cursor, std::string_view caller, Done<std::optional<Part>> done) const;

  /// "ID.BEGIN.END", unguessable.
  static std::string cursor_of(const std::string& id, std::size_t begin, std::size_t end);

 private:
  /// What a text of this caller begins with.
  std::string mark_of(std::string_view caller) const;

  std::shared_ptr<OutputStore> store_;
  std::atomic<bool> has_callers_;
};

}  // namespace toolwire::features
