#include "http_client/request_check.hpp"

#include <algorithm>
#include <array>

#include "http_client/url.hpp"

namespace toolwire::bridge {
namespace {

/// Headers that say where the message ends or what the connection does are set here only: given twice, they allow
/// request smuggling.
bool is_ours(const std::string& name) {
  constexpr std::array<std::string_view, 9> names = {
      "accept-encoding", "connection", "content-length",    "expect", "te",
      "keep-alive",      "trailer",    "transfer-encoding", "upgrade"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

bool has_control(std::string_view text) { return std::any_of(text.begin(), text.end(), is_control); }

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

std::string one_line(std::string_view value) {
  std::string copy(value);
  std::replace_if(copy.begin(), copy.end(), is_control, ' ');
  return copy;
}

std::optional<HttpFailure> problem_of(const HttpRequest& request) {
  const auto invalid = [](const std::string& text) { return HttpFailure{"invalid_request", text}; };
  if (!method_allowed(request.method)) return invalid("expected a method of HTTP in capital letters");
  const auto url = HttpUrl::parse(request.url);
  if (!url) return invalid("expected an http or https URL of plain characters, without user name and password");
  if (const auto problem = header_problem(request.headers)) return invalid(url->origin() + ": " + *problem);
  return std::nullopt;
}

}  // namespace toolwire::bridge
