// Takes secrets out of JSON text, so that others may read the trace of a connection or a log of calls. Knows JSON's
// syntax only, and secrets by the names of the members that hold them, or by their values where these are given.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toolwire {

/// The text with its secrets replaced, and all else byte for byte. "(redacted)" takes the place of
/// * strings and numbers below members whose names look like password, token, secret, authorization, api_key …; numbers
///   below a token are counts and stay, and `progressToken` is no secret;
/// * strings of the kind "Bearer …" or "Basic …" with one word behind it;
///
/// and "(requestState, N bytes)" that of sealed state. JSON inside strings, which structured results have, is treated
/// alike. Schemas keep the properties they describe. Reads the text as it stands instead of parsing it, so that members
/// given twice and lines that are cut or broken are covered too; what is JSON stays JSON. Secrets inside prose are not
/// found.
std::string redact(std::string_view text);

inline constexpr std::string_view redacted_text = "(redacted)";

/// The same, and without the values of `secrets` wherever they stand: in strings, however these are escaped, in names,
/// as a number, or in text that is no JSON. Longer ones go before those they contain; faster if they stand so already.
/// Empty ones are passed over. A string with escapes that was cut is replaced as a whole, and so is a text that is JSON
/// and would not be without a value that reaches over several of its strings, numbers and brackets.
std::string redact(std::string_view text, const std::vector<std::string>& secrets);

/// Plain text with "(redacted)" in place of every one of `secrets`, in their order. Empty ones are passed over.
std::string without(std::string text, const std::vector<std::string>& secrets);

/// Whether a member of this name is assumed to hold a secret.
bool names_a_secret(std::string_view member);

}  // namespace toolwire
