// The stores of a server in a real Redis: the cases of all stores, several at once, and a stranger on the same Redis.
#define BOOST_TEST_MODULE redis_stores_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "redis/scripts.hpp"
#include "redis_server.hpp"
#include "store_cases.hpp"

namespace {

using namespace std::chrono_literals;
using namespace toolwire_test;
using toolwire::NonceUse;
using toolwire::Stores;
namespace redis = toolwire::redis;
using Kind = redis::Reply::Kind;

constexpr redis::OutputLimits limits{.max_text = std::size_t{1} << 20};

Stores make(const redis::Options& options) {
  return redis::stores(redis::make_client(options, redis_engine()), limits);
}

const bool registered = [] {
  add_store_cases("redis", [] { return make(options_of_case()); });
  add_store_cases("redis_while_the_key_changes", [] {
    redis::Options options = options_of_case();
    options.second_key = "the key that was before";
    return make(options);
  });
  return true;
}();

/// Several who share a Redis, and a stranger on it.
struct Shared {
  redis::Options options = options_of_case();
  std::shared_ptr<redis::Client> stranger = redis::make_client(options, redis_engine());

  std::vector<std::string> keys() const {
    std::vector<std::string> keys;
    for (const redis::Reply& key : ask(stranger, {"KEYS", options.prefix + "*"}).list) keys.push_back(key.text);
    return keys;
  }
  std::string the_key() const {
    const auto all = keys();
    BOOST_REQUIRE(all.size() == 1U);
    return all.front();
  }
};

bool fails_with(const std::string& words, const std::function<void()>& act) {
  try {
    act();
  } catch (const std::exception& error) {
    BOOST_TEST_INFO(error.what());
    return std::string_view(error.what()).find(words) != std::string_view::npos;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_cases_of_all_stores_are_registered) { BOOST_TEST(registered); }

BOOST_FIXTURE_TEST_CASE(the_name_of_each_script_is_the_one_that_redis_gives_it, Shared) {
  for (const redis::Script& script : redis::all_scripts)
    BOOST_TEST(ask(stranger, {"SCRIPT", "LOAD", std::string(script.text)}).text == script.sha1);
}

BOOST_FIXTURE_TEST_CASE(a_script_runs_though_redis_has_forgotten_it, Shared) {
  const Stores stores = make(options);
  charge(*stores.rates, "tool", 2);
  ask(stranger, {"SCRIPT", "FLUSH"});
  BOOST_TEST(!charge(*stores.rates, "tool", 2).has_value());
  BOOST_TEST(charge(*stores.rates, "tool", 2).has_value());
}

BOOST_FIXTURE_TEST_CASE(a_nonce_used_from_two_at_once_counts_once_in_a_thousand_tries, Shared) {
  constexpr int tries = 1'000;
  std::array<std::vector<bool>, 2> was_first;
  std::vector<std::thread> both;
  for (auto& first : was_first) {
    both.emplace_back([&, stores = redis::stores(redis::make_client(options))] {
      for (int i = 0; i < tries; ++i)
        first.push_back(use(*stores.used_answers, "nonce " + std::to_string(i)) == NonceUse::first);
    });
  }
  for (std::thread& one : both) one.join();
  int once = 0;
  for (std::size_t i = 0; i < tries; ++i) once += was_first[0][i] != was_first[1][i] ? 1 : 0;
  BOOST_TEST(once == tries);
}

BOOST_FIXTURE_TEST_CASE(three_at_once_share_one_window, Shared) {
  std::atomic<int> allowed{0};
  std::vector<std::thread> replicas;
  for (int i = 0; i < 3; ++i) {
    replicas.emplace_back([&, stores = make(options)] {
      for (int call = 0; call < 200; ++call) {
        if (!charge(*stores.rates, "tool", 100)) ++allowed;
      }
    });
  }
  for (std::thread& replica : replicas) replica.join();
  BOOST_TEST(allowed == 100);
}

BOOST_FIXTURE_TEST_CASE(the_window_slides_by_the_time_of_redis, Shared) {
  const Stores stores = make(options);
  for (int i = 0; i < 3; ++i) charge(*stores.rates, "tool", 3);
  BOOST_TEST(charge(*stores.rates, "tool", 3).has_value());
  const std::string key = the_key();
  const auto time = [&](int index) { return std::stoll(ask(stranger, {"LINDEX", key, std::to_string(index)}).text); };
  const auto move = [&](int index, std::int64_t by) {
    ask(stranger, {"LSET", key, std::to_string(index), std::to_string(time(index) + by)});
  };
  move(0, -60'000'000);  // the first of them was a minute ago
  BOOST_TEST(!charge(*stores.rates, "tool", 3).has_value());
  BOOST_TEST(charge(*stores.rates, "tool", 3).has_value());
  BOOST_TEST(ask(stranger, {"LLEN", key}).number == 3);  // which is forgotten
  move(0, -50'000'000);
  const auto wait = look(*stores.rates, "tool", 3);
  BOOST_TEST_REQUIRE(wait.has_value());
  BOOST_TEST((*wait <= 10s));
}

BOOST_FIXTURE_TEST_CASE(a_clock_of_redis_that_was_set_back_keeps_nobody_waiting_longer_than_a_minute, Shared) {
  const Stores stores = make(options);
  for (int i = 0; i < 3; ++i) charge(*stores.rates, "tool", 3);
  const std::string key = the_key();
  for (const char* index : {"0", "1", "2"}) {
    const std::int64_t later = std::stoll(ask(stranger, {"LINDEX", key, index}).text) + 3'600'000'000;
    ask(stranger, {"LSET", key, index, std::to_string(later)});
  }
  const auto wait = charge(*stores.rates, "tool", 3);
  BOOST_TEST_REQUIRE(wait.has_value());
  BOOST_TEST((*wait > 0s && *wait <= 60s));
}

BOOST_FIXTURE_TEST_CASE(what_is_kept_goes_by_itself, Shared) {
  const Stores stores = make(options);
  use(*stores.used_answers, "nonce", 5min);
  charge(*stores.rates, "tool", 3);
  keep(*stores.outputs, "text");
  for (const std::string& key : keys()) {
    const std::int64_t left = ask(stranger, {"PTTL", key}).number;
    BOOST_TEST(left > 0);
    BOOST_TEST(left <= 3'600'000);
    if (key.find("answers") != std::string::npos) BOOST_TEST(left > 300'000);  // and the skew of clocks
  }
}

BOOST_FIXTURE_TEST_CASE(a_nonce_that_has_expired_is_not_kept, Shared) {
  const Stores stores = make(options);
  use(*stores.used_answers, "nonce", -1h);
  while (!keys().empty()) std::this_thread::sleep_for(1ms);
  BOOST_TEST((use(*stores.used_answers, "nonce") == NonceUse::first));
}

BOOST_FIXTURE_TEST_CASE(names_and_values_tell_a_stranger_nothing, Shared) {
  const Stores stores = make(options);
  use(*stores.used_answers, "SECRETNONCE");
  charge(*stores.rates, "\nSECRETNAME\nSECRETTOOL", 3);
  const std::string id = keep(*stores.outputs, "SECRETTEXT");
  BOOST_TEST(keys().size() == 3U);
  for (const std::string& key : keys()) {
    BOOST_TEST(key.find("SECRET") == key.npos);
    BOOST_TEST(key.find(id) == key.npos);
    const std::string dumped = ask(stranger, {"DUMP", key}).text;
    BOOST_TEST(!dumped.empty());
    BOOST_TEST(dumped.find("SECRET") == dumped.npos);
    BOOST_TEST(dumped.find(id) == dumped.npos);
  }
}

BOOST_FIXTURE_TEST_CASE(names_differ_with_the_key, Shared) {
  charge(*make(options).rates, "tool", 1);
  options.key = "another key for tests";
  BOOST_TEST(!charge(*make(options).rates, "tool", 1).has_value());
  BOOST_TEST(keys().size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(a_value_that_was_altered_is_refused_whatever_was_altered, Shared) {
  const Stores stores = make(options);
  const std::string id = keep(*stores.outputs, "text");
  const std::string key = the_key();
  const std::string value = ask(stranger, {"GET", key}).text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    std::string altered = value;
    altered[i] = static_cast<char>(altered[i] ^ 1);
    ask(stranger, {"SET", key, altered});
    const char* const why = i < 6 ? "sealed with a key that is not named" : "was altered";
    BOOST_TEST(fails_with(why, [&] { find(*stores.outputs, id); }));
  }
  for (const std::string& other : {std::string(), value.substr(1), value + "x", std::string("text")}) {
    ask(stranger, {"SET", key, other});
    BOOST_TEST(fails_with("an output kept in Redis was", [&] { find(*stores.outputs, id); }));
  }
  ask(stranger, {"SET", key, value});
  BOOST_TEST(*find(*stores.outputs, id) == "text");
}

BOOST_FIXTURE_TEST_CASE(a_value_under_the_name_of_another_is_refused, Shared) {
  const Stores stores = make(options);
  const std::string mine = keep(*stores.outputs, "mine");
  const std::string key_of_mine = the_key();
  const std::string other = keep(*stores.outputs, "other");
  const auto both = keys();
  const std::string key_of_other = both.front() == key_of_mine ? both.back() : both.front();
  ask(stranger, {"COPY", key_of_other, key_of_mine, "REPLACE"});
  BOOST_TEST(fails_with("was altered", [&] { find(*stores.outputs, mine); }));
  BOOST_TEST(*find(*stores.outputs, other) == "other");
}

BOOST_FIXTURE_TEST_CASE(an_old_value_that_is_put_back_is_as_if_it_was_not_there, Shared) {
  const auto outputs = redis::output_store(redis::make_client(options, redis_engine()), {.time_to_live = 300ms});
  const std::string id = keep(*outputs, "text");
  const std::string key = the_key();
  const std::string value = ask(stranger, {"GET", key}).text;
  while (find(*outputs, id) != nullptr) std::this_thread::sleep_for(1ms);
  ask(stranger, {"SET", key, value});
  BOOST_TEST((find(*outputs, id) == nullptr));
}

BOOST_FIXTURE_TEST_CASE(a_window_that_a_stranger_has_spoilt_fails, Shared) {
  const Stores stores = make(options);
  charge(*stores.rates, "tool", 3);
  const std::string key = the_key();
  ask(stranger, {"SET", key, "no list"});
  BOOST_TEST(fails_with("Redis refuses a command: WRONGTYPE", [&] { charge(*stores.rates, "tool", 3); }));
}

namespace {

/// The steps in which the key of replicas changes: at most two neighbours serve at the same time.
struct Change : Shared {
  redis::Options with(const char* key, const char* second) const {
    redis::Options options_then = options;
    options_then.key = key;
    options_then.second_key = second;
    return options_then;
  }
  const Stores before = make(with("the key of before", ""));
  const Stores announced = make(with("the key of before", "the key of after"));
  const Stores swapped = make(with("the key of after", "the key of before"));
  const Stores after = make(with("the key of after", ""));
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(nonces_and_rates_count_on_while_the_key_changes, Change) {
  for (const auto& [first, then] :
       {std::pair(&before, &announced), std::pair(&announced, &before), std::pair(&announced, &swapped),
        std::pair(&swapped, &announced), std::pair(&swapped, &after), std::pair(&announced, &after)}) {
    ask(stranger, {"FLUSHALL"});
    BOOST_TEST((use(*first->used_answers, "nonce") == NonceUse::first));
    BOOST_TEST((use(*then->used_answers, "nonce") == NonceUse::again));
    BOOST_TEST(!charge(*first->rates, "tool", 1).has_value());
    BOOST_TEST(charge(*then->rates, "tool", 1).has_value());
  }
}

BOOST_FIXTURE_TEST_CASE(outputs_are_found_while_the_key_changes, Change) {
  const std::string id = keep(*before.outputs, "text");
  BOOST_TEST(*find(*announced.outputs, id) == "text");
  BOOST_TEST(*find(*swapped.outputs, id) == "text");
  BOOST_TEST((find(*after.outputs, id) == nullptr));
}

BOOST_FIXTURE_TEST_CASE(commands_are_answered_in_order_however_many_wait, Shared) {
  BOOST_TEST(right_answers(*stranger, 5'000) == 5'000);
}

BOOST_FIXTURE_TEST_CASE(a_large_value_comes_back_whole, Shared) {
  const auto outputs = redis::output_store(redis::make_client(options, redis_engine()));
  const std::string text(std::size_t{8} << 20, 'x');
  const std::string id = keep(*outputs, text);
  const auto found = find(*outputs, id);
  BOOST_TEST_REQUIRE((found != nullptr));
  BOOST_TEST((*found == text));
}

BOOST_FIXTURE_TEST_CASE(what_a_nonce_costs, Shared) {
  const Stores stores = make(options);
  use(*stores.used_answers, "the first makes the connection");
  std::vector<double> microseconds;
  for (int i = 0; i < 1'000; ++i) {
    const auto began = std::chrono::steady_clock::now();
    use(*stores.used_answers, std::to_string(i));
    microseconds.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count());
  }
  std::ranges::sort(microseconds);
  BOOST_TEST(keys().size() == 1'001U);
  BOOST_TEST_MESSAGE("a nonce: median " << microseconds[500] << " us, 99 of 100 within " << microseconds[990] << " us");
}
