#include "login/settings.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <toolwire/http/protected_resource.hpp>

#include <toolwire/http/detail/http_client.hpp>
#include <toolwire/http/detail/http_url.hpp>
#include "manifest/members.hpp"
#include "manifest/settings_reader.hpp"

namespace toolwire::bridge::login {
namespace {

constexpr std::array<std::string_view, 12> names{
    "enabled", "grant",        "client_id",   "client_secret",    "client_metadata_url",
    "issuer",  "scopes",       "auth_method", "private_key_file", "signing_algorithm",
    "key_id",  "callback_port"};
constexpr std::size_t max_url = 4096;

class Reader {
 public:
  Reader(const JsonObject& object, const std::string& pointer, Findings& findings, const std::string& directory)
      : object_(object),
        members_(object, pointer, findings, Members::Null::a_value),
        findings_(findings),
        directory_(directory) {}

  LoginSettings read() {
    refuse_unknown();
    read_.enabled = members_.flag("enabled").value_or(true);
    read_.client_id = text("client_id");
    read_.client_secret = text("client_secret");
    read_.client_metadata_url = text("client_metadata_url");
    read_.issuer = text("issuer");
    read_scopes();
    if (const auto port = members_.count("callback_port", 65'535))
      read_.callback_port = static_cast<std::uint16_t>(*port);
    read_words();
    read_key();
    check();
    check_key();
    return std::move(read_);
  }

 private:
  void problem(std::string_view name, std::string text) {
    findings_.problem(members_.find(name).pointer, std::move(text));
  }

  void refuse_unknown() {
    for (const auto& [name, value] : object_) {
      const std::string_view written = name;
      const auto is_meant = [&](std::string_view one) { return written == one || written == camel_case(one); };
      if (std::ranges::any_of(names, is_meant)) continue;
      const std::string near = did_you_mean(written, names);
      findings_.problem(below(members_.pointer(), written),
                        near.empty() ? "unknown; expected one of " + list_of(names) : "unknown" + near);
    }
  }

  std::string text(std::string_view name) {
    const auto stated = members_.stated_text(name);
    if (stated && stated->empty()) problem(name, "expected a string that is not empty");
    return stated.value_or("");
  }

  /// A list, or one text with spaces, as tokens have it.
  void read_scopes() {
    const auto [value, pointer] = members_.find("scopes");
    if (value == nullptr) return;
    if (value->is_string()) {
      for (std::string_view left = value->get_string(); !left.empty();) {
        const std::size_t end = std::min(left.find(' '), left.size());
        if (end > 0) read_.scopes.emplace_back(left.substr(0, end));
        left.remove_prefix(std::min(end + 1, left.size()));
      }
    } else {
      read_.scopes = members_.texts("scopes");
    }
    for (const std::string& one : read_.scopes) {
      if (!is_scope(one))
        findings_.problem(pointer, "expected visible ASCII characters without spaces, quotes and backslashes, found " +
                                       in_quotes(one));
    }
  }

  void read_words() {
    const std::string grant = text("grant");
    if (grant == "client_credentials") read_.grant = Grant::client_credentials;
    if (!grant.empty() && grant != "client_credentials" && grant != "authorization_code")
      problem("grant", R"(expected "authorization_code" or "client_credentials")");
    read_.auth_method = text("auth_method");
    const auto known = {auth_none, auth_basic, auth_post, auth_key};
    if (!read_.auth_method.empty() && std::ranges::find(known, read_.auth_method) == known.end())
      problem("auth_method", R"(expected "none", "client_secret_basic", "client_secret_post" or "private_key_jwt")");
  }

  void read_key() {
    ClientKey& key = read_.client_key;
    if (const std::string file = text("private_key_file"); !file.empty())
      key.file = (std::filesystem::path(directory_) / file).string();
    key.algorithm = text("signing_algorithm");
    key.id = text("key_id");
  }

  void check() {
    check_url("issuer", read_.issuer, false);
    check_url("client_metadata_url", read_.client_metadata_url, true);
    const bool has_secret = !read_.client_secret.empty();
    if (has_secret && read_.client_id.empty()) problem("client_secret", "expected together with \"client_id\"");
    if (has_secret && read_.issuer.empty())
      problem("client_secret",
              "expected together with \"issuer\", the authorization server that it is for: to no other "
              "one it is sent");
    if (has_secret && read_.auth_method == auth_none)
      problem("auth_method", "expected a method that uses the \"client_secret\", or none of that");
    if (!has_secret && (read_.auth_method == auth_basic || read_.auth_method == auth_post) && !read_.client_id.empty())
      problem("auth_method", "expected together with a \"client_secret\"");
    if (!read_.client_id.empty() && !read_.client_metadata_url.empty())
      problem("client_metadata_url", "expected either this or \"client_id\"");
    if (read_.grant == Grant::client_credentials && !has_secret && read_.auth_method != auth_key)
      problem("grant",
              "expected together with \"client_id\" and \"client_secret\" or a key, for there is nobody else to ask");
    if (read_.grant == Grant::client_credentials && read_.callback_port != 0)
      problem("callback_port", "nothing follows from it with \"client_credentials\"");
  }

  /// All that is needed to sign, or nothing of it: no client goes on without its key.
  void check_key() {
    const ClientKey& key = read_.client_key;
    if (read_.auth_method != auth_key) {
      for (const std::string_view name : {"private_key_file", "signing_algorithm", "key_id"}) {
        if (members_.find(name).value != nullptr)
          problem(name, R"(expected together with the "auth_method" "private_key_jwt")");
      }
      return;
    }
    if (read_.client_id.empty()) problem("auth_method", "expected together with \"client_id\", which has the key");
    if (read_.issuer.empty())
      problem("auth_method",
              "expected together with \"issuer\", the authorization server that it is for: for no other one is signed");
    if (!read_.client_secret.empty()) problem("client_secret", "expected either this or a key");
    const auto known = signing_algorithms();
    const bool is_known = std::ranges::find(known, key.algorithm) != known.end();
    if (!is_known) problem("signing_algorithm", "expected one of " + list_of(known));
    if (key.file.empty()) return problem("private_key_file", "expected a file with the private key, in PEM");
    if (!is_known) return;
    if (const std::string wrong = wrong_key(key); !wrong.empty()) problem("private_key_file", "expected " + wrong);
  }

  void check_url(std::string_view name, const std::string& url, bool has_path) {
    if (url.empty()) return;
    if (const std::string wrong = wrong_url(url); !wrong.empty()) return problem(name, "expected " + wrong);
    // A name that is a URL is compared letter by letter, and its path tells documents of one host apart.
    if (has_path && (!url.starts_with("https://") || url.find('/', 8) == std::string::npos))
      problem(name, "expected a URL that begins with https:// and has a path");
  }

  const JsonObject& object_;
  Members members_;
  Findings& findings_;
  const std::string& directory_;
  LoginSettings read_;
};

}  // namespace

bool is_of_this_machine(std::string_view url) {
  const auto parsed = HttpUrl::parse(url);
  if (!parsed) return false;
  const std::string& host = parsed->host();
  return host == "localhost" || host == "::1" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos);
}

std::string wrong_url(std::string_view url) {
  if (url.size() > max_url) return "a URL of at most 4096 bytes";
  const bool is_https = url.starts_with("https://");
  if (!is_https && !url.starts_with("http://")) return "a URL that begins with https://";
  if (!http_origin_of(url)) return "a URL with a host, without user name and password";
  if (url.find('#') != std::string_view::npos) return "a URL without \"#\"";
  if (!is_https && !is_of_this_machine(url)) return "https://; http:// is for this machine alone";
  return {};
}

std::optional<LoginSettings> read_login(const Json& json, const std::string& pointer, Findings& findings,
                                        const std::string& directory) {
  if (json == Json(false)) return LoginSettings{.enabled = false};
  if (!json.is_object()) {
    findings.problem(pointer, "expected an object or false, found " + std::string(kind_of(json)));
    return std::nullopt;
  }
  Findings own("");
  LoginSettings read = Reader(json.get_object(), pointer, own, directory).read();
  const auto problems = own.take_problems("");
  for (const ManifestProblem& problem : problems) findings.problem(problem.pointer, problem.text);
  return problems.empty() ? std::optional(std::move(read)) : std::nullopt;
}

}  // namespace toolwire::bridge::login
