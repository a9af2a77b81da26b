// ServerOptions::on_exception: what a program makes of the exceptions of its own kinds.
#include <toolwire/server.hpp>

#define BOOST_TEST_MODULE on_exception_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <exception>
#include <stdexcept>
#include <string>

#include "toolwire/testing.hpp"

using namespace toolwire;

namespace {

/// As a library of the program throws it: not derived from std::exception.
struct OutOfStock {
  int item;
};
struct Closed {};

struct Fixture {
  Fixture()
      : server({.name = "shop", .version = "1"}, {.on_exception = [this](std::exception_ptr thrown) {
                 ++asked;
                 return translate(thrown);
               }}) {
    server.tool("buy", "Buys", []() -> std::string { throw OutOfStock{7}; });
    server.tool("buy_later", "Buys", [](Reply) { throw OutOfStock{8}; });
    server.tool("enter", "Enters", []() -> std::string { throw Closed{}; });
    server.tool("break", "Breaks", []() -> std::string { throw std::logic_error("a secret of the shop"); });
    server.tool("advise", "Advises", []() -> std::string { throw ToolError("try tomorrow"); });
    server.tool("refuse", "Refuses", []() -> std::string { throw ProtocolError(-32000, "refused"); });
    server.tool("add", "Adds", args("a"), [](int a) { return a; });
  }

  static ToolResult translate(const std::exception_ptr& thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const OutOfStock& error) {
      return failure("out_of_stock", "There is no item " + std::to_string(error.item), false);
    } catch (const Closed&) {
      throw ProtocolError(-32001, "closed");
    }
  }

  CallResult call(const std::string& tool) { return testing::Client(server).call(tool); }
  int error_of(const std::string& tool) {
    try {
      call(tool);
    } catch (const ProtocolError& error) {
      return error.code;
    }
    return 0;
  }

  std::atomic<int> asked = 0;
  Server server;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_program_says_what_its_own_exceptions_mean, Fixture) {
  const CallResult result = call("buy");
  BOOST_TEST(result.is_error);
  BOOST_TEST(result.text() == "There is no item 7");
  BOOST_TEST(to_json_text(result.raw).find("out_of_stock") != std::string::npos);
  BOOST_TEST(call("buy_later").text() == "There is no item 8");
  BOOST_TEST(asked == 2);
}

BOOST_FIXTURE_TEST_CASE(what_it_lets_out_is_treated_as_ever, Fixture) {
  const CallResult result = call("break");
  BOOST_TEST(result.is_error);
  BOOST_TEST(result.text().find("failed unexpectedly") != std::string::npos);
  BOOST_TEST(result.text().find("secret") == std::string::npos);
  BOOST_TEST(asked == 1);
}

BOOST_FIXTURE_TEST_CASE(it_may_end_the_call_with_an_error_of_the_protocol, Fixture) {
  BOOST_TEST(error_of("enter") == -32001);
  server.around_call([](CallRequest&, Context&, Next next) { next.then([](AnyOutcome&) {}); });
  BOOST_TEST(error_of("enter") == -32001);
  BOOST_TEST(asked == 2);
}

BOOST_FIXTURE_TEST_CASE(it_is_not_asked_about_exceptions_of_the_framework, Fixture) {
  BOOST_TEST(call("advise").text() == "try tomorrow");
  BOOST_TEST(error_of("refuse") == -32000);
  BOOST_TEST(testing::Client(server).call("add", {{"a", "x"}}).text().find("expected") != std::string::npos);
  BOOST_TEST(asked == 0);
}

BOOST_FIXTURE_TEST_CASE(it_is_asked_once_whoever_looks_at_the_outcome, Fixture) {
  std::atomic<int> seen = 0;
  std::atomic<int> thrown = 0;
  const auto look = [&](CallRequest&, Context&, Next next) {
    next.then([&](AnyOutcome& outcome) {
      const auto* const result = std::get_if<ToolResult>(&outcome);
      if (result != nullptr && result->is_error) ++seen;
    });
  };
  server.around_request([&](AnyRequest&, Context&, RequestNext next) {
    next.then([&](AnyRequestOutcome& outcome) { thrown += outcome.thrown ? 1 : 0; });
  });
  server.around_call(look);
  server.around_call(look);
  BOOST_TEST(call("buy").text() == "There is no item 7");
  BOOST_TEST(seen == 2);
  BOOST_TEST(thrown == 1);
  BOOST_TEST(asked == 1);
}
