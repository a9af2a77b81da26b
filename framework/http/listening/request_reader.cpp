#include "listening/request_reader.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "header_fields.hpp"
#include "toolwire/http/detail/header_text.hpp"

namespace toolwire::http {
namespace {

namespace beast = boost::beast;
using Error = beast::error_code;

constexpr std::size_t max_chunk_line = 4096;  // bytes of the line before a chunk, and of what follows the last
constexpr std::size_t min_chunk_line = 5;     // bytes, at least, that follow chunks: the parser asserts so
constexpr std::size_t max_kept = std::size_t{16} << 10;  // bytes of an idle connection
constexpr std::size_t usual_fields = 12;                 // of a client of this protocol, with those of proxies
constexpr std::string_view head_end = "\r\n\r\n";

std::string text_of(beast::string_view view) { return {view.data(), view.size()}; }

/// Why some readers would find other lines in a text than others do; null: they would not. What stands before `from`
/// was looked at.
const char* wrong_line_in(std::string_view text, std::size_t from) {
  if (text.find('\0', from) != std::string_view::npos) return "a line must not have NUL bytes";
  for (std::size_t at = text.find('\n', from); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    if (at == 0 || text[at - 1] != '\r') return "each line ends with CR LF";
  }
  for (std::size_t at = text.find('\r', from); at != std::string_view::npos; at = text.find('\r', at + 1)) {
    const bool is_last = at + 1 == text.size();
    if (!is_last && text[at + 1] != '\n') return "each line ends with CR LF";
  }
  return nullptr;
}

bool has_folded_line(std::string_view head) {
  return head.find("\r\n ") != std::string_view::npos || head.find("\r\n\t") != std::string_view::npos;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char one) { return one >= '0' && one <= '9'; });
}

/// Of a list, in lower case.
std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    const std::string_view name = list.substr(0, end);
    const std::size_t begin = std::min(name.find_first_not_of(" \t"), name.size());
    names.push_back(header_text::lower(name.substr(begin, name.find_last_not_of(" \t") + 1 - begin)));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

/// The body has one length, said once (RFC 9112 §6).
std::optional<Refusal> refused_for_framing(const HeaderFields& fields, bool is_old) {
  const std::size_t lengths = fields.count("content-length");
  const std::size_t codings = fields.count("transfer-encoding");
  if (lengths > 1) return refusal(400, "Content-Length may occur once");
  if (lengths == 1 && codings > 0) return refusal(400, "Content-Length and Transfer-Encoding exclude each other");
  if (lengths == 1 && !is_number(fields.value_or_empty("content-length")))
    return refusal(400, "Content-Length must be one number");
  if (codings == 0) return std::nullopt;
  if (is_old) return refusal(400, "Transfer-Encoding does not exist before HTTP/1.1");
  const auto names = names_in(fields.joined("transfer-encoding"));
  if (names.empty() || names.back() != "chunked" || std::ranges::count(names, "chunked") > 1)
    return refusal(400, "the last transfer coding must be \"chunked\", once");
  return names.size() == 1 ? std::nullopt
                           : std::optional(refusal(501, "of transfer codings only \"chunked\" is known"));
}

std::optional<Refusal> refused_for_fields(const HeaderFields& fields, bool is_old) {
  if (auto refused = refused_for_framing(fields, is_old)) return refused;
  const std::size_t hosts = fields.count("host");
  if (hosts > 1 || (hosts == 0 && !is_old)) return refusal(400, "Host must occur once");
  const auto expected = fields.find("expect");
  if (expected && !equal_without_case(*expected, "100-continue"))
    return refusal(417, "of expectations only \"100-continue\" is known");
  return std::nullopt;
}

Refusal refusal_of_long_line() {
  return refusal(400, "a line between chunks may have " + std::to_string(max_chunk_line) + " bytes at most");
}

/// An authority that a target has counts instead of `Host`, and has to be the same (RFC 9112 §3.2.2, stricter).
std::optional<Refusal> take_authority_off(std::string& target, std::string_view host) {
  if (target.starts_with('/') || target == "*") return std::nullopt;
  const std::size_t scheme = target.find("://");
  if (scheme == std::string::npos) return refusal(400, "a target begins with \"/\", or is a whole URL");
  const std::size_t begin = scheme + 3;
  const std::size_t end = std::min(target.find_first_of("/?", begin), target.size());
  if (!equal_without_case(std::string_view(target).substr(begin, end - begin), host))
    return refusal(400, "the target must have the host that Host has");
  target.erase(0, end);
  if (!target.starts_with('/')) target.insert(0, 1, '/');
  return std::nullopt;
}

