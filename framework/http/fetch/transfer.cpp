#include "fetch/transfer.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include <toolwire/http/detail/header_text.hpp>
#include "fetch/redirect.hpp"

namespace toolwire {
namespace {

constexpr std::size_t max_header_bytes = std::size_t{64} << 10;
constexpr long connect_seconds = 30;

bool broke_connection(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_PARTIAL_FILE:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_OPERATION_TIMEDOUT:  // the time to connect: the deadline of the request is kept elsewhere
      return true;
    default:
      return false;
  }
}

/// Whether three digits follow the version.
bool names_status(std::string_view line) {
  const std::string_view status = header_text::trimmed(line.substr(std::min(line.find(' '), line.size())));
  const std::string_view digits = status.substr(0, status.find(' '));
  return digits.size() == 3 && digits.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string cause(CURL* easy, CURLcode code) {
  std::string text = curl().easy_strerror(code);
  long error = 0;
  curl().easy_getinfo(easy, CURLINFO_OS_ERRNO, &error);
  if (code == CURLE_COULDNT_CONNECT && error != 0)
    text += " (" + std::generic_category().message(static_cast<int>(error)) + ")";
  return text;
}

}  // namespace

HttpTransfer::HttpTransfer(std::uint64_t id, HttpRequest request, HttpTransferSettings& settings, Resolved resolved)
    : id_(id),
      request_(std::move(request)),
      settings_(settings),
      resolved_(std::move(resolved)),
      url_(HttpUrl::parse(request_.url).value()) {
  prepare();
}

HttpTransfer& HttpTransfer::of(CURL* easy) {
  char* self = nullptr;
  curl().easy_getinfo(easy, CURLINFO_PRIVATE, &self);
  return *reinterpret_cast<HttpTransfer*>(self);
}

bool HttpTransfer::needs_resolving() const { return url_.host() != "localhost" && !system::parse_address(url_.host()); }

HttpFailure HttpTransfer::failure(std::string code, const std::string& text) const {
  return {std::move(code), url_.origin() + ": " + text};
}

void HttpTransfer::prepare() {
  response_ = {};
  is_satisfied_ = false;
  has_status_ = false;
  header_bytes_ = 0;
  easy_.reset(curl().easy_init());
  if (!easy_) throw std::bad_alloc();
  set(CURLOPT_PRIVATE, this);
  set(CURLOPT_CURLU, url_.handle());
  set_safety();
  set_method();
  set_headers();
  set(CURLOPT_OPENSOCKETFUNCTION, &open_socket);
  set(CURLOPT_OPENSOCKETDATA, this);
  set(CURLOPT_HEADERFUNCTION, &take_header);
  set(CURLOPT_HEADERDATA, this);
  set(CURLOPT_WRITEFUNCTION, &take_body);
  set(CURLOPT_WRITEDATA, this);
}

void HttpTransfer::set_safety() {
  const bool operators = request_.origin == HttpOrigin::operators;
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT,
      1L);  // else ending a request waits for the system's resolver, and every other request with it
  set(CURLOPT_CONNECTTIMEOUT, connect_seconds);
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
  const bool as_environment_says = request_.proxy_of_environment && settings_.proxy.empty();
  if (!as_environment_says) set(CURLOPT_PROXY, settings_.proxy.c_str());  // empty: none
  if (!as_environment_says) set(CURLOPT_NOPROXY, operators ? "localhost,127.0.0.1,::1" : "");
  if (!settings_.ca_file.empty()) set(CURLOPT_CAINFO, settings_.ca_file.c_str());
  // libcurl sends a request again when a connection it kept turns out dead, whether or not it was carried out; and a
  // kept connection of the operator's is not for those whose addresses are to be checked.
  if (!operators || !is_repeatable()) set(CURLOPT_FRESH_CONNECT, 1L);
  if (!operators) set(CURLOPT_FORBID_REUSE, 1L);
}

bool HttpTransfer::is_repeatable() const {
  constexpr std::array<std::string_view, 5> methods = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS"};  // RFC 9110 §9.2.2
  return std::find(methods.begin(), methods.end(), request_.method) != methods.end();
}

void HttpTransfer::set_method() {
  const std::string& method = request_.method;
  if (method == "HEAD") {
    set(CURLOPT_NOBODY, 1L);
    return;
  }
  if (!request_.body.empty() || method == "POST" || method == "PUT" || method == "PATCH") {
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    set(CURLOPT_POSTFIELDS, request_.body.c_str());
  }
  set(CURLOPT_CUSTOMREQUEST, method.c_str());
}

