#include "driver/http_reply.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace toolwire::conformance {
namespace {

constexpr std::size_t max_headers = 256 << 10;
constexpr std::size_t shown_body = 300;

std::string small(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

template <class Number>
std::optional<Number> number_in(std::string_view text, int base = 10) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Of all lines after the first; each ends with CRLF.
HttpHeaders headers_in(std::string_view head) {
  HttpHeaders headers;
  for (std::size_t at = head.find("\r\n") + 2; at < head.size();) {
    const std::size_t line_end = head.find("\r\n", at);
    const std::string_view line = head.substr(at, line_end - at);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos) headers.emplace_back(line.substr(0, colon), trimmed(line.substr(colon + 1)));
    at = line_end + 2;
  }
  return headers;
}

}  // namespace

bool is_same_header(std::string_view a, std::string_view b) { return small(a) == small(b); }

const std::string* HttpReply::header(std::string_view name) const {
  const auto found = std::ranges::find_if(headers, [&](const auto& it) { return is_same_header(it.first, name); });
  return found != headers.end() ? &found->second : nullptr;
}

std::string HttpReply::content_type() const {
  const std::string* value = header("content-type");
  return value != nullptr ? small(trimmed(std::string_view(*value).substr(0, value->find(';')))) : "";
}

std::string HttpReply::text() const {
  if (!problem.empty()) return "no HTTP: " + problem;
  if (status == 0) return "no reply";
  std::string text = "HTTP status " + std::to_string(status);
  const std::string what = content_type() + (body.empty() ? "" : ": " + body.substr(0, shown_body));
  return text + (what.empty() ? "" : " (" + what + ")") + (is_complete || is_event_stream() ? "" : ", cut short");
}

void HttpReplyReader::add(std::string_view bytes) {
  unread_.append(bytes);
  if (!reply_.has_headers && !read_headers()) return;
  while (!is_done() && read_body()) continue;
}

void HttpReplyReader::end() {
  if (is_done()) return;
  if (!reply_.has_headers) {
    if (!unread_.empty()) fail("the connection was closed within the headers");
  } else if (framing_ == Framing::until_close) {
    reply_.is_complete = true;
  }
}

/// True once there are headers, those of interim replies (100 Continue) left out.
bool HttpReplyReader::read_headers() {
  while (!reply_.has_headers) {
    const std::size_t end = unread_.find("\r\n\r\n");
    if (end == std::string::npos) {
      if (unread_.size() > max_headers) fail("its headers do not end");
      return false;
    }
    const std::string head = unread_.substr(0, end + 2);
    unread_.erase(0, end + 4);
    const auto status = head.size() >= 12 ? number_in<int>(std::string_view(head).substr(9, 3)) : std::nullopt;
    if (!head.starts_with("HTTP/1.") || !status) {
      fail("it begins with " + head.substr(0, head.find('\r')));
      return false;
    }
    if (*status >= 100 && *status < 200) continue;
    reply_.status = *status;
    reply_.headers = headers_in(head);
    reply_.has_headers = true;
  }
  find_framing();
  return true;
}

void HttpReplyReader::find_framing() {
  const std::string* coding = reply_.header("transfer-encoding");
  const std::string* length = reply_.header("content-length");
  if (coding != nullptr && small(*coding).find("chunked") != std::string::npos) {
    framing_ = Framing::chunks;
  } else if (length != nullptr) {
    framing_ = Framing::length;
    const auto number = number_in<std::size_t>(*length);
    if (!number) fail("its Content-Length is " + *length);
    left_ = number.value_or(0);
  }
  const bool has_body = reply_.status != 204 && reply_.status != 304;
  if (!has_body || (framing_ == Framing::length && left_ == 0)) reply_.is_complete = true;
}

/// False: more must come first.
bool HttpReplyReader::read_body() {
  if (framing_ == Framing::chunks) return read_chunk();
  if (unread_.empty()) return false;
  const std::size_t count = framing_ == Framing::length ? std::min(left_, unread_.size()) : unread_.size();
  add_body(std::string_view(unread_).substr(0, count));
  unread_.erase(0, count);
  if (framing_ == Framing::length && (left_ -= count) == 0) reply_.is_complete = true;
  return true;
}

bool HttpReplyReader::read_chunk() {
  if (!in_chunk_) {
    const std::size_t end = unread_.find("\r\n");
    if (end == std::string::npos) return false;
    std::string_view size = std::string_view(unread_).substr(0, end);
    size = trimmed(size.substr(0, size.find(';')));
    const auto number = number_in<std::size_t>(size, 16);
    if (!number) {
      fail("a chunk of the size \"" + std::string(size) + "\"");
      return false;
    }
    unread_.erase(0, end + 2);
    left_ = *number;
    in_chunk_ = true;
    if (left_ == 0) reply_.is_complete = true;  // trailers are of no interest
    return left_ != 0;
  }
  if (left_ > 0) {
    const std::size_t count = std::min(left_, unread_.size());
    if (count == 0) return false;
    add_body(std::string_view(unread_).substr(0, count));
    unread_.erase(0, count);
    left_ -= count;
  }
  if (left_ > 0 || unread_.size() < 2) return false;
  if (!unread_.starts_with("\r\n")) {
    fail("a chunk that is longer than it says");
    return false;
  }
  unread_.erase(0, 2);
  in_chunk_ = false;
  return true;
}

void HttpReplyReader::add_body(std::string_view bytes) {
  if (reply_.is_event_stream()) {
    event_text_.append(bytes);
    read_event_lines();
    return;
  }
  reply_.body.append(bytes);
  if (reply_.body.size() > max_body) fail("a body of more than 256 MiB");
}

/// Lines end with CR LF, LF or CR.
void HttpReplyReader::read_event_lines() {
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = event_text_.find_first_of("\r\n", begin)) != std::string::npos;) {
    if (event_text_[end] == '\r' && end + 1 == event_text_.size()) break;  // its line feed may follow
    read_event_line(std::string_view(event_text_).substr(begin, end - begin));
    begin = end + (event_text_.compare(end, 2, "\r\n") == 0 ? 2 : 1);
  }
  event_text_.erase(0, begin);
  if (event_text_.size() > max_body) fail("a line of more than 256 MiB");
}

void HttpReplyReader::read_event_line(std::string_view line) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (!std::exchange(has_event_line_, true) && line.starts_with(byte_order_mark))
    line.remove_prefix(byte_order_mark.size());
  if (line.empty()) {
    if (has_data_ || event_.id) reply_.events.push_back(event_);
    event_ = {};
    has_data_ = false;
    return;
  }
  const std::size_t colon = std::min(line.find(':'), line.size());
  const std::string_view name = line.substr(0, colon);
  std::string_view value = line.substr(std::min(colon + 1, line.size()));
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "data") {
    if (has_data_) event_.data += '\n';
    event_.data += value;
    has_data_ = true;
  } else if (name == "event") {
    event_.type = value == "message" ? "" : value;
  } else if (name == "id") {
    event_.id = std::string(value);
    reply_.last_event_id = value;
  } else if (name == "retry") {
    if (const auto number = number_in<int>(value)) reply_.retry_ms = number;
  }
}

}  // namespace toolwire::conformance
