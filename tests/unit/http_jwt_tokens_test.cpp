// Signed tokens: which are taken, and what is said of all others.
#include <toolwire/http/jwt.hpp>

#define BOOST_TEST_MODULE http_jwt_tokens_test
#include <boost/test/unit_test.hpp>

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "jwt/principal.hpp"
#include "jwt/token.hpp"
#include "jwt_issuer.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

const std::string metadata = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What becomes of a request.
struct Verdict {
  Principal principal = {};
  int status = 200;
  std::string why = {};
  std::string challenge = {};
};

Verdict answer_of(const Done<Principal>::Result& result) {
  if (const auto* const known = std::get_if<Principal>(&result)) return {.principal = *known};
  try {
    std::rethrow_exception(std::get<std::exception_ptr>(result));
  } catch (const http::NotAuthenticated& error) {
    return {.status = 401, .why = error.what(), .challenge = error.challenge};
  } catch (const http::NotAllowed& error) {
    return {.status = 403, .why = error.what(), .challenge = error.challenge};
  } catch (const std::exception& error) {
    return {.status = 503, .why = error.what()};
  }
}

/// A server that takes the tokens of one issuer.
struct Checked {
  JwtIssuer issuer;
  http::JwtOptions options = {
      .resource = {.resource = issuer.resource, .authorization_servers = {issuer.url}, .scopes = {"tools"}},
      .algorithms = {"ES256", "RS256", "PS256", "EdDSA"}};
  std::optional<std::string> set = issuer.jwks();
  int fetches = 0;

  http::Authenticate authenticate() {
    options.fetch_keys = [this](Done<std::string> done) {
      ++fetches;
      if (set) return done(*set);
      done.fail(std::make_exception_ptr(std::runtime_error("refused")));
    };
    return http::jwt_authenticator(options);
  }
  static Verdict answer(const http::Authenticate& authenticate, std::vector<http::Field> fields) {
    std::optional<Verdict> answer;
    const http::Request head{.method = "POST", .target = "/mcp", .fields = std::move(fields)};
    authenticate(head, Done<Principal>([&](Done<Principal>::Result&& result) { answer = answer_of(result); }));
    BOOST_REQUIRE(answer.has_value());
    return *answer;
  }
  Verdict to_fields(std::vector<http::Field> fields) { return answer(authenticate(), std::move(fields)); }
  Verdict to(const std::string& token) { return to_fields({{"Authorization", "Bearer " + token}}); }

  std::string with(const std::function<void(JsonObject&)>& change) const {
    JsonObject claims = issuer.claims();
    change(claims);
    return issuer.token(claims);
  }
  std::string with_claims(const std::string& text) const { return issuer.token(issuer.header(), text); }
  std::string with_header(const std::string& header) const {
    return issuer.token(header, to_json_text(issuer.claims()));
  }
  /// Header, claims and signature of a good one.
  std::vector<std::string> parts() const {
    const std::string token = issuer.token_of("ann");
    const std::size_t first = token.find('.');
    const std::size_t second = token.rfind('.');
    return {token.substr(0, first), token.substr(first + 1, second - first - 1), token.substr(second + 1)};
  }
};

std::string hmac_signed(const std::string& header, const std::string& claims, const std::string& key) {
  const std::string text = base64url(header) + "." + base64url(claims);
  std::string mac(crypto_auth_hmacsha256_BYTES, '\0');
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, reinterpret_cast<const unsigned char*>(key.data()), key.size());
  crypto_auth_hmacsha256_update(&state, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  crypto_auth_hmacsha256_final(&state, reinterpret_cast<unsigned char*>(mac.data()));
  return text + "." + base64url(mac);
}

struct Bad {
  std::string what;
  std::string token;
  std::string why;
};

