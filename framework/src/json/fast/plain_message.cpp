#include <string>
#include <utility>

#include "json/fast.hpp"
#include "json/fast/plain_reader.hpp"

namespace toolwire::json {
namespace {

/// Bytes, beyond twice the line. What takes more is left to the way that builds containers in the size they need.
constexpr std::size_t usual_memory = std::size_t{4} << 20;

std::size_t values_in(const Json& value) {
  std::size_t count = 1;
  if (const auto* const object = value.if_object()) {
    for (const auto& member : *object) count += 1 + values_in(member.value());
  } else if (const auto* const array = value.if_array()) {
    for (const Json& element : *array) count += values_in(element);
  }
  return count;
}

/// Goes through one line. One use.
class MessageReader {
 public:
  MessageReader(std::string_view line, const Bounds& bounds, std::string& id_text, std::string& method_name,
                RelocatableJson& payload, std::size_t& memory, KeptMember* kept)
      : line_(line),
        levels_(bounds.depth > 0 ? bounds.depth - 1 : 0),
        max_values_(bounds.values),
        reader_(line),
        id_(id_text),
        method_(method_name),
        payload_(payload),
        memory_(memory),
        kept_(kept) {}

  PlainMessage read() {
    if (!reader_.take('{')) return PlainMessage::other;
    do {
      if (!member()) return PlainMessage::other;
    } while (reader_.take(','));
    if (!reader_.take('}') || !reader_.at_end()) return PlainMessage::other;
    // A line has no more values and names than bytes.
    if (line_.size() > max_values_ && envelope_values + values_in(payload_) > max_values_) return PlainMessage::other;
    return kind();
  }

 private:
  /// The members a message may have.
  enum Member : unsigned { version = 1, id = 2, method = 4, params = 8, result = 16, error = 32 };

  PlainMessage kind() const {
    switch (seen_) {
      case version | id | method:
      case version | id | method | params:
        return PlainMessage::request;
      case version | method:
      case version | method | params:
        return PlainMessage::notification;
      case version | id | result:
        return PlainMessage::result;
      case version | id | error:
        return PlainMessage::error;
      default:
        return PlainMessage::other;
    }
  }

  bool member() {
    if (reader_.take_text(R"("jsonrpc":"2.0")")) return first(version);
    if (reader_.take_text(R"("id":)")) return first(id) && read_id();
    if (reader_.take_text(R"("method":)")) return first(method) && read_method();
    if (reader_.take_text(R"("params":)")) return first(params) && read_params();
    if (reader_.take_text(R"("result":)")) return first(result) && read_result();
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
        return read_result();
      case error:
        return read_payload();
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
    method_.assign(reader_.text());
    return true;
  }

  bool read_params() { return reader_.peek() == '{' && read_payload(kept_of(KeptMember::Of::requests)); }
  bool read_result() { return read_payload(reader_.peek() == '{' ? kept_of(KeptMember::Of::results) : nullptr); }

  /// Of a line whose values have to be counted, none is left out.
  KeptMember* kept_of(KeptMember::Of whose) const {
    return kept_ == nullptr || kept_->of() != whose || line_.size() > max_values_ ? nullptr : kept_;
  }

  bool read_id() { return reader_.peek() == '"' ? read_string_id() : read_integer_id(); }

  bool read_string_id() {
    if (!reader_.string() || !reader_.is_verbatim()) return false;
    const std::string_view text = reader_.text();
    id_.assign(text.data() - 1, text.size() + 2);  // its quotes stand right around it
    return true;
  }

  bool read_integer_id() {
    const auto number = reader_.integer();
    if (!number) return false;
    id_.assign(*number);
    return true;
  }

  bool read_payload(KeptMember* kept = nullptr) {
    Arena* arena = nullptr;
    const std::size_t expected = line_.size() + line_.size() / 4;
    const std::size_t most = 2 * line_.size() + usual_memory;
    const auto storage = boost::json::make_shared_resource<Arena>(expected, most, arena);
    std::size_t shared = 0;
    auto value = kept == nullptr ? reader_.value(levels_, storage) : reader_.payload(levels_, storage, *kept, shared);
    if (!value) return false;
    memory_ = arena->used() + shared;
    arena->lift_bound();
    payload_ = std::move(*value);
    return true;
  }

  static constexpr std::size_t envelope_values = 8;  // and names, of all messages at most

  std::string_view line_;
  std::size_t levels_;  // below the message itself
  std::size_t max_values_;
  PlainReader reader_;
  unsigned seen_ = 0;
  std::string& id_;
  std::string& method_;
  RelocatableJson& payload_;
  std::size_t& memory_;
  KeptMember* kept_;
};

}  // namespace

PlainMessage read_plain_message(std::string_view line, const Bounds& bounds, std::string& id, std::string& method,
                                RelocatableJson& payload, std::size_t& memory, KeptMember* kept) {
  try {
    return MessageReader(line, bounds, id, method, payload, memory, kept).read();
  } catch (const Arena::Full&) {
    return PlainMessage::other;
  }
}

}  // namespace toolwire::json