void HttpTransfer::add_header(const std::string& line) {
  curl_slist* longer = curl().slist_append(headers_.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  static_cast<void>(headers_.release());
  headers_.reset(longer);
}

void HttpTransfer::set_headers() {
  headers_.reset();
  bool has_type = false;
  for (const auto& [name, value] : request_.headers) {
    has_type = has_type || header_text::lower(name) == "content-type";
    add_header(header_text::trimmed(value).empty() ? name + ";"
                                                   : name + ": " + value);  // libcurl's form of an empty header
  }
  if (!has_type) add_header("Content-Type:");  // none, instead of the type of HTML forms
  add_header("Expect:");                       // and no waiting for "100 Continue"
  set(CURLOPT_HTTPHEADER, headers_.get());
}

bool HttpTransfer::may_open(const sockaddr* address) {
  if (!settings_.proxy.empty()) return true;
  const auto bytes = system::address_bytes(address);
  const auto refusal = bytes ? settings_.addresses.refusal(*bytes, url_.host(), request_.origin, id_)
                             : std::optional<std::string>("leads to something that is no network address");
  if (refusal) refused_ = failure("denied", "the address is not allowed: it " + *refusal);
  return !refusal;
}

curl_socket_t HttpTransfer::open_socket(void* self, curlsocktype, curl_sockaddr* address) {
  HttpTransfer& transfer = *static_cast<HttpTransfer*>(self);
  transfer.resolved_();
  if (!transfer.may_open(&address->addr)) return CURL_SOCKET_BAD;
  const int opened = system::make_socket(address->family, address->socktype, address->protocol);
  if (opened >= 0) transfer.refused_.reset();  // another address of the same name will do
  return opened < 0 ? CURL_SOCKET_BAD : opened;
}

std::size_t HttpTransfer::take_header(char* bytes, std::size_t size, std::size_t count, void* self) {
  HttpTransfer& transfer = *static_cast<HttpTransfer*>(self);
  transfer.header_bytes_ += size * count;
  if (transfer.header_bytes_ > max_header_bytes) {
    transfer.refused_ = transfer.failure("too_large", "the answer has more than 64 KiB of headers");
    return 0;
  }
  const std::string_view line(bytes, size * count);
  transfer.add_header_line(line);
  return header_text::trimmed(line).empty() && !transfer.hand_over({}) ? 0 : size * count;
}

/// False if no more of the body is wanted.
bool HttpTransfer::hand_over(std::string_view piece) {
  note_status();
  const bool is_interim = response_.status < 200;
  if (!request_.on_piece || is_interim || is_redirected()) return true;
  is_satisfied_ = !request_.on_piece(response_, piece);
  return !is_satisfied_;
}

void HttpTransfer::add_header_line(std::string_view line) {
  if (line.starts_with("HTTP/")) {
    response_.headers.clear();  // those of an interim answer do not belong to the answer
    has_status_ = names_status(line);
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos && header_text::is_token(line.substr(0, colon)))
    response_.headers.emplace_back(header_text::lower(line.substr(0, colon)),
                                   header_text::one_line(header_text::trimmed(line.substr(colon + 1))));
}

std::size_t HttpTransfer::take_body(char* bytes, std::size_t size, std::size_t count, void* self) {
  HttpTransfer& transfer = *static_cast<HttpTransfer*>(self);
  if (transfer.request_.on_piece && !transfer.is_redirected())
    return transfer.hand_over({bytes, size * count}) ? size * count : 0;
  const std::size_t limit = transfer.request_.response_limit;
  if (size * count > limit - transfer.response_.body.size()) {
    transfer.refused_ =
        transfer.failure("too_large", "the answer is larger than the limit of " + std::to_string(limit) + " bytes");
    return 0;
  }
  transfer.response_.body.append(bytes, size * count);
  return size * count;
}

std::optional<HttpOutcome> HttpTransfer::outcome(CURLcode code) {
  if (code != CURLE_OK && !is_satisfied_) return refused_ ? *refused_ : failure_of(code);
  note_status();
  // By its version, libcurl reads "HTTP/2222" as version 2 with the status 222, "1000" as 100, and a longer one as
  // whatever an int makes of it.
  if (!has_status_ || response_.status < 100 || response_.status > 999)
    return failure("back_end_error", "the answer has no status of three digits");
  return redirect_or_response();
}

void HttpTransfer::note_status() {
  long status = 0;
  curl().easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  response_.status = static_cast<int>(std::clamp(status, 0L, 1000L));
}

HttpFailure HttpTransfer::failure_of(CURLcode code) const {
  // libcurl's own words for the code: its longer texts may quote what came over the connection.
  HttpFailure made = failure(broke_connection(code) ? "unavailable" : "back_end_error", cause(easy_.get(), code));
  long sent = 0;
  curl().easy_getinfo(easy_.get(), CURLINFO_REQUEST_SIZE, &sent);
  made.was_sent = sent > 0;
  return made;
}

bool HttpTransfer::is_redirected() const { return is_redirect(response_.status) && response_.header("location"); }

std::optional<HttpOutcome> HttpTransfer::redirect_or_response() {
  if (!is_redirected()) return std::move(response_);
  const std::string location(*response_.header("location"));
  auto next = follow_redirect(request_, url_, response_.status, location, redirects_++);
  if (auto* refused = std::get_if<HttpFailure>(&next)) return std::move(*refused);
  url_ = std::move(std::get<HttpUrl>(next));
  prepare();
  return std::nullopt;
}

}  // namespace toolwire
