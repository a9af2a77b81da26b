// Texts that were too long for a result, kept for a while so that the model can read on. Knows no tools.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace toolwire::features {

/// Thread-safe. The oldest texts go first when there is no more room.
class KeptOutputs {
 public:
  /// `room` in bytes of text; 0: nothing is kept.
  explicit KeptOutputs(std::size_t room) : room_(room) {}

  /// A part of a kept text.
  struct Part {
    std::shared_ptr<const std::string> text;
    std::string id;
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  /// Keeps a whole text; the part is what is not shown of it. Nothing if there is no room for it.
  std::optional<Part> keep(std::string_view text, std::size_t begin, std::size_t end);
  /// The part a cursor names; nothing if the cursor is unknown or its text was dropped.
  std::optional<Part> find(std::string_view cursor) const;

  /// "ID.BEGIN.END", unguessable.
  static std::string cursor_of(const Part& part);

 private:
  const std::size_t room_;
  mutable std::mutex mutex_;
  std::list<Part> kept_;  // the oldest first
  std::size_t bytes_ = 0;
};

}  // namespace toolwire::features
