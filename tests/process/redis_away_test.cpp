// What becomes of those who ask a Redis that is killed, stopped, started again, or does not let them in.
#define BOOST_TEST_MODULE redis_away_test
#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "file_content.hpp"
#include "redis_server.hpp"
#include "store_cases.hpp"
#include "task_store_cases.hpp"

namespace {

using namespace std::chrono_literals;
using namespace toolwire_test;
using toolwire::NonceUse;
using toolwire::Stores;
namespace redis = toolwire::redis;
namespace fs = std::filesystem;

/// The text a question fails with; empty if it does not.
std::string failure_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

bool has(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

/// With this password.
std::string users_of_the_readme(const std::string& password) {
  const std::string text = content_of(fs::path(TOOLWIRE_SOURCE_DIR) / "bridge/redis/README.md");
  const auto begin = text.find("user default off\n");
  std::string users = text.substr(begin, text.find("```", begin) - begin);
  const std::string_view placeholder = "PASSWORD";
  return users.replace(users.find(placeholder), placeholder.size(), password);
}

Stores stores_with(redis::Options options) { return redis::stores(redis::make_client(std::move(options))); }

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_answered_counts_after_redis_was_killed_and_nothing_counts_twice) {
  RedisServer server;
  const Stores stores = stores_with(redis_options(server.address()));
  constexpr int rounds = 5;
  constexpr std::size_t nonces = 400;
  for (int round = 0; round < rounds; ++round) {
    std::array<std::atomic<int>, nonces> first{};
    std::atomic<int> asked{0};
    std::thread asking([&] {
      for (std::size_t i = 0; i < nonces; ++i) {
        ++asked;
        failure_of([&] {
          if (use(*stores.used_answers, std::to_string(round) + "/" + std::to_string(i)) == NonceUse::first) ++first[i];
        });
      }
    });
    while (asked < 50 * (round + 1)) std::this_thread::sleep_for(1ms);
    server.kill();
    server.start_again();
    asking.join();
    int answered = 0;
    for (std::size_t i = 0; i < nonces; ++i) {
      answered += first[i];
      if (use(*stores.used_answers, std::to_string(round) + "/" + std::to_string(i)) == NonceUse::first) ++first[i];
    }
    BOOST_TEST(std::ranges::all_of(first, [](const auto& count) { return count <= 1; }));
    BOOST_TEST(answered >= static_cast<int>(nonces) - 1);  // one was on its way
  }
}

BOOST_AUTO_TEST_CASE(while_redis_is_away_each_question_fails_and_then_all_is_as_before) {
  RedisServer server;
  redis::Options options = redis_options(server.address());
  options.deadline = 300ms;
  const Stores stores = stores_with(options);
  BOOST_TEST((use(*stores.used_answers, "before") == NonceUse::first));
  const std::string id = keep(*stores.outputs, "text");
  server.kill();
  const std::string words = "cannot be used: Connection refused";
  BOOST_TEST(has(failure_of([&] { use(*stores.used_answers, "away"); }), words));
  BOOST_TEST(has(failure_of([&] { look(*stores.rates, "tool", 1); }), words));
  BOOST_TEST(has(failure_of([&] { charge(*stores.rates, "tool", 1); }), words));
  BOOST_TEST(has(failure_of([&] { keep(*stores.outputs, "other"); }), words));
  BOOST_TEST(has(failure_of([&] { find(*stores.outputs, id); }), words));
  server.start_again();
  const Stores patient = stores_with(redis_options(server.address()));
  BOOST_TEST((use(*patient.used_answers, "before") == NonceUse::again));
  BOOST_TEST((use(*patient.used_answers, "away") == NonceUse::first));
  BOOST_TEST(*find(*patient.outputs, id) == "text");
  while (!failure_of([&] { look(*stores.rates, "tool", 1); }).empty()) continue;  // it has a pause between attempts
}

BOOST_AUTO_TEST_CASE(a_question_waits_for_a_redis_that_is_started_again) {
  RedisServer server;
  const Stores stores = stores_with(redis_options(server.address()));
  BOOST_TEST((use(*stores.used_answers, "before") == NonceUse::first));
  server.kill();
  NonceUse answer{};
  std::thread waiting([&] { answer = use(*stores.used_answers, "while it is away"); });
  server.start_again();
  waiting.join();
  BOOST_TEST((answer == NonceUse::first));
}

BOOST_AUTO_TEST_CASE(a_stopped_redis_lets_questions_fail_and_goes_on) {
  RedisServer server;
  redis::Options options = redis_options(server.address());
  options.deadline = 300ms;
  const Stores stores = stores_with(options);
  BOOST_TEST((use(*stores.used_answers, "before") == NonceUse::first));
  server.stop();
  BOOST_TEST(has(failure_of([&] { use(*stores.used_answers, "unknown"); }), "unknown whether this was done"));
  BOOST_TEST(has(failure_of([&] { use(*stores.used_answers, "unasked"); }), "does not answer"));
  server.go_on();
  while (!failure_of([&] { look(*stores.rates, "tool", 1); }).empty()) continue;
  const Stores patient = stores_with(redis_options(server.address()));
  BOOST_TEST((use(*patient.used_answers, "before") == NonceUse::again));
  BOOST_TEST((use(*patient.used_answers, "unknown") == NonceUse::again));  // it had been sent
  BOOST_TEST((use(*patient.used_answers, "unasked") == NonceUse::first));
}

BOOST_AUTO_TEST_CASE(an_idle_connection_that_redis_closes_is_made_anew) {
  RedisServer server;
  const Stores stores = stores_with(redis_options(server.address()));
  const auto other = redis::make_client(redis_options(server.address()));
  for (int i = 0; i < 20; ++i) {
    BOOST_TEST((use(*stores.used_answers, std::to_string(i)) == NonceUse::first));
    ask(other, {"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    // The end may come while the next question is on its way.
    while (!failure_of([&] { look(*stores.rates, "tool", 1); }).empty()) continue;
  }
}

BOOST_AUTO_TEST_CASE(a_user_with_a_password_is_let_in_and_no_other) {
  RedisServer server(users_of_the_readme("right"));
  redis::Options options = redis_options(server.address());
  options.user = "replica";
  options.password = "right";
  options.database = 3;
  options.second_key = "a second key for tests";
  const Stores stores = stores_with(options);
  BOOST_TEST((use(*stores.used_answers, "nonce") == NonceUse::first));
  BOOST_TEST(!charge(*stores.rates, "tool", 1).has_value());
  BOOST_TEST(*find(*stores.outputs, keep(*stores.outputs, "text")) == "text");
  const auto store = redis::task_store(redis::make_client(options), {.lease = 100ms});
  const WaitedTasks tasks(store);
  BOOST_TEST(tasks.insert(task_of("a"), 1, at(0)));
  BOOST_TEST(!tasks.insert(task_of("b"), 1, at(0)));
  BOOST_TEST(answer_of<bool>([&](auto done) { store->add_answers("a", "{}", std::move(done)); }));
  BOOST_TEST(answer_of<std::vector<std::string>>([&](auto done) { store->answers("a", 0, std::move(done)); }).size() ==
             1U);
  BOOST_TEST(tasks.change("a", over(toolwire::TaskStatus::completed)));
  BOOST_TEST(tasks.insert(task_of("b"), 1, at(5'000)));
  BOOST_TEST(tasks.list(0, 10, at(0)).size() == 1U);
  options.password = "wrong";
  const std::string refused = failure_of([&] { use(*stores_with(options).used_answers, "nonce"); });
  BOOST_TEST(has(refused, "it refuses this client: WRONGPASS"));
  BOOST_TEST(!has(refused, "wrong"));
  options.user = options.password = "";
  BOOST_TEST(has(failure_of([&] { use(*stores_with(options).used_answers, "nonce"); }), "refuses this client: NOAUTH"));
}

BOOST_AUTO_TEST_CASE(a_password_alone_is_that_of_the_default_user) {
  RedisServer server("requirepass right\n");
  redis::Options options = redis_options(server.address());
  options.password = "right";
  BOOST_TEST((use(*stores_with(options).used_answers, "nonce") == NonceUse::first));
  options.database = 99;
  BOOST_TEST(has(failure_of([&] { use(*stores_with(options).used_answers, "nonce"); }), "DB index is out of range"));
}

BOOST_AUTO_TEST_CASE(a_redis_without_memory_left_keeps_no_text_and_says_so) {
  RedisServer server("maxmemory 1\nmaxmemory-policy noeviction\n");
  const Stores stores = stores_with(redis_options(server.address()));
  BOOST_TEST(has(failure_of([&] { keep(*stores.outputs, "text"); }), "Redis refuses a command: OOM"));
  BOOST_TEST(has(failure_of([&] { use(*stores.used_answers, "nonce"); }), "OOM"));
}

BOOST_AUTO_TEST_CASE(one_that_has_become_a_replica_is_left_for_who_has_taken_its_place) {
  RedisServer first;
  RedisServer second;
  const ScratchFolder folder;
  const fs::path place = folder / "redis.sock";
  const auto point_to = [&](const RedisServer& server) {
    fs::remove(place);
    fs::create_symlink(server.address().substr(std::string_view("unix:").size()), place);
  };
  point_to(first);
  const Stores stores = stores_with(redis_options("unix:" + place.string()));
  BOOST_TEST((use(*stores.used_answers, "before") == NonceUse::first));
  ask(redis::make_client(redis_options(first.address())), {"REPLICAOF", "127.0.0.1", "1"});
  BOOST_TEST(has(failure_of([&] { use(*stores.used_answers, "meanwhile"); }), "READONLY"));
  BOOST_TEST(has(failure_of([&] { charge(*stores.rates, "tool", 1); }), "READONLY"));
  point_to(second);
  failure_of([&] { use(*stores.used_answers, "on its way"); });
  BOOST_TEST((use(*stores.used_answers, "after") == NonceUse::first));
  BOOST_TEST(!charge(*stores.rates, "tool", 1).has_value());
}

BOOST_AUTO_TEST_CASE(stores_that_go_while_questions_wait_answer_them) {
  RedisServer server;
  server.stop();
  std::atomic<int> failed{0};
  constexpr int many = 100;
  {
    const auto nonces = redis::nonce_store(redis::make_client(redis_options(server.address())), "answers");
    for (int i = 0; i < many; ++i) {
      nonces->use(std::to_string(i), std::chrono::system_clock::now() + 5min,
                  toolwire::Done<NonceUse>([&](auto&& result) { failed += result.index() == 1 ? 1 : 0; }));
    }
  }
  BOOST_TEST(failed == many);
  server.go_on();
}
