#include "workspace/text/boundary_program.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "workspace/text/re2_text.hpp"
#include "workspace/text/words.hpp"

namespace workspace {
namespace {

using Step = BoundaryStep;

constexpr std::size_t most_steps = 100'000;

struct Node {
  enum class Kind : std::uint8_t { take, check, group, sequence, alternatives, repeat };
  Kind kind = Kind::sequence;
  Step::Kind check = Step::Kind::match;
  std::uint32_t number = 0;  // of the test, or of the group
  std::size_t least = 0;
  std::optional<std::size_t> most = {};  // none: any number
  bool is_lazy = false;
  std::vector<Node> parts = {};
};

Node check_of(Step::Kind kind) { return {.kind = Node::Kind::check, .check = kind}; }

struct Flags {
  bool ignore_case = false, lines = false, all = false, lazy = false;  // i, m, s, U

  std::string text() const {
    std::string set = std::string(ignore_case ? "i" : "") + (all ? "s" : "");
    return set.empty() ? set : "(?" + set + ')';
  }
};

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// Reads what RE2 has taken, so nothing is checked that it has.
class Reader {
 public:
  Reader(std::string_view text, std::vector<CharacterTest>& tests) : rest_(text), tests_(tests) {}

  Node alternatives(Flags flags) {
    Node all{.kind = Node::Kind::alternatives};
    all.parts.push_back(sequence(flags));
    while (rest_.starts_with('|')) {
      skip(1);
      all.parts.push_back(sequence(flags));
    }
    return all;
  }

 private:
  void skip(std::size_t count) { rest_.remove_prefix(std::min(count, rest_.size())); }

  std::string_view take(std::size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    skip(count);
    return taken;
  }

  Node sequence(Flags& flags) {
    Node all;
    while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
      if (rest_.starts_with("\\Q")) {
        quoted(all, flags);
      } else if (rest_.starts_with("(?") && !rest_.starts_with("(?P<") && !rest_.starts_with("(?<")) {
        flagged(all, flags);
      } else {
        all.parts.push_back(one(flags));
      }
      repetitions(all, flags);
    }
    return all;
  }

  void quoted(Node& all, const Flags& flags) {
    skip(2);
    while (!rest_.empty() && !rest_.starts_with("\\E")) all.parts.push_back(plain(flags));
    skip(2);
  }

  // (?flags) or (?flags:...)
  void flagged(Node& all, Flags& flags) {
    skip(2);
    Flags inner = flags;
    bool value = true;
    for (; !rest_.empty() && rest_.front() != ')' && rest_.front() != ':'; skip(1)) {
      switch (rest_.front()) {
        case 'i':
          inner.ignore_case = value;
          break;
        case 'm':
          inner.lines = value;
          break;
        case 's':
          inner.all = value;
          break;
        case 'U':
          inner.lazy = value;
          break;
        default:
          value = false;  // '-'
      }
    }
    if (take(1) == ")") {
      flags = inner;
      return;
    }
    all.parts.push_back(alternatives(inner));
    skip(1);
  }

  Node one(const Flags& flags) {
    switch (rest_.front()) {
      case '(':
        return group(flags);
      case '^':
        skip(1);
        return check_of(flags.lines ? Step::Kind::line_begin : Step::Kind::text_begin);
      case '$':
        skip(1);
        return check_of(flags.lines ? Step::Kind::line_end : Step::Kind::text_end);
      case '\\':
        return escape(flags);
      case '[':
        return test(take(size_of_class()), flags);
      case '.':
        return test(take(1), flags);
      default:
        return plain(flags);
    }
  }

  Node group(const Flags& flags) {
    skip(1);
    if (rest_.starts_with('?')) skip(rest_.find('>') + 1);
    Node whole{.kind = Node::Kind::group, .number = ++groups_};
    whole.parts.push_back(alternatives(flags));
    skip(1);
    return whole;
  }

  Node escape(const Flags& flags) {
    switch (rest_.size() > 1 ? rest_[1] : '\0') {
      case 'A':
        skip(2);
        return check_of(Step::Kind::text_begin);
      case 'z':
        skip(2);
        return check_of(Step::Kind::text_end);
      case 'b':
        skip(2);
        return check_of(Step::Kind::bound);
      case 'B':
        skip(2);
        return check_of(Step::Kind::no_bound);
      default:
        return test(take(size_of_escape()), flags);
    }
  }

