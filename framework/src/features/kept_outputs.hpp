// Cursors into texts that were too long for a result, and are kept for a while so that the model can read on.
// Independent of tools and of where the texts are stored.
#pragma once

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
  explicit KeptOutputs(std::shared_ptr<OutputStore> store) : store_(std::move(store)) {}

  /// A part of a kept text.
  struct Part {
    std::shared_ptr<const std::string> text;
    std::string id;
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  /// Keeps a whole text; the part from `begin` to `end` is what is not shown of it, and the outcome is its cursor.
  /// Empty if there is no room for the text.
  void keep(std::string_view text, std::size_t begin, std::size_t end, Done<std::string> done) const;
  /// The part a cursor names; nothing if the cursor is unknown or its text was dropped.
  void find(std::string_view cursor, Done<std::optional<Part>> done) const;

  /// "ID.BEGIN.END", unguessable.
  static std::string cursor_of(const std::string& id, std::size_t begin, std::size_t end);

 private:
  std::shared_ptr<OutputStore> store_;
};

}  // namespace toolwire::features
