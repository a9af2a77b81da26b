// Tools that are coroutines, and tools that return a std::future.
#include <toolwire/async.hpp>
#include <toolwire/client.hpp>
#include <toolwire/server.hpp>
#include <toolwire/testing.hpp>

#define BOOST_TEST_MODULE async_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gates.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using toolwire_test::Gates;

namespace {

struct Sum {
  std::vector<int> of;
  int value = 0;
  static constexpr auto describe() { return fields(field<&Sum::of>("Summands"), field<&Sum::value>("What they make")); }
};

struct Wish {
  std::string name = {};
  int count = 1;
  static constexpr auto describe() {
    return fields(field<&Wish::name>("Of the thing"), field<&Wish::count>("How many").optional());
  }
};

struct Sure {
  bool yes = false;
  static constexpr auto describe() { return fields(field<&Sure::yes>("Whether you are")); }
};

Async<int> doubled(int number) {
  co_await delay(1ms);
  co_return 2 * number;
}

Async<std::string> name_of(const std::string& text) { co_return "<" + text + ">"; }

Async<> fails(const std::string& why) {
  co_await delay(0ms);
  throw ToolError("It cannot be: " + why);
}

Async<int> count_down(int from) {
  if (from == 0) co_return 0;
  co_return 1 + co_await count_down(from - 1);
}

/// Says when it goes, after everything else of its coroutine.
struct Leaving {
  std::shared_ptr<Gates> gates;
  Leaving(std::shared_ptr<Gates> of) : gates(std::move(of)) {}
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;
  ~Leaving() { gates->open("left"); }
};

/// Not inlined, as compilers remember the id over the waits of a coroutine.
[[gnu::noinline]] std::thread::id id_of_this_thread() {
  static std::atomic<int> calls{0};
  ++calls;
  return std::this_thread::get_id();
}

struct Bench {
  explicit Bench(ServerOptions options = {}) : server({.name = "async", .version = "1"}, std::move(options)) {}
  std::string text(std::string_view tool, const JsonObject& arguments = {}) {
    testing::Client client(server);
    return client.call(tool, arguments).text();
  }

