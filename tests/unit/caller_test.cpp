// Who calls: known at once, later or not at all. What outlives a request belongs to its caller alone.
#define BOOST_TEST_MODULE caller_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "toolwire/client_options.hpp"
#include "toolwire/testing.hpp"

using namespace std::chrono_literals;
using namespace toolwire;

namespace {

using Held = std::shared_ptr<Done<Principal>>;

struct Approved {
  bool yes = false;
  static constexpr auto describe() { return fields(field<&Approved::yes>("Whether to")); }
};

/// The caller is whom `_meta` of the request names, unless a test has another way.
struct Fixture {
  explicit Fixture(std::int64_t calls_per_minute = 0)
      : server({.name = "s", .version = "1"}, options(calls_per_minute)) {
    server.tool({.name = "who", .description = "Tells who calls"},
                [this](Context& context) { return ++ran, "<" + context.principal().id + ">"; });
    server.tool({.name = "rated", .description = "Once a minute", .rate_per_minute = 1}, [] { return "done"; });
    server.tool({.name = "approved", .description = "Asks"}, [](Context& context) -> Outcome<std::string> {
      if (!context.answer<Approved>("sure")) return ask<Approved>("sure", "Sure?");
      return "approved for " + context.principal().id;
    });
    server.tool({.name = "long", .description = "Says a lot", .output_budget = OutputBudget{.lines = 2, .bytes = 100}},
                [] { return "1\n2\n3\n4\n"; });
    server.tool({.name = "slow", .description = "Runs as a task", .long_running = true},
                [](Context& context) { return "for " + context.principal().id; });
  }

  ServerOptions options(std::int64_t calls_per_minute) {
    ServerOptions options;
    options.calls_per_minute = calls_per_minute;
    options.identify = [this](const UnidentifiedRequest& request, Done<Principal> done) {
      {
        const std::lock_guard lock(mutex);
        asked.emplace_back(request.method);
      }
      how(request, std::move(done));
    };
    options.kept_output = 1 << 20;
    options.page = 2;
    return options;
  }

  static JsonObject as(const std::string& caller, JsonObject params) {
    params["_meta"] = JsonObject{{"caller", caller}};
    return params;
  }
  static Json call(testing::Client& client, const std::string& caller, const char* tool, JsonObject arguments = {},
                   JsonObject more = {}) {
    more["name"] = tool;
    more["arguments"] = std::move(arguments);
    return client.request("tools/call", as(caller, std::move(more)));
  }
  static std::string text_of(const Json& result) {
    return std::string(result.at("content").at(0).at("text").get_string());
  }

  /// Keeps the next Done until the server has gone on to other things: a ping that came later is answered.
  Held asked_and_left(testing::Client& client) {
    Held held = kept.get_future().get();
    client.ping();
    return held;
  }
  void keep_the_next() {
    how = [this](const UnidentifiedRequest&, Done<Principal> done) {
      kept.set_value(std::make_shared<Done<Principal>>(std::move(done)));
    };
  }

  std::atomic<int> ran{0};
  std::mutex mutex;
  std::vector<std::string> asked;
  std::promise<Held> kept;
  std::function<void(const UnidentifiedRequest&, Done<Principal>)> how = [](const UnidentifiedRequest& request,
                                                                            Done<Principal> done) {
    const Json* const caller = request.meta.if_contains("caller");
    done(caller != nullptr ? std::string(caller->get_string()) : std::string());
  };
  Server server;
};

const ClientOptions legacy{.revision = "2025-11-25"};
const ClientOptions modern{.revision = "2026-07-28", .capabilities = {{"elicitation", JsonObject{}}}};

bool is_unavailable(const ProtocolError& error) {
  return error.code == error_code::internal_error && error.data.at("code") == Json("unavailable");
}
bool is_of_params(const ProtocolError& error) { return error.code == error_code::invalid_params; }

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_tool_is_told_who_calls, Fixture) {
  for (const ClientOptions& options : {legacy, modern}) {
    testing::Client client(server, options);
    BOOST_TEST(text_of(call(client, "ann", "who")) == "<ann>");
    BOOST_TEST(text_of(call(client, "bob", "who")) == "<bob>");
    BOOST_TEST(client.call("who").text() == "<>");
  }
}