std::vector<Bad> wrongly_signed(const Checked& checked) {
  const auto parts = checked.parts();
  const std::string claims = to_json_text(checked.issuer.claims());
  const std::string text = parts[0] + "." + parts[1];
  const SigningKey other = SigningKey::elliptic();
  const std::string public_key = to_json_text(checked.issuer.key.jwk("first"));
  const auto hs256 = [&](const std::string& key) {
    return hmac_signed(R"({"alg":"HS256","typ":"at+jwt","kid":"first"})", claims, key);
  };
  const std::string raw = checked.issuer.key.sign("ES256", text);
  JsonObject of_attacker = other.jwk("first");
  const auto embedded = [&](const std::string& member) {
    return signed_token(other, "ES256", R"({"alg":"ES256","typ":"at+jwt","kid":"first",)" + member + "}", claims);
  };
  const std::string none = R"({"alg":"none","typ":"at+jwt"})";
  const std::string algorithm = "algorithm that is taken here";
  const std::string signature = "signature of the token is wrong";
  std::string changed = raw;
  changed[10] = static_cast<char>(changed[10] ^ 1);
  return {
      {"none, without a signature", base64url(none) + "." + parts[1] + ".", algorithm},
      {"none, with one", base64url(none) + "." + parts[1] + "." + parts[2], algorithm},
      {"None", base64url(R"({"alg":"None","typ":"at+jwt"})") + "." + parts[1] + ".", algorithm},
      {"HS256 with the public key as JWK", hs256(public_key), algorithm},
      {"HS256 with the set of keys", hs256(checked.issuer.jwks()), algorithm},
      {"HS256 with an empty key", hs256(""), algorithm},
      {"an algorithm that is not configured", checked.with_header(R"({"alg":"ES384","typ":"at+jwt","kid":"first"})"),
       algorithm},
      {"an algorithm in small letters", checked.with_header(R"({"alg":"es256","typ":"at+jwt","kid":"first"})"),
       algorithm},
      {"an algorithm that is a number", checked.with_header(R"({"alg":256,"typ":"at+jwt","kid":"first"})"), algorithm},
      {"without algorithm", checked.with_header(R"({"typ":"at+jwt","kid":"first"})"), algorithm},
      {"the algorithm of another kind of key", checked.with_header(R"({"alg":"RS256","typ":"at+jwt","kid":"first"})"),
       "no such key"},
      {"encrypted by its header", checked.with_header(R"({"alg":"RSA-OAEP","enc":"A256GCM","kid":"first"})"),
       algorithm},
      {"of another key", signed_token(other, "ES256", checked.issuer.header(), claims), signature},
      {"an embedded key", embedded(R"("jwk":)" + to_json_text(of_attacker)), signature},
      {"an address of keys", embedded(R"("jku":"https://evil.example/keys")"), signature},
      {"an address of certificates", embedded(R"("x5u":"https://evil.example/chain")"), signature},
      {"certificates", embedded(R"("x5c":["MIIB"])"), signature},
      {"a changed signature", text + "." + base64url(changed), signature},
      {"a truncated signature", text + "." + base64url(raw.substr(0, 63)), signature},
      {"half a signature", text + "." + base64url(raw.substr(0, 32)), signature},
      {"a longer signature", text + "." + base64url(raw + '\0'), signature},
      {"ES256 in DER", text + "." + base64url(checked.issuer.key.sign("ES256", text, true)), signature},
      {"two zeros as signature", text + "." + base64url(std::string(64, '\0')), signature},
      {"claims of another token",
       parts[0] + "." + base64url(to_json_text(checked.issuer.claims("bob"))) + "." + parts[2], signature},
      {"no signature", text + ".", "no signature that can be read"},
  };
}

std::vector<Bad> wrongly_written(const Checked& checked) {
  const auto parts = checked.parts();
  const std::string parts_missing = "no signed token of three parts";
  const std::string claims = to_json_text(checked.issuer.claims());
  const std::string json = "JSON object that can be read in one way only";
  const std::string unsigned_rest = "." + parts[1] + "." + parts[2];
  const std::string signature = parts[2];
  std::string other_end = signature;  // the last character has four bits that say nothing
  ++other_end.back();
  return {
      {"a word", "word", parts_missing},
      {"two parts", parts[0] + "." + parts[1], parts_missing},
      {"four parts", parts[0] + unsigned_rest + "." + parts[2], parts_missing},
      {"five parts, as encrypted ones have", parts[0] + unsigned_rest + ".YQ.YQ", parts_missing},
      {"points", "..", json},
      {"a header that is no base64url", "e+/=" + unsigned_rest, "header of the token is no base64url"},
      {"a header with padding", base64url(R"({"alg":"ES256" })") + "=" + unsigned_rest, "is no base64url"},
      {"white space inside", parts[0] + " " + unsigned_rest, "is no base64url"},
      {"a signature with padding", parts[0] + "." + parts[1] + "." + signature + "==", "no signature that can be read"},
      {"a signature in the other alphabet", parts[0] + "." + parts[1] + ".++//" + signature.substr(4),
       "no signature that can be read"},
      {"bits behind the end of the signature", parts[0] + "." + parts[1] + "." + other_end,
       "no signature that can be read"},
      {"a header that is no JSON", base64url("{alg:ES256}") + unsigned_rest, json},
      {"a header that is an array", base64url(R"(["ES256"])") + unsigned_rest, json},
      {"a member twice in the header", checked.with_header(R"({"alg":"none","alg":"ES256","typ":"at+jwt"})"), json},
      {"a member twice in the claims", checked.with_claims(claims.substr(0, claims.size() - 1) + R"(,"sub":"bob"})"),
       json},
      {"claims that are no JSON", checked.with_claims("{sub:ann}"), json},
      {"claims that are a text", checked.with_claims(R"("ann")"), json},
      {"nested claims, deep", checked.with_claims(R"({"a":)" + std::string(50, '[') + std::string(50, ']') + "}"),
       json},
      {"thousands of claims",
       checked.with_claims("{\"a\":[" +
                           [] {
                             std::string many;
                             for (int i = 0; i < 4'000; ++i) many += "1,";
                             return many;
                           }() +
                           "1]}"),
       json},
      {"a huge token", checked.with([](JsonObject& made) { made["pad"] = std::string(http::max_token, 'x'); }),
       "too long"},
      {"a critical extension", checked.with_header(R"({"alg":"ES256","typ":"at+jwt","kid":"first","crit":["exp"]})"),
       "(crit)"},
      {"an empty list of critical ones",
       checked.with_header(R"({"alg":"ES256","typ":"at+jwt","kid":"first","crit":[]})"), "(crit)"},
      {"an unencoded payload", checked.with_header(R"({"alg":"ES256","typ":"at+jwt","b64":false,"crit":["b64"]})"),
       "(crit)"},
      {"an identity token", checked.with_header(R"({"alg":"ES256","typ":"JWT","kid":"first"})"), "(typ)"},
      {"without a type", checked.with_header(R"({"alg":"ES256","kid":"first"})"), "(typ)"},
      {"a logout token", checked.with_header(R"({"alg":"ES256","typ":"logout+jwt","kid":"first"})"), "(typ)"},
      {"a type that is a number", checked.with_header(R"({"alg":"ES256","typ":1,"kid":"first"})"), "type of the token"},
      {"a key's name that is a path", checked.with_header(R"({"alg":"ES256","typ":"at+jwt","kid":"../../dev/null"})"),
       "no such key"},
      {"a key's name that is SQL", checked.with_header(R"({"alg":"ES256","typ":"at+jwt","kid":"x' OR 'a'='a"})"),
       "no such key"},
      {"a key's name that is a command", checked.with_header(R"({"alg":"ES256","typ":"at+jwt","kid":"|id"})"),
       "no such key"},
      {"a key's name with an end in it", checked.with_header(R"({"alg":"ES256","typ":"at+jwt","kid":"first\u0000"})"),
       "no such key"},
      {"an empty name of a key", checked.with_header(R"({"alg":"ES256","typ":"at+jwt","kid":""})"), "no such key"},
      {"a key's name that is a number", checked.with_header(R"({"alg":"ES256","typ":"at+jwt","kid":1})"), "(kid)"},
      {"a key's name that is null", checked.with_header(R"({"alg":"ES256","typ":"at+jwt","kid":null})"), "(kid)"},
  };
}

std::vector<Bad> wrongly_meant(const Checked& checked) {
  const auto set = [&](const char* name, const auto& value) {
    return checked.with([&](JsonObject& claims) { claims[name] = value; });
  };
  const auto without = [&](const char* name) { return checked.with([&](JsonObject& claims) { claims.erase(name); }); };
  const auto text = [&](const std::string& member, const std::string& value) {
    JsonObject claims = checked.issuer.claims();
    claims.erase(member);
    const std::string rest = to_json_text(claims);
    return checked.with_claims("{\"" + member + "\":" + value + "," + rest.substr(1));
  };
  return {
      {"expired", set("exp", seconds_from_now(-60)), "has expired"},
      {"expired long ago", set("exp", 0), "has expired"},
      {"without end", without("exp"), "no end (exp)"},
      {"an end that is a text", set("exp", "9999999999"), "a time in the token is none"},
      {"an end that is null", set("exp", nullptr), "a time in the token is none"},
      {"an end before all time", set("exp", -1), "a time in the token is none"},
      {"an end beyond all time", text("exp", "1e300"), "a time in the token is none"},
      {"not valid yet", set("nbf", seconds_from_now(90)), "not valid yet"},
      {"a beginning that is a text", set("nbf", "0"), "a time in the token is none"},
      {"issued at no time", set("iat", true), "a time in the token is none"},
      {"for another server", set("aud", "https://other.example.com/mcp"), "(aud)"},
      {"for a part of the URL", set("aud", "https://mcp.example.com/"), "(aud)"},
      {"for more than the URL", set("aud", "https://mcp.example.com/mcp/"), "(aud)"},
      {"for the URL in capitals", set("aud", "https://MCP.example.com/mcp"), "(aud)"},
      {"for others", set("aud", JsonArray{"a", "b"}), "(aud)"},
      {"for nobody", set("aud", JsonArray{}), "(aud)"},
      {"without an audience", without("aud"), "(aud)"},
      {"an audience that is a number", set("aud", 1), "(aud)"},
      {"an audience within an array", text("aud", "[[\"" + checked.issuer.resource + "\"]]"), "is no text"},
      {"an audience and a number", set("aud", JsonArray{checked.issuer.resource, 1}), "is no text"},
      {"an audience in an object", set("aud", JsonObject{{"aud", checked.issuer.resource}}), "(aud)"},
      {"too many audiences", set("aud", JsonArray(101, Json("x"))), "too many servers"},
      {"of another issuer", set("iss", "https://evil.example.com"), "(iss)"},
      {"of an issuer with a slash more", set("iss", checked.issuer.url + "/"), "(iss)"},
      {"of two issuers", set("iss", JsonArray{checked.issuer.url}), "(iss)"},
      {"without issuer", without("iss"), "(iss)"},
      {"of nobody", without("sub"), "(sub)"},
      {"of an empty name", set("sub", ""), "(sub)"},
      {"of a number", set("sub", 7), "(sub)"},
      {"of half a character", text("sub", R"("\ud800")"), "(sub)"},
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_good_token_says_who_calls) {
  Checked checked;
  const Verdict answer = checked.to(checked.issuer.token_of("ann"));
  BOOST_TEST(answer.status == 200, answer.why);
  BOOST_TEST(answer.principal.id == "https://login.example.com ann");
  BOOST_TEST(answer.principal.scopes == (std::vector<std::string>{"tools", "extra"}));
  BOOST_TEST(answer.principal.claims.at("client_id") == Json("c1"));
}

BOOST_AUTO_TEST_CASE(every_bad_token_is_refused_and_told_why) {
  Checked checked;
  const auto authenticate = checked.authenticate();
  std::vector<Bad> all = wrongly_signed(checked);
  for (auto&& more : {wrongly_written(checked), wrongly_meant(checked)})
    all.insert(all.end(), more.begin(), more.end());
  BOOST_TEST(all.size() >= 80);
  for (const Bad& bad : all) {
    BOOST_TEST_CONTEXT(bad.what) {
      const Verdict answer = Checked::answer(authenticate, {{"authorization", "Bearer " + bad.token}});
      BOOST_TEST(answer.status == 401);
      BOOST_TEST(has(answer.why, bad.why), answer.why);
      BOOST_TEST(answer.challenge.starts_with("Bearer error=\"invalid_token\", scope=\"tools\", resource_metadata=\"" +
                                              metadata + "\", error_description=\""),
                 answer.challenge);
    }
  }
  BOOST_TEST(checked.fetches == 1);
}

BOOST_AUTO_TEST_CASE(what_is_no_token_is_asked_for_one) {
  Checked checked;
  const std::string good = checked.issuer.token_of("ann");
  const std::vector<std::vector<http::Field>> without{{},
                                                      {{"Authorization", ""}},
                                                      {{"Authorization", "Bearer"}},
                                                      {{"Authorization", "Bearer  "}},
                                                      {{"Authorization", "Basic YTpi"}},
                                                      {{"Authorization", "DPoP " + good}},
                                                      {{"Authorization", "Bearer:" + good}},
                                                      {{"X-Authorization", "Bearer " + good}}};
  for (const auto& fields : without) {
    const Verdict answer = checked.to_fields(fields);
    BOOST_TEST(answer.status == 401);
    BOOST_TEST(answer.challenge == "Bearer scope=\"tools\", resource_metadata=\"" + metadata + "\"");
  }
  const Verdict twice = checked.to_fields({{"Authorization", "Bearer " + good}, {"authorization", "Bearer " + good}});
  BOOST_TEST(twice.status == 401);
  BOOST_TEST(has(twice.challenge, "invalid_token"));
  BOOST_TEST(checked.to_fields({{"AUTHORIZATION", "bEARER  " + good}}).status == 200);
  BOOST_TEST(checked.to(good + " " + good).status == 401);
}

BOOST_AUTO_TEST_CASE(a_token_in_the_query_is_none) {
  Checked checked;
  std::optional<Verdict> answer;
  const http::Request head{.method = "POST", .target = "/mcp?access_token=" + checked.issuer.token_of("ann")};
  checked.authenticate()(head, Done<Principal>([&](Done<Principal>::Result&& result) { answer = answer_of(result); }));
  BOOST_TEST(answer.value().status == 401);
}

BOOST_AUTO_TEST_CASE(a_token_that_may_not_do_it_is_told_the_scopes) {
  Checked checked;
  checked.options.resource.scopes = {"tools", "files:read"};
  const auto status = [&](const std::function<void(JsonObject&)>& change) { return checked.to(checked.with(change)); };
  const std::vector<std::function<void(JsonObject&)>> too_little{
      [](JsonObject&) {},
      [](JsonObject& claims) { claims.erase("scope"); },
      [](JsonObject& claims) { claims["scope"] = "tools files:rea"; },
      [](JsonObject& claims) { claims["scope"] = "TOOLS files:read"; },
      [](JsonObject& claims) { claims["scope"] = "tools,files:read"; },
      [](JsonObject& claims) {
        claims["scope"] = JsonObject{{"tools", true}};
      },
      [](JsonObject& claims) {
        claims["scope"] = JsonArray{"tools", "files:read"};
      },
      [](JsonObject& claims) {
        claims["scp"] = JsonArray{1, "files:read tools"};
        claims.erase("scope");
      }};
  for (const auto& change : too_little) {
    const Verdict answer = status(change);
    BOOST_TEST(answer.status == 403);
    BOOST_TEST(answer.challenge ==
               "Bearer error=\"insufficient_scope\", scope=\"tools files:read\", resource_metadata=\"" + metadata +
                   "\"");
  }
  BOOST_TEST(status([](JsonObject& claims) { claims["scope"] = "a files:read  tools"; }).status == 200);
  BOOST_TEST(status([](JsonObject& claims) { claims["scp"] = "files:read"; }).status == 200);
  BOOST_TEST(status([](JsonObject& claims) { claims["scp"] = JsonArray{"files:read"}; }).status == 200);
}

BOOST_AUTO_TEST_CASE(headers_that_name_other_keys_change_nothing) {
  Checked checked;
  const Verdict answer = checked.to(checked.with_header(
      R"({"alg":"ES256","typ":"application/AT+JWT","kid":"first","jku":"https://evil.example/keys","jwk":{"kty":"EC"},)"
      R"("x5u":"https://evil.example","x5c":["MIIB"],"x5t":"YQ","cty":"x"})"));
  BOOST_TEST(answer.principal.id == "https://login.example.com ann", answer.why);
  BOOST_TEST(checked.fetches == 1);
}

BOOST_AUTO_TEST_CASE(audiences_and_types_are_those_that_are_configured) {
  Checked checked;
  checked.options.audiences = {"api://tools", "other"};
  BOOST_TEST(checked.to(checked.issuer.token_of("ann")).status == 401);
  const auto with_audience = [&](Json audience) {
    return checked.to(checked.with([&](JsonObject& claims) { claims["aud"] = std::move(audience); })).status;
  };
  BOOST_TEST(with_audience("api://tools") == 200);
  BOOST_TEST(with_audience(JsonArray{"x", "other"}) == 200);
  BOOST_TEST(with_audience("api://tools other") == 401);

  Checked lenient;
  lenient.options.types = {"JWT", "at+jwt"};
  BOOST_TEST(lenient.to(lenient.with_header(R"({"alg":"ES256","typ":"jwt","kid":"first"})")).status == 200);
  BOOST_TEST(lenient.to(lenient.with_header(R"({"alg":"ES256","kid":"first"})")).status == 200);
  BOOST_TEST(lenient.to(lenient.issuer.token_of("ann")).status == 200);
  BOOST_TEST(lenient.to(lenient.with_header(R"({"alg":"ES256","typ":"logout+jwt","kid":"first"})")).status == 401);
}

BOOST_AUTO_TEST_CASE(every_algorithm_is_checked_with_keys_of_its_own) {
  const std::map<std::string, SigningKey> keys{{"RS256", SigningKey::rsa()},
                                               {"RS384", SigningKey::rsa()},
                                               {"RS512", SigningKey::rsa(3072)},
                                               {"PS256", SigningKey::rsa()},
                                               {"PS384", SigningKey::rsa()},
                                               {"PS512", SigningKey::rsa()},
                                               {"ES256", SigningKey::elliptic()},
                                               {"ES384", SigningKey::elliptic("P-384")},
                                               {"ES512", SigningKey::elliptic("P-521")},
                                               {"EdDSA", SigningKey::ed25519()}};
  for (const auto& [algorithm, key] : keys) {
    BOOST_TEST_CONTEXT(algorithm) {
      Checked checked;
      checked.issuer.algorithm = algorithm;
      checked.issuer.key = key;
      checked.set = checked.issuer.jwks();
      checked.options.algorithms = {algorithm};
      const std::string good = checked.issuer.token_of("ann");
      BOOST_TEST(checked.to(good).principal.id == "https://login.example.com ann");
      std::string bad = good;
      bad[bad.size() - 20] = bad[bad.size() - 20] == 'A' ? 'B' : 'A';
      BOOST_TEST(checked.to(bad).why == "the signature of the token is wrong");
      checked.options.algorithms = {algorithm == "RS256" ? "RS384" : "RS256"};
      BOOST_TEST(has(checked.to(good).why, "algorithm that is taken here"));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_padding_of_one_rsa_signature_is_not_that_of_another) {
  Checked checked;
  checked.issuer.key = SigningKey::rsa();
  checked.set = checked.issuer.jwks();
  const std::string claims = to_json_text(checked.issuer.claims());
  const auto signed_as = [&](const std::string& said, const std::string& meant) {
    return checked.to(
        signed_token(checked.issuer.key, meant, R"({"typ":"at+jwt","kid":"first","alg":")" + said + "\"}", claims));
  };
  BOOST_TEST(signed_as("PS256", "PS256").status == 200);
  BOOST_TEST(signed_as("RS256", "RS256").status == 200);
  BOOST_TEST(signed_as("PS256", "RS256").why == "the signature of the token is wrong");
  BOOST_TEST(signed_as("RS256", "PS256").why == "the signature of the token is wrong");
  BOOST_TEST(signed_as("RS256", "RS512").why == "the signature of the token is wrong");
  const std::string text = base64url(R"({"typ":"at+jwt","kid":"first","alg":"PS256"})") + "." + base64url(claims);
  const auto salted = [&](int salt) {
    return checked.to(text + "." + base64url(checked.issuer.key.sign("PS256", text, false, salt))).status;
  };
  BOOST_TEST(salted(32) == 200);
  BOOST_TEST(salted(20) == 401);
  BOOST_TEST(salted(0) == 401);
}

BOOST_AUTO_TEST_CASE(clocks_may_differ_by_the_leeway_and_not_by_more) {
  const JwtIssuer issuer;
  const http::jwt::Rules rules({.resource = {.resource = issuer.resource, .authorization_servers = {issuer.url}},
                                .leeway = std::chrono::seconds(30)});
  const std::chrono::system_clock::time_point now{std::chrono::seconds(1'000'000)};
  const auto is_valid = [&](std::int64_t begins, double ends) {
    JsonObject claims = issuer.claims();
    claims["nbf"] = begins;
    claims["exp"] = ends;
    try {
      return !http::jwt::judged(JsonObject(claims), rules, now).id.empty();
    } catch (const http::jwt::InvalidToken&) {
      return false;
    }
  };
  BOOST_TEST(is_valid(1'000'000, 1'000'001));
  BOOST_TEST(is_valid(1'000'030, 1'000'001));
  BOOST_TEST(!is_valid(1'000'031, 1'000'031));
  BOOST_TEST(is_valid(0, 999'970.5));
  BOOST_TEST(!is_valid(0, 999'970));
}

BOOST_AUTO_TEST_CASE(no_two_people_have_one_name) {
  const std::string issuer = "https://login.example.com";
  using http::jwt::principal_of;
  BOOST_TEST(principal_of(issuer, "ann") == issuer + " ann");
  BOOST_TEST(principal_of(issuer, std::string(400, 'x')).size() == issuer.size() + 65);
  BOOST_TEST(principal_of(issuer, std::string(400, 'x')) != principal_of(issuer, std::string(401, 'x')));
  BOOST_TEST(has(principal_of(issuer, "two\nlines"), issuer + "#"));
  const std::string hashed = principal_of(issuer, "two\nlines");
  BOOST_TEST(principal_of(issuer, hashed.substr(issuer.size())) != hashed);
}

BOOST_AUTO_TEST_CASE(without_keys_it_is_not_known_who_calls) {
  Checked checked;
  checked.set.reset();
  BOOST_TEST(checked.to(checked.issuer.token_of("ann")).status == 503);
  checked.set = "{}";
  BOOST_TEST(checked.to(checked.issuer.token_of("ann")).status == 503);
}

BOOST_AUTO_TEST_CASE(options_that_cannot_be_meant_are_refused) {
  const auto refused = [](const std::function<void(http::JwtOptions&)>& change) {
    Checked checked;
    change(checked.options);
    BOOST_CHECK_THROW(checked.authenticate(), std::invalid_argument);
  };
  for (const char* const algorithm : {"none", "HS256", "HS512", "RS1", "es256", ""})
    refused([&](http::JwtOptions& options) { options.algorithms.push_back(algorithm); });
  refused([](http::JwtOptions& options) { options.algorithms.clear(); });
  refused([](http::JwtOptions& options) { options.types.clear(); });
  refused([](http::JwtOptions& options) { options.audiences = {""}; });
  refused([](http::JwtOptions& options) { options.leeway = std::chrono::seconds(301); });
  refused([](http::JwtOptions& options) { options.leeway = std::chrono::seconds(-1); });
  refused([](http::JwtOptions& options) { options.resource.authorization_servers.emplace_back("https://b.example"); });
  refused([](http::JwtOptions& options) { options.resource.authorization_servers = {"http://login.example.com"}; });
  refused([](http::JwtOptions& options) { options.resource.resource = "mcp.example.com"; });
  BOOST_CHECK_THROW(http::jwt_authenticator(Checked().options), std::invalid_argument);  // nothing fetches keys
}
