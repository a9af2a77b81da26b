#include "json/member_scan.hpp"

#include <charconv>

#include "json/skip.hpp"

namespace toolwire::json {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::size_t before_first_member(std::string_view line) {
  return skip_space(line, line.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
}

// The letter at the front of `name`, plain or as \u00XX, and removes it; 0 for everything else.
char take_letter(std::string_view& name) {
  if (name.empty()) return 0;
  if (name.front() != '\\') {
    const char letter = name.front();
    name.remove_prefix(1);
    return letter;
  }
  if (name.size() < 6 || name[1] != 'u') return 0;
  unsigned unit = 0;
  const char* const end = name.data() + 6;
  if (std::from_chars(name.data() + 2, end, unit, 16).ptr != end || unit >= 0x80) return 0;
  name.remove_prefix(6);
  return static_cast<char>(unit);
}

std::string_view without_space_behind(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace

MemberScan::MemberScan(std::string_view line)
    : line_(line), at_(before_first_member(line)), is_over_(at_ >= line.size() || line[at_] != '{') {}

bool MemberScan::next() {
  if (is_over_) return false;
  is_over_ = true;
  std::size_t at = skip_space(line_, at_ + 1);
  if (at >= line_.size() || line_[at] != '"') return false;
  const std::size_t name_end = skip_string(line_, at);
  if (name_end == std::string_view::npos) return false;
  name_ = line_.substr(at + 1, name_end - at - 2);
  at = skip_space(line_, name_end);
  if (at >= line_.size() || line_[at] != ':') return false;
  const std::size_t begin = skip_space(line_, at + 1);
  at_ = skip_value(line_, begin);
  if (at_ == std::string_view::npos) return false;
  value_ = without_space_behind(line_.substr(begin, at_ - begin));
  is_ended_ = at_ < line_.size() && line_[at_] != ']';
  is_over_ = !is_ended_ || line_[at_] != ',';
  return true;
}

bool MemberScan::is_id() const {
  std::string_view name = name_;
  const char first = take_letter(name);
  return first == 'i' && take_letter(name) == 'd' && name.empty();
}

std::string_view raw_id(std::string_view line) {
  std::string_view id;
  for (MemberScan member(line); member.next();) {
    if (member.is_id()) id = member.value();
  }
  return id;
}

}  // namespace toolwire::json
