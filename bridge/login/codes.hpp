// The encodings that OAuth needs: of forms, of headers, and of proofs. Decides only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolwire::bridge::login {

using Form = std::vector<std::pair<std::string, std::string>>;

/// "name=value&…" (application/x-www-form-urlencoded), in the order given.
std::string form_text(const Form& form);
/// The pairs of a query or a form, decoded.
Form form_in(std::string_view text);
/// The value of a name that stands exactly once; empty otherwise.
std::string only_value(const Form& form, std::string_view name);

/// "Basic …" for these credentials, each encoded as in a form first (RFC 6749 §2.3.1).
std::string basic_credentials(std::string_view id, std::string_view secret);

/// Without "=" at its end (RFC 7515 §2).
std::string base64url(std::string_view bytes);

/// So many random bytes in base64url.
std::string random_code(std::size_t bytes);
/// The SHA-256 of a text in base64url: of a verifier it is its challenge (RFC 7636 §4.2).
std::string sha256_code(std::string_view text);

/// Whether two texts are the same, in a time that does not tell where they differ.
bool is_same_secret(std::string_view one, std::string_view other);

}  // namespace toolwire::bridge::login
