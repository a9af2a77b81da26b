#include "store_cases.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace toolwire_test {
namespace {

namespace ut = boost::unit_test;
using namespace std::chrono_literals;
using toolwire::NonceStore;
using toolwire::NonceUse;
using toolwire::OutputStore;
using toolwire::RateStore;
using toolwire::Stores;

constexpr int threads = 4;

/// Runs `work` on several threads at once, which begin together.
void at_once(const std::function<void()>& work) {
  std::atomic<int> ready{0};
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back([&] {
      ++ready;
      while (ready < threads) std::this_thread::yield();
      work();
    });
  }
  for (std::thread& worker : workers) worker.join();
}

void a_nonce_counts_once(const Stores& stores) {
  NonceStore& nonces = *stores.used_answers;
  BOOST_TEST((use(nonces, "one") == NonceUse::first));
  BOOST_TEST((use(nonces, "two") == NonceUse::first));
  BOOST_TEST((use(nonces, "one") == NonceUse::again));
  BOOST_TEST((use(nonces, "two") == NonceUse::again));
}

void a_nonce_may_be_any_text(const Stores& stores) {
  NonceStore& nonces = *stores.used_answers;
  const std::vector<std::string> texts{"",
                                       " ",
                                       "a\nb",
                                       std::string("a\0b", 3),
                                       std::string("a\0c", 3),
                                       "\r\n$3\r\nabc\r\n",
                                       std::string(10'000, 'x'),
                                       "\xff\xfe"};
  for (const std::string& text : texts) BOOST_TEST((use(nonces, text) == NonceUse::first));
  for (const std::string& text : texts) BOOST_TEST((use(nonces, text) == NonceUse::again));
}

void of_many_who_use_a_nonce_one_is_the_first(const Stores& stores) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> first{0};
    at_once([&] {
      if (use(*stores.used_answers, "round " + std::to_string(round)) == NonceUse::first) ++first;
    });
    BOOST_TEST(first == 1);
  }
}

void answers_and_continuations_are_told_apart(const Stores& stores) {
  BOOST_TEST((use(*stores.used_answers, "one") == NonceUse::first));
  BOOST_TEST((use(*stores.continuations, "one") == NonceUse::first));
  BOOST_TEST((use(*stores.continuations, "one") == NonceUse::again));
}

void a_call_is_allowed_so_often_and_no_more(const Stores& stores) {
  for (int i = 0; i < 3; ++i) BOOST_TEST(!charge(*stores.rates, "tool", 3).has_value());
  const auto wait = charge(*stores.rates, "tool", 3);
  BOOST_TEST_REQUIRE(wait.has_value());
  BOOST_TEST((*wait > 0ms && *wait <= 60s));
}

void looking_counts_nothing(const Stores& stores) {
  for (int i = 0; i < 5; ++i) BOOST_TEST(!look(*stores.rates, "tool", 1).has_value());
  BOOST_TEST(!charge(*stores.rates, "tool", 1).has_value());
  const auto wait = look(*stores.rates, "tool", 1);
  BOOST_TEST_REQUIRE(wait.has_value());
  BOOST_TEST((*wait > 0ms && *wait <= 60s));
}

void a_call_that_is_refused_is_not_counted(const Stores& stores) {
  for (int i = 0; i < 5; ++i) charge(*stores.rates, "tool", 1);
  BOOST_TEST(!charge(*stores.rates, "tool", 2).has_value());
  BOOST_TEST(charge(*stores.rates, "tool", 2).has_value());
}

void keys_of_rates_are_told_apart(const Stores& stores) {
  BOOST_TEST(!charge(*stores.rates, "tool", 1).has_value());
  BOOST_TEST(!charge(*stores.rates, "tool ", 1).has_value());
  BOOST_TEST(!charge(*stores.rates, "\nsomebody\ntool", 1).has_value());
  BOOST_TEST(!charge(*stores.rates, "", 1).has_value());
  BOOST_TEST(charge(*stores.rates, "tool", 1).has_value());
}

void a_limit_may_be_edited_while_calls_are_counted(const Stores& stores) {
  for (int i = 0; i < 4; ++i) charge(*stores.rates, "tool", 4);
  BOOST_TEST(charge(*stores.rates, "tool", 2).has_value());
  BOOST_TEST(!charge(*stores.rates, "tool", 5).has_value());
  BOOST_TEST(charge(*stores.rates, "tool", 5).has_value());
  BOOST_TEST(!charge(*stores.rates, "tool", std::int64_t{1} << 62).has_value());
}