  std::size_t size_of_escape() const {
    constexpr std::size_t hex = 4;  // \x41
    const char kind = rest_.size() > 1 ? rest_[1] : '\0';
    if ((kind == 'x' || kind == 'p' || kind == 'P') && rest_.substr(2).starts_with('{')) return rest_.find('}') + 1;
    if (kind == 'p' || kind == 'P') return 3;
    if (kind == 'x') return hex;
    if (!is_octal(kind)) return 2;
    std::size_t end = 2;
    while (end < hex && end < rest_.size() && is_octal(rest_[end])) ++end;
    return end;
  }

  std::size_t size_of_class() const {
    std::size_t at = rest_.starts_with("[^") ? 2 : 1;
    if (rest_.substr(at).starts_with(']')) ++at;
    while (at < rest_.size() && rest_[at] != ']') {
      const std::size_t named = rest_.substr(at).starts_with("[:") ? rest_.find(":]", at) : std::string_view::npos;
      at = named != std::string_view::npos ? named + 2 : at + (rest_[at] == '\\' ? 2 : 1);
    }
    return at + 1;
  }

  // A character that stands for itself.
  Node plain(const Flags& flags) {
    const std::string_view character = take(std::max<std::size_t>(character_size(rest_, 0), 1));
    return test(character.size() == 1 ? re2::RE2::QuoteMeta(re2_text(character)) : std::string(character), flags);
  }

  Node test(std::string_view piece, const Flags& flags) {
    const std::string text = flags.text() + std::string(piece);
    const auto [known, is_new] = numbers_.try_emplace(text, static_cast<std::uint32_t>(tests_.size()));
    if (is_new) tests_.emplace_back(text);
    return {.kind = Node::Kind::take, .number = known->second};
  }

  // What follows the last part: RE2 takes one of them only, and (?:x*)* is a group.
  void repetitions(Node& all, const Flags& flags) {
    std::size_t least = 0;
    std::optional<std::size_t> most;
    while (!all.parts.empty() && repetition(least, most)) {
      const bool is_turned = rest_.starts_with('?');
      if (is_turned) skip(1);
      Node repeated{
          .kind = Node::Kind::repeat, .least = least, .most = most, .is_lazy = is_turned != flags.lazy, .parts = {}};
      repeated.parts.push_back(std::move(all.parts.back()));
      all.parts.back() = std::move(repeated);
    }
  }

  bool repetition(std::size_t& least, std::optional<std::size_t>& most) {
    const char sign = rest_.empty() ? '\0' : rest_.front();
    least = sign == '+' ? 1 : 0;
    most = sign == '?' ? std::optional<std::size_t>(1) : std::nullopt;
    if (sign == '{') return counted(least, most);
    if (sign != '*' && sign != '+' && sign != '?') return false;
    skip(1);
    return true;
  }

  // {2}, {2,} or {2,3}; any other brace stands for itself.
  bool counted(std::size_t& least, std::optional<std::size_t>& most) {
    std::size_t at = 1;
    const auto number = [&]() -> std::optional<std::size_t> {
      const std::size_t begin = at;
      std::size_t value = 0;
      for (; at < rest_.size() && rest_[at] >= '0' && rest_[at] <= '9'; ++at)
        value = std::min<std::size_t>(value * 10 + static_cast<std::size_t>(rest_[at] - '0'), most_steps);
      return at == begin ? std::nullopt : std::optional(value);
    };
    const std::optional<std::size_t> low = number();
    std::optional<std::size_t> high = low;
    if (rest_.substr(at).starts_with(',')) {
      ++at;
      high = number();
    }
    if (!low || !rest_.substr(at).starts_with('}')) return false;
    skip(at + 1);
    least = *low;
    most = high;
    return true;
  }

  std::string_view rest_;
  std::vector<CharacterTest>& tests_;
  std::map<std::string, std::uint32_t> numbers_;
  std::uint32_t groups_ = 0;
};

bool may_be_empty(const Node& node) {
  const auto& parts = node.parts;
  switch (node.kind) {
    case Node::Kind::take:
      return false;
    case Node::Kind::check:
      return true;
    case Node::Kind::repeat:
      return node.least == 0 || may_be_empty(parts.front());
    case Node::Kind::alternatives:
      return std::any_of(parts.begin(), parts.end(), may_be_empty);
    default:
      return std::all_of(parts.begin(), parts.end(), may_be_empty);
  }
}

class Writer {
 public:
  explicit Writer(std::vector<Step>& steps) : steps_(steps) {}

