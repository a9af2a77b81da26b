#include "jsonrpc/plain_message.hpp"

#include <string>
#include <utility>

#include "json/arena.hpp"
#include "json/plain_reader.hpp"

namespace toolwire::jsonrpc {
namespace {

/// Goes through one line and fills `into` as if it were a request; a result or an error becomes its params. One use.
class PlainMessage {
 public:
  PlainMessage(std::string_view line, std::size_t max_depth, Request& into)
      : line_(line), levels_(max_depth > 0 ? max_depth - 1 : 0), reader_(line), into_(into) {}

  bool read() {
    if (!reader_.take('{')) return false;
    do {
      if (!member()) return false;
    } while (reader_.take(','));
    return reader_.take('}') && reader_.at_end() && has(version);
  }

  /// The members a message may have.
  enum Member : unsigned { version = 1, id = 2, method = 4, params = 8, result = 16, error = 32 };
  bool has(unsigned members) const { return (seen_ & members) == members; }
  unsigned seen() const { return seen_; }

 private:
  bool member() {
    if (reader_.take_text(R"("jsonrpc":"2.0")")) return first(version);
    if (reader_.take_text(R"("id":)")) return first(id) && read_id();
    if (reader_.take_text(R"("method":)")) return first(method) && read_method();
    if (reader_.take_text(R"("params":)")) return first(params) && read_params();
    return other_member();
  }

  /// What is rare, or written with space.
  bool other_member() {
    if (!reader_.string() || !reader_.is_verbatim()) return false;
    const Member which = named(reader_.text());
    if (which == Member{} || !first(which) || !reader_.take(':')) return false;
    switch (which) {
      case version:
        return reader_.string() && reader_.text() == "2.0";
      case id:
        return read_id();
      case method:
        return read_method();
      case params:
        return read_params();
      case result:
      case error:
        return read_value();
    }
    return false;
  }

  static Member named(std::string_view name) {
    switch (name.size()) {
      case 2:
        return name == "id" ? id : Member{};
      case 5:
        return name == "error" ? error : Member{};
      case 6:
        return name == "method" ? method : name == "params" ? params : name == "result" ? result : Member{};
      case 7:
        return name == "jsonrpc" ? version : Member{};
      default:
        return Member{};
    }
  }

  /// Notes a member; false if it was there before.
  bool first(Member which) {
    const bool is_first = (seen_ & which) == 0;
    seen_ |= which;
    return is_first;
  }

  bool read_method() {
    if (!reader_.string()) return false;
    into_.method.assign(reader_.text());
    return true;
  }

  bool read_params() { return reader_.peek() == '{' && read_value(); }

  bool read_id() { return reader_.peek() == '"' ? read_string_id() : read_integer_id(); }

  bool read_string_id() {
    if (!reader_.string() || !reader_.is_verbatim()) return false;
    const std::string_view text = reader_.text();
    into_.id.text.assign(text.data() - 1, text.size() + 2);  // its quotes stand right around it
    return true;
  }

  bool read_integer_id() {
    const auto number = reader_.integer();
    if (!number) return false;
    into_.id.text.assign(*number);
    return true;
  }

  bool read_value() {
    auto value = reader_.value(levels_, json::arena_for(line_.size()));
    if (!value) return false;
    into_.params = std::move(*value);
    return true;
  }

  std::string_view line_;
  std::size_t levels_;  // below the message itself
  json::PlainReader reader_;
  unsigned seen_ = 0;
  Request& into_;
};

}  // namespace

bool read_plain_message(std::string_view line, std::size_t max_depth, Message& into) {
  Request& request = into.emplace<Request>();
  request.params.emplace_object();
  request.bytes = line.size();
  PlainMessage plain(line, max_depth, request);
  if (!plain.read()) return false;
  switch (plain.seen() & ~unsigned{PlainMessage::params}) {
    case PlainMessage::version | PlainMessage::id | PlainMessage::method:
      return true;
    case PlainMessage::version | PlainMessage::method:
      into = Notification{std::move(request.method), std::move(request.params)};
      return true;
    case PlainMessage::version | PlainMessage::id | PlainMessage::result:
    case PlainMessage::version | PlainMessage::id | PlainMessage::error:
      into = Response{std::move(request.id), plain.has(PlainMessage::error), std::move(request.params)};
      return !plain.has(PlainMessage::params);
    default:
      return false;
  }
}

}  // namespace toolwire::jsonrpc
