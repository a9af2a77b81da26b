#include "workspace/search/required_text.hpp"

#include <cstring>
#include <utility>

namespace workspace {
namespace {

bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Reads an expression from left to right; each run of plain characters that must be there is a candidate.
class Reading {
 public:
  explicit Reading(std::string_view expression) : rest_(expression) {}

  RequiredText result() {
    while (!rest_.empty() && !given_up_) next();
    const bool is_all = plain_;
    end_run();
    if (given_up_) return {};
    return {best_, is_all};
  }

 private:
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  void end_run() {
    if (run_.size() > best_.size()) best_ = run_;
    run_.clear();
  }

  void break_run() {
    plain_ = false;
    end_run();
  }

  void next() {
    switch (const char c = take()) {
      case '\\':
        return escape();
      case '[':
        break_run();
        return skip_set();
      case '(':
        break_run();
        return skip_group();
      case '.':
      case '^':
      case '$':
        return break_run();
      case '*':
      case '?':
        return drop_last();
      case '{':
        return repetition();
      case '+':
        return break_run();
      case '|':
      case ')':
        given_up_ = true;
        return;
      default:
        run_ += c;
    }
  }

  void escape() {
    if (rest_.empty() || !is_word(rest_.front())) {
      if (rest_.empty()) given_up_ = true;
      if (!rest_.empty()) run_ += take();
      return;
    }
    constexpr std::string_view simple = "bBdDsSwW";
    given_up_ = simple.find(take()) == std::string_view::npos;
    break_run();
  }

  // What was read last may be absent.
  void drop_last() {
    plain_ = false;
    while (!run_.empty() && (static_cast<unsigned char>(run_.back()) & 0xC0U) == 0x80U) run_.pop_back();
    if (!run_.empty()) run_.pop_back();
    end_run();
  }

  void repetition() {
    const std::size_t end = rest_.find('}');
    if (rest_.empty() || rest_.front() < '0' || rest_.front() > '9' || end == std::string_view::npos) {
      run_ += '{';
      return;
    }
    drop_last();
    rest_.remove_prefix(end + 1);
  }

  void skip_set() {
    if (rest_.starts_with('^')) take();
    if (rest_.starts_with(']')) take();
    while (!rest_.empty() && rest_.front() != ']') {
      if (rest_.starts_with("[:")) {
        const std::size_t end = rest_.find(":]");
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 2);
      } else if (take() == '\\' && !rest_.empty()) {
        take();
      }
    }
    if (!rest_.empty()) take();
  }

  // A group may hold anything, flags for what follows included: those are given up on.
  void skip_group() {
    if (rest_.starts_with('?') && !rest_.starts_with("?:") && !rest_.starts_with("?P<")) {
      given_up_ = true;
      return;
    }
    for (int depth = 1; depth > 0 && !rest_.empty();) {
      switch (take()) {
        case '\\':
          given_up_ = given_up_ || rest_.starts_with('Q');
          if (!rest_.empty()) take();
          break;
        case '[':
          skip_set();
          break;
        case '(':
          ++depth;
          break;
        case ')':
          --depth;
          break;
        default:
          break;
      }
    }
  }

  std::string_view rest_;
  std::string run_;
  std::string best_;
  bool plain_ = true;
  bool given_up_ = false;
};

// From common to rare in programs and prose; characters not listed are rarer.
constexpr std::string_view common = " etaoinsrldcumpfhg\nyb_vk,.()=w;:x\"-/'0123>*<{}[]S";

std::size_t rarity(char c) {
  const std::size_t place = common.find(c);
  return place == std::string_view::npos ? common.size() : place;
}

}  // namespace

RequiredText required_text(std::string_view expression) { return Reading{expression}.result(); }

TextFinder::TextFinder(std::string text) : text_(std::move(text)) {
  for (std::size_t i = 1; i < text_.size(); ++i)
    if (rarity(text_[i]) > rarity(text_[rarest_])) rarest_ = i;
}

std::size_t TextFinder::find(std::string_view in, std::size_t from) const {
  if (in.size() < text_.size()) return std::string_view::npos;
  const std::size_t last = in.size() - text_.size();
  while (from <= last) {
    const void* const hit = std::memchr(in.data() + from + rarest_, text_[rarest_], last - from + 1);
    if (hit == nullptr) break;
    const std::size_t at = static_cast<std::size_t>(static_cast<const char*>(hit) - in.data()) - rarest_;
    if (std::memcmp(in.data() + at, text_.data(), text_.size()) == 0) return at;
    from = at + 1;
  }
  return std::string_view::npos;
}

}  // namespace workspace
