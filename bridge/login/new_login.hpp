// A login from its beginning to its tokens: with a person in a browser, or with the bridge's own credentials. Waits.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "login/store.hpp"

namespace toolwire::bridge::login {

struct BrowserOptions {
  std::function<void(const std::string& url)> show = {};  ///< Has a person open this URL.
  std::chrono::seconds time{300};                         ///< For the person.
  std::vector<std::string> scopes = {};                   ///< That are asked for, too.
};

/// What the server says to requests without a token; nothing if it lets in whoever asks for its tools. Throws
/// LoginError.
std::optional<Challenge> challenge_of(const Asking& asking);

/// Has a person log in. `before`: the login there was, whose scopes and registration are used again. Throws LoginError.
Login log_in_with_browser(const Asking& asking, const LoginSettings& settings, const std::optional<Login>& before,
                          const BrowserOptions& options);

/// The bridge logs in by itself (client_credentials). `challenge`: what the server has said, if it is known. `missing`:
/// scopes beyond those that are asked for first. Throws LoginError.
Login log_in_alone(const Asking& asking, const LoginSettings& settings, const Challenge& challenge,
                   const std::vector<std::string>& missing);

}  // namespace toolwire::bridge::login
