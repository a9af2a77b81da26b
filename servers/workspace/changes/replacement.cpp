#include "workspace/changes/replacement.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <toolwire/error.hpp>
#include <utility>

#include "workspace/text/line_ends.hpp"
#include "workspace/text/utf8.hpp"

namespace workspace {
namespace {

constexpr std::size_t max_text = std::size_t{64} * 1024;
constexpr int most_groups = 100;

[[noreturn]] void refuse(std::string_view replacement, const std::string& why) {
  throw toolwire::ToolError("replacement: \"" + valid_utf8_prefix(replacement, 200).text + "\" " + why +
                            "; expected text in which $1 or ${name} is a group of the pattern, $0 the whole match and "
                            "$$ a dollar sign, or literal: true for plain text");
}

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

// One text: goes from match to match, and keeps pace in the text as it is in the file.
class Replacement::Run {
 public:
  Run(const Replacement& what, std::string_view text, std::string_view shown, const std::stop_token& stop)
      : what_(what),
        stop_(stop),
        text_(text),
        shown_(shown),
        ends_in_returns_(text.find("\r\n") != std::string_view::npos) {
    if (what.sees_returns_ || !ends_in_returns_) return;
    searched_ = bare_.emplace(shown).text();
  }

  std::string result() {
    if (what_.options_.multiline) {
      replace_in(searched_, 0);
    } else {
      each_line();
    }
    out_ += text_.substr(copied_);
    return std::move(out_);
  }

  std::size_t places() const { return places_; }

 private:
  void each_line() {
    for (std::size_t begin = 0; begin < searched_.size();) {
      const std::size_t end = std::min(searched_.find('\n', begin), searched_.size());
      replace_in(searched_.substr(begin, end - begin), begin);
      begin = end + 1;
    }
  }

  // `part` begins at `offset` of what is searched.
  void replace_in(std::string_view part, std::size_t offset) {
    std::vector<re2::StringPiece> groups(
        static_cast<std::size_t>(what_.expression_.as_written().NumberOfCapturingGroups()) + 1);
    const Letters letters = letters_of(part);
    std::size_t last_end = std::string_view::npos;
    for (std::size_t from = 0; from <= part.size();) {
      if (stop_.stop_requested()) throw toolwire::ToolError("the call was cancelled; nothing was changed");
      if (!what_.expression_.match(part, from, letters, groups)) return;
      const auto begin = static_cast<std::size_t>(groups[0].data() - part.data());
      const std::size_t end = begin + groups[0].size();
      const bool is_behind_last_line = what_.options_.multiline && begin == part.size() && part.ends_with('\n');
      if (end == begin && (begin == last_end || is_behind_last_line)) {
        from = next_character(part, begin);
        continue;
      }
      replace(offset + begin, offset + end, groups);
      last_end = end;
      from = end;
    }
  }

  static std::size_t next_character(std::string_view text, std::size_t at) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
    return at;
  }

  void replace(std::size_t begin, std::size_t end, const std::vector<re2::StringPiece>& groups) {
    const std::size_t from = in_file(begin);
    const std::size_t to = in_file(end);
    if (text_.substr(from, to - from) != shown_.substr(from, to - from)) refuse_hidden(from);
    out_ += text_.substr(copied_, from - copied_);
    const std::string made = text_of(groups);
    const bool has_ends = ends_in_returns_ && made.find('\n') != std::string::npos;
    out_ += has_ends ? with_line_ends_of(text_.substr(from, to - from), made, line_ends_.at(to)) : made;
    copied_ = to;
    ++places_;
  }

  std::string text_of(const std::vector<re2::StringPiece>& groups) const {
    std::string text;
    for (const Piece& piece : what_.pieces_) {
      if (piece.group < 0) {
        text += piece.text;
      } else if (const re2::StringPiece& group = groups[static_cast<std::size_t>(piece.group)];
                 group.data() != nullptr) {
        text.append(group.data(), group.size());
      }
    }
    return text;
  }

