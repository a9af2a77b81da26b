// Takes secrets out of JSON text so that it can be kept and read by others: what the trace of a connection does, and
// what a log of calls must do. Knows JSON's syntax only, and secrets only by the names of the members that hold them.
#pragma once

#include <string>
#include <string_view>

namespace toolwire {

/// The text with "(redacted)" in place of
///   * strings and numbers below members whose names look like password, token, secret, authorization, api_key …
///   (numbers below
///     a token are counts and stay; `progressToken` is no secret);
/// * strings of the kind "Bearer …" or "Basic …" with one word behind; with "(requestState, N bytes)" in place of
/// sealed state, and all else byte for byte. JSON inside strings, which structured results are, is treated alike.
/// Schemas keep the properties they describe. Reads the text as it stands instead of parsing it, so that members
/// given twice and lines that are cut or broken are covered too; what is JSON stays JSON. Secrets inside prose are
/// not found.
std::string redact(std::string_view text);

/// Whether a member of this name is assumed to hold a secret.
bool names_a_secret(std::string_view member);

}  // namespace toolwire