BOOST_FIXTURE_TEST_CASE(of_all_requests_but_the_first_it_is_asked_who_calls, Fixture) {
  testing::Client client(server, legacy);
  client.ping();
  BOOST_TEST(asked.empty());
  client.list_tools();
  call(client, "ann", "who");
  BOOST_TEST(asked.size() >= 2U);
  BOOST_TEST(asked.front() == "tools/list");
  BOOST_TEST(asked.back() == "tools/call");
}

BOOST_FIXTURE_TEST_CASE(a_request_waits_until_it_is_known_who_calls, Fixture) {
  testing::Client client(server, legacy);
  keep_the_next();
  CallHandle running = client.start_call("who");
  const Held held = asked_and_left(client);
  BOOST_TEST(ran == 0);
  (*held)("ann");
  BOOST_TEST(running.wait().text() == "<ann>");
}

BOOST_FIXTURE_TEST_CASE(a_request_that_is_cancelled_meanwhile_has_no_effect, Fixture) {
  testing::Client client(server, legacy);
  keep_the_next();
  CallHandle running = client.start_call("who");
  const Held held = asked_and_left(client);
  running.cancel();
  client.ping();  // the cancellation has been read
  (*held)("ann");
  BOOST_CHECK_THROW(running.wait(), CancelledError);
  how = [](const UnidentifiedRequest&, Done<Principal> done) { done("bob"); };
  BOOST_TEST(client.call("who").text() == "<bob>");
  BOOST_TEST(ran == 1);
}

BOOST_FIXTURE_TEST_CASE(who_is_refused_reads_why, Fixture) {
  testing::Client client(server, legacy);
  const auto is_refusal = [](const ProtocolError& error) { return error.code == -32050; };
  const auto refusal = std::make_exception_ptr(ProtocolError(-32050, "Nobody we know"));
  how = [&](const UnidentifiedRequest&, Done<Principal> done) { done.fail(refusal); };
  BOOST_CHECK_EXCEPTION(client.call("who"), ProtocolError, is_refusal);
  how = [](const UnidentifiedRequest&, Done<Principal>) { throw ProtocolError(-32050, "Nobody we know"); };
  BOOST_CHECK_EXCEPTION(client.call("who"), ProtocolError, is_refusal);
  BOOST_CHECK_EXCEPTION(client.list_tools(), ProtocolError, is_refusal);
  keep_the_next();
  CallHandle running = client.start_call("who");
  asked_and_left(client)->fail(refusal);
  BOOST_CHECK_EXCEPTION(running.wait(), ProtocolError, is_refusal);
  BOOST_TEST(ran == 0);
}

BOOST_FIXTURE_TEST_CASE(without_an_answer_nothing_is_done, Fixture) {
  testing::Client client(server, legacy);
  how = [](const UnidentifiedRequest&, Done<Principal>) { throw std::runtime_error("a secret of the server"); };
  BOOST_CHECK_EXCEPTION(client.call("who"), ProtocolError, is_unavailable);
  how = [](const UnidentifiedRequest&, Done<Principal>) {};
  BOOST_CHECK_EXCEPTION(client.call("who"), ProtocolError, is_unavailable);
  how = [](const UnidentifiedRequest&, Done<Principal> done) {
    done.fail(std::make_exception_ptr(std::runtime_error("a secret of the server")));
  };
  BOOST_CHECK_EXCEPTION(client.call("who"), ProtocolError, [](const ProtocolError& error) {
    return is_unavailable(error) && std::string(error.what()).find("secret") == std::string::npos;
  });
  for (const std::string& name :
       {std::string(max_principal_id + 1, 'a'), std::string("ann\nbob"), std::string("\xff")}) {
    how = [&](const UnidentifiedRequest&, Done<Principal> done) { done(name); };
    BOOST_CHECK_EXCEPTION(client.call("who"), ProtocolError, is_unavailable);
  }
  BOOST_TEST(ran == 0);
  how = [](const UnidentifiedRequest&, Done<Principal> done) { done(std::string(max_principal_id, 'a')); };
  BOOST_TEST(client.call("who").text().size() == max_principal_id + 2);
}

