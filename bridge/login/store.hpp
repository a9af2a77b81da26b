// The files in which logins are kept, one for each server and client, shared by all bridges of a user. Whoever is
// killed while it writes leaves the file as it was, or as it was to be.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/system/private_file.hpp>

#include "login/settings.hpp"
#include "login/tokens.hpp"

namespace toolwire::bridge::login {

/// What is kept of a login. A plain value. Tokens are for `resource` only, and were given by `issuer` to `client`.
struct Login {
  std::string url = {};  ///< Of the MCP server, as it is configured.
  std::string resource = {};
  std::string issuer = {};
  std::string token_endpoint = {};
  std::string revocation_endpoint = {};  ///< Empty: none was known when somebody logged in.
  OAuthClient client = {};
  Tokens tokens = {};
  std::vector<std::string> wanted = {};  ///< Scopes that a server has missed since.
};

/// The login to one server with certain settings. Copies are the same file. All functions but `path` throw LoginError.
class LoginFile {
 public:
  /// An empty folder: nothing is kept.
  LoginFile(const std::string& folder, const std::string& url, const LoginSettings& settings);

  /// The folder of this user; empty if there is none.
  static std::string usual_folder();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Nothing if there is none. One that is for another server, issuer or client than the settings say is an error.
  [[nodiscard]] std::optional<Login> load() const;
  void save(const Login& login) const;
  /// False if there was none.
  [[nodiscard]] bool remove() const;

  /// Keeps other processes from changing it while it lives; waits for them.
  [[nodiscard]] system::PrivateFile lock() const;

 private:
  void check(const Login& login) const;
  void take_client(OAuthClient& client) const;

  std::string folder_;
  std::string path_;
  std::string url_;
  LoginSettings settings_;
};

}  // namespace toolwire::bridge::login
