#include "json/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>

#include "json/builder.hpp"
#include "json/duplicates.hpp"
#include "json/fast.hpp"
#include "json/member_scan.hpp"
#include "json/place.hpp"
#include "json/surrogates.hpp"
#include "toolwire/text.hpp"

namespace toolwire::json {
namespace {

using Parser = boost::json::basic_parser<Builder>;
using Error = boost::json::error;
using Refused = Builder::Refused;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

boost::json::parse_options boost_options(std::size_t max_depth) {
  boost::json::parse_options options;
  options.max_depth = max_depth;
  return options;
}

/// One parse, made anew for the copy when lone surrogates have to be repaired. The text must outlive it. One thread.
class Attempt {
 public:
  Attempt(std::string_view text, const Bounds& bounds, bool is_envelope, const boost::json::storage_ptr& storage)
      : text_(text), bounds_(bounds), parser_(boost_options(bounds.depth), text, bounds.values, is_envelope, storage) {}

  bool run() {
    stopped_at_ = parser_.write_some(false, text_.data(), text_.size(), error_);
    if (!error_ && stopped_at_ < text_.size()) error_ = Error::extra_data;
    return !error_;
  }

  Builder& builder() { return parser_.handler(); }

  /// Whether half a surrogate pair may be the cause: the parser has several ways to say so, which mean other things
  /// too.
  bool may_be_surrogate() const {
    return error_ == Error::illegal_leading_surrogate || error_ == Error::illegal_trailing_surrogate ||
           error_ == Error::expected_hex_digit || error_ == Error::syntax;
  }

  ParseError describe() {
    const std::size_t at = error_at();
    const Place place = place_at(text_, at);
    return {location(at, place.path) + complaint(at, place), at};
  }

 private:
  std::size_t error_at() {
    if (builder().refused() == Refused::number) return builder().refused_at();
    return error_ == Error::incomplete ? text_.size() : stopped_at_;
  }

  std::string complaint(std::size_t at, const Place& place) {
    if (builder().refused() == Refused::count) {
      return fmt::format("expected at most {} values and names in one text, found more", bounds_.values);
    }
    if (builder().refused() == Refused::number || error_ == Error::exponent_overflow) {
      return "expected a number whose size is at most 1.7976931348623157e308";
    }
    if (error_ == Error::too_deep) {
      return fmt::format("expected at most {} nested arrays and objects, found more", bounds_.depth);
    }
    if (error_ == Error::incomplete && place.expected == Expected::nothing) {
      return "expected the rest of the value, found the end of the text";  // cut inside a number, true, false or null
    }
    return expectation(text_, at, place);
  }

  std::string_view text_;
  Bounds bounds_;
  Parser parser_;
  boost::system::error_code error_;
  std::size_t stopped_at_ = 0;
};

/// Bytes. What half a text has come to takes too much memory to be there while the repaired copy is read.
constexpr std::size_t large_text = std::size_t{64} << 10;

// Runs `finish` with the builder of a successful parse, and describes a failed one. A repaired copy has the offsets of
// `text`.
template <class Result, class Finish>
std::variant<Result, ParseError> read(std::string_view text, const Bounds& bounds, bool is_envelope,
                                      const boost::json::storage_ptr& storage, const Finish& finish) {
  const auto read_text = [&](std::string_view given,
                             bool may_be_repaired) -> std::optional<std::variant<Result, ParseError>> {
    Attempt attempt(given, bounds, is_envelope, storage);
    if (attempt.run()) return finish(attempt.builder(), given);
    if (may_be_repaired && attempt.may_be_surrogate()) return std::nullopt;
    return attempt.describe();
  };
  if (text.size() < large_text) {
    if (auto result = read_text(text, true)) return std::move(*result);
  }
  const auto repaired = without_lone_surrogates(text);
  return *read_text(repaired ? std::string_view(*repaired) : text, false);
}

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

std::string doubled_member(std::string_view text, std::size_t max_depth) {
  const auto duplicate = find_duplicate(text, max_depth, Within::outermost_object);
  if (!duplicate) return {};
  return duplicate->name.empty() ? "\"\"" : duplicate->name;
}

std::optional<ParseError> refused_duplicate(std::string_view text, std::size_t max_depth) {
  const auto duplicate = find_duplicate(text, max_depth, Within::all_objects);
  if (!duplicate) return std::nullopt;
  const std::string path = place_at(text, duplicate->at).path;
  return ParseError{
      location(duplicate->at, path) +
          fmt::format("expected each member of an object once, found \"{}\" twice", text::visible(duplicate->name)),
      duplicate->at};
}

}  // namespace

std::variant<Json, ParseError> parse(std::string_view text, const JsonParseOptions& options,
                                     const boost::json::storage_ptr& storage) {
  // A text has no more values and names than bytes.
  if (options.duplicate_keys == DuplicateKeys::last_wins && text.size() <= options.max_values) {
    if (auto value = read_plain(text, options.max_depth, storage)) return std::move(*value);
  }
  return parse_by_library(text, options, storage);
}

std::variant<Json, ParseError> parse_by_library(std::string_view text, const JsonParseOptions& options,
                                                const boost::json::storage_ptr& storage) {
  const std::size_t max_depth = std::min(options.max_depth, greatest_json_depth);
  return read<Json>(text, {max_depth, options.max_values}, false, storage,
                    [&](Builder& builder, std::string_view parsed) -> std::variant<Json, ParseError> {
                      if (options.duplicate_keys == DuplicateKeys::refuse) {
                        if (auto error = refused_duplicate(parsed, max_depth)) return std::move(*error);
                      }
                      return builder.release();
                    });
}

std::variant<Envelope, ParseError> parse_envelope(std::string_view line, Bounds bounds,
                                                  const boost::json::storage_ptr& storage) {
  if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  bounds.depth = std::min(bounds.depth, greatest_json_depth);
  return read<Envelope>(line, bounds, true, storage,
                        [&](Builder& builder, std::string_view parsed) -> std::variant<Envelope, ParseError> {
                          std::variant<Envelope, ParseError> result{Envelope{
                              builder.release(), id_text(builder, line), builder.id_seen() != Builder::IdSeen::no, {}}};
                          auto& envelope = std::get<Envelope>(result);
                          const auto* const object = envelope.value.if_object();
                          if (object != nullptr && object->size() < builder.outermost_members()) {
                            envelope.duplicate = doubled_member(parsed, bounds.depth);
                          }
                          return result;
                        });
}

}  // namespace toolwire::json