BOOST_AUTO_TEST_CASE(nobody_waits_for_ever_to_be_known) {
  Held held;
  std::atomic<int> ran{0};
  ServerOptions options;
  options.limits.identify = 50ms;
  options.identify = [&](const UnidentifiedRequest&, Done<Principal> done) {
    held = std::make_shared<Done<Principal>>(std::move(done));
  };
  Server server({.name = "s", .version = "1"}, options);
  server.tool("who", "", [&] { return ++ran, "done"; });
  testing::Client client(server, legacy);
  BOOST_CHECK_EXCEPTION(client.call("who"), ProtocolError, is_unavailable);
  (*held)("ann");
  client.ping();
  BOOST_TEST(ran == 0);
}

BOOST_FIXTURE_TEST_CASE(the_answers_of_one_caller_are_not_anothers, Fixture) {
  testing::Client client(server, modern);
  const Json questions = call(client, "ann", "approved");
  const JsonObject answered{
      {"requestState", questions.at("requestState")},
      {"inputResponses",
       JsonObject{{"sure", JsonObject{{"action", "accept"}, {"content", JsonObject{{"yes", true}}}}}}}};
  for (const char* const other : {"bob", ""})
    BOOST_CHECK_EXCEPTION(call(client, other, "approved", {}, answered), ProtocolError, is_of_params);
  BOOST_TEST(text_of(call(client, "ann", "approved", {}, answered)) == "approved for ann");
}

BOOST_FIXTURE_TEST_CASE(what_nobody_in_particular_was_asked_a_caller_does_not_answer, Fixture) {
  testing::Client client(server, modern);
  const Json questions = call(client, "", "approved");
  BOOST_CHECK_EXCEPTION(call(client, "ann", "approved", {}, {{"requestState", questions.at("requestState")}}),
                        ProtocolError, is_of_params);
}

BOOST_FIXTURE_TEST_CASE(each_caller_has_a_rate_of_its_own, Fixture) {
  testing::Client client(server, legacy);
  for (const char* const caller : {"ann", "bob", ""}) {
    BOOST_TEST(text_of(call(client, caller, "rated")) == "done");
    BOOST_TEST(text_of(call(client, caller, "rated")).starts_with("\"rated\" may be called 1 times a minute"));
  }
}

struct LimitedFixture : Fixture {
  LimitedFixture() : Fixture(3) {}
};

BOOST_FIXTURE_TEST_CASE(all_calls_of_a_caller_together_have_a_bound, LimitedFixture) {
  testing::Client client(server, legacy);
  for (const char* const caller : {"ann", "bob", ""}) {
    BOOST_TEST(text_of(call(client, caller, "rated")) == "done");
    BOOST_TEST(text_of(call(client, caller, "rated")).starts_with("\"rated\" may be called 1 times"));  // and counts
    BOOST_TEST(text_of(call(client, caller, "who")) == "<" + std::string(caller) + ">");
    for (const char* const tool : {"who", "rated", "long"})
      BOOST_TEST(text_of(call(client, caller, tool)).starts_with("You may call tools 3 times a minute; try again in "));
  }
  BOOST_TEST(ran == 3);
}

BOOST_FIXTURE_TEST_CASE(a_call_that_goes_on_with_an_answer_is_not_counted_again, LimitedFixture) {
  testing::Client client(server, modern);
  for (int i = 0; i < 3; ++i) {
    const Json questions = call(client, "ann", "approved");
    const JsonObject answered{
        {"requestState", questions.at("requestState")},
        {"inputResponses",
         JsonObject{{"sure", JsonObject{{"action", "accept"}, {"content", JsonObject{{"yes", true}}}}}}}};
    BOOST_TEST(text_of(call(client, "ann", "approved", {}, answered)) == "approved for ann");
  }
  BOOST_TEST(text_of(call(client, "ann", "who")).starts_with("You may call tools"));
}

BOOST_FIXTURE_TEST_CASE(a_task_is_its_callers, Fixture) {
  testing::Client client(server, legacy);
  const auto begin = [&](const char* caller) {
    const Json begun = call(client, caller, "slow", {}, {{"task", JsonObject{}}});
    return std::string(begun.at("task").at("taskId").get_string());
  };
  const std::string anns = begin("ann");
  const std::string nobodys = begin("");
  const auto refuse = [&](const char* caller, const std::string& id) {
    for (const char* const method : {"tasks/get", "tasks/result", "tasks/cancel"})
      BOOST_CHECK_EXCEPTION(client.request(method, as(caller, {{"taskId", id}})), ProtocolError, is_of_params);
  };
  refuse("bob", anns);
  refuse("", anns);
  refuse("bob", nobodys);
  refuse("ann", anns.substr(0, anns.find('.')));
  BOOST_TEST(anns.find("ann") == std::string::npos);
  BOOST_TEST(text_of(client.request("tasks/result", as("ann", {{"taskId", anns}}))) == "for ann");
  BOOST_TEST(text_of(client.request("tasks/result", as("", {{"taskId", nobodys}}))) == "for ");
}

