// Cuts a stream of bytes into lines: bytes go in where `room` says, lines come out of `next` without being copied.
// Independent of where the bytes come from and what a line means.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace toolwire::transport {

/// Splits at LF only and strips one CR before it. Not thread-safe. Lines are views into the splitter, valid until the
/// next call of `room`.
///
/// The bytes lie in one reserved range of addresses as large as the longest line: a long line that arrives in pieces is
/// never copied to grow, costs memory only for the pages it has touched, and gives them back afterwards.
class LineSplitter {
 public:
  struct Line {
    std::string_view text;
    bool too_long = false;  ///< `text` is the beginning, at most `kept_of_too_long` bytes; the rest is skipped.
  };
  static constexpr std::size_t chunk = std::size_t{64} << 10;
  static constexpr std::size_t kept_of_too_long = std::size_t{4} << 10;

  /// `max_line`: the longest line accepted, in bytes without its end. Throws std::bad_alloc if the range cannot be
  /// reserved.
  explicit LineSplitter(std::size_t max_line);
  LineSplitter(const LineSplitter&) = delete;
  LineSplitter& operator=(const LineSplitter&) = delete;
  ~LineSplitter();

  /// Where to put the next bytes, at least `chunk` of them. Take all lines with `next` first.
  [[nodiscard]] std::span<char> room();

  /// Tells that the first `count` bytes of the last `room` are filled.
  void added(std::size_t count) noexcept { end_ += count; }

  /// The next complete line (or one that is too long, reported once, as soon as that is known).
  [[nodiscard]] std::optional<Line> next();

  /// After the end of input: what followed the last LF, if anything.
  [[nodiscard]] std::optional<Line> rest();

 private:
  bool skip_to_line_end() noexcept;
  Line cut(std::size_t length) const noexcept;
  void tidy() noexcept;
  void move_to_front() noexcept;
  void give_back_memory() noexcept;

  std::size_t max_line_;
  std::size_t size_;       // of the reserved range
  char* bytes_ = nullptr;  // [begin_, end_) is filled, [begin_, scanned_) has no LF
  std::size_t begin_ = 0;
  std::size_t scanned_ = 0;
  std::size_t end_ = 0;
  std::size_t touched_ = 0;  // pages up to here may be in memory
  bool skipping_ = false;    // inside a line that was reported as too long
};

}  // namespace toolwire::transport
