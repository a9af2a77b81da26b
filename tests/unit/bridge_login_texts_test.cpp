// What a login reads and writes, without asking anybody: settings, challenges, codes, and the file it is kept in.
#include "login/settings.hpp"

#define BOOST_TEST_MODULE bridge_login_texts_test
#include <boost/test/unit_test.hpp>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "client_keys.hpp"
#include "login/challenge.hpp"
#include "login/client_key.hpp"
#include "login/codes.hpp"
#include "login/discovery.hpp"
#include "login/store.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire::bridge::login;
using namespace toolwire_test;

namespace {

struct Read {
  std::optional<LoginSettings> settings;
  std::vector<ManifestProblem> problems;
};

Read read(const std::string& text) {
  Findings findings("f");
  Read made;
  made.settings = read_login(parse_json(text), "/oauth", findings);
  made.problems = findings.take_problems("");
  return made;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Challenge challenge(const std::vector<std::string>& headers) {
  HttpResponse head{.status = 401};
  for (const std::string& one : headers) head.headers.emplace_back("www-authenticate", one);
  return challenge_in(head);
}

Login some_login() {
  return {.url = "https://mcp.example.com/mcp",
          .resource = "https://mcp.example.com/mcp",
          .issuer = "https://login.example.com",
          .token_endpoint = "https://login.example.com/token",
          .client = {.id = "c",
                     .secret = "s3cret",
                     .auth_method = "client_secret_basic",
                     .port = 4711,
                     .is_registered = true,
                     .scopes = {"tools", "more"}},
          .tokens = {.access = "a", .refresh = "r", .expires = 12, .scopes = {"tools"}},
          .wanted = {"more"}};
}

std::string failure_of(const LoginFile& file) {
  try {
    static_cast<void>(file.load());
  } catch (const LoginError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

BOOST_AUTO_TEST_CASE(settings_are_read_in_the_spellings_of_hosts) {
  const auto all =
      read(R"({"clientId": "c", "clientSecret": "s", "issuer": "https://login.example.com", "scopes": "a b",
    "callbackPort": 8123, "auth_method": "client_secret_post"})")
          .settings;
  BOOST_REQUIRE(all.has_value());
  BOOST_TEST(all->client_id == "c");
  BOOST_TEST(all->client_secret == "s");
  BOOST_TEST(all->scopes == (std::vector<std::string>{"a", "b"}));
  BOOST_TEST(all->callback_port == 8123);
  BOOST_TEST(all->auth_method == "client_secret_post");
  BOOST_TEST(all->enabled);
  BOOST_TEST(read(R"({"scopes": ["a", "b"]})").settings->scopes.size() == 2U);
  BOOST_TEST(!read("false").settings->enabled);
  BOOST_TEST(!read(R"({"enabled": false})").settings->enabled);
  BOOST_TEST(read("{}").settings->client_id.empty());
}

BOOST_AUTO_TEST_CASE(nothing_that_cannot_be_meant_is_taken) {
  struct Mistake {
    std::string json;
    std::string place;
    std::string said;
  };
  const std::vector<Mistake> mistakes{
      {"true", "/oauth", "expected an object or false, found a boolean"},
      {R"({"client": "c"})", "/oauth/client", "unknown"},
      {R"({"client_id": ""})", "/oauth/client_id", "not empty"},
      {R"({"client_id": "c", "client_secret": "s"})", "/oauth/client_secret", "expected together with \"issuer\""},
      {R"({"client_secret": "s", "issuer": "https://a"})", "/oauth/client_secret",
       "expected together with \"client_id\""},
      {R"({"issuer": "http://login.example.com"})", "/oauth/issuer", "http:// is for this machine alone"},
      {R"({"issuer": "https://u:p@login.example.com"})", "/oauth/issuer", "without user name"},
      {R"({"issuer": "https://login.example.com/#x"})", "/oauth/issuer", "without \"#\""},
      {R"({"issuer": "ftp://login.example.com"})", "/oauth/issuer", "begins with https://"},
      {R"({"scopes": ["a b"]})", "/oauth/scopes", "without spaces"},
      {R"({"scopes": 1})", "/oauth/scopes", "array"},
      {R"({"grant": "password"})", "/oauth/grant", "\"client_credentials\""},
      {R"({"grant": "client_credentials"})", "/oauth/grant", "nobody else to ask"},
      {R"({"auth_method": "tls_client_auth"})", "/oauth/auth_method", "\"client_secret_basic\""},
      {R"({"private_key_file": "k"})", "/oauth/private_key_file", "together with the \"auth_method\""},
      {R"({"signing_algorithm": "ES256"})", "/oauth/signing_algorithm", "together with the \"auth_method\""},
      {R"({"auth_method": "client_secret_basic", "client_id": "c", "client_secret": "s", "issuer": "https://a",
           "key_id": "k"})",
       "/oauth/key_id", "together with the \"auth_method\""},
      {R"({"client_id": "c", "auth_method": "client_secret_basic"})", "/oauth/auth_method", "\"client_secret\""},
      {R"({"callback_port": 70000})", "/oauth/callback_port", "65535"},
      {R"({"client_metadata_url": "https://a.example"})", "/oauth/client_metadata_url", "has a path"},
      {R"({"client_metadata_url": "http://localhost/c"})", "/oauth/client_metadata_url", "begins with https://"},
      {R"({"client_id": "c", "client_metadata_url": "https://a.example/c"})", "/oauth/client_metadata_url", "either"},
  };
  for (const Mistake& mistake : mistakes) {
    const Read made = read(mistake.json);
    BOOST_TEST_CONTEXT(mistake.json) {
      BOOST_TEST(!made.settings.has_value());
      BOOST_REQUIRE(!made.problems.empty());
      BOOST_TEST(made.problems.front().pointer == mistake.place);
      BOOST_TEST(has(made.problems.front().text, mistake.said), made.problems.front().text);
    }
  }
}

/// Nothing is signed with what is not as the configuration says, and no client goes on without its key.
BOOST_AUTO_TEST_CASE(a_key_that_cannot_be_signed_with_is_a_mistake_of_the_configuration) {
  const ScratchFolder folder;
  const TestKeys keys(folder);
  const auto problem_of = [&](const std::string& file, const std::string& algorithm, const std::string& more = {}) {
    Findings findings("f");
    const auto settings = read_login(
        parse_json(
            R"({"client_id": "c", "issuer": "https://a", "auth_method": "private_key_jwt", "private_key_file": ")" +
            file + R"(", "signing_algorithm": ")" + algorithm + "\"" + more + "}"),
        "/oauth", findings, folder.text());
    const auto problems = findings.take_problems("");
    BOOST_TEST(settings.has_value() == problems.empty());
    return problems.empty() ? "none" : problems.front().pointer + ": " + problems.front().text;
  };
  for (const auto& [algorithm, file] : TestKeys::of_algorithms())
    BOOST_TEST(problem_of(file, algorithm) == "none", algorithm);
  BOOST_TEST(problem_of((folder / "p256.pem").string(), "ES256") == "none");
  const std::string of_file = "/oauth/private_key_file: expected ";
  for (const auto& [algorithm, file] : std::vector<std::pair<std::string, std::string>>{{"RS256", "p256.pem"},
                                                                                        {"ES256", "rsa.pem"},
                                                                                        {"ES384", "p256.pem"},
                                                                                        {"ES256", "p384.pem"},
                                                                                        {"EdDSA", "p256.pem"},
                                                                                        {"RS256", "short.pem"},
                                                                                        {"PS256", "ed25519.pem"}})
    BOOST_TEST(has(problem_of(file, algorithm), of_file + "a key for " + algorithm), file);
  for (const char* const none : {"public.pem", "locked.pem", "empty.pem"})
    BOOST_TEST(has(problem_of(none, "ES256"), of_file + "a private key in PEM, without a passphrase"), none);
  for (const char* const others : {"readable.pem", "missing.pem", "link.pem"})
    BOOST_TEST(has(problem_of(others, "ES256"), of_file + "a file of yours that nobody else can read"), others);
  for (const char* const unknown : {"none", "HS256", "es256", "RS512"})
    BOOST_TEST(has(problem_of("p256.pem", unknown), "/oauth/signing_algorithm: expected one of RS256"), unknown);
  BOOST_TEST(
      has(problem_of("p256.pem", "ES256", R"(, "client_secret": "s")"), "/oauth/client_secret: expected either"));
  for (const char* const lacking : {R"({"client_id": "c", "issuer": "https://a", "auth_method": "private_key_jwt"})",
                                    R"({"client_id": "c", "auth_method": "private_key_jwt"})",
                                    R"({"issuer": "https://a", "auth_method": "private_key_jwt"})"})
    BOOST_TEST(!read(lacking).settings.has_value(), lacking);
}

/// Each signature is checked with OpenSSL's own program.
BOOST_AUTO_TEST_CASE(what_a_client_says_of_itself_is_signed_and_for_one_server) {
  const ScratchFolder folder;
  const TestKeys keys(folder);
  for (const auto& [algorithm, file] : TestKeys::of_algorithms()) {
    const ClientKey key{.file = (folder / file).string(), .algorithm = algorithm, .id = "k"};
    const std::string assertion = client_assertion(key, "the-client", "https://login.example.com");
    BOOST_TEST(assertion != client_assertion(key, "the-client", "https://login.example.com"));  // another id
    const AssertionParts parts(assertion);
    BOOST_TEST(parts.head == (JsonObject{{"alg", algorithm}, {"typ", "JWT"}, {"kid", "k"}}), algorithm);
    BOOST_TEST(parts.claims.at("iss") == Json("the-client"));
    BOOST_TEST(parts.claims.at("sub") == Json("the-client"));
    BOOST_TEST(parts.claims.at("aud") == Json("https://login.example.com"));
    BOOST_TEST(parts.claims.at("jti").get_string().size() == 32U);
    BOOST_TEST(parts.claims.at("exp").get_int64() - parts.claims.at("iat").get_int64() == 60);
    BOOST_TEST(keys.verify(file, algorithm, parts), algorithm);
    AssertionParts altered = parts;
    altered.text.back() = altered.text.back() == 'A' ? 'B' : 'A';
    BOOST_TEST(!keys.verify(file, algorithm, altered), algorithm);
  }
  const ClientKey without_id{.file = (folder / "p256.pem").string(), .algorithm = "ES256"};
  BOOST_TEST(!AssertionParts(client_assertion(without_id, "c", "https://a")).head.contains("kid"));
  const ClientKey gone{.file = (folder / "missing.pem").string(), .algorithm = "ES256"};
  BOOST_CHECK_THROW(client_assertion(gone, "c", "https://a"), LoginError);
}

BOOST_AUTO_TEST_CASE(a_challenge_is_found_among_others) {
  const Challenge usual = challenge({R"(Bearer resource_metadata="https://a/.well-known/x", scope="b a b")"});
  BOOST_TEST(usual.resource_metadata == "https://a/.well-known/x");
  BOOST_TEST(usual.scopes == (std::vector<std::string>{"b", "a"}));
  BOOST_TEST(
      challenge({R"(Basic realm="Bearer resource_metadata=x", bearer scope = "s", error=invalid_token)"}).scopes ==
      std::vector<std::string>{"s"});
  BOOST_TEST(challenge({R"(Basic realm="x", scope="no", Bearer error="insufficient_scope")"}).scopes.empty());
  BOOST_TEST(challenge({R"(Bearer error="insufficient_scope", Basic scope="no")"}).scopes.empty());
  BOOST_TEST(challenge({"Negotiate dGV4dA==, Bearer scope=one"}).scopes == std::vector<std::string>{"one"});
  BOOST_TEST(challenge({"Basic realm=x", "Bearer scope=two"}).scopes == std::vector<std::string>{"two"});
  BOOST_TEST(challenge({R"(Bearer scope="a\"b", error="e\\\"")"}).error == "e\\\"");
  BOOST_TEST(challenge({R"(Bearer scope="first", scope="second")"}).scopes == std::vector<std::string>{"first"});
  BOOST_TEST(challenge({"Bearer scope=\"" + std::string(300, 'a') + " b\""}).scopes == std::vector<std::string>{"b"});
  for (const char* const nothing : {"", "Bearer", ",,,", "Bearer resource_metadata", "Bearer resource_metadata=", "=",
                                    "Bearer =\"x\"", "Bearer resource_metadata=,"})
    BOOST_TEST(challenge({nothing}).resource_metadata.empty(), nothing);
  BOOST_TEST(challenge({"Bearer resource_metadata=\"https://a"}).resource_metadata == "https://a");
}

BOOST_AUTO_TEST_CASE(a_proof_is_that_of_the_specification) {
  BOOST_TEST(sha256_code("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") ==
             "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");  // RFC 7636, appendix B
  BOOST_TEST(random_code(32).size() == 43U);
  BOOST_TEST(random_code(32) != random_code(32));
}

BOOST_AUTO_TEST_CASE(forms_are_written_and_read) {
  const Form form{{"a b", "1+2=3&"}, {"c", "\xc3\xa4"}};
  BOOST_TEST(form_text(form) == "a%20b=1%2B2%3D3%26&c=%C3%A4");
  BOOST_CHECK(form_in(form_text(form)) == form);
  BOOST_TEST(only_value(form_in("x=a+b&y=%zz&x2"), "x") == "a b");
  BOOST_TEST(only_value(form_in("x=1&x=2"), "x").empty());
  BOOST_TEST(only_value(form_in("y=%zz"), "y") == "%zz");
  BOOST_TEST(basic_credentials("a:b", "c d") == "Basic YSUzQWI6YyUyMGQ=");
}

BOOST_AUTO_TEST_CASE(a_login_is_kept_for_its_user_alone) {
  const ScratchFolder folder;
  const LoginFile file((folder / "logins").string(), "https://mcp.example.com/mcp", {});
  BOOST_TEST(!file.load().has_value());
  file.save(some_login());
  struct stat about {};
  BOOST_TEST(::stat(file.path().c_str(), &about) == 0);
  BOOST_TEST((about.st_mode & 0777U) == 0600U);
  BOOST_TEST(::stat((folder / "logins").c_str(), &about) == 0);
  BOOST_TEST((about.st_mode & 0777U) == 0700U);
  const auto kept = file.load();
  BOOST_REQUIRE(kept.has_value());
  BOOST_TEST(kept->client.secret == "s3cret");
  BOOST_TEST(kept->client.port == 4711);
  BOOST_TEST(kept->client.scopes == (std::vector<std::string>{"tools", "more"}));
  BOOST_TEST(kept->tokens.refresh == "r");
  BOOST_TEST(kept->tokens.expires == 12);
  BOOST_TEST(kept->wanted == std::vector<std::string>{"more"});
  BOOST_TEST(file.remove());
  BOOST_TEST(!file.remove());
  BOOST_TEST(!file.load().has_value());
}

BOOST_AUTO_TEST_CASE(a_secret_of_the_configuration_is_not_written_into_the_file) {
  const ScratchFolder folder;
  const LoginSettings settings{.client_id = "c", .client_secret = "s3cret", .issuer = "https://login.example.com"};
  const LoginFile file(folder.text(), "https://mcp.example.com/mcp", settings);
  Login login = some_login();
  login.client.is_registered = false;
  file.save(login);
  std::ifstream stream(file.path());
  BOOST_TEST(!has(std::string(std::istreambuf_iterator<char>(stream), {}), "s3cret"));
  BOOST_TEST(file.load()->client.secret == "s3cret");
}

BOOST_AUTO_TEST_CASE(a_login_of_others_is_not_used) {
  const ScratchFolder folder;
  const std::string url = "https://mcp.example.com/mcp";
  const LoginFile file(folder.text(), url, {});
  const auto written = [&](const std::function<void(Login&)>& change) {
    Login login = some_login();
    change(login);
    file.save(login);
    return failure_of(file);
  };
  BOOST_TEST(written([](Login&) {}) == "none");
  BOOST_TEST(has(written([](Login& one) { one.url = "https://mcp.example.com/other"; }), "log in anew"));
  BOOST_TEST(has(written([](Login& one) { one.token_endpoint = "http://evil.example/token"; }), "log in anew"));
  BOOST_TEST(has(written([](Login& one) { one.client.id.clear(); }), "log in anew"));
  std::ofstream(file.path()) << "{}";
  BOOST_TEST(has(failure_of(file), "as this version writes it"));
  std::filesystem::permissions(file.path(), std::filesystem::perms::group_read, std::filesystem::perm_options::add);
  BOOST_TEST(has(failure_of(file), "only its user can read"));

  // Another client, issuer or grant is another login.
  const LoginFile of_client(folder.text(), url, {.client_id = "c"});
  const LoginFile of_issuer(folder.text(), url, {.issuer = "https://login.example.com"});
  BOOST_TEST(of_client.path() != file.path());
  BOOST_TEST(of_issuer.path() != file.path());
  std::filesystem::rename(file.path(), of_issuer.path());
  std::filesystem::permissions(of_issuer.path(), std::filesystem::perms::group_read,
                               std::filesystem::perm_options::remove);
  Login login = some_login();
  login.issuer = "https://other.example.com";
  of_issuer.save(login);
  BOOST_TEST(has(failure_of(of_issuer), "log in anew"));
}
