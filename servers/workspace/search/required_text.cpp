#include "workspace/search/required_text.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "workspace/search/text_finder.hpp"

namespace workspace {
namespace {

using Texts = std::vector<std::string>;  // one of them is there; empty: none is known

constexpr int most_nested = 50;

bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// How much is passed over for want of the texts: the shortest decides.
std::size_t worth(const Texts& texts) {
  std::size_t least = texts.empty() ? 0 : texts.front().size();
  for (const std::string& text : texts) least = std::min(least, text.size());
  return least;
}

bool is_better(const Texts& one, const Texts& other) {
  return worth(one) > worth(other) || (worth(one) == worth(other) && one.size() < other.size());
}

// Reads one branch of an expression from left to right; each run of plain characters that must be there is a
// candidate, and so is each group.
class Reading {
 public:
  Reading(std::string_view& rest, int depth) : rest_(rest), depth_(depth) {}

  /// Up to the end, or to the parenthesis that ends the group. Nothing if something is not understood.
  static Texts of_alternatives(std::string_view& rest, bool& is_plain, bool& has_given_up, int depth) {
    Reading first{rest, depth};
    Texts texts = first.branch();
    is_plain = first.plain_;
    has_given_up = first.given_up_;
    while (rest.starts_with('|') && !has_given_up) {
      rest.remove_prefix(1);
      Reading next{rest, depth};
      Texts more = next.branch();
      has_given_up = next.given_up_;
      is_plain = false;
      const bool are_known = !texts.empty() && !more.empty() && texts.size() + more.size() <= TextFinder::most_texts;
      if (are_known) texts.insert(texts.end(), more.begin(), more.end());
      if (!are_known) texts.clear();
    }
    return has_given_up ? Texts{} : texts;
  }

 private:
  Texts branch() {
    while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')' && !given_up_) next();
    end_run();
    return best_;
  }

  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  void offer(Texts texts) {
    if (is_better(texts, best_)) best_ = std::move(texts);
  }

  void end_run() {
    if (!run_.empty()) offer({std::exchange(run_, {})});
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
        return group();
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

  // A group may set flags, or name itself in some way: that is given up on.
  void group() {
    if (rest_.starts_with("?:")) {
      rest_.remove_prefix(2);
    } else if (rest_.starts_with("?P<") && rest_.find('>') != std::string_view::npos) {
      rest_.remove_prefix(rest_.find('>') + 1);
    } else if (rest_.starts_with('?')) {
      given_up_ = true;
    }
    given_up_ = given_up_ || depth_ == most_nested;
    if (given_up_) return;
    bool is_plain = false;
    Texts texts = of_alternatives(rest_, is_plain, given_up_, depth_ + 1);
    given_up_ = given_up_ || !rest_.starts_with(')');
    if (given_up_) return;
    take();
    const bool may_be_absent = rest_.starts_with('*') || rest_.starts_with('?') || rest_.starts_with('{');
    if (!may_be_absent) offer(std::move(texts));
  }

  std::string_view& rest_;
  int depth_;
  std::string run_;
  Texts best_;
  bool plain_ = true;
  bool given_up_ = false;
};

/// Letters that Unicode gives a third form, and what is not ASCII.
bool has_more_forms(char c) {
  return c == 'k' || c == 'K' || c == 's' || c == 'S' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

std::string longest_with_two_forms(std::string_view text) {
  std::string_view best;
  while (!text.empty()) {
    const auto end = std::find_if(text.begin(), text.end(), has_more_forms);
    const auto size = static_cast<std::size_t>(end - text.begin());
    if (size > best.size()) best = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return std::string(best);
}

RequiredText for_letters(RequiredText required, Case letters) {
  if (letters == Case::matters) return required;
  for (std::string& text : required.any_of) text = longest_with_two_forms(text);
  return worth(required.any_of) == 0 ? RequiredText{} : RequiredText{std::move(required.any_of), false, letters};
}

}  // namespace

RequiredText required_text(std::string_view expression, Case letters) {
  constexpr std::string_view any_case = "(?i)";
  if (expression.starts_with(any_case)) {
    expression.remove_prefix(any_case.size());
    letters = Case::ignored;
  }
  RequiredText required;
  bool has_given_up = false;
  required.any_of = Reading::of_alternatives(expression, required.is_all, has_given_up, 0);
  if (has_given_up || !expression.empty()) return {};
  return for_letters(std::move(required), letters);
}

RequiredText required_of_text(std::string_view text, Case letters) {
  return for_letters({{std::string(text)}, true}, letters);
}

}  // namespace workspace
