// What a configuration says of how the bridge logs in at a remote server (OAuth 2.1). A plain value; asks nobody.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

#include "login/client_key.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge::login {

/// Who allows what the bridge does: a person in a browser, or nobody but the bridge's own credentials.
enum class Grant { authorization_code, client_credentials };

struct LoginSettings {
  bool enabled = true;  ///< False: nothing of all this is done.
  Grant grant = Grant::authorization_code;
  std::string client_id = {};            ///< As registered by hand; empty: the bridge registers itself.
  std::string client_secret = {};        ///< With `issuer`, to which alone it goes.
  ClientKey client_key = {};             ///< In the place of a secret; with `issuer`, for which alone it signs.
  std::string client_metadata_url = {};  ///< Where a document describes the client, for servers that read these.
  std::string issuer = {};               ///< The authorization server, letter by letter; empty: what the server names.
  std::vector<std::string> scopes = {};  ///< Empty: what the server asks for.
  std::string auth_method = {};          ///< How the token endpoint is told who asks; empty: what it takes.
  std::uint16_t callback_port = 0;       ///< Where the browser comes back to on 127.0.0.1; 0: a free one.
};

/// How a token endpoint is told who asks (RFC 7591 §2).
inline constexpr std::string_view auth_none = "none";
inline constexpr std::string_view auth_basic = "client_secret_basic";
inline constexpr std::string_view auth_post = "client_secret_post";
inline constexpr std::string_view auth_key = "private_key_jwt";

/// Reads the member "oauth" of a server: an object, or false. Names may be in snake_case or camelCase, as hosts have
/// them. Relative paths count from `directory`. Nothing if there are problems, which go to `findings`; none of their
/// texts shows a secret. A key that cannot be signed with is a problem.
std::optional<LoginSettings> read_login(const Json& json, const std::string& pointer, Findings& findings,
                                        const std::string& directory = {});

/// Why a URL of an authorization server, or of what describes it, cannot be used, in words that follow "expected";
/// empty if it can.
std::string wrong_url(std::string_view url);

/// Whether the host of a URL is this machine, by its name alone.
bool is_of_this_machine(std::string_view url);

}  // namespace toolwire::bridge::login
