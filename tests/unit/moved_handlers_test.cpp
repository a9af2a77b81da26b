// Functions that can only be moved, as tools, prompts and resources.
#include <toolwire/async.hpp>
#include <toolwire/testing.hpp>

#define BOOST_TEST_MODULE moved_handlers_test
#include <boost/test/unit_test.hpp>

#include <future>
#include <memory>
#include <string>
#include <utility>

using namespace toolwire;

namespace {

struct Who {
  std::string name;
  static constexpr auto describe() { return fields(field<&Who::name>("Whom to greet")); }
};

/// Counts its calls, as something that a lambda owns.
using Counter = std::unique_ptr<int>;
Counter counter() { return std::make_unique<int>(0); }

std::string text_of(const PromptMessages& prompt) {
  return std::string(std::string_view(prompt.messages.at(0).at("content").at("text").as_string()));
}

/// A class with a call operator that is no lambda.
struct Greeter {
  Counter count = counter();
  std::string operator()(const Who& who) { return who.name + " " + std::to_string(++*count); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(tools_keep_what_they_own_from_call_to_call) {
  Server server({"counters", "1"});
  server.tool("next", "", [count = counter()] { return ++*count; });
  server.tool("with_context", "", [count = counter()](Context&) mutable { return ++*count; });
  server.tool("greet", "", Greeter{});
  server.tool("named", "", args("by"), [count = counter()](int by) { return *count += by; });
  server.tool("reply", "",
              [count = counter()](const Who& who, Reply reply) { reply(who.name + std::to_string(++*count)); });
  server.tool("named_reply", "", args("by"),
              [count = counter()](int by, Context&, Reply reply) { reply(*count += by); });
  server.tool("async", "",
              [count = counter()](Who who) -> Async<std::string> { co_return who.name + std::to_string(++*count); });
  server.tool("named_async", "", args("by"), [count = counter()](int by) -> Async<int> { co_return * count += by; });
  server.tool("future", "", [count = counter()] {
    std::promise<int> promise;
    promise.set_value(++*count);
    return promise.get_future();
  });
  testing::Client client(server);
  for (const char* name : {"next", "with_context", "future"}) {
    BOOST_TEST(client.call<int>(name) == 1, name);
    BOOST_TEST(client.call<int>(name) == 2, name);
  }
  for (const char* name : {"named", "named_reply", "named_async"}) {
    BOOST_TEST(client.call<int>(name, {{"by", 2}}) == 2, name);
    BOOST_TEST(client.call<int>(name, {{"by", 3}}) == 5, name);
  }
  BOOST_TEST(client.call<std::string>("greet", Who{"Ann"}) == "Ann 1");
  BOOST_TEST(client.call<std::string>("greet", Who{"Bob"}) == "Bob 2");
  for (const char* name : {"reply", "async"}) {
    BOOST_TEST(client.call<std::string>(name, Who{"a"}) == "a1", name);
    BOOST_TEST(client.call<std::string>(name, Who{"b"}) == "b2", name);
  }
}

BOOST_AUTO_TEST_CASE(prompts_and_resources_do_so_too) {
  Server server({"counters", "1"});
  server.prompt("greet", "", [count = counter()](const Who& who) { return who.name + std::to_string(++*count); });
  server.prompt("later", "", [count = counter()](PromptReply reply) { reply(std::to_string(++*count)); });
  server.resource({.uri = "count:next"}, [count = counter()] { return std::to_string(++*count); });
  server.resource({.uri = "count:later"},
                  [count = counter()](ResourceReply reply) { reply(std::to_string(++*count)); });
  server.resource_template({.uri_template = "count:for/{name}"},
                           [count = counter()](const Who& who) { return who.name + std::to_string(++*count); });
  testing::Client client(server);
  for (const char* number : {"1", "2"}) {
    BOOST_TEST(text_of(client.get_prompt("greet", {{"name", "a"}})) == std::string("a") + number);
    BOOST_TEST(text_of(client.get_prompt("later")) == number);
    BOOST_TEST(read_resource(client, "count:next").at(0).contents == number);
    BOOST_TEST(read_resource(client, "count:later").at(0).contents == number);
    BOOST_TEST(read_resource(client, "count:for/b").at(0).contents == std::string("b") + number);
  }
}

BOOST_AUTO_TEST_CASE(what_a_tool_owns_goes_with_it) {
  const auto owned = std::make_shared<int>(0);
  {
    Server server({"counters", "1"});
    server.tool("next", "", [owned, count = counter()] { return ++*count; });
    BOOST_TEST(owned.use_count() == 2);
    server.remove_tool("next");
    BOOST_TEST(owned.use_count() == 1);
  }
}
