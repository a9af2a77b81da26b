// Tokens, claims and sets of keys of any bytes: none is taken, as nobody has signed one, and nothing else happens. The
// first byte says which of the three it is.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "jwt/key_set.hpp"
#include "jwt/token.hpp"

namespace {

using namespace toolwire;
using namespace toolwire::http;

const jwt::Rules& rules() {
  static const jwt::Rules made({.resource = {.resource = "https://b/mcp", .authorization_servers = {"https://a"}},
                                .algorithms = {"RS256", "PS256", "ES256", "ES512", "EdDSA"}});
  return made;
}

/// A key that nobody has the secret of: of RFC 8037, whose secret half is not used here.
const jwt::KeySet& keys() {
  static const jwt::KeySet made(
      R"({"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]})",
      rules().algorithms);
  return made;
}

void read_token(std::string_view text) try {
  jwt::verified_claims(jwt::take_apart(text, rules()), keys());
  std::fprintf(stderr, "a token that nobody has signed is taken\n");
  std::abort();
} catch (const jwt::InvalidToken&) {
}

void read_claims(std::string_view text) try {
  Json json = parse_json(text, {.max_depth = 16});
  if (json.is_object()) jwt::judged(std::move(json.get_object()), rules(), std::chrono::system_clock::time_point());
} catch (const std::runtime_error&) {
}

void read_keys(std::string_view text) try {
  const jwt::KeySet set(text, rules().algorithms);
  for (const auto* const one : rules().algorithms) {
    const auto found = set.find(nullptr, *one);
    if (found.key != nullptr) found.key->verifies(*one, text, text.substr(0, 64));
  }
} catch (const std::runtime_error&) {
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      read_token(text);
      break;
    case 1:
      read_claims(text);
      break;
    default:
      read_keys(text);
  }
  return 0;
}
