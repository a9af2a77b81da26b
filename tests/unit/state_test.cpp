#include "protocol/input_requests/state.hpp"

#define BOOST_TEST_MODULE state_test
#include <boost/test/unit_test.hpp>

#include <string>

using namespace std::chrono_literals;
using namespace toolwire::protocol;
using toolwire::JsonObject;
using toolwire::parse_json;

namespace {

constexpr std::size_t bound = 64 << 10;
const auto now = std::chrono::system_clock::time_point(1'000'000s);
const StateKey key{1, 2, 3};

State some_state() {
  return {"tool add",
          digest_of(parse_json(R"({"a":1})")),
          {{"first", "first"}, {"second", "otherwise shown"}},
          JsonObject{{"zero", JsonObject{{"action", "accept"}}}},
          now + 5min};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_sealed_state_comes_back_whole) {
  const auto state = unseal(seal(some_state(), key, bound), key, bound, now);
  BOOST_REQUIRE(state.has_value());
  BOOST_TEST(state->subject == "tool add");
  BOOST_TEST(state->arguments_digest == some_state().arguments_digest);
  BOOST_TEST((state->asked == some_state().asked));
  BOOST_TEST(toolwire::to_json_text(state->answers) == toolwire::to_json_text(some_state().answers));
  BOOST_TEST((state->expires == now + 5min));
}

BOOST_AUTO_TEST_CASE(no_two_seals_are_alike) {
  BOOST_TEST(seal(some_state(), key, bound) != seal(some_state(), key, bound));
}

BOOST_AUTO_TEST_CASE(a_seal_with_any_character_changed_does_not_open) {
  const std::string sealed = seal(some_state(), key, bound);
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string altered = sealed;
    altered[i] = altered[i] == 'A' ? 'B' : 'A';
    BOOST_REQUIRE(!unseal(altered, key, bound, now).has_value());
  }
  for (std::size_t length = 0; length < sealed.size(); ++length)
    BOOST_REQUIRE(!unseal(sealed.substr(0, length), key, bound, now).has_value());
  BOOST_TEST(!unseal(sealed + "A", key, bound, now).has_value());
  BOOST_TEST(!unseal(sealed + "=", key, bound, now).has_value());
}

BOOST_AUTO_TEST_CASE(a_seal_of_another_key_does_not_open) {
  BOOST_TEST(!unseal(seal(some_state(), StateKey{9}, bound), key, bound, now).has_value());
}

BOOST_AUTO_TEST_CASE(while_two_keys_are_named_what_either_has_sealed_opens) {
  const StateKey next{7};
  const std::string before = seal(some_state(), key, bound);
  const std::string after = seal(some_state(), next, bound);
  for (const StateKeys& keys : {StateKeys(key, next), StateKeys(next, key)}) {
    BOOST_TEST(unseal(before, keys, bound, now).has_value());
    BOOST_TEST(unseal(after, keys, bound, now).has_value());
  }
  BOOST_TEST(!unseal(before, next, bound, now).has_value());
  BOOST_TEST(!unseal(before, StateKeys(next, StateKey{9}), bound, now).has_value());
}

BOOST_AUTO_TEST_CASE(a_seal_says_which_key_it_is_of) {
  const std::string sealed = seal(some_state(), key, bound);
  BOOST_TEST(is_of_known_key(sealed, key));
  BOOST_TEST(is_of_known_key(sealed, StateKeys(StateKey{9}, key)));
  BOOST_TEST(!is_of_known_key(sealed, StateKey{9}));
  for (const char* other : {"", "A", "AAAAAAA", "AAAAAAAA", "????????", "no seal at all"})
    BOOST_TEST(!is_of_known_key(other, key));
}

BOOST_AUTO_TEST_CASE(a_seal_under_the_id_of_the_other_key_does_not_open) {
  const StateKey next{7};
  const std::string id = seal(some_state(), next, bound).substr(0, 8);
  BOOST_TEST(!unseal(id + seal(some_state(), key, bound).substr(8), StateKeys(key, next), bound, now).has_value());
}

BOOST_AUTO_TEST_CASE(the_nonce_of_a_seal_is_its_own_and_not_its_keys) {
  BOOST_TEST(nonce_of(seal(some_state(), key, bound)) != nonce_of(seal(some_state(), key, bound)));
  BOOST_TEST(nonce_of(seal(some_state(), key, bound)).size() == 32U);
  BOOST_TEST(nonce_of("short").empty());
}

BOOST_AUTO_TEST_CASE(a_state_ends_when_it_expires) {
  const std::string sealed = seal(some_state(), key, bound);
  BOOST_TEST(unseal(sealed, key, bound, now + 5min - 1ms).has_value());
  BOOST_TEST(!unseal(sealed, key, bound, now + 5min).has_value());
}

BOOST_AUTO_TEST_CASE(a_state_beyond_its_bound_is_neither_sealed_nor_opened) {
  const std::string sealed = seal(some_state(), key, bound);
  BOOST_TEST(seal(some_state(), key, sealed.size()).size() == sealed.size());
  BOOST_TEST(seal(some_state(), key, sealed.size() - 1).empty());
  BOOST_TEST(!unseal(sealed, key, sealed.size() - 1, now).has_value());
}

BOOST_AUTO_TEST_CASE(a_digest_depends_on_the_value_alone) {
  auto digest = [](const char* text) { return digest_of(parse_json(text)); };
  BOOST_TEST(digest(R"({"a":1,"b":[2,{"c":3,"d":4}]})") == digest(R"({"b":[2.0,{"d":4,"c":3e0}],"a":1})"));
  BOOST_TEST(digest(R"({"a":1})") != digest(R"({"a":2})"));
  BOOST_TEST(digest(R"({"a":[1,2]})") != digest(R"({"a":[2,1]})"));
  BOOST_TEST(digest(R"({"a":"1"})") != digest(R"({"a":1})"));
  BOOST_TEST(digest(R"({"a":{}})") != digest(R"({"a":[]})"));
  BOOST_TEST(digest(R"({"ab":"c"})") != digest(R"({"a":"bc"})"));
}