BOOST_FIXTURE_TEST_CASE(only_its_own_tasks_are_listed_to_a_caller, Fixture) {
  testing::Client client(server, legacy);
  for (const char* const caller : {"ann", "bob", "bob", "bob", "bob", "ann", "ann", "bob"})
    call(client, caller, "slow", {}, {{"task", JsonObject{}}});
  const auto pages = [&](const char* caller) {
    std::string sizes;
    JsonObject params;
    for (;;) {
      const Json page = client.request("tasks/list", as(caller, params));
      sizes += std::to_string(page.at("tasks").get_array().size());
      const Json* const next = page.get_object().if_contains("nextCursor");
      if (next == nullptr) return sizes;
      params["cursor"] = *next;
    }
  };
  BOOST_TEST(pages("ann") == "21");
  BOOST_TEST(pages("bob") == "221");
  BOOST_TEST(pages("eve") == "0");
}

BOOST_FIXTURE_TEST_CASE(a_kept_output_is_its_callers, Fixture) {
  testing::Client client(server, legacy);
  for (const char* const caller : {"ann", ""}) {
    const Json cut = call(client, caller, "long");
    const JsonObject arguments{{"cursor", cut.at("_meta").at("dev.toolwire/output").at("cursor")}};
    BOOST_TEST(call(client, "bob", "read_output", arguments).at("isError") == Json(true));
    BOOST_TEST(call(client, *caller == '\0' ? "ann" : "", "read_output", arguments).at("isError") == Json(true));
    BOOST_TEST(text_of(call(client, caller, "read_output", arguments)) == "3\n4\n");
  }
}

BOOST_FIXTURE_TEST_CASE(middleware_sees_who_calls, Fixture) {
  std::vector<std::string> seen;
  server.around_request([&](AnyRequest& request, Context& context, RequestNext next) {
    seen.push_back(std::string(request.method) + " " + context.principal().id);
    next();
  });
  testing::Client client(server, legacy);
  call(client, "ann", "who");
  client.request("tools/list", as("bob", {}));
  BOOST_TEST(seen == (std::vector<std::string>{"tools/call ann", "tools/list bob"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_list_that_middleware_makes_is_for_its_caller_alone, Fixture) {
  server.around_request([](AnyRequest&, Context&, RequestNext next) { next(); });
  testing::Client client(server, modern);
  BOOST_TEST(client.request("tools/list", as("ann", {})).at("cacheScope") == Json("private"));
}

BOOST_AUTO_TEST_CASE(who_wants_to_sees_the_calls_that_are_refused_for_their_rate) {
  std::vector<std::string> refused;
  Fixture fixture(3);
  fixture.server.on_refused_call([&refused](const CallRequest& call, Context& context, const ToolResult& answer) {
    const Json& error = answer.meta.at("dev.toolwire/error");
    refused.push_back(call.tool + " of " + context.principal().id + " with " + to_json_text(call.arguments) + ": " +
                      std::string(error.at("code").get_string()));
  });
  fixture.server.on_refused_call(
      [](const CallRequest&, Context&, const ToolResult&) { throw std::runtime_error("no"); });
  for (const ClientOptions& options : {legacy, modern}) {
    refused.clear();
    const std::string caller = "of " + options.revision;
    testing::Client client{fixture.server, options};
    Fixture::call(client, caller, "rated");
    Fixture::call(client, caller, "rated", {{"a", 1}});
    Fixture::call(client, caller, "who");
    BOOST_TEST(Fixture::call(client, caller, "who").at("isError") == Json(true));
    BOOST_TEST(refused == (std::vector<std::string>{"rated of " + caller + " with {\"a\":1}: rate_limited",
                                                    "who of " + caller + " with {}: rate_limited"}),
               boost::test_tools::per_element());
  }
  BOOST_TEST(fixture.ran == 2);
}
