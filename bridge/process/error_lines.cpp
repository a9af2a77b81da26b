#include "process/error_lines.hpp"

#include <algorithm>

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_line = std::size_t{4} << 10;

}  // namespace

void ErrorLines::add(std::string_view bytes) {
  end_ += bytes;
  if (end_.size() > kept_) {
    end_.erase(0, end_.size() - kept_);
    is_cut_ = true;
  }
  if (!take_) return;
  line_ += bytes;
  pass_lines();
}

void ErrorLines::pass_lines() {
  std::size_t begin = 0;
  while (begin < line_.size()) {
    const std::size_t end = line_.find('\n', begin);
    if (end == std::string::npos && line_.size() - begin < max_line) break;
    const std::size_t length = std::min(end == std::string::npos ? max_line : end - begin, max_line);
    take_(std::string_view(line_).substr(begin, length));
    begin += length + (begin + length == end ? 1 : 0);
  }
  line_.erase(0, begin);
}

void ErrorLines::finish() {
  const Take take = std::exchange(take_, nullptr);
  if (take && !line_.empty()) take(line_);
  line_.clear();
}

std::string ErrorLines::tail() const {
  const std::size_t line = is_cut_ ? end_.find('\n') : std::string::npos;
  return line == std::string::npos ? end_ : end_.substr(line + 1);
}

}  // namespace toolwire::bridge