void many_at_once_get_no_more_than_is_allowed(const Stores& stores) {
  std::atomic<int> allowed{0};
  at_once([&] {
    for (int i = 0; i < 50; ++i) {
      if (!charge(*stores.rates, "tool", 100)) ++allowed;
    }
  });
  BOOST_TEST(allowed == 100);
}

void a_kept_text_is_found_by_its_id(const Stores& stores) {
  OutputStore& outputs = *stores.outputs;
  const std::vector<std::string> texts{"", "some text", std::string("a\0b\r\n", 5), std::string(300'000, 'x')};
  std::vector<std::string> ids;
  for (const std::string& text : texts) ids.push_back(keep(outputs, text));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto found = find(outputs, ids[i]);
    BOOST_TEST_REQUIRE((found != nullptr));
    BOOST_TEST((*found == texts[i]));
  }
}

void ids_of_texts_cannot_be_guessed(const Stores& stores) {
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) ids.insert(keep(*stores.outputs, "the same"));
  BOOST_TEST(ids.size() == 100U);
  for (const std::string& id : ids) {
    BOOST_TEST(id.size() >= 22U);  // of 64 characters: 128 bits
    BOOST_TEST(id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == id.npos);
  }
}

void an_id_of_nobody_leads_nowhere(const Stores& stores) {
  const std::string id = keep(*stores.outputs, "text");
  for (const std::string& other : {std::string(), std::string("*"), id + "0", id.substr(1), "\r\n" + id})
    BOOST_TEST((find(*stores.outputs, other) == nullptr));
}

void a_text_too_long_for_the_store_is_not_kept(const Stores& stores) {
  const std::string id = keep(*stores.outputs, "short");
  BOOST_TEST(keep(*stores.outputs, std::string((std::size_t{1} << 20) + 1, 'x')).empty());
  BOOST_TEST((find(*stores.outputs, id) != nullptr));
}

struct Case {
  const char* name;
  void (*run)(const Stores&);
};
#define TOOLWIRE_CASE(name) \
  Case { #name, name }

constexpr Case cases[] = {TOOLWIRE_CASE(a_nonce_counts_once),
                          TOOLWIRE_CASE(a_nonce_may_be_any_text),
                          TOOLWIRE_CASE(of_many_who_use_a_nonce_one_is_the_first),
                          TOOLWIRE_CASE(answers_and_continuations_are_told_apart),
                          TOOLWIRE_CASE(a_call_is_allowed_so_often_and_no_more),
                          TOOLWIRE_CASE(looking_counts_nothing),
                          TOOLWIRE_CASE(a_call_that_is_refused_is_not_counted),
                          TOOLWIRE_CASE(keys_of_rates_are_told_apart),
                          TOOLWIRE_CASE(a_limit_may_be_edited_while_calls_are_counted),
                          TOOLWIRE_CASE(many_at_once_get_no_more_than_is_allowed),
                          TOOLWIRE_CASE(a_kept_text_is_found_by_its_id),
                          TOOLWIRE_CASE(ids_of_texts_cannot_be_guessed),
                          TOOLWIRE_CASE(an_id_of_nobody_leads_nowhere),
                          TOOLWIRE_CASE(a_text_too_long_for_the_store_is_not_kept)};

}  // namespace

NonceUse use(NonceStore& store, std::string_view nonce, std::chrono::milliseconds lives) {
  const auto expires = std::chrono::system_clock::now() + lives;
  return answer_of<NonceUse>([&](auto done) { store.use(nonce, expires, std::move(done)); });
}

RateStore::Wait look(RateStore& store, const std::string& key, std::int64_t per_minute) {
  return answer_of<RateStore::Wait>([&](auto done) { store.look(key, per_minute, std::move(done)); });
}

RateStore::Wait charge(RateStore& store, const std::string& key, std::int64_t per_minute) {
  return answer_of<RateStore::Wait>([&](auto done) { store.charge(key, per_minute, std::move(done)); });
}

std::string keep(OutputStore& store, std::string_view text) {
  return answer_of<std::string>([&](auto done) { store.keep(text, std::move(done)); });
}

std::shared_ptr<const std::string> find(OutputStore& store, std::string_view id) {
  return answer_of<std::shared_ptr<const std::string>>([&](auto done) { store.find(id, std::move(done)); });
}

void add_store_cases(const char* name, const MakeStores& make) {
  auto* const suite = BOOST_TEST_SUITE(name);
  for (const Case& one : cases) {
    suite->add(ut::make_test_case([make, run = one.run] { run(make()); }, one.name, __FILE__, __LINE__));
  }
  ut::framework::master_test_suite().add(suite);
}

}  // namespace toolwire_test
