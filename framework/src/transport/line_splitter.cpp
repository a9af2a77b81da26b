#include "transport/line_splitter.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace toolwire::transport {
namespace {

constexpr std::size_t kept_in_memory = std::size_t{2} << 20;  // not given back between lines
constexpr std::size_t largest_room = std::size_t{1} << 20;
constexpr std::size_t line_limit = std::size_t{1} << 40;

std::string_view without_carriage_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

LineSplitter::LineSplitter(std::size_t max_line)
    : max_line_{std::min(max_line, line_limit)}, size_{max_line_ + kept_in_memory + largest_room} {
  void* range = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) throw std::bad_alloc{};
  bytes_ = static_cast<char*>(range);
  // One huge page at the first byte would cost a small server more than all the rest of it.
  ::madvise(range, kept_in_memory, MADV_NOHUGEPAGE);
}

LineSplitter::~LineSplitter() { ::munmap(bytes_, size_); }

std::span<char> LineSplitter::room() {
  tidy();
  const std::size_t wanted = std::clamp(end_, chunk, largest_room);
  return {bytes_ + end_, std::min(wanted, size_ - end_)};
}

std::optional<LineSplitter::Line> LineSplitter::next() {
  if (begin_ == end_) tidy();  // the memory of a long line is given back before the line is worked on
  if (skipping_ && !skip_to_line_end()) return std::nullopt;
  const char* from = bytes_ + scanned_;
  const auto* line_feed = static_cast<const char*>(std::memchr(from, '\n', end_ - scanned_));
  if (line_feed != nullptr) {
    const Line line = cut(static_cast<std::size_t>(line_feed - bytes_) - begin_);
    begin_ = scanned_ = static_cast<std::size_t>(line_feed - bytes_) + 1;
    return line;
  }
  scanned_ = end_;
  if (end_ - begin_ <= max_line_ + 1) return std::nullopt;  // one more than the limit may still be a CR
  const Line line = cut(end_ - begin_);
  begin_ = end_;
  skipping_ = true;
  return line;
}

void LineSplitter::tidy() noexcept {
  touched_ = std::max(touched_, end_);
  move_to_front();
  give_back_memory();
}

std::optional<LineSplitter::Line> LineSplitter::rest() {
  if (auto line = next()) return line;
  if (skipping_ || begin_ == end_) return std::nullopt;
  const Line line = cut(end_ - begin_);
  begin_ = scanned_ = end_;
  return line;
}

bool LineSplitter::skip_to_line_end() noexcept {
  const auto* line_feed = static_cast<const char*>(std::memchr(bytes_ + begin_, '\n', end_ - begin_));
  begin_ = line_feed == nullptr ? end_ : static_cast<std::size_t>(line_feed - bytes_) + 1;
  scanned_ = begin_;
  skipping_ = line_feed == nullptr;
  return !skipping_;
}

LineSplitter::Line LineSplitter::cut(std::size_t length) const noexcept {
  const std::string_view text = without_carriage_return({bytes_ + begin_, length});
  if (text.size() <= max_line_) return {text, false};
  return {text.substr(0, kept_of_too_long), true};
}

// Each byte moves at most once: after this its line starts at the front and grows there.
void LineSplitter::move_to_front() noexcept {
  if (begin_ == 0) return;
  if (begin_ != end_) std::memmove(bytes_, bytes_ + begin_, end_ - begin_);
  scanned_ -= begin_;
  end_ -= begin_;
  begin_ = 0;
}

void LineSplitter::give_back_memory() noexcept {
  if (touched_ <= kept_in_memory || end_ > kept_in_memory) return;
  ::madvise(bytes_ + kept_in_memory, touched_ - kept_in_memory, MADV_DONTNEED);
  touched_ = kept_in_memory;
}

}  // namespace toolwire::transport