bool names_version(std::string_view line) {
  const std::size_t space = line.rfind(' ');
  const std::string_view version = space == std::string_view::npos ? std::string_view() : line.substr(space + 1);
  return version.size() == 8 && version.starts_with("HTTP/") && is_number(version.substr(5, 1)) && version[6] == '.' &&
         is_number(version.substr(7, 1));
}

}  // namespace

/// Of fields behind the body nothing is taken. They are an event of their own in newer versions of Beast only.
class ParserWithoutTrailers : public beast::http::basic_parser<true> {
 protected:
  virtual void on_trailer_field_impl(beast::http::field, beast::string_view, beast::string_view, Error&) {}
};

/// Beast's parser, whose events fill a request.
class RequestReader::Parser final : public ParserWithoutTrailers {
 public:
  explicit Parser(const Bounds& bounds) : bounds_(bounds) {
    header_limit(static_cast<std::uint32_t>(std::min<std::size_t>(bounds.head + 1, UINT32_MAX)));
    body_limit(bounds.body);
    eager(true);
  }

  /// Returns how much was used.
  std::size_t parse(std::string_view bytes) {
    Error error;
    const std::size_t used = put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
    if (error && error != beast::http::error::need_more && !refused) refused = refusal_of(error);
    return used;
  }

  /// What comes next are bytes of the body, and no line between chunks.
  bool is_in_chunk() const { return left_of_chunk_ > 0; }

  Request request;
  std::optional<Refusal> refused;
  bool waits_for_continue = false;
  bool is_old = false;

 private:
  Refusal refusal_of(const Error& error) const {
    using Known = beast::http::error;
    if (error == Known::body_limit)
      return refusal(413, "a body may have " + std::to_string(bounds_.body) + " bytes at most");
    if (error == Known::bad_version) return refusal(400, "a request line ends with HTTP/1.1");
    return refusal(400, "this is no HTTP/1.1: " + error.message());
  }
  void refuse(std::optional<Refusal> why, Error& error) {
    if (!why) return;
    refused = std::move(why);
    error = beast::http::error::bad_field;  // any: `refused` says which
  }

  void on_request_impl(beast::http::verb method, beast::string_view name, beast::string_view target, int version,
                       Error& error) override {
    request.fields.reserve(usual_fields);
    request.method = text_of(name);
    request.target = text_of(target);
    is_old = version < 11;
    if (method == beast::http::verb::unknown) refuse(refusal(501, "this method is not known"), error);
  }
  void on_response_impl(int, beast::string_view, int, Error&) override {}
  void on_field_impl(beast::http::field, beast::string_view name, beast::string_view value, Error& error) override {
    if (is_head_over_) return;  // a trailer, in older versions of Beast
    if (request.fields.size() == bounds_.fields)
      return refuse(refusal(431, "a head may have " + std::to_string(bounds_.fields) + " fields at most"), error);
    request.fields.push_back({text_of(name), text_of(value)});
  }
  void on_header_impl(Error& error) override {
    is_head_over_ = true;
    const HeaderFields fields(request.fields);
    auto why = refused_for_fields(fields, is_old);
    if (!why) why = take_authority_off(request.target, fields.value_or_empty("host"));
    waits_for_continue = fields.find("expect").has_value() && !is_old;
    refuse(std::move(why), error);
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, Error&) override {}
  std::size_t on_body_impl(beast::string_view bytes, Error&) override {
    request.body.append(bytes.data(), bytes.size());
    return bytes.size();
  }
  void on_chunk_header_impl(std::uint64_t size, beast::string_view extensions, Error& error) override {
    left_of_chunk_ = size;
    if (extensions.size() > max_chunk_line) return refuse(refusal_of_long_line(), error);
    // Beast lets line ends into what is quoted, where others see a line of its own.
    const bool is_one_line = extensions.find_first_of(beast::string_view("\r\n\0", 3)) == beast::string_view::npos;
    if (!is_one_line) refuse(refusal(400, "the line before a chunk must be one line"), error);
  }
  std::size_t on_chunk_body_impl(std::uint64_t left, beast::string_view bytes, Error& error) override {
    left_of_chunk_ = left - bytes.size();
    return on_body_impl(bytes, error);
  }
  void on_finish_impl(Error&) override {}

