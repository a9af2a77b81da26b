#include "commands/http_place.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include <toolwire/system/private_file.hpp>

#include <toolwire/http/detail/header_text.hpp>
#include <toolwire/system/network_address.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::string_view scheme = "http://";
constexpr std::size_t min_token = 32;
constexpr std::size_t max_token_file = std::size_t{1} << 20;
constexpr std::string_view white = " \t\r";

[[noreturn]] void refuse_url(const std::string& url) {
  throw std::invalid_argument(
      "--listen: expected \"http://ADDRESS:PORT/PATH\" with an address in numbers, as in "
      "\"http://127.0.0.1:8080/mcp\", found \"" +
      url + "\"");
}

/// What stands before the port; an address of IPv6 without its brackets.
std::string address_in(std::string_view authority, const std::string& url) {
  std::string_view host = authority.substr(0, authority.rfind(':'));
  if (host == "localhost") return "127.0.0.1";
  if (const std::string_view inner = system::without_brackets(host); inner != host) return std::string(inner);
  if (host.empty() || host.find_first_not_of("0123456789.") != std::string_view::npos) refuse_url(url);
  return std::string(host);
}

std::uint16_t port_in(std::string_view authority, const std::string& url) {
  const std::size_t colon = authority.rfind(':');
  if (colon == std::string_view::npos || authority.ends_with(']')) refuse_url(url);
  const std::string_view digits = authority.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size()) refuse_url(url);
  return port;
}

std::string text_of_tokens(const std::string& path) {
  const system::PrivateFile file(path, system::PrivateFile::Access::read);
  const auto text = file.is_open() ? file.read_all(max_token_file) : std::nullopt;
  if (!text)
    throw std::invalid_argument(
        "--token-file: expected a file of yours that nobody else can read or write "
        "(chmod 600), of at most 1 MiB: " +
        path);
  return *text;
}

bool is_same(std::string_view said, std::string_view token) {
  unsigned difference = said.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < said.size(); ++i) difference |= static_cast<unsigned>(said[i] ^ token[i % token.size()]);
  return difference == 0;
}

http::Authenticate asking_for(const std::string& token_file) {
  const auto tokens = std::make_shared<const BearerTokens>(text_of_tokens(token_file));
  return [tokens](const http::Request& head, Done<std::string> done) {
    std::string said;
    for (const http::Field& field : head.fields) {
      if (header_text::lower(field.name) == "authorization")
        said = said.empty() ? field.value : " ";  // said twice, it is nobody's
    }
    if (std::string name = tokens->name_of(said); !name.empty()) return done(std::move(name));
    done.fail(std::make_exception_ptr(http::NotAuthenticated(
        said.empty() ? "expected a token: Authorization: Bearer TOKEN" : "this token is not known",
        said.empty() ? "Bearer" : "Bearer error=\"invalid_token\"")));
  };
}

}  // namespace

http::Port http_port(const HttpOptions& options) {
  if (!options.url.starts_with(scheme)) refuse_url(options.url);
  const std::string_view rest = std::string_view(options.url).substr(scheme.size());
  const std::string_view authority = rest.substr(0, rest.find('/'));
  if (rest.find_first_of("?#@ ") != std::string_view::npos) refuse_url(options.url);
  http::Port port{.address = address_in(authority, options.url), .port = port_in(authority, options.url)};
  if (authority.size() + 1 < rest.size()) port.handler.path = std::string(rest.substr(authority.size()));
  port.handler.hosts = options.hosts;
  port.handler.origins = options.origins;
  if (!options.token_file.empty()) port.authenticate = asking_for(options.token_file);
  return port;
}

BearerTokens::BearerTokens(std::string_view text) {
  for (unsigned line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = header_text::trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t space = line.find_first_of(white);
    const std::string_view name = line.substr(0, space);
    const std::string_view token = space == std::string_view::npos ? "" : header_text::trimmed(line.substr(space));
    const auto is_known = [&](const Entry& one) { return one.name == name || one.token == token; };
    if (token.size() < min_token || token.find_first_of(white) != std::string_view::npos ||
        name.size() > max_caller_name || std::ranges::any_of(entries_, is_known))
      throw std::invalid_argument("--token-file: line " + std::to_string(line_number) +
                                  ": expected \"NAME TOKEN\" with a token of at least 32 characters, and neither the "
                                  "name nor the token a second time");
    entries_.push_back({std::string(name), std::string(token)});
  }
  if (entries_.empty()) throw std::invalid_argument("--token-file: expected a line \"NAME TOKEN\", found none");
}

std::string BearerTokens::name_of(std::string_view authorization) const {
  constexpr std::string_view begin = "bearer ";
  if (header_text::lower(authorization.substr(0, begin.size())) != begin) return {};
  const std::string_view token = header_text::trimmed(authorization.substr(begin.size()));
  std::string name;
  for (const Entry& one : entries_) {
    if (is_same(token, one.token)) name = one.name;
  }
  return name;
}

}  // namespace toolwire::bridge
