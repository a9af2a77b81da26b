#include "workspace/text/expression.hpp"

#include <cstdint>

#include "workspace/text/boundary_matcher.hpp"
#include "workspace/text/expression_words.hpp"
#include "workspace/text/re2_text.hpp"
#include "workspace/text/words.hpp"

namespace workspace {
namespace {

constexpr std::int64_t room_for_unicode = 32 << 20;  // bytes; the usual 8 MiB do not hold \w{500}

re2::RE2::Options re2_options(ExpressionOptions wanted) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_never_nl(!wanted.multiline);
  options.set_never_capture(!wanted.captures);
  options.set_case_sensitive(!wanted.ignore_case);
  return options;
}

// (?m): ^ and $ are the bounds of a line, so that many lines can be searched in one go.
std::unique_ptr<re2::RE2> by_line(const std::string& expression, const re2::RE2::Options& options) {
  return std::make_unique<re2::RE2>("(?m)" + expression, options);
}

}  // namespace

Letters letters_of(std::string_view text) { return is_ascii(text) ? Letters::ascii : Letters::any; }

Expression::Expression(std::string_view pattern, ExpressionOptions options) {
  const re2::RE2::Options wanted = re2_options(options);
  const std::string text = options.literal ? re2::RE2::QuoteMeta(re2_text(pattern)) : std::string(pattern);
  const WordsUsed used = options.literal ? WordsUsed{} : words_used(text);
  ascii_ = by_line(used.classes ? for_ascii(text) : text, wanted);
  if (!ascii_->ok()) {
    const re2::RE2 written{text, wanted};
    error_ = written.ok() ? ascii_->error() : written.error();
    return;
  }
  if (!used.classes && !used.bounds) return;
  if (used.bounds && used.any_byte) {
    error_ = "\\C and \\b or \\B cannot stand in one expression";
    return;
  }
  re2::RE2::Options roomy = wanted;
  roomy.set_max_mem(room_for_unicode);
  any_ = by_line(for_unicode(text, false), roomy);
  if (!any_->ok()) {
    error_ = any_->error();
  } else if (used.bounds) {
    bounds_ = std::make_unique<BoundaryMatcher>("(?m)" + for_unicode(text, true), options.ignore_case, *any_);
    if (!bounds_->is_ok()) error_ = "pattern too large";
  }
}

Expression::Expression(Expression&&) noexcept = default;
Expression::~Expression() = default;

bool Expression::match(std::string_view text, std::size_t from, Letters letters,
                       std::span<re2::StringPiece> groups) const {
  const bool is_any = letters == Letters::any && depends_on_letters();
  if (is_any && bounds_) return bounds_->match(text, from, groups);
  const re2::RE2& expression = is_any ? *any_ : *ascii_;
  return expression.Match(re2_text(text), from, text.size(), re2::RE2::UNANCHORED, groups.data(),
                          static_cast<int>(groups.size()));
}

std::size_t Expression::next_candidate(std::string_view text, std::size_t from) const {
  re2::StringPiece found;
  const bool is_found =
      (any_ ? *any_ : *ascii_).Match(re2_text(text), from, text.size(), re2::RE2::UNANCHORED, &found, 1);
  return is_found ? static_cast<std::size_t>(found.data() - text.data()) : std::string_view::npos;
}

}  // namespace workspace