  bool is_too_large() const { return steps_.size() > most_steps; }

  void write(const Node& node) {
    if (is_too_large()) return;
    switch (node.kind) {
      case Node::Kind::take:
        add(Step::Kind::take, node.number);
        break;
      case Node::Kind::check:
        add(node.check);
        break;
      case Node::Kind::group:
        add(Step::Kind::save, 2 * node.number);
        write(node.parts.front());
        add(Step::Kind::save, 2 * node.number + 1);
        break;
      case Node::Kind::sequence:
        for (const Node& part : node.parts) write(part);
        break;
      case Node::Kind::alternatives:
        alternatives(node.parts);
        break;
      case Node::Kind::repeat:
        repeat(node);
        break;
    }
  }

 private:
  std::uint32_t here() const { return static_cast<std::uint32_t>(steps_.size()); }

  std::uint32_t add(Step::Kind kind, std::uint32_t first = 0) {
    steps_.push_back({kind, first, 0});
    return here() - 1;
  }

  void alternatives(const std::vector<Node>& parts) {
    std::vector<std::uint32_t> jumps;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const std::uint32_t fork = add(Step::Kind::fork, here() + 1);
      write(parts[i]);
      jumps.push_back(add(Step::Kind::jump));
      steps_[fork].second = here();
    }
    write(parts.back());
    for (const std::uint32_t jump : jumps) steps_[jump].first = here();
  }

  void branch(std::uint32_t fork, std::uint32_t into, std::uint32_t past, bool is_lazy) {
    steps_[fork].first = is_lazy ? past : into;
    steps_[fork].second = is_lazy ? into : past;
  }

  void repeat(const Node& node) {
    const Node& what = node.parts.front();
    const std::size_t alone = node.most || node.least == 0 ? node.least : node.least - 1;
    for (std::size_t i = 0; i < alone && !is_too_large(); ++i) write(what);
    if (node.most) {
      some(what, *node.most - std::min(node.least, *node.most), node.is_lazy);
    } else if (node.least > 0) {
      at_least_one(what, node.is_lazy);
    } else if (may_be_empty(what)) {  // as RE2 has it: (x+)?
      const std::uint32_t fork = add(Step::Kind::fork);
      at_least_one(what, node.is_lazy);
      branch(fork, fork + 1, here(), node.is_lazy);
    } else {
      const std::uint32_t fork = add(Step::Kind::fork);
      write(what);
      add(Step::Kind::jump, fork);
      branch(fork, fork + 1, here(), node.is_lazy);
    }
  }

  void some(const Node& what, std::size_t most, bool is_lazy) {
    std::vector<std::uint32_t> forks;
    for (std::size_t i = 0; i < most && !is_too_large(); ++i) {
      forks.push_back(add(Step::Kind::fork));
      write(what);
    }
    for (const std::uint32_t fork : forks) branch(fork, fork + 1, here(), is_lazy);
  }

  void at_least_one(const Node& what, bool is_lazy) {
    const std::uint32_t begin = here();
    write(what);
    const std::uint32_t fork = add(Step::Kind::fork);
    branch(fork, begin, here(), is_lazy);
  }

  std::vector<Step>& steps_;
};

}  // namespace

CharacterTest::CharacterTest(const std::string& piece) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  expression_ = std::make_unique<re2::RE2>(piece, options);
  for (std::size_t code = 0; code < ascii; ++code) {
    const char character = static_cast<char>(code);
    takes_ascii_[code] = re2::RE2::FullMatch(re2_text({&character, 1}), *expression_);
  }
}

bool CharacterTest::takes(std::string_view character) const {
  if (character.size() == 1) return takes_ascii_[static_cast<unsigned char>(character.front())];
  return re2::RE2::FullMatch(re2_text(character), *expression_);
}

BoundaryProgram boundary_program(std::string_view expression, bool ignore_case) {
  BoundaryProgram program;
  const Node whole = Reader{expression, program.tests}.alternatives({.ignore_case = ignore_case});
  Writer writer{program.steps};
  writer.write(whole);
  program.steps.push_back({Step::Kind::match});
  if (writer.is_too_large()) program.steps.clear();
  return program;
}

}  // namespace workspace
