#include "jwt/algorithm.hpp"

#include <algorithm>
#include <array>

#include "toolwire/http/jwt.hpp"

namespace toolwire::http::jwt {
namespace {

// clang-format off: one a line
constexpr std::array algorithms{
    Algorithm{"RS256", Scheme::rsa_pkcs1, "RSA", "", "SHA256", nullptr, 0},
    Algorithm{"RS384", Scheme::rsa_pkcs1, "RSA", "", "SHA384", nullptr, 0},
    Algorithm{"RS512", Scheme::rsa_pkcs1, "RSA", "", "SHA512", nullptr, 0},
    Algorithm{"PS256", Scheme::rsa_pss, "RSA", "", "SHA256", nullptr, 0},
    Algorithm{"PS384", Scheme::rsa_pss, "RSA", "", "SHA384", nullptr, 0},
    Algorithm{"PS512", Scheme::rsa_pss, "RSA", "", "SHA512", nullptr, 0},
    Algorithm{"ES256", Scheme::ecdsa, "EC", "P-256", "SHA256", "P-256", 32},
    Algorithm{"ES384", Scheme::ecdsa, "EC", "P-384", "SHA384", "P-384", 48},
    Algorithm{"ES512", Scheme::ecdsa, "EC", "P-521", "SHA512", "P-521", 66},
    Algorithm{"EdDSA", Scheme::ed25519, "OKP", "Ed25519", nullptr, nullptr, 32},
};
// clang-format on

}  // namespace

const Algorithm* find_algorithm(std::string_view name) {
  const auto* const found = std::ranges::find(algorithms, name, &Algorithm::name);
  return found == algorithms.end() ? nullptr : found;
}

}  // namespace toolwire::http::jwt

namespace toolwire::http {

std::vector<std::string_view> jwt_algorithms() {
  std::vector<std::string_view> names;
  names.reserve(std::size(jwt::algorithms));
  for (const jwt::Algorithm& one : jwt::algorithms) names.push_back(one.name);
  return names;
}

}  // namespace toolwire::http
