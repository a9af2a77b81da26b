#include "remote/event_stream.hpp"

#include <charconv>
#include <cstdint>
#include <utility>

namespace toolwire::remote {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::size_t max_id = 1024;  // bytes; it is sent back in a header
constexpr std::chrono::milliseconds max_retry{3'600'000};

bool fits_a_header(std::string_view id) {
  if (id.size() > max_id) return false;
  for (const char c : id) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '\x7f') return false;
  }
  return true;
}

std::optional<std::chrono::milliseconds> milliseconds_in(std::string_view digits) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool are_digits = digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (digits.empty() || !are_digits) return std::nullopt;
  return error == std::errc() && end != nullptr ? std::min(std::chrono::milliseconds(count), max_retry) : max_retry;
}

}  // namespace

bool EventStream::take(std::string_view bytes, const std::function<void(std::string&&)>& event) {
  while (!bytes.empty()) {
    if (std::exchange(after_return_, false) && bytes.front() == '\n') {
      bytes.remove_prefix(1);
      continue;
    }
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view part = bytes.substr(0, end);
    if (line_.size() + data_.size() + part.size() > max_event_) return false;
    line_.append(part);
    if (end == std::string_view::npos) return true;
    after_return_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    const std::string line = std::exchange(line_, {});
    take_line(line, event);
  }
  return true;
}

void EventStream::take_line(std::string_view line, const std::function<void(std::string&&)>& event) {
  if (std::exchange(at_beginning_, false) && line.starts_with(byte_order_mark)) line.remove_prefix(3);
  if (!line.empty()) {
    const std::size_t colon = line.find(':');
    std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    return take_field(line.substr(0, colon), value);  // a comment is a field without a name
  }
  last_id_ = id_;
  std::string data = std::exchange(data_, {});
  const std::string type = std::exchange(type_, {});
  if (!data.empty()) data.pop_back();  // the end of its last line
  if (!data.empty() && (type.empty() || type == "message")) event(std::move(data));
}

void EventStream::take_field(std::string_view name, std::string_view value) {
  if (name == "data") {
    data_.append(value).push_back('\n');
  } else if (name == "event") {
    type_ = value;
  } else if (name == "id" && fits_a_header(value)) {
    id_ = value;
  } else if (name == "retry") {
    if (const auto time = milliseconds_in(value)) retry_ = time;
  }
}

void EventStream::end() {
  line_.clear();
  data_.clear();
  type_.clear();
  id_ = last_id_;
  after_return_ = false;
  at_beginning_ = true;
}

}  // namespace toolwire::remote
