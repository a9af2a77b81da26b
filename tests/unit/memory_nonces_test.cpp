#include "features/memory_nonces.hpp"

#define BOOST_TEST_MODULE memory_nonces_test
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>

using namespace std::chrono_literals;
using toolwire::NonceUse;
using toolwire::features::MemoryNonces;
using toolwire::features::nonces_in_memory;

namespace {
const MemoryNonces::Time start{100h};
}

BOOST_AUTO_TEST_CASE(a_continuation_is_free_once_while_its_state_lives) {
  MemoryNonces nonces(100);
  BOOST_TEST(nonces.use("n", start + 5min, start));
  BOOST_TEST(!nonces.use("n", start + 5min, start + 1s));
  BOOST_TEST(nonces.use("m", start + 5min + 1s, start + 1s));
  BOOST_TEST(!nonces.use("n", start + 5min, start + 5min - 1ns));
  BOOST_TEST(nonces.use("n", start + 10min, start + 5min));  // by then the state itself is refused
}

BOOST_AUTO_TEST_CASE(too_many_continuations_are_charged_instead_of_remembered) {
  MemoryNonces nonces(65'536);
  for (int i = 0; i < 65'536; ++i) nonces.use(std::to_string(i), start + 5min, start);
  BOOST_TEST(!nonces.use("one more", start + 5min, start));
  BOOST_TEST(nonces.use("later", start + 10min, start + 5min));
}

BOOST_AUTO_TEST_CASE(the_first_to_expire_is_forgotten_first_whenever_it_came) {
  MemoryNonces nonces(2);
  nonces.use("long", start + 10min, start);
  nonces.use("short", start + 1min, start);
  BOOST_TEST(nonces.use("next", start + 2min, start + 1min));
  BOOST_TEST(!nonces.use("long", start + 10min, start + 2min));
}

BOOST_AUTO_TEST_CASE(a_store_forgets_nothing_by_a_clock_that_is_set_forward_and_back) {
  auto told = start;
  const auto store = nonces_in_memory(100, toolwire::features::ForgettingClock([&] { return told; }));
  const auto use = [&](std::string_view nonce) {
    std::optional<toolwire::Done<NonceUse>::Result> answer;
    store->use(nonce, told + 5min, toolwire::Done<NonceUse>([&](auto&& given) { answer.emplace(given); }));
    return std::get<NonceUse>(answer.value());
  };
  BOOST_TEST((use("one") == NonceUse::first));
  told += 1h;
  BOOST_TEST((use("ahead") == NonceUse::first));
  told -= 1h;
  BOOST_TEST((use("one") == NonceUse::again));
  told += 48h;
  BOOST_TEST((use("one") == NonceUse::first));
}