  // Where a place of what is searched is in the file.
  std::size_t in_file(std::size_t place) const { return bare_ ? bare_->place(place) : place; }

  [[noreturn]] void refuse_hidden(std::size_t at) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw toolwire::ToolError("pattern: covers credentials at line " + std::to_string(line) +
                              " that are only shown as ***; match what stands beside them, and leave them to a person");
  }

  const Replacement& what_;
  const std::stop_token& stop_;  // as one expression may look at all of the text for each of its matches
  std::string_view text_, shown_;
  std::string_view searched_ = shown_;
  std::optional<BareText> bare_;  // the same, where line ends have returns
  bool ends_in_returns_;
  NearbyLineEnds line_ends_{text_};
  std::string out_;
  std::size_t copied_ = 0, places_ = 0;
};

Replacement::Replacement(std::string_view pattern, std::string_view replacement, ReplacementOptions options)
    : options_(options),
      sees_returns_(speaks_of_returns(pattern, options.literal)),
      expression_(pattern, {.ignore_case = options.ignore_case,
                            .literal = options.literal,
                            .multiline = options.multiline,
                            .captures = true}) {
  if (replacement.size() > max_text) throw toolwire::ToolError("replacement: is larger than 64 KiB");
  if (pattern.empty() || !expression_.error().empty())
    throw toolwire::ToolError("pattern: " + (pattern.empty() ? "is empty" : expression_.error()) +
                              "; expected an RE2 regular expression, or literal: true");
  if (expression_.as_written().NumberOfCapturingGroups() >= most_groups)
    throw toolwire::ToolError("pattern: has more than 99 groups");
  if (options.literal) {
    pieces_.push_back({std::string(replacement)});
  } else {
    read(replacement);
  }
}

Replacement::Replacement(Replacement&&) noexcept = default;
Replacement::~Replacement() = default;

void Replacement::read(std::string_view replacement) {
  std::string plain;
  const auto end_plain = [&] {
    if (!plain.empty()) pieces_.push_back({std::exchange(plain, {})});
  };
  for (std::size_t at = 0; at < replacement.size(); ++at) {
    const char c = replacement[at];
    const std::string_view rest = replacement.substr(at + 1);
    if (c == '\\' && !rest.empty() && is_digit(rest.front())) refuse(replacement, "has a group written with \\");
    if (c != '$' || rest.empty() || !(rest.front() == '$' || rest.front() == '{' || is_name(rest.front()))) {
      plain += c;
    } else if (rest.front() == '$') {
      plain += '$';
      ++at;
    } else if (rest.front() == '{') {
      const std::size_t end = rest.find('}');
      if (end == std::string_view::npos) refuse(replacement, "has ${ without }");
      end_plain();
      add_group(replacement, rest.substr(1, end - 1));
      at += end + 1;
    } else {
      const auto length = static_cast<std::size_t>(
          std::find_if_not(rest.begin(), rest.end(), is_digit(rest.front()) ? is_digit : is_name) - rest.begin());
      end_plain();
      add_group(replacement, rest.substr(0, length));
      at += length;
    }
  }
  end_plain();
}

void Replacement::add_group(std::string_view replacement, std::string_view name) {
  const bool is_number = !name.empty() && name.size() < 4 && std::all_of(name.begin(), name.end(), is_digit);
  const auto& names = expression_.as_written().NamedCapturingGroups();
  const auto named = names.find(std::string(name));
  int group = named == names.end() ? -1 : named->second;
  if (is_number) group = std::stoi(std::string(name));
  if (group < 0 || group > expression_.as_written().NumberOfCapturingGroups())
    refuse(replacement,
           "names the group \"" + valid_utf8_prefix(name, 40).text + "\", which the pattern does not have");
  pieces_.push_back({{}, group});
}

std::string Replacement::apply(std::string_view text, std::string_view shown, std::size_t& places,
                               const std::stop_token& stop) const {
  Run run{*this, text, shown, stop};
  std::string result = run.result();
  places += run.places();
  return result;
}

}  // namespace workspace
