#include "fetch/request_check.hpp"
#include <toolwire/http/detail/header_text.hpp>

#include <algorithm>
#include <array>

#include <toolwire/http/detail/http_url.hpp>

namespace toolwire {
namespace {

/// Headers that say where the message ends or what the connection does are set here only: given twice, they allow
/// request smuggling.
bool is_ours(const std::string& name) {
  constexpr std::array<std::string_view, 9> names = {
      "accept-encoding", "connection", "content-length",    "expect", "te",
      "keep-alive",      "trailer",    "transfer-encoding", "upgrade"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<std::string> header_problem(const HttpHeaders& headers) {
  for (const auto& [name, value] : headers) {
    if (std::string wrong = wrong_header_name(name); !wrong.empty()) return wrong;
    if (header_text::has_control(value))
      return "the value of the header \"" + name + "\" has control characters (line breaks?)";
  }
  return std::nullopt;
}

bool method_allowed(const std::string& method) {
  return header_text::is_token(method) && method.size() <= 32 && method != "CONNECT" && method != "TRACE" &&
         std::none_of(method.begin(), method.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

std::string wrong_header_name(std::string_view name) {
  if (!header_text::is_token(name)) return "a header's name has characters that no header has";
  if (!is_ours(header_text::lower(name))) return {};
  return "the header \"" + std::string(name) + "\" cannot be given: it is the connection's";
}

std::optional<HttpFailure> problem_of(const HttpRequest& request) {
  const auto invalid = [](const std::string& text) { return HttpFailure{"invalid_request", text}; };
  if (!method_allowed(request.method)) return invalid("expected a method of HTTP in capital letters");
  const auto url = HttpUrl::parse(request.url);
  if (!url) return invalid("expected an http or https URL of plain characters, without user name and password");
  if (const auto problem = header_problem(request.headers)) return invalid(url->origin() + ": " + *problem);
  return std::nullopt;
}

}  // namespace toolwire
