#include "json/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>

#include "json/builder.hpp"
#include "json/member_scan.hpp"
#include "json/place.hpp"
#include "json/skip.hpp"
#include "json/surrogates.hpp"

namespace toolwire::json {
namespace {

using Parser = boost::json::basic_parser<Builder>;
using Error = boost::json::error;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

boost::json::parse_options boost_options(std::size_t max_depth) {
  boost::json::parse_options options;
  options.max_depth = std::min(max_depth, greatest_json_depth);
  return options;
}

/// One parse, made anew for the copy when lone surrogates have to be repaired. The text and the copy must outlive the
/// result.
class Attempt {
 public:
  Attempt(std::string_view text, std::size_t max_depth, DuplicateKeys duplicate_keys, bool is_envelope,
          const boost::json::storage_ptr& storage)
      : text_(text), parser_(boost_options(max_depth), text, duplicate_keys, is_envelope, storage) {}

  bool run() {
    boost::json::error_code error;
    stopped_at_ = parser_.write_some(false, text_.data(), text_.size(), error);
    if (!error && stopped_at_ < text_.size()) error = Error::extra_data;
    error_ = error;
    return !error_;
  }

  Builder& builder() { return parser_.handler(); }

  /// Whether half a surrogate pair may be the cause: the parser has several ways to say so, which mean other things
  /// too.
  bool may_be_surrogate() const {
    return error_ == Error::illegal_leading_surrogate || error_ == Error::illegal_trailing_surrogate ||
           error_ == Error::expected_hex_digit || error_ == Error::syntax;
  }

  ParseError describe(std::size_t max_depth) {
    const std::size_t at = error_at();
    const Place place = place_at(text_, at);
    return {location(at, place.path) + complaint(at, place, std::min(max_depth, greatest_json_depth)), at};
  }

 private:
  std::size_t error_at() {
    if (builder().refusal() != Builder::Refusal::none) return builder().refused_at();
    return error_ == Error::incomplete ? text_.size() : stopped_at_;
  }

  std::string complaint(std::size_t at, const Place& place, std::size_t max_depth) {
    if (builder().refusal() == Builder::Refusal::duplicate) {
      return fmt::format("expected each member once, found \"{}\" twice", builder().duplicate());
    }
    if (builder().refusal() == Builder::Refusal::number_too_large || error_ == Error::exponent_overflow) {
      return "expected a number whose size is at most 1.7976931348623157e308";
    }
    if (error_ == Error::too_deep) {
      return fmt::format("expected at most {} nested arrays and objects, found more", max_depth);
    }
    return expectation(text_, at, place);
  }

  std::string_view text_;
  Parser parser_;
  boost::json::error_code error_;
  std::size_t stopped_at_ = 0;
};

std::string id_text(const Builder& builder, std::string_view line) {
  switch (builder.id_seen()) {
    case Builder::IdSeen::no:
      return {};
    case Builder::IdSeen::text:
      return std::string(line.substr(builder.id_at(), builder.id_length()));
    case Builder::IdSeen::scan:
      return std::string(raw_id(line));
  }
  return {};
}

// The raw id is taken from the line as sent even when a repaired copy was parsed: both have the same offsets.
Envelope envelope(Builder& builder, std::string_view line) {
  return {builder.release(), id_text(builder, line), builder.id_seen() != Builder::IdSeen::no, builder.duplicate()};
}

std::variant<Envelope, ParseError> read(std::string_view text, std::size_t max_depth, DuplicateKeys duplicate_keys,
                                        bool is_envelope, const boost::json::storage_ptr& storage) {
  Attempt attempt(text, max_depth, duplicate_keys, is_envelope, storage);
  if (attempt.run()) return envelope(attempt.builder(), text);
  if (attempt.may_be_surrogate()) {
    if (const auto repaired = without_lone_surrogates(text)) {
      Attempt second(*repaired, max_depth, duplicate_keys, is_envelope, storage);
      if (second.run()) return envelope(second.builder(), text);
      return second.describe(max_depth);
    }
  }
  return attempt.describe(max_depth);
}

}  // namespace

std::variant<Json, ParseError> parse(std::string_view text, const JsonParseOptions& options,
                                     const boost::json::storage_ptr& storage) {
  auto result = read(text, options.max_depth, options.duplicate_keys, false, storage);
  if (auto* const error = std::get_if<ParseError>(&result)) return std::move(*error);
  return std::move(std::get<Envelope>(result).value);
}

std::variant<Envelope, ParseError> parse_envelope(std::string_view line, std::size_t max_depth,
                                                  const boost::json::storage_ptr& storage) {
  if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  return read(line, max_depth, DuplicateKeys::last_wins, true, storage);
}

}  // namespace toolwire::json
