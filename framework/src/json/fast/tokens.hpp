// What a JSON text holds, piece by piece in the order it stands there: between reading it and making values of it.
// Knows nothing of how a text is written.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <toolwire/json.hpp>

namespace toolwire::json {

/// A scalar, the name of a member, or the beginning of an array or object; its elements, or names and values, follow.
struct Token {
  enum class Kind : unsigned char { null, boolean, integer, real, string, array, object };

  Kind kind = Kind::null;
  std::size_t size = 0;  // of a text in bytes; of an array or object in elements or members
  union {
    bool flag = false;
    std::int64_t integer;
    double real;
    const char* text;
  };

  std::string_view view() const { return {text, size}; }
};

/// The size is known before the first member is made, so that every array and object gets its memory once.
class Tokens {
 public:
  void add_null() { add(Token::Kind::null); }
  void add_flag(bool flag) { add(Token::Kind::boolean).flag = flag; }
  void add_integer(std::int64_t integer) { add(Token::Kind::integer).integer = integer; }
  void add_real(double real) { add(Token::Kind::real).real = real; }
  /// A string, or a name. The text must live until the value is made.
  void add_text(std::string_view text) {
    Token& token = add(Token::Kind::string);
    token.size = text.size();
    token.text = text.data();
  }
  /// An array or object; returns what `close` wants to know.
  std::size_t open(Token::Kind kind) {
    add(kind);
    return tokens_.size() - 1;
  }
  void close(std::size_t opened, std::size_t size) { tokens_[opened].size = size; }

  /// Makes the value that the tokens are, in the memory of `into`. Of members of one name the last counts.
  void make(Json& into) const;

 private:
  Token& add(Token::Kind kind) {
    Token& token = tokens_.emplace_back();
    token.kind = kind;
    return token;
  }

  boost::container::small_vector<Token, 64> tokens_;
};

}  // namespace toolwire::json
