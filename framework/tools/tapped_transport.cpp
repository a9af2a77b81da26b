#include "tapped_transport.hpp"

#include <algorithm>

namespace toolwire::tools {
namespace {

constexpr std::size_t max_shown = std::size_t{64} << 10;  // bytes of a line

}  // namespace

void TappedTransport::Lines::take(std::string_view bytes) {
  for (std::size_t end = 0; (end = bytes.find('\n')) != std::string_view::npos; bytes.remove_prefix(end + 1)) {
    keep(bytes.substr(0, end));
    seen_(direction_, line_, size_);
    line_.clear();
    size_ = 0;
  }
  keep(bytes);
}

void TappedTransport::Lines::keep(std::string_view part) {
  size_ += part.size();
  line_.append(part.substr(0, std::min(part.size(), max_shown - line_.size())));
}

}  // namespace toolwire::tools
