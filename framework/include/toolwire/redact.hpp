// Takes secrets out of JSON text, so that others may read the trace of a connection or a log of calls. Knows JSON's
// syntax only, and secrets only by the names of the members that hold them.
#pragma once

#include <string>
#include <string_view>

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

/// Whether a member of this name is assumed to hold a secret.
bool names_a_secret(std::string_view member);

}  // namespace toolwire