  const Bounds& bounds_;
  std::uint64_t left_of_chunk_ = 0;
  bool is_head_over_ = false;
};

RequestReader::RequestReader(Bounds bounds) : bounds_(bounds) {}
RequestReader::~RequestReader() = default;

RequestReader::Progress RequestReader::go_on() {
  if (progress_ == Progress::nothing || progress_ == Progress::head) progress_ = read_head();
  if (progress_ == Progress::body) progress_ = parse_body();
  return progress_;
}

/// A head is handed to the parser once it is whole, so that all bounds are kept here.
RequestReader::Progress RequestReader::read_head() {
  if (looked_at_ == 0) skip_empty_lines();
  const std::string_view input = rest();
  if (input.empty() || input == "\r") return Progress::nothing;
  const std::size_t end = input.find(head_end, looked_at_ - std::min<std::size_t>(looked_at_, head_end.size()));
  const bool is_there = end != std::string_view::npos;
  const std::string_view head = is_there ? input.substr(0, end + head_end.size()) : input;
  if (const char* const why = wrong_line_in(head, looked_at_ - std::min<std::size_t>(looked_at_, 1)))
    return refuse(refusal(400, why));
  const std::string_view line = head.substr(0, head.find('\r'));
  const std::size_t target = line.find(' ');
  if (target != std::string_view::npos && line.size() - target > bounds_.target + std::string_view("  HTTP/1.1").size())
    return refuse(refusal(414, "a target may have " + std::to_string(bounds_.target) + " bytes at most"));
  if (head.size() > bounds_.head)
    return refuse(refusal(431, "a head may have " + std::to_string(bounds_.head) + " bytes at most"));
  looked_at_ = input.size();
  if (!is_there) return Progress::head;
  if (has_folded_line(head)) return refuse(refusal(400, "a field must be one line (RFC 9112 section 5.2)"));
  const bool has_other_version = names_version(line) && !line.ends_with("HTTP/1.1") && !line.ends_with("HTTP/1.0");
  if (has_other_version) return refuse(refusal(505, "HTTP/1.1 is spoken here"));
  parser_ = std::make_unique<Parser>(bounds_);
  use(parser_->parse(head));
  if (parser_->refused) return refuse(std::move(*parser_->refused));
  if (!parser_->is_header_done()) return refuse(refusal(400, "this is no head of HTTP/1.1"));
  return Progress::at_body;
}

/// Before a request line (RFC 9112 §2.2).
void RequestReader::skip_empty_lines() {
  while (rest().starts_with("\r\n")) use(2);
}

void RequestReader::read_body() { progress_ = Progress::body; }

RequestReader::Progress RequestReader::parse_body() {
  if (parser_->is_done()) return Progress::whole;
  const bool is_at_line = parser_->chunked() && !parser_->is_in_chunk();
  const bool is_too_little = rest().size() < (is_at_line ? min_chunk_line : 1);
  const std::size_t used = is_too_little ? 0 : parser_->parse(rest());
  use(used);
  if (parser_->refused) return refuse(std::move(*parser_->refused));
  if (parser_->is_done()) return Progress::whole;
  // What is left is the beginning of a line.
  if (unread() > max_chunk_line) return refuse(refusal_of_long_line());
  if (const char* const why = wrong_line_in(rest(), 0)) return refuse(refusal(400, why));
  return Progress::body;
}

void RequestReader::begin_next() {
  parser_.reset();
  looked_at_ = 0;
  progress_ = Progress::nothing;
}

RequestReader::Progress RequestReader::refuse(Refusal why) {
  why_ = std::move(why);
  return progress_ = Progress::refused;
}

/// What was used is thrown away when all was, or when it is the larger part.
void RequestReader::use(std::size_t count) {
  used_ += count;
  if (used_ == input_.size()) {
    input_.clear();
    used_ = 0;
    if (input_.capacity() > max_kept) input_ = {};
  } else if (used_ > input_.size() / 2) {
    input_.erase(0, std::exchange(used_, 0));
  }
}

Request& RequestReader::request() { return parser_->request; }
bool RequestReader::has_body() const { return !parser_->is_done(); }
bool RequestReader::waits_for_continue() const { return parser_->waits_for_continue; }
bool RequestReader::keeps_connection() const { return parser_->keep_alive(); }
bool RequestReader::is_old() const { return parser_->is_old; }

}  // namespace toolwire::http
