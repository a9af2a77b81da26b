#include "schema/pattern.hpp"

#include <re2/re2.h>

namespace toolwire::schema {

Pattern::Pattern(std::string_view ecma) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  const std::string translated = translate_pattern(ecma);
  auto regex = std::make_shared<const RE2>(translated, options);
  if (!regex->ok()) {
    const bool too_large =
        regex->error_code() == RE2::ErrorPatternTooLarge || regex->error_code() == RE2::ErrorRepeatSize;
    throw PatternError("\"" + std::string(ecma) + "\" cannot be run: " + regex->error(), too_large);
  }
  regex_ = std::move(regex);
}

bool Pattern::matches(std::string_view text) const {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *regex_);
}

}  // namespace toolwire::schema
