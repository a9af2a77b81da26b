#include "json/fast/tokens.hpp"

namespace toolwire::json {
namespace {

const Token* make(const Token* token, Json& into);

/// Makes the member that begins at `token`, its name, and returns what follows it.
const Token* make_member(const Token* token, JsonObject& into) {
  const std::string_view name = token->view();
  const Token& value = token[1];
  if (value.kind == Token::Kind::string) {  // by far the most; made in its place
    if (auto [place, is_new] = into.emplace(name, value.view()); !is_new) place->value() = value.view();
    return token + 2;
  }
  return make(token + 1, into.emplace(name, nullptr).first->value());
}

/// Makes the value that begins at `token`, and returns what follows it.
const Token* make(const Token* token, Json& into) {
  const Token& first = *token++;
  switch (first.kind) {
    case Token::Kind::null:
      into.emplace_null();
      break;
    case Token::Kind::boolean:
      into.emplace_bool() = first.flag;
      break;
    case Token::Kind::integer:
      into.emplace_int64() = first.integer;
      break;
    case Token::Kind::real:
      into.emplace_double() = first.real;
      break;
    case Token::Kind::string:
      into.emplace_string().assign(first.view());
      break;
    case Token::Kind::array: {
      JsonArray& array = into.emplace_array();
      array.reserve(first.size);
      for (std::size_t i = 0; i < first.size; ++i) token = make(token, array.emplace_back(nullptr));
      break;
    }
    case Token::Kind::object: {
      JsonObject& object = into.emplace_object();
      object.reserve(first.size);
      for (std::size_t i = 0; i < first.size; ++i) token = make_member(token, object);
      break;
    }
  }
  return token;
}

}  // namespace

void Tokens::make(Json& into) const { json::make(tokens_.data(), into); }

}  // namespace toolwire::json
