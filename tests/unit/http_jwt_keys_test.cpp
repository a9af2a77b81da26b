// The keys of an issuer: which of a set are used, and when they are fetched again.
#include "jwt/kept_keys.hpp"

#define BOOST_TEST_MODULE http_jwt_keys_test
#include <boost/test/unit_test.hpp>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "jwt/base64url.hpp"
#include "jwt_issuer.hpp"
#include "toolwire/http/jwt.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using namespace toolwire_test;
using http::jwt::Algorithm;
using http::jwt::KeptKeys;
using http::jwt::KeySet;

namespace {

const Algorithm& named(const char* name) { return *http::jwt::find_algorithm(name); }
const std::vector<const Algorithm*> usual{&named("RS256"), &named("ES256"), &named("EdDSA")};

/// Why a set is not used; empty: it is.
std::string why_not(const std::string& text) {
  try {
    KeySet set(text, usual);
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

template <class Value>
JsonObject with(JsonObject key, const char* name, const Value& value) {
  key[name] = value;
  return key;
}

JsonObject without(JsonObject key, const char* name) {
  key.erase(name);
  return key;
}

/// An issuer whose answers a test gives, and a clock that it turns.
struct Issuer {
  SigningKey key = SigningKey::elliptic();
  std::vector<Done<std::string>> asked;
  int fetches = 0;
  bool later = false;
  std::optional<std::string> set = jwks_of({key.jwk("a")});
  KeptKeys::Clock::time_point now{1'000h};
  std::shared_ptr<KeptKeys> keys = std::make_shared<KeptKeys>(
      "https://login.example.com", usual, [this](Done<std::string> done) { fetch(std::move(done)); },
      [this] { return now; });

  void fetch(Done<std::string> done) {
    ++fetches;
    if (later)
      asked.push_back(std::move(done));
    else
      answer(std::move(done));
  }
  void answer(Done<std::string> done) {
    if (set) return done(*set);
    done.fail(std::make_exception_ptr(std::runtime_error("refused")));
  }
  void answer_all() {
    auto open = std::exchange(asked, {});
    for (auto& done : open) answer(std::move(done));
  }
  /// "yes", "no", "nothing" where there are no keys, "later".
  std::string has(const std::string& id) {
    std::string said = "later";
    ask(id, said);
    return said;
  }
  void ask(const std::string& id, std::string& said) {
    keys->with(id, named("ES256"), [id, &said](const KeptKeys::Keys& found) {
      said = !found ? "nothing" : found->find(&id, named("ES256")).key != nullptr ? "yes" : "no";
    });
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(base64url_has_one_text_for_each_bytes) {
  using http::jwt::from_base64url;
  BOOST_TEST(from_base64url("").value().empty());
  BOOST_TEST(from_base64url("AA").value() == std::string(1, '\0'));
  BOOST_TEST(from_base64url("_-8").value() == "\xff\xef");
  for (const char* const wrong : {"A", "AB", "AA=", "AA==", "/+8", "A A", "AA\n", "AAF", "AAAAA", "=", "AA.AA"})
    BOOST_TEST(!from_base64url(wrong).has_value(), wrong);
  BOOST_TEST(!from_base64url(std::string("AA\0A", 4)).has_value());
}

BOOST_AUTO_TEST_CASE(keys_that_are_not_for_this_are_passed_over) {
  const JsonObject rsa = SigningKey::rsa().jwk("r");
  const JsonObject ec = SigningKey::elliptic().jwk("e");
  const JsonObject ed = SigningKey::ed25519().jwk("o");
  for (const JsonObject& good :
       {rsa, ec, ed, without(ec, "use"), without(ec, "kid"), with(ec, "alg", "ES256"), with(rsa, "alg", "RS256"),
        with(ec, "key_ops", JsonArray{"verify"}), with(ec, "something", 1), with(rsa, "e", "AAEAAQ")})
    BOOST_TEST(why_not(jwks_of({good})) == "", to_json_text(good));
  std::string x(ec.at("x").as_string());
  x.front() = x.front() == 'A' ? 'B' : 'A';
  const std::string modulus(rsa.at("n").as_string());
  const std::vector<JsonObject> passed_over{
      with(ec, "use", "enc"),
      with(ec, "use", 1),
      with(ec, "key_ops", JsonArray{"sign"}),
      with(ec, "key_ops", JsonArray{}),
      with(ec, "key_ops", "verify"),
      with(ec, "alg", "ES384"),
      with(ec, "alg", "HS256"),
      with(ec, "alg", "RS256"),
      with(ec, "alg", nullptr),
      with(rsa, "alg", "PS256"),
      with(ec, "kty", "oct"),
      with(ec, "kty", "RSA"),
      with(ec, "crv", "P-384"),
      with(ec, "crv", "secp256k1"),
      with(ec, "x", x),  // no point of the curve
      with(ec, "x", ""),
      with(ec, "x", base64url(std::string(32, '\0'))),
      with(ec, "x", base64url(std::string(1, '\0') + *http::jwt::from_base64url(std::string(ec.at("x").as_string())))),
      without(ec, "y"),
      with(ec, "kid", 1),
      with(ec, "d", "AQ"),
      with(rsa, "d", "AQ"),
      with(rsa, "p", "AQ"),
      with(ed, "x", "AAAA"),
      with(ed, "crv", "X25519"),
      without(rsa, "n"),
      without(rsa, "e"),
      with(rsa, "e", "AQ"),       // 1
      with(rsa, "e", "BA"),       // 4
      with(rsa, "e", "AA"),       // 0
      with(rsa, "e", "AQAAAAE"),  // longer than anybody needs
      with(rsa, "n", modulus + "="),
      with(rsa, "n", base64url(std::string(1'025, '\x81'))),
      SigningKey::rsa(1024).jwk("short"),
      SigningKey::elliptic("P-384").jwk("other"),
      {{"kty", "oct"}, {"k", "AAAA"}, {"kid", "e"}, {"alg", "HS256"}},
  };
  for (const JsonObject& one : passed_over) {
    BOOST_TEST(why_not(jwks_of({one})) == "none of its keys is one for the algorithms that are taken",
               to_json_text(one));
    BOOST_TEST(why_not(jwks_of({one, ec})) == "");
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_set_of_keys_is_not_used) {
  const JsonObject key = SigningKey::elliptic().jwk("e");
  const auto expect = [](const std::string& text, const std::string& why) {
    BOOST_TEST(why_not(text).find(why) != std::string::npos, text.substr(0, 100) + " " + why_not(text));
  };
  expect("", "no JSON");
  expect("<html>", "no JSON");
  expect("[]", "no array \"keys\"");
  expect("{}", "no array \"keys\"");
  expect(R"({"keys":{}})", "no array \"keys\"");
  expect(R"({"keys":[]})", "none of its keys");
  expect(R"({"keys":[1,null,"x",[]]})", "none of its keys");
  expect(R"({"keys":[)" + to_json_text(key) + R"(],"keys":[]})", "no JSON");
  expect(jwks_of(std::vector<JsonObject>(101, key)), "more than 100 keys");
  expect(jwks_of({with(key, "pad", std::string(http::max_key_set, 'x'))}), "larger than");
  expect(R"({"keys":)" + std::string(100, '[') + std::string(100, ']') + "}", "no JSON");
}

BOOST_AUTO_TEST_CASE(a_key_is_found_by_its_name_and_its_algorithm) {
  const SigningKey rsa = SigningKey::rsa();
  const KeySet set(jwks_of({SigningKey::elliptic().jwk("a"), SigningKey::elliptic().jwk("b"), rsa.jwk("a"),
                            without(SigningKey::ed25519().jwk(""), "kid"), SigningKey::elliptic().jwk("twice"),
                            SigningKey::elliptic().jwk("twice")}),
                   usual);
  const auto candidates = [&](std::optional<std::string> id, const char* algorithm) {
    const auto found = set.find(id ? &*id : nullptr, named(algorithm));
    BOOST_TEST((found.key != nullptr) == (found.candidates == 1));
    return found.candidates;
  };
  BOOST_TEST(candidates("a", "ES256") == 1U);
  BOOST_TEST(candidates("a", "RS256") == 1U);
  BOOST_TEST(candidates("a", "EdDSA") == 0U);
  BOOST_TEST(candidates("a", "PS256") == 0U);  // is not taken
  BOOST_TEST(candidates("A", "ES256") == 0U);
  BOOST_TEST(candidates("", "EdDSA") == 0U);  // a key without a name is not one with an empty one
  BOOST_TEST(candidates(std::nullopt, "EdDSA") == 1U);
  BOOST_TEST(candidates(std::nullopt, "ES256") == 4U);
  BOOST_TEST(candidates("twice", "ES256") == 2U);
}

BOOST_AUTO_TEST_CASE(an_unknown_key_is_looked_for_once_a_minute_at_most) {
  Issuer issuer;
  BOOST_TEST(issuer.has("a") == "yes");
  for (int i = 0; i < 50; ++i) BOOST_TEST(issuer.has("unknown" + std::to_string(i)) == "no");
  BOOST_TEST(issuer.fetches == 1);
  issuer.now += 59s;
  BOOST_TEST(issuer.has("b") == "no");
  BOOST_TEST(issuer.fetches == 1);
  issuer.now += 1s;
  issuer.set = jwks_of({issuer.key.jwk("b")});
  BOOST_TEST(issuer.has("b") == "yes");
  BOOST_TEST(issuer.has("a") == "no");  // it was withdrawn
  BOOST_TEST(issuer.fetches == 2);
}

BOOST_AUTO_TEST_CASE(the_keys_from_before_count_while_the_issuer_does_not_answer) {
  Issuer issuer;
  BOOST_TEST(issuer.has("a") == "yes");
  for (const std::optional<std::string>& failing :
       std::vector<std::optional<std::string>>{std::nullopt, "no JSON", R"({"keys":[]})"}) {
    issuer.set = failing;
    issuer.now += 2h;
    const int before = issuer.fetches;
    BOOST_TEST(issuer.has("a") == "yes");
    BOOST_TEST(issuer.has("b") == "no");
    BOOST_TEST(issuer.fetches == before + 1);
  }
}

BOOST_AUTO_TEST_CASE(keys_are_fetched_again_after_an_hour_while_they_are_used) {
  Issuer issuer;
  BOOST_TEST(issuer.has("a") == "yes");
  issuer.now += 59min;
  BOOST_TEST(issuer.has("a") == "yes");
  BOOST_TEST(issuer.fetches == 1);
  issuer.now += 1min;
  issuer.later = true;
  BOOST_TEST(issuer.has("a") == "yes");  // without waiting
  BOOST_TEST(issuer.has("a") == "yes");
  BOOST_TEST(issuer.fetches == 2);
  issuer.set = jwks_of({issuer.key.jwk("b")});
  issuer.answer_all();
  BOOST_TEST(issuer.has("a") == "no");
}

BOOST_AUTO_TEST_CASE(without_any_keys_it_is_tried_again_soon) {
  Issuer issuer;
  issuer.set.reset();
  BOOST_TEST(issuer.has("a") == "nothing");
  BOOST_TEST(issuer.has("a") == "nothing");
  BOOST_TEST(issuer.fetches == 1);
  issuer.now += 5s;
  issuer.set = jwks_of({issuer.key.jwk("a")});
  BOOST_TEST(issuer.has("a") == "yes");
  BOOST_TEST(issuer.fetches == 2);
}

BOOST_AUTO_TEST_CASE(all_wait_for_one_fetch_and_too_many_do_not) {
  Issuer issuer;
  issuer.later = true;
  std::vector<std::string> said(KeptKeys::max_waiting + 1, "later");
  for (std::string& one : said) issuer.ask("a", one);
  BOOST_TEST(issuer.fetches == 1);
  BOOST_TEST(said.front() == "later");
  BOOST_TEST(said[said.size() - 2] == "later");
  BOOST_TEST(said.back() == "nothing");
  issuer.answer_all();
  BOOST_TEST(said.front() == "yes");
  BOOST_TEST(said[said.size() - 2] == "yes");
}

BOOST_AUTO_TEST_CASE(a_fetch_that_throws_or_forgets_to_answer_is_one_that_failed) {
  int fetches = 0;
  const auto keys = std::make_shared<KeptKeys>(
      "https://login.example.com", usual,
      [&](Done<std::string>) {
        if (++fetches == 1) throw std::runtime_error("broken");
      },
      [&fetches] { return KeptKeys::Clock::time_point(1'000h + fetches * 1h); });
  for (int i = 1; i <= 2; ++i) {
    bool is_told = false;
    keys->with("a", named("ES256"), [&](const KeptKeys::Keys& found) { is_told = !found; });
    BOOST_TEST(is_told);
    BOOST_TEST(fetches == i);
  }
}
