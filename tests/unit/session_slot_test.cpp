// Context::session: what a connection keeps for the program.
#include <toolwire/server.hpp>

#define BOOST_TEST_MODULE session_slot_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "toolwire/testing.hpp"

using namespace toolwire;

namespace {

/// What a client has put into it. Thread-safe.
class Cart {
 public:
  Cart() { ++made; }
  ~Cart() { --made; }
  Cart(const Cart&) = delete;
  Cart& operator=(const Cart&) = delete;
  std::size_t add(std::string item) {
    const std::lock_guard lock(mutex_);
    items_.push_back(std::move(item));
    return items_.size();
  }

  static inline std::atomic<int> made = 0;  // and not destroyed yet

 private:
  std::mutex mutex_;
  std::vector<std::string> items_;
};

struct Fixture {
  Fixture() : server({.name = "shop", .version = "1"}) {
    server.tool("put", "Puts into the cart", args("item"), [](std::string item, Context& context) {
      return context.session().slot<Cart>()->add(std::move(item));
    });
    server.tool("number", "Which connection", [](Context& context) { return context.session().id(); });
    server.tool("free", "Needs none", [] { return "free"; });
  }
  Server server;
};

std::size_t put(Client& client, const std::string& item) { return client.call<std::size_t>("put", {{"item", item}}); }

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_connection_finds_what_it_has_left, Fixture) {
  for (const char* const revision : {"2025-11-25", "2026-07-28"}) {
    testing::Client client(server, {.revision = revision});
    testing::Client other(server, {.revision = revision});
    BOOST_TEST(put(client, "apple") == 1u);
    BOOST_TEST(put(client, "pear") == 2u);
    BOOST_TEST(put(other, "plum") == 1u);
    BOOST_TEST(client.call<std::uint64_t>("number") != other.call<std::uint64_t>("number"));
  }
}

BOOST_FIXTURE_TEST_CASE(it_goes_with_the_connection, Fixture) {
  {
    testing::Client client(server);
    client.call("free");
    BOOST_TEST(Cart::made == 0);
    put(client, "apple");
    BOOST_TEST(Cart::made == 1);
  }
  BOOST_TEST(Cart::made == 0);
}

BOOST_AUTO_TEST_CASE(there_is_one_of_each_type) {
  struct Other {
    int value = 1;
  };
  Session session(5);
  BOOST_TEST(session.id() == 5u);
  const auto cart = session.slot<Cart>();
  BOOST_TEST(session.slot<Cart>() == cart);
  session.slot<Other>()->value = 2;
  BOOST_TEST(session.slot<Other>()->value == 2);
}

BOOST_AUTO_TEST_CASE(one_may_be_made_of_another) {
  struct Basket {};
  static Session session(1);
  struct Order {
    std::shared_ptr<Basket> basket = session.slot<Basket>();
  };
  BOOST_TEST(session.slot<Order>()->basket == session.slot<Basket>());
}

BOOST_AUTO_TEST_CASE(many_threads_find_the_same) {
  Session session(1);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { session.slot<Cart>()->add("x"); });
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(Cart::made == 1);
  BOOST_TEST(session.slot<Cart>()->add("last") == 9u);
}

BOOST_AUTO_TEST_CASE(one_that_cannot_be_made_is_tried_again) {
  static bool fails = true;
  struct Fragile {
    Fragile() {
      if (fails) throw std::runtime_error("not now");
    }
  };
  Session session(1);
  BOOST_CHECK_THROW(session.slot<Fragile>(), std::runtime_error);
  fails = false;
  BOOST_TEST(session.slot<Fragile>() != nullptr);
}

BOOST_AUTO_TEST_CASE(a_context_without_a_server_has_a_session_too) {
  const JsonObject none;
  Context context({}, none, none);
  BOOST_TEST(context.session().id() == 0u);
  context.session().slot<Cart>()->add("x");
  BOOST_TEST(context.session().slot<Cart>()->add("y") == 2u);
}
