#include "login/store.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/system/new_file.hpp>

#include "system/state_folder.hpp"

namespace toolwire::bridge::login {
namespace {

namespace fs = std::filesystem;
using system::PrivateFile;

constexpr std::size_t max_file = std::size_t{1} << 20;
constexpr unsigned for_its_user = 0600;
constexpr std::chrono::seconds patience{10};  // another process asks for tokens meanwhile
constexpr std::int64_t format = 1;

[[noreturn]] void refuse_without_folder() {
  throw LoginError("a login cannot be kept: expected HOME or XDG_STATE_HOME to name a folder");
}

JsonArray json_of(const std::vector<std::string>& texts) { return JsonArray(texts.begin(), texts.end()); }

JsonObject json_of(const Login& login) {
  return {{"format", format},
          {"url", login.url},
          {"resource", login.resource},
          {"issuer", login.issuer},
          {"token_endpoint", login.token_endpoint},
          {"revocation_endpoint", login.revocation_endpoint},
          {"client", JsonObject{{"id", login.client.id},
                                {"secret", login.client.secret},
                                {"auth_method", login.client.auth_method},
                                {"port", login.client.port},
                                {"is_registered", login.client.is_registered},
                                {"scopes", json_of(login.client.scopes)}}},
          {"access_token", login.tokens.access},
          {"refresh_token", login.tokens.refresh},
          {"expires", login.tokens.expires},
          {"given", login.tokens.given},
          {"scopes", json_of(login.tokens.scopes)},
          {"wanted", json_of(login.wanted)}};
}

std::vector<std::string> texts(const Json& json, std::string_view name) {
  std::vector<std::string> list;
  if (const JsonArray* const array = array_member(json, name)) {
    for (const Json& one : *array) list.emplace_back(one.is_string() ? std::string_view(one.get_string()) : "");
  }
  return list;
}

std::int64_t number(const Json& json, std::string_view name) {
  const Json& value = member_or_null(json, name);
  return value.is_int64() ? value.get_int64() : 0;
}

Login login_from(const Json& json) {
  const Json& client = member_or_null(json, "client");
  return {.url = text_or(json, "url"),
          .resource = text_or(json, "resource"),
          .issuer = text_or(json, "issuer"),
          .token_endpoint = text_or(json, "token_endpoint"),
          .revocation_endpoint = text_or(json, "revocation_endpoint"),
          .client = {.id = text_or(client, "id"),
                     .secret = text_or(client, "secret"),
                     .auth_method = text_or(client, "auth_method"),
                     .port = static_cast<std::uint16_t>(number(client, "port")),
                     .is_registered = bool_member(client, "is_registered").value_or(false),
                     .scopes = texts(client, "scopes")},
          .tokens = {.access = text_or(json, "access_token"),
                     .refresh = text_or(json, "refresh_token"),
                     .expires = number(json, "expires"),
                     .given = number(json, "given"),
                     .scopes = texts(json, "scopes")},
          .wanted = texts(json, "wanted")};
}

}  // namespace

LoginFile::LoginFile(const std::string& folder, const std::string& url, const LoginSettings& settings)
    : folder_(folder), url_(url), settings_(settings) {
  if (folder.empty()) return;
  const std::string& client = settings.client_id.empty() ? settings.client_metadata_url : settings.client_id;
  const bool acts_alone = settings.grant == Grant::client_credentials;
  path_ = folder + "/" + sha256_code(url + '\n' + settings.issuer + '\n' + client + (acts_alone ? "\nalone" : "\n")) +
          ".login.json";
}

std::string LoginFile::usual_folder() { return state_folder("logins"); }

void LoginFile::check(const Login& login) const {
  const std::string& client = settings_.client_id;
  const bool fits = login.url == url_ && !login.resource.empty() && !login.client.id.empty() &&
                    (settings_.issuer.empty() || settings_.issuer == login.issuer) &&
                    (client.empty() || client == login.client.id) &&
                    (login.client.auth_method != auth_key || settings_.auth_method == auth_key) &&
                    wrong_url(login.issuer).empty() && wrong_url(login.token_endpoint).empty() &&
                    (login.revocation_endpoint.empty() || wrong_url(login.revocation_endpoint).empty());
  if (!fits) throw LoginError(path_ + ": expected the login to this server that the bridge has written; log in anew");
}

/// What only the configuration knows of a client.
void LoginFile::take_client(OAuthClient& client) const {
  client.secret = settings_.client_secret;
  client.key = settings_.client_key;
  client.issuer = settings_.issuer;
  if (!settings_.client_id.empty() && !settings_.auth_method.empty()) client.auth_method = settings_.auth_method;
}

std::optional<Login> LoginFile::load() const {
  if (path_.empty()) return std::nullopt;
  const PrivateFile file(path_, PrivateFile::Access::read);
  if (file.is_missing()) return std::nullopt;
  const auto text = file.is_open() ? file.read_all(max_file) : std::nullopt;
  if (!text) throw LoginError(path_ + ": expected a file that only its user can read and write");
  Json json;
  try {
    json = parse_json(*text);
  } catch (const JsonError&) {  // then it has no format
  }
  if (number(json, "format") != format)
    throw LoginError(path_ + ": expected a login as this version writes it; log in anew");
  Login login = login_from(json);
  check(login);
  if (!login.client.is_registered) take_client(login.client);
  return login;
}

void LoginFile::save(const Login& login) const {
  Login kept = login;
  if (!kept.client.is_registered) kept.client.secret.clear();  // the configuration says where that is
  if (path_.empty()) refuse_without_folder();
  try {
    if (const std::string problem = system::make_private_folders(folder_); !problem.empty()) throw LoginError(problem);
    system::remove_old_drafts(folder_);
    system::NewFile file(path_, for_its_user);
    file.write(to_json_text(json_of(kept)));
    file.keep_content();
    file.close();
    file.replace();
  } catch (const std::system_error& error) {
    throw LoginError(std::string("the login cannot be kept: ") + error.what());
  }
}

bool LoginFile::remove() const {
  std::error_code error;
  const bool was_there = !path_.empty() && fs::remove(path_, error);
  if (error) throw LoginError(path_ + ": cannot be removed: " + error.message());
  return was_there;
}

system::PrivateFile LoginFile::lock() const {
  if (path_.empty()) refuse_without_folder();
  if (const std::string problem = system::make_private_folders(folder_); !problem.empty()) throw LoginError(problem);
  PrivateFile file(path_ + ".lock", PrivateFile::Access::read_and_write);
  if (!file.is_open()) throw LoginError(path_ + ".lock: expected a file that can be written");
  if (!file.lock(patience)) throw LoginError(path_ + ".lock: another process has held it for too long");
  return file;
}

}  // namespace toolwire::bridge::login
