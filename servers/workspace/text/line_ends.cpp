#include "workspace/text/line_ends.hpp"

#include <algorithm>

namespace workspace {
namespace {

std::string_view end_of_line(std::string_view text, std::size_t newline) {
  return newline > 0 && text[newline - 1] == '\r' ? "\r\n" : "\n";
}

}  // namespace

bool speaks_of_returns(std::string_view pattern, bool literal) {
  if (pattern.find('\r') != std::string_view::npos) return true;
  if (literal) return false;
  for (const std::string_view form : {"\\r", "\\x0d", "\\x0D", "\\x{d}", "\\x{D}", "\\x{0d}", "\\x{0D}", "\\015"})
    if (pattern.find(form) != std::string_view::npos) return true;
  return false;
}

BareText::BareText(std::string_view text) {
  bare_.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n')
      shortened_.push_back(bare_.size());
    else
      bare_ += text[i];
  }
}

std::size_t BareText::place(std::size_t at) const {
  const auto before = std::lower_bound(shortened_.begin(), shortened_.end(), at);
  return at + static_cast<std::size_t>(before - shortened_.begin());
}

std::string_view NearbyLineEnds::at(std::size_t place) {
  if (place >= from_ && place <= to_) return known_;
  std::size_t newline = text_.find('\n', place);
  from_ = place;
  to_ = std::min(newline, text_.size());
  if (newline == std::string_view::npos) newline = text_.rfind('\n', place);
  known_ = newline == std::string_view::npos ? "\n" : end_of_line(text_, newline);
  return known_;
}

std::string with_line_ends_of(std::string_view replaced, std::string_view text, std::string_view otherwise) {
  std::string out;
  std::size_t seen = 0;
  for (const char c : text) {
    if (c != '\n') {
      out += c;
      continue;
    }
    const std::size_t newline = replaced.find('\n', seen);
    if (newline != std::string_view::npos) {
      otherwise = end_of_line(replaced, newline);
      seen = newline + 1;
    }
    out += out.ends_with('\r') ? "\n" : otherwise;
  }
  return out;
}

}  // namespace workspace
