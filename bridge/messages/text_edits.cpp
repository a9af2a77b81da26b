#include "messages/text_edits.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <toolwire/json.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::string_view white_space = " \t\r\n";

/// Reads over JSON that is known to be JSON.
class JsonReader {
 public:
  JsonReader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  char next() {
    at_ = std::min(text_.find_first_not_of(white_space, at_), text_.size());
    if (at_ == text_.size()) throw std::out_of_range("the text ends before the value");
    return text_[at_];
  }
  void skip() { ++at_; }

  TextRange value() {
    const char first = next();
    const std::size_t begin = at_;
    if (first == '"') {
      pass_string();
    } else if (first == '{' || first == '[') {
      pass_nested();
    } else {
      at_ = std::min(text_.find_first_of(" \t\r\n,]}", at_), text_.size());
    }
    return {begin, at_};
  }

 private:
  void pass_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }
  void pass_nested() {
    std::size_t depth = 0;
    do {
      const char one = next();
      if (one == '"') {
        pass_string();
        continue;
      }
      if (one == '{' || one == '[') ++depth;
      if (one == '}' || one == ']') --depth;
      ++at_;
    } while (depth > 0);
  }

  std::string_view text_;
  std::size_t at_;
};

TextRange member_in(std::string_view text, TextRange object, const std::string& name) {
  JsonReader reader(text, object.begin + 1);
  TextRange found{0, 0};
  while (text[object.begin] == '{' && reader.next() != '}') {
    const TextRange key = reader.value();
    reader.next();  // the colon
    reader.skip();
    const TextRange value = reader.value();
    if (parse_json(text.substr(key.begin, key.end - key.begin)) == Json(name)) found = value;
    if (reader.next() == ',') reader.skip();
  }
  if (found.end == 0) throw std::out_of_range("no member \"" + name + "\"");
  return found;
}

TextRange element_in(std::string_view text, TextRange array, std::size_t index) {
  JsonReader reader(text, array.begin + 1);
  for (std::size_t i = 0; text[array.begin] == '[' && reader.next() != ']'; ++i) {
    const TextRange value = reader.value();
    if (i == index) return value;
    if (reader.next() == ',') reader.skip();
  }
  throw std::out_of_range("no element " + std::to_string(index));
}

}  // namespace

TextRange range_of(std::string_view text, const JsonPath& path) {
  TextRange range = JsonReader(text, 0).value();
  for (const auto& step : path) {
    const auto* name = std::get_if<std::string>(&step);
    range = name != nullptr ? member_in(text, range, *name) : element_in(text, range, std::get<std::size_t>(step));
  }
  return range;
}

std::string_view indentation_in(std::string_view text, TextRange array) {
  const std::size_t begin = array.begin + 1;
  return text.substr(begin, text.find_first_not_of(white_space, begin) - begin);
}

std::string edited(std::string_view text, std::vector<TextEdit> edits) {
  std::ranges::stable_sort(edits, {}, [](const TextEdit& edit) { return std::pair(edit.range.begin, edit.range.end); });
  std::string out;
  std::size_t at = 0;
  for (const TextEdit& edit : edits) {
    out.append(text.substr(at, edit.range.begin - at)).append(edit.text);
    at = edit.range.end;
  }
  return out.append(text.substr(at));
}

}  // namespace toolwire::bridge