  std::shared_ptr<Gates> gates = std::make_shared<Gates>();
  Server server;
};

Json schema_of_tool(Server& server, const std::string& name) {
  testing::Client client(server);
  for (const auto& tool : client.list_tools())
    if (tool.name == name) return tool.output_schema;
  return nullptr;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_coroutine_answers_as_a_function_does) {
  Bench bench;
  bench.server.tool("text", "Text", args("of"), [](std::string of) -> Async<std::string> {
    co_await delay(1ms);
    co_return "text of " + of;
  });
  bench.server.tool("nothing", "Nothing", []() -> Async<> { co_await delay(1ms); });
  bench.server.tool("at_once", "Waits for nothing", []() -> Async<int> { co_return 7; });
  BOOST_TEST(bench.text("text", {{"of", "a long name that no small string holds"}}) ==
             "text of a long name that no small string holds");
  BOOST_TEST(bench.text("nothing").empty());
  BOOST_TEST(bench.text("at_once") == "7");
}

BOOST_AUTO_TEST_CASE(results_and_schemas_are_those_of_the_type_that_comes) {
  Bench bench;
  const auto sum = [](int a, int b) { return Sum{{a, b}, a + b}; };
  bench.server.tool("now", "Sum", args("a", "b"), [sum](int a, int b) { return sum(a, b); });
  bench.server.tool("later", "Sum", args("a", "b"), [sum](int a, int b) -> Async<Sum> {
    co_await delay(1ms);
    co_return sum(a, b);
  });
  bench.server.tool("future", "Sum", args("a", "b"),
                    [sum](int a, int b) { return std::async(std::launch::async, [sum, a, b] { return sum(a, b); }); });
  const Json schema = schema_of_tool(bench.server, "now");
  BOOST_TEST(!schema.is_null());
  BOOST_TEST(schema_of_tool(bench.server, "later") == schema);
  BOOST_TEST(schema_of_tool(bench.server, "future") == schema);
  testing::Client client(bench.server);
  const JsonObject arguments{{"a", 1}, {"b", 2}};
  const auto now = client.call("now", arguments);
  BOOST_TEST(now.structured.has_value());
  for (const char* tool : {"later", "future"}) {
    const auto result = client.call(tool, arguments);
    BOOST_TEST((result.structured == now.structured));
    BOOST_TEST(result.text() == now.text());
  }
}

BOOST_AUTO_TEST_CASE(a_coroutine_may_refer_to_its_arguments_and_to_what_its_lambda_holds) {
  Bench bench;
  bench.server.tool("wish", "Wish", [prefix = std::string("I would like ")](const Wish& wish) -> Async<std::string> {
    co_await delay(1ms);
    co_return prefix + std::to_string(wish.count) + " " + wish.name;
  });
  bench.server.tool("texts", "Texts", args("first", "second"),
                    [](const std::string& first, const std::string& second, Context& context) -> Async<std::string> {
                      co_await delay(1ms);
                      context.progress(1);
                      co_return first + second;
                    });
  bench.server.tool({.name = "raw", .description = "JSON", .input_schema = JsonObject{{"type", "object"}}},
                    [](const Json& json) -> Async<Json> {
                      co_await delay(1ms);
                      co_return json;
                    });
  BOOST_TEST(bench.text("wish", {{"name", "apples from the garden behind the house"}, {"count", 3}}) ==
             "I would like 3 apples from the garden behind the house");
  BOOST_TEST(bench.text("texts", {{"first", "a text that has its own memory, "}, {"second", "and one more of it"}}) ==
             "a text that has its own memory, and one more of it");
  BOOST_TEST(bench.text("raw", {{"a", "b"}}) == R"({"a":"b"})");
  BOOST_TEST(bench.text("wish", {{"name", 5}}).find("name: ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(coroutines_wait_for_each_other) {
  Bench bench;
  bench.server.tool("sum", "Sum", []() -> Async<int> {
    int sum = 0;
    for (int i = 0; i < 3; ++i) sum += co_await doubled(i);
    co_return sum;
  });
  bench.server.tool("name", "A temporary lives as long as the expression", []() -> Async<std::string> {
    co_return co_await name_of(std::string("a name that is only a temporary, and long")) + co_await name_of("b");
  });
  bench.server.tool("kept", "One that was begun before", []() -> Async<int> {
    Async<int> kept = doubled(21);
    co_await delay(0ms);
    co_return co_await std::move(kept);
  });
  BOOST_TEST(bench.text("sum") == "6");
  BOOST_TEST(bench.text("name") == "<a name that is only a temporary, and long><b>");
  BOOST_TEST(bench.text("kept") == "42");
}

BOOST_AUTO_TEST_CASE(neither_depth_nor_steps_use_up_the_stack) {
  Bench bench;
  bench.server.tool("deep", "Deep", []() -> Async<int> { co_return co_await count_down(2'000); });
  bench.server.tool("long", "Long", []() -> Async<int> {
    int steps = 0;
    for (int i = 0; i < 20'000; ++i) steps += 1 + co_await count_down(0);
    co_return steps;
  });
  BOOST_TEST(bench.text("deep") == "2000");
  BOOST_TEST(bench.text("long") == "20000");
}

BOOST_AUTO_TEST_CASE(what_a_coroutine_throws_is_what_its_tool_throws) {
  ServerOptions options;
  options.on_exception = [](const std::exception_ptr& thrown) -> ToolResult {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::out_of_range&) {
      return ToolResult::error("out of range");
    }
  };
  Bench bench(options);
  bench.server.tool("fails", "Fails", []() -> Async<int> {
    co_await fails("a reason that is too long for a small string");
    co_return 1;
  });
  bench.server.tool("caught", "Catches", []() -> Async<std::string> {
    try {
      co_await fails("so");
    } catch (const ToolError& error) {
      co_return std::string("caught: ") + error.what();
    }
    co_return "nothing";
  });
  bench.server.tool("own", "Own kind", []() -> Async<> {
    co_await delay(0ms);
    throw std::out_of_range("x");
  });
  bench.server.tool("protocol", "Protocol", []() -> Async<> {
    co_await delay(0ms);
    throw ProtocolError(-32602, "no");
  });
  bench.server.tool("future", "Future", [] {
    return std::async(std::launch::async, []() -> int { throw ToolError("not in the future"); });
  });
  testing::Client client(bench.server);
  BOOST_TEST(client.call("fails").is_error);
  BOOST_TEST(client.call("fails").text() == "It cannot be: a reason that is too long for a small string");
  BOOST_TEST(client.call("caught").text() == "caught: It cannot be: so");
  BOOST_TEST(client.call("own").text() == "out of range");
  BOOST_CHECK_THROW(client.call("protocol"), ProtocolError);
  BOOST_TEST(client.call("future").text() == "not in the future");
}

BOOST_AUTO_TEST_CASE(work_runs_elsewhere_and_its_value_comes_back) {
  Bench bench;
  bench.server.tool("work", "Work", []() -> Async<std::string> {
    const std::string held = "what the work refers to, in the frame";
    const auto moved = std::make_unique<int>(5);
    const std::string made = co_await post([&held] { return held + "!"; });
    auto work = [own = std::make_unique<int>(*moved), text = made] {
      return std::make_unique<std::string>(text + std::to_string(*own));
    };
    const auto owned = co_await post(work);
    co_await post([] {});
    co_return *owned;
  });
  bench.server.tool("throws", "Throws", []() -> Async<std::string> {
    const std::string why = "a long reason, which the work refers to";
    co_await post([&why] { throw ToolError(why); });
    co_return "not reached";
  });
  BOOST_TEST(bench.text("work") == "what the work refers to, in the frame!5");
  BOOST_TEST(bench.text("throws") == "a long reason, which the work refers to");
}

BOOST_AUTO_TEST_CASE(work_runs_where_the_program_says_and_the_tool_where_the_server_does) {
  // Each runs a job on a thread of its own.
  std::vector<std::jthread> threads;
  std::thread::id of_tools;
  std::thread::id of_work;
  std::mutex mutex;
  const auto on_thread = [&](std::thread::id& seen) {
    return [&](std::function<void()> job) {
      const std::lock_guard lock(mutex);
      threads.emplace_back([&seen, &mutex, job = std::move(job)] {
        {
          const std::lock_guard inner(mutex);
          seen = std::this_thread::get_id();
        }
        job();
      });
    };
  };
  ServerOptions options;
  options.executor = on_thread(of_tools);
  Bench bench(options);
  const auto here = [&](const std::thread::id& expected) {
    const std::lock_guard lock(mutex);
    return expected == id_of_this_thread();
  };
  bench.server.tool("where", "Where", [&]() -> Async<std::string> {
    std::string where;
    where += here(of_tools) ? "t" : "-";
    where += co_await post(on_thread(of_work), [&] { return here(of_work); }) ? "w" : "-";
    where += here(of_tools) ? "t" : "-";
    co_await delay(1ms);
    where += here(of_tools) ? "t" : "-";
    where += co_await post([&] { return here(of_tools) || here(of_work); }) ? "-" : "s";
    co_return where;
  });
  BOOST_TEST(bench.text("where") == "twtts");
}

BOOST_AUTO_TEST_CASE(a_request_fails_that_the_server_has_no_thread_for) {
  std::atomic<bool> is_closed{true};
  ServerOptions options;
  options.executor = [&](const std::function<void()>& job) {
    if (is_closed) throw std::runtime_error("the pool is closed");
    job();
  };
  Bench bench(options);
  bench.server.tool("text", "Text", [] { return "text"; });
  bench.server.prompt("prompt", "Prompt", [] { return "prompt"; });
  bench.server.tool("wait", "Waits", [&, gates = bench.gates]() -> Async<std::string> {
    const Leaving leaving(gates);
    co_await delay(1ms);
    is_closed = true;
    co_await delay(1ms);
    co_return "not reached";
  });
  testing::Client client(bench.server);
  for (int i = 0; i < 2; ++i) {
    const CallResult refused = client.call("text");
    BOOST_TEST(refused.is_error);
    BOOST_TEST(refused.raw.at("_meta").at("dev.toolwire/error").at("code") == "unavailable");
    BOOST_TEST(refused.raw.at("_meta").at("dev.toolwire/error").at("retryable") == true);
    BOOST_TEST(refused.text().find("closed") == std::string::npos);
    BOOST_CHECK_EXCEPTION(client.get_prompt("prompt"), ProtocolError, [](const ProtocolError& error) {
      return error.code == error_code::internal_error && error.data.at("code") == Json("unavailable");
    });
  }
  is_closed = false;
  BOOST_TEST(client.call("text").text() == "text");
  BOOST_CHECK_EXCEPTION(client.call("wait"), ProtocolError,
                        [](const ProtocolError& error) { return error.code == error_code::internal_error; });
  bench.gates->wait("left", {});
  is_closed = false;
  BOOST_TEST(client.call("text").text() == "text");
}

BOOST_AUTO_TEST_CASE(a_cancelled_coroutine_ends_where_it_waits) {
  Bench bench;
  bench.server.tool("wait", "Wait", [gates = bench.gates]() -> Async<> {
    const Leaving leaving(gates);
    gates->open("waits");
    try {
      co_await delay(1h);
    } catch (const Cancelled&) {
      gates->open("told");
      throw;
    }
  });
  testing::Client client(bench.server);
  CallHandle call = client.start_call("wait");
  bench.gates->wait("waits", {});
  call.cancel();
  bench.gates->wait("told", {});
  bench.gates->wait("left", {});
  BOOST_CHECK_THROW(call.wait(), CancelledError);
}

BOOST_AUTO_TEST_CASE(a_deadline_is_answered_and_ends_the_coroutine) {
  Bench bench;
  bench.server.tool({.name = "wait", .description = "Wait", .timeout = 20ms}, [gates = bench.gates]() -> Async<> {
    const Leaving leaving(gates);
    co_await delay(1h);
  });
  BOOST_TEST(bench.text("wait").find("0.02 s") != std::string::npos);
  bench.gates->wait("left", {});
}

BOOST_AUTO_TEST_CASE(work_that_has_begun_is_waited_for) {
  Bench bench;
  bench.server.tool("work", "Work", [gates = bench.gates](Context& context) -> Async<> {
    const Leaving leaving(gates);
    std::string held = "in the frame";
    const bool stopped = co_await post([&] {
      gates->open("works");
      gates->wait("never opened", context.stop_token());
      held += ", still";
      return context.stop_requested();
    });
    if (stopped && held == "in the frame, still") gates->open("has its value");
    co_await delay(1h);
  });
  testing::Client client(bench.server);
  CallHandle call = client.start_call("work");
  bench.gates->wait("works", {});
  call.cancel();
  bench.gates->wait("has its value", {});
  bench.gates->wait("left", {});
}

BOOST_AUTO_TEST_CASE(work_that_has_not_begun_is_dropped) {
  Bench bench;
  std::mutex mutex;
  std::vector<std::function<void()>> kept;
  bool ran = false;
  bench.server.tool("work", "Work", [&, gates = bench.gates]() -> Async<> {
    const Leaving leaving(gates);
    const auto keep = [&](std::function<void()> job) {
      const std::lock_guard lock(mutex);
      kept.push_back(std::move(job));
      gates->open("kept");
    };
    co_await post(keep, [&ran] { ran = true; });
  });
  testing::Client client(bench.server);
  CallHandle call = client.start_call("work");
  bench.gates->wait("kept", {});
  call.cancel();
  bench.gates->wait("left", {});
  for (const auto& job : kept) job();
  BOOST_TEST(!ran);
}

BOOST_AUTO_TEST_CASE(coroutines_that_wait_hold_no_thread) {
  ServerOptions options;
  options.threads = 1;
  Bench bench(options);
  std::atomic<int> waiting{0};
  bench.server.tool("wait", "Wait", [&]() -> Async<int> {
    ++waiting;
    while (waiting < 50) co_await delay(1ms);
    co_return waiting.load();
  });
  testing::Client client(bench.server);
  std::vector<CallHandle> calls;
  calls.reserve(50);
  for (int i = 0; i < 50; ++i) calls.push_back(client.start_call("wait"));
  for (CallHandle& call : calls) BOOST_TEST(call.wait().text() == "50");
}

BOOST_AUTO_TEST_CASE(a_server_without_threads_waits_in_the_place_of_its_tools) {
  ServerOptions options;
  options.threads = 0;
  Bench bench(options);
  bench.server.tool("wait", "Wait", []() -> Async<int> {
    int sum = 0;
    for (int i = 0; i < 10; ++i) sum += co_await doubled(i);
    co_return sum + co_await post([] { return 1; });
  });
  bench.server.tool("future", "Future", [] { return std::async(std::launch::deferred, [] { return 5; }); });
  BOOST_TEST(bench.text("wait") == "91");
  BOOST_TEST(bench.text("future") == "5");
}

BOOST_AUTO_TEST_CASE(a_coroutine_asks_by_what_it_returns) {
  Bench bench;
  bench.server.tool("ask", "Ask", [](Context& context) -> Async<Outcome<std::string>> {
    co_await delay(1ms);
    const auto answer = context.answer<Sure>("sure");
    if (!answer) co_return ask<Sure>("sure", "Are you?");
    co_return answer->accepted() && answer->value->yes ? "sure" : "not sure";
  });
  ClientOptions options;
  options.on_elicitation = [](const Elicitation&) {
    return ElicitationReply{ElicitationReply::Action::accept, JsonObject{{"yes", true}}};
  };
  testing::Client client(bench.server, options);
  BOOST_TEST(client.call("ask").text() == "sure");
}

BOOST_AUTO_TEST_CASE(middleware_sees_what_a_coroutine_comes_to) {
  Bench bench;
  bench.server.around_call([](CallRequest&, Context&, Next next) {
    next.then([](AnyOutcome& outcome) { std::get<ToolResult>(outcome).add_text("seen"); });
  });
  bench.server.tool("value", "Value", []() -> Async<std::string> {
    co_await delay(1ms);
    co_return "value";
  });
  bench.server.tool("error", "Error", []() -> Async<> { co_await fails("x"); });
  testing::Client client(bench.server);
  BOOST_TEST(client.call("value").content.size() == 2u);
  BOOST_TEST(client.call("error").content.size() == 2u);
}

BOOST_AUTO_TEST_CASE(serial_coroutines_take_their_turns) {
  Bench bench;
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  bench.server.tool({.name = "turn", .description = "Turn", .serial = true}, [&]() -> Async<> {
    most = std::max(most.load(), ++inside);
    co_await delay(2ms);
    --inside;
  });
  testing::Client client(bench.server);
  std::vector<CallHandle> calls;
  calls.reserve(5);
  for (int i = 0; i < 5; ++i) calls.push_back(client.start_call("turn"));
  for (CallHandle& call : calls) call.wait();
  BOOST_TEST(most == 1);
}

BOOST_AUTO_TEST_CASE(what_waits_when_serving_has_ended_is_destroyed) {
  auto gates = std::make_shared<Gates>();
  {
    ServerOptions options;
    options.limits.drain = 10ms;
    Bench bench(options);
    bench.server.tool("deaf", "Waits for somebody who forgets it", [gates]() -> Async<> {
      const Leaving leaving(gates);
      const auto forget = [&gates](const std::function<void()>&) { gates->open("waits"); };
      co_await post(forget, [] {});
    });
    testing::Client client(bench.server);
    client.start_call("deaf");
    gates->wait("left", {});
  }
  {
    ServerOptions options;
    options.limits.drain = 10ms;
    Bench bench(options);
    bench.server.tool("wait", "Waits long", [gates]() -> Async<> {
      const Leaving leaving(gates);
      gates->open("waits long");
      co_await delay(1h);
    });
    testing::Client client(bench.server);
    const CallHandle call = client.start_call("wait");
    gates->wait("waits long", {});
  }
}

// Futures

BOOST_AUTO_TEST_CASE(futures_of_every_origin_are_answered) {
  Bench bench;
  bench.server.tool("async", "Async", args("of"), [](const std::string& of) {
    return std::async(std::launch::async, [&of] { return "text of " + of; });  // the arguments are there yet
  });
  bench.server.tool("deferred", "Deferred", [] { return std::async(std::launch::deferred, [] { return 3; }); });
  bench.server.tool("promise", "Promise", [] {
    std::promise<std::string> promise;
    promise.set_value("kept");
    return promise.get_future();
  });
  bench.server.tool("broken", "Broken", [] { return std::promise<int>().get_future(); });
  bench.server.tool("none", "None", [] { return std::future<int>(); });
  bench.server.tool("nothing", "Nothing", [] { return std::async(std::launch::async, [] {}); });
  testing::Client client(bench.server);
  BOOST_TEST(client.call("async", {{"of", "a text with a memory of its own"}}).text() ==
             "text of a text with a memory of its own");
  BOOST_TEST(client.call("deferred").text() == "3");
  BOOST_TEST(client.call("promise").text() == "kept");
  BOOST_TEST(client.call("broken").is_error);
  BOOST_TEST(client.call("none").is_error);
  BOOST_TEST(client.call("nothing").text().empty());
}

BOOST_AUTO_TEST_CASE(a_future_that_never_is_ready_holds_up_nobody) {
  const auto gates = std::make_shared<Gates>();
  auto held = std::make_shared<int>();
  const std::weak_ptr<int> seen = held;
  {
    ServerOptions options;
    options.limits.drain = 10ms;
    Bench bench(options);
    bench.server.tool({.name = "late", .description = "Late", .timeout = 20ms}, args("text"),
                      [gates, held](const std::string& text, Context& context) {
                        return std::async(std::launch::async, [gates, held, &text, &context] {
                          gates->wait("go on", {});
                          if (text == "a text that belongs to the call" && context.stop_requested())
                            gates->open("was told");
                        });
                      });
    BOOST_TEST(bench.text("late", {{"text", "a text that belongs to the call"}}).find("0.02 s") != std::string::npos);
    testing::Client client(bench.server);
    CallHandle call = client.start_call("late", {{"text", "a text that belongs to the call"}});
    call.cancel();
    BOOST_CHECK_THROW(call.wait(), CancelledError);
  }
  gates->open("go on");  // the server has gone, and nobody has waited
  gates->wait("was told", {});
  held.reset();
  Bench bench;  // what was left goes with the next one that ends
  bench.server.tool("late", "Late", [] { return std::async(std::launch::async, [] {}); });
  while (!seen.expired()) BOOST_TEST(bench.text("late").empty());  // the test's own time limit ends it
}

BOOST_AUTO_TEST_CASE(a_delay_that_does_not_end_is_ended_by_the_deadline) {
  Server server{{"async", "1"}};
  server.tool({.name = "wait", .timeout = 20ms}, []() -> Async<std::string> {
    co_await delay(std::chrono::steady_clock::duration::max());
    co_return "the time is over";
  });
  const CallResult result = testing::Client{server}.call("wait");
  BOOST_TEST(result.is_error);
  BOOST_TEST(result.text().find("timed out") != std::string::npos, result.text());
}

BOOST_AUTO_TEST_CASE(a_full_result_that_comes_later_fits_the_schema_of_the_typed_one) {
  Server server{{"async", "1"}};
  server.tool("text", "A text", []() -> Async<Outcome<Wish>> { co_return ToolResult::text("none"); });
  server.tool("wish", "A wish", []() -> Async<Outcome<Wish>> { co_return Wish{.name = "hat"}; });
  testing::Client client{server};
  BOOST_TEST(client.call("text").is_error);
  BOOST_TEST(client.call("wish").structured->at("name") == Json("hat"));
}
