#include "http/guard.hpp"

#include <algorithm>

#include <toolwire/http/detail/header_text.hpp>

#include "system/this_machine.hpp"

namespace toolwire::bridge::http {
namespace {

bool is_port(std::string_view text) {
  return text.size() <= 5 && std::ranges::all_of(text, [](char one) { return one >= '0' && one <= '9'; });
}

/// "[::1]:80" → "::1", "localhost:80" → "localhost"; nothing for what is no host with a port or without.
std::optional<std::string> name_of(std::string_view host) {
  const bool is_six = host.starts_with('[');
  const std::size_t end = std::min(host.find(is_six ? ']' : ':'), host.size());
  if (is_six && end == host.size()) return {};
  const std::string_view name = is_six ? host.substr(1, end - 1) : host.substr(0, end);
  const std::string_view rest = host.substr(is_six ? end + 1 : end);
  if (name.empty() || !(rest.empty() || (rest.starts_with(':') && is_port(rest.substr(1))))) return {};
  return header_text::lower(name);
}

std::string compared_name(const std::string& host) {
  return host.starts_with('[') ? name_of(host).value_or(host) : header_text::lower(host);
}

bool equal_in_constant_time(std::string_view given, std::string_view expected) {
  unsigned difference = given.size() == expected.size() ? 0U : 1U;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char other = expected.empty() ? '\0' : expected[i % expected.size()];
    difference |= static_cast<unsigned>(static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(other));
  }
  return difference == 0;
}

bool has_token(const Request& request, const std::string& token) {
  const auto header = request.header("authorization");
  constexpr std::string_view scheme = "bearer ";
  return header && header->size() > scheme.size() && header_text::lower(header->substr(0, scheme.size())) == scheme &&
         equal_in_constant_time(header->substr(scheme.size()), token);
}

/// Whether the page was served by this provider: its origin is the host that was asked.
bool is_own_origin(std::string_view origin, std::string_view host) {
  return origin.starts_with("http://") && header_text::lower(origin.substr(7)) == header_text::lower(host);
}

bool is_cross_site(const Request& request, std::string_view host, const GuardRules& rules) {
  if (request.has("origin")) {
    const auto origin = request.header("origin");
    return !origin ||
           (!is_own_origin(*origin, host) && std::ranges::find(rules.origins, *origin) == rules.origins.end());
  }
  // A page can load a script or an image without `Origin`; browsers tell where it comes from in this header.
  const auto site = request.header("sec-fetch-site");
  return site && *site != "same-origin" && *site != "none";
}

}  // namespace

bool is_loopback(std::string_view host) { return is_this_machine(compared_name(std::string(host))); }

std::vector<std::string> accepted_hosts(const std::string& listened, const std::vector<std::string>& given) {
  std::vector<std::string> hosts;
  hosts.reserve(given.size() + 1);
  for (const std::string& name : given) hosts.push_back(header_text::lower(name));
  if (!is_loopback(listened)) {
    if (!hosts.empty()) hosts.push_back(header_text::lower(listened));
    return hosts;
  }
  for (const char* const name : {"localhost", "127.0.0.1", "::1"}) hosts.emplace_back(name);
  hosts.push_back(compared_name(listened));
  return hosts;
}

std::optional<Answer> refusal(const Request& request, const GuardRules& rules) {
  const auto host = request.header("host");
  const auto name = host ? name_of(*host) : std::nullopt;
  if (!name) return error_answer(400, "expected exactly one Host header, a name or an address, with a port or without");
  if (!rules.hosts.empty() && std::ranges::find(rules.hosts, *name) == rules.hosts.end()) {
    return error_answer(421, "the Host header names another server");
  }
  if (is_cross_site(request, *host, rules)) return error_answer(403, "web pages of other sites may not ask");
  if (!rules.token.empty() && !has_token(request, rules.token)) {
    Answer answer = error_answer(401, "expected the header Authorization: Bearer with this provider's token");
    answer.headers.emplace_back("WWW-Authenticate", "Bearer");
    return answer;
  }
  return {};
}

}  // namespace toolwire::bridge::http
