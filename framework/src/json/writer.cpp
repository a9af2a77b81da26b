#include "json/writer.hpp"

#include <boost/container/small_vector.hpp>

#include "json/fast.hpp"

namespace toolwire::json {
namespace {

/// What remains to be written of one array or object. Either the members or the elements are set.
struct Level {
  const boost::json::key_value_pair* member = nullptr;
  const boost::json::key_value_pair* member_end = nullptr;
  const Json* element = nullptr;
  const Json* element_end = nullptr;
};

/// Writes one value with a stack of its own, as values built by programs may be deeper than the stack of a thread. One
/// use.
class Traversal {
 public:
  explicit Traversal(std::string& out) : out_(out) {}

  void run(const Json& root) {
    begin(root);
    while (!levels_.empty()) {
      Level& level = levels_.back();
      if (level.member != level.member_end) {
        next_member(level);
      } else if (level.element != level.element_end) {
        next_element(level);
      } else {
        out_ += level.member_end != nullptr ? '}' : ']';
        levels_.pop_back();
      }
    }
  }

 private:
  void next_member(Level& level) {
    const auto& member = *level.member++;
    separate();
    write_string(out_, member.key());
    out_ += ':';
    begin(member.value());
  }

  void next_element(Level& level) {
    const Json& element = *level.element++;
    separate();
    begin(element);
  }

  // A comma belongs before everything except what stands right behind its opening bracket.
  void separate() {
    if (!is_first_) out_ += ',';
    is_first_ = false;
  }

  void begin(const Json& value) {
    switch (value.kind()) {
      case boost::json::kind::null:
        out_ += "null";
        break;
      case boost::json::kind::bool_:
        out_ += value.get_bool() ? "true" : "false";
        break;
      case boost::json::kind::int64:
        write_integer(out_, value.get_int64());
        break;
      case boost::json::kind::uint64:
        write_integer(out_, value.get_uint64());
        break;
      case boost::json::kind::double_:
        write_double(out_, value.get_double());
        break;
      case boost::json::kind::string:
        write_string(out_, value.get_string());
        break;
      case boost::json::kind::array:
        return begin_array(value.get_array());
      case boost::json::kind::object:
        return begin_object(value.get_object());
    }
    is_first_ = false;
  }

  void begin_array(const JsonArray& array) {
    if (array.empty()) return empty("[]");
    out_ += '[';
    levels_.push_back({nullptr, nullptr, array.data(), array.data() + array.size()});
    is_first_ = true;
  }

  void begin_object(const JsonObject& object) {
    if (object.empty()) return empty("{}");
    out_ += '{';
    levels_.push_back({object.begin(), object.end(), nullptr, nullptr});
    is_first_ = true;
  }

  void empty(std::string_view brackets) {
    out_ += brackets;
    is_first_ = false;
  }

  std::string& out_;
  boost::container::small_vector<Level, 16> levels_;
  bool is_first_ = true;
};

}  // namespace

void write_string(std::string& out, std::string_view text) { append_quoted(out, text); }

void write(std::string& out, const Json& value) {
  const std::size_t size = out.size();
  try {
    Traversal(out).run(value);
  } catch (...) {
    out.resize(size);
    throw;
  }
}

void Writer::open(char bracket) {
  separate();
  out_ += bracket;
  comma_ = false;
}

void Writer::close(char bracket) {
  out_ += bracket;
  comma_ = true;
}

Writer& Writer::key(std::string_view name) {
  separate();
  write_string(out_, name);
  out_ += ':';
  comma_ = false;
  return *this;
}

Writer& Writer::plain_key(std::string_view name) {
  plain_string(name);
  out_ += ':';
  comma_ = false;
  return *this;
}

void Writer::plain_string(std::string_view text) {
  separate();
  out_ += '"';
  out_ += text;
  out_ += '"';
}

void Writer::string(std::string_view text) {
  separate();
  write_string(out_, text);
}

void Writer::integer(std::int64_t number) {
  separate();
  write_integer(out_, number);
}

void Writer::integer(std::uint64_t number) {
  separate();
  write_integer(out_, number);
}

void Writer::number(double number) {
  separate();
  write_double(out_, number);
}

void Writer::boolean(bool flag) {
  separate();
  out_ += flag ? "true" : "false";
}

void Writer::null() {
  separate();
  out_ += "null";
}

void Writer::value(const Json& value) {
  separate();
  write(out_, value);
}

void Writer::raw(std::string_view text) {
  separate();
  out_ += text;
}

}  // namespace toolwire::json
