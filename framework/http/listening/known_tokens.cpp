#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "header_fields.hpp"
#include "toolwire/http/authenticators.hpp"

namespace toolwire::http {
namespace {

constexpr std::string_view white = " \t\r";

/// Why it cannot be the token of somebody; empty if it can.
std::string wrong_token(const KnownToken& one) {
  if (one.token.size() < min_known_token || !is_visible_ascii(one.token))
    return "a token has at least " + std::to_string(min_known_token) + " characters, all of them visible ASCII";
  if (one.principal.id.empty() || !is_principal_id(one.principal.id))
    return "a token is somebody's, whose name is a line of at most " + std::to_string(max_principal_id) + " bytes";
  return {};
}

void check(const std::vector<KnownToken>& tokens) {
  if (tokens.empty()) throw std::invalid_argument("without a token nobody could be let in");
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (const std::string wrong = wrong_token(tokens[i]); !wrong.empty()) throw std::invalid_argument(wrong);
    for (std::size_t earlier = 0; earlier < i; ++earlier) {
      if (tokens[earlier].token == tokens[i].token) throw std::invalid_argument("one token is there twice");
    }
  }
}

/// Whose token it is; looks at all of them in any case.
const Principal* owner_of(std::string_view token, const std::vector<KnownToken>& tokens) {
  const Principal* owner = nullptr;
  for (const KnownToken& one : tokens) {
    if (is_secret(token, one.token)) owner = &one.principal;
  }
  return owner;
}

/// Throws NotAuthenticated.
const Principal& judged(const Request& head, const std::vector<KnownToken>& tokens) {
  const HeaderFields fields(head.fields);
  if (fields.count("authorization") == 0) throw NotAuthenticated("expected a token: Authorization: Bearer TOKEN");
  const auto token = bearer_token(fields.value_or_empty("authorization"));
  const Principal* const owner = token && fields.count("authorization") == 1 ? owner_of(*token, tokens) : nullptr;
  if (owner == nullptr) throw NotAuthenticated("this token is not known", R"(Bearer error="invalid_token")");
  return *owner;
}

}  // namespace

Authenticate known_tokens(std::vector<KnownToken> tokens) {
  check(tokens);
  return [tokens = std::make_shared<const std::vector<KnownToken>>(std::move(tokens))](const Request& head,
                                                                                       Done<Principal> done) {
    try {
      done(judged(head, *tokens));
    } catch (const NotAuthenticated&) {
      done.fail(std::current_exception());
    }
  };
}

std::vector<KnownToken> known_tokens_in(std::string_view text) {
  std::vector<KnownToken> tokens;
  for (unsigned number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::vector<std::string> words = words_in(text.substr(0, end), white);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty() || words.front().starts_with('#')) continue;
    const auto refuse = [&](const std::string& why) {
      throw std::invalid_argument("line " + std::to_string(number) +
                                  ": expected \"NAME TOKEN\", and scopes behind it: " + why);
    };
    if (words.size() < 2) refuse("there is no token");
    KnownToken one{.token = std::move(words[1]), .principal = {std::move(words[0])}};
    one.principal.scopes.assign(std::make_move_iterator(words.begin() + 2), std::make_move_iterator(words.end()));
    if (const std::string wrong = wrong_token(one); !wrong.empty()) refuse(wrong);
    if (!std::ranges::all_of(one.principal.scopes, is_scope)) refuse("a scope has characters that none has");
    const auto is_known = [&](const KnownToken& other) {
      return other.token == one.token || other.principal.id == one.principal.id;
    };
    if (std::ranges::any_of(tokens, is_known)) refuse("neither a name nor a token occurs twice");
    tokens.push_back(std::move(one));
  }
  if (tokens.empty()) throw std::invalid_argument("expected a line \"NAME TOKEN\", found none");
  return tokens;
}

}  // namespace toolwire::http
