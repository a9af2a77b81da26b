#include "json/duplicates.hpp"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/system/error_code.hpp>
#include <cstdint>
#include <tuple>
#include <vector>

namespace toolwire::json {
namespace {

/// Keeps nothing but the names of the objects that are open. One parse, one thread.
class Names {
 public:
  using View = boost::json::string_view;
  using Error = boost::system::error_code;
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);

  Names(std::string_view text, Within within) : text_(text), within_(within) {}

  std::optional<Duplicate>& found() { return found_; }

  bool on_object_begin(Error&) {
    ++depth_;
    return true;
  }
  bool on_object_end(std::size_t members, Error& error) {
    const bool is_asked = within_ == Within::all_objects || depth_ == 1;
    --depth_;
    if (is_asked) search(members);
    names_.resize(names_.size() - members);
    if (found_) error = boost::json::make_error_code(boost::json::error::input_error);
    return !found_;
  }
  bool on_array_begin(Error&) {
    ++depth_;
    return true;
  }
  bool on_array_end(std::size_t, Error&) {
    --depth_;
    return true;
  }
  bool on_key_part(View part, std::size_t, Error&) {
    note_place(part);
    name_.append(part.data(), part.size());
    return true;
  }
  bool on_key(View part, std::size_t, Error&) {
    note_place(part);
    name_.append(part.data(), part.size());
    names_.push_back({std::move(name_), place_});
    name_.clear();
    return true;
  }
  bool on_string(View part, std::size_t, Error&) {
    note_place(part);
    return true;
  }
  bool on_document_begin(Error&) { return true; }
  bool on_document_end(Error&) { return true; }
  bool on_string_part(View, std::size_t, Error&) { return true; }
  bool on_number_part(View, Error&) { return true; }
  bool on_int64(std::int64_t, View, Error&) { return true; }
  bool on_uint64(std::uint64_t, View, Error&) { return true; }
  bool on_double(double, View, Error&) { return true; }
  bool on_bool(bool, Error&) { return true; }
  bool on_null(Error&) { return true; }
  bool on_comment_part(View, Error&) { return true; }
  bool on_comment(View, Error&) { return true; }

 private:
  // Text with escapes is reported out of a buffer of the parser; the last place known is near enough then.
  void note_place(View part) {
    const bool is_in_text = part.data() >= text_.data() && part.data() < text_.data() + text_.size();
    if (is_in_text) place_ = static_cast<std::size_t>(part.data() - text_.data());
  }

  void search(std::size_t members) {
    const auto first = names_.end() - static_cast<std::ptrdiff_t>(members);
    std::sort(first, names_.end(),
              [](const Duplicate& a, const Duplicate& b) { return std::tie(a.name, a.at) < std::tie(b.name, b.at); });
    const auto same = [](const Duplicate& a, const Duplicate& b) { return a.name == b.name; };
    const auto pair = std::adjacent_find(first, names_.end(), same);
    if (pair != names_.end()) found_ = *(pair + 1);
  }

  std::string_view text_;
  Within within_;
  std::vector<Duplicate> names_;
  std::string name_;
  std::size_t place_ = 0;
  std::size_t depth_ = 0;
  std::optional<Duplicate> found_;
};

}  // namespace

std::optional<Duplicate> find_duplicate(std::string_view text, std::size_t max_depth, Within within) {
  boost::json::parse_options options;
  options.max_depth = max_depth;
  boost::json::basic_parser<Names> parser(options, text, within);
  boost::system::error_code error;
  parser.write_some(false, text.data(), text.size(), error);
  return std::move(parser.handler().found());
}

}  // namespace toolwire::json
