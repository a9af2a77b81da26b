#include <algorithm>
#include <stdexcept>

#include "header_fields.hpp"
#include "jwt/token.hpp"
#include "jwt/type_name.hpp"
#include "toolwire/http/detail/header_text.hpp"

namespace toolwire::http::jwt {
namespace {

constexpr std::chrono::seconds max_leeway{300};

const Algorithm* algorithm_named(const std::string& name) {
  const Algorithm* const found = find_algorithm(name);
  if (found != nullptr) return found;
  std::string known;
  for (const std::string_view one : jwt_algorithms()) known.append(known.empty() ? "" : ", ").append(one);
  throw std::invalid_argument("\"" + name + "\" is no algorithm that is taken: expected some of " + known);
}

}  // namespace

std::string type_name(std::string_view type) {
  constexpr std::string_view prefix = "application/";
  std::string name = header_text::lower(type);
  if (name.starts_with(prefix)) name.erase(0, prefix.size());
  return name;
}

Rules::Rules(const JwtOptions& options)
    : audiences(options.audiences), scopes(options.resource.scopes), leeway(options.leeway) {
  check(options.resource);
  if (options.resource.authorization_servers.size() != 1)
    throw std::invalid_argument("signed tokens are taken of exactly one authorization server");
  issuer = options.resource.authorization_servers.front();
  if (audiences.empty()) audiences = {options.resource.resource};
  const auto is_empty = [](const std::string& text) { return text.empty(); };
  if (std::ranges::any_of(audiences, is_empty)) throw std::invalid_argument("an audience must not be empty");
  if (options.algorithms.empty()) throw std::invalid_argument("without algorithms no token could be valid");
  for (const std::string& name : options.algorithms) algorithms.push_back(algorithm_named(name));
  if (options.types.empty()) throw std::invalid_argument("without types no token could be valid");
  for (const std::string& type : options.types) types.push_back(type_name(type));
  if (leeway.count() < 0 || leeway > max_leeway)
    throw std::invalid_argument("the leeway of tokens must be from 0 to 300 seconds");
}

}  // namespace toolwire::http::jwt
