#include "http_client/transfer.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_header_bytes = std::size_t{64} << 10;
constexpr long connect_seconds = 30;

bool is_token(std::string_view text) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";  // RFC 9110 §5.6.2
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           marks.find(c) != std::string_view::npos;
  });
}

std::string lower(std::string_view text) {
  std::string copy(text);
  std::transform(copy.begin(), copy.end(), copy.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return copy;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

/// Those that say where the message ends or what the connection does: one given twice is how requests are smuggled.
bool is_ours(const std::string& name) {
  constexpr std::array<std::string_view, 9> names = {
      "accept-encoding", "connection", "content-length",    "expect", "te",
      "keep-alive",      "trailer",    "transfer-encoding", "upgrade"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7f;
  });
}

std::optional<std::string> header_problem(const HttpHeaders& headers) {
  for (const auto& [name, value] : headers) {
    if (!is_token(name)) return "a header's name has characters that no header has";
    if (is_ours(lower(name))) return "the header \"" + name + "\" cannot be given: it is the connection's";
    if (has_control(value)) return "the value of the header \"" + name + "\" has control characters (line breaks?)";
  }
  return std::nullopt;
}

bool method_allowed(const std::string& method) {
  return is_token(method) && method.size() <= 32 && method != "CONNECT" && method != "TRACE" &&
         std::none_of(method.begin(), method.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

std::optional<HttpFailure> problem_of(const HttpRequest& request) {
  const auto invalid = [](const std::string& text) { return HttpFailure{"invalid_request", text}; };
  if (!method_allowed(request.method)) return invalid("expected a method of HTTP in capital letters");
  const auto url = HttpUrl::parse(request.url);
  if (!url) return invalid("expected an http or https URL of plain characters, without user name and password");
  if (const auto problem = header_problem(request.headers)) return invalid(url->origin() + ": " + *problem);
  return std::nullopt;
}

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
  ::curl_easy_getinfo(easy, CURLINFO_PRIVATE, &self);
  return *reinterpret_cast<HttpTransfer*>(self);
}

bool HttpTransfer::needs_resolving() const { return url_.host() != "localhost" && !parse_address(url_.host()); }

HttpFailure HttpTransfer::failure(std::string code, const std::string& text) const {
  return {std::move(code), url_.origin() + ": " + text};
}

void HttpTransfer::prepare() {
  response_ = {};
  header_bytes_ = 0;
  easy_.reset(::curl_easy_init());
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
  set(CURLOPT_PROXY, settings_.proxy.c_str());  // empty: none, and none from the environment
  set(CURLOPT_NOPROXY, operators ? "localhost,127.0.0.1,::1" : "");
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
  curl_slist* longer = ::curl_slist_append(headers_.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  static_cast<void>(headers_.release());
  headers_.reset(longer);
}

void HttpTransfer::set_headers() {
  headers_.reset();
  bool has_type = false;
  for (const auto& [name, value] : request_.headers) {
    has_type = has_type || lower(name) == "content-type";
    add_header(trimmed(value).empty() ? name + ";" : name + ": " + value);  // as libcurl wants an empty one
  }
  if (!has_type) add_header("Content-Type:");  // none, instead of the type of HTML forms
  add_header("Expect:");                       // nor a second of waiting for a "100 Continue"
  set(CURLOPT_HTTPHEADER, headers_.get());
}

bool HttpTransfer::may_open(const sockaddr* address) {
  if (!settings_.proxy.empty()) return true;
  const auto bytes = address_bytes(address);
  const auto refusal = bytes ? settings_.addresses.refusal(*bytes, url_.host(), request_.origin, id_)
                             : std::optional<std::string>("leads to something that is no network address");
  if (refusal) refused_ = failure("denied", "the address is not allowed: it " + *refusal);
  return !refusal;
}

curl_socket_t HttpTransfer::open_socket(void* self, curlsocktype, curl_sockaddr* address) {
  HttpTransfer& transfer = *static_cast<HttpTransfer*>(self);
  transfer.resolved_();
  if (!transfer.may_open(&address->addr)) return CURL_SOCKET_BAD;
  const int opened = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
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
  transfer.add_header_line({bytes, size * count});
  return size * count;
}

void HttpTransfer::add_header_line(std::string_view line) {
  if (line.starts_with("HTTP/")) {
    response_.headers.clear();  // those of an interim answer are none of the answer's
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos)
    response_.headers.emplace_back(lower(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
}

std::size_t HttpTransfer::take_body(char* bytes, std::size_t size, std::size_t count, void* self) {
  HttpTransfer& transfer = *static_cast<HttpTransfer*>(self);
  const std::size_t limit = transfer.request_.response_limit;
  if (size * count > limit - transfer.response_.body.size()) {
    transfer.refused_ =
        transfer.failure("too_large", "the answer is larger than the limit of " + std::to_string(limit) + " bytes");
    return 0;
  }
  transfer.response_.body.append(bytes, size * count);
  return size * count;
}

}  // namespace toolwire::bridge
