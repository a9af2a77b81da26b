#include "workspace/text/bounded_text.hpp"

#include "workspace/text/utf8.hpp"

namespace workspace {

bool BoundedText::add_line(std::string_view line) {
  if (full_ || lines_ == budget_.lines || text_.size() + line.size() + 1 > budget_.bytes) {
    full_ = true;
    return false;
  }
  const std::size_t room = budget_.bytes - text_.size() - 1;
  const ValidText valid = valid_utf8_prefix(line, room);
  if (valid.consumed < line.size()) {
    full_ = true;
    return false;
  }
  text_ += valid.text;
  text_ += '\n';
  ++lines_;
  return true;
}

std::size_t BoundedText::add_part_of_line(std::string_view line) {
  if (full_ || lines_ == budget_.lines || text_.size() + 1 >= budget_.bytes) {
    full_ = true;
    return 0;
  }
  const ValidText valid = valid_utf8_prefix(line, budget_.bytes - text_.size() - 1);
  text_ += valid.text;
  text_ += '\n';
  ++lines_;
  full_ = true;
  return valid.consumed;
}

void BoundedText::notice(std::string_view text) {
  if (!notices_.empty()) notices_ += '\n';
  notices_ += '[';
  notices_ += valid_utf8(text);
  notices_ += ']';
}

std::string BoundedText::lines_text() const { return text_.empty() ? text_ : text_.substr(0, text_.size() - 1); }

std::string BoundedText::text() const { return notices_.empty() ? lines_text() : text_ + notices_; }

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return std::to_string(number) + ' ' + std::string(number == 1 ? one : many);
}

}  // namespace workspace
