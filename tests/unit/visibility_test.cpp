// Tools, prompts and resources that are not there for everybody: ToolInfo::visible and its like. What is hidden is
// neither listed nor otherwise told from what has never been registered, in all revisions, over streams and over HTTP.
#include <toolwire/server.hpp>

#define BOOST_TEST_MODULE visibility_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <toolwire/json_members.hpp>
#include "heard_client.hpp"
#include "http_recorder.hpp"
#include "toolwire/testing.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using toolwire_test::HeardClient;

namespace {

const std::string newest = "2026-07-28";

/// What a connection has unlocked.
struct Unlocked {
  std::atomic<bool> yes{false};
};

bool has_unlocked(Context& context) { return context.session().slot<Unlocked>()->yes; }

struct Note {
  std::string name;
  static constexpr auto describe() { return fields(field<&Note::name>("Of the note")); }
};

/// Everything has one that is there for everybody and one, its name with "secret" in it, for those who have unlocked.
struct Fixture {
  explicit Fixture(ServerOptions options = {}) : server({.name = "vault", .version = "1"}, std::move(options)) {
    server.tool("unlock", "Shows the rest", [](Context& context) {
      context.session().slot<Unlocked>()->yes = true;
      context.session().visibility_changed();
      return "unlocked";
    });
    server.tool({.name = "secret", .description = "Hidden", .visible = has_unlocked}, [] { return "42"; });
    server.prompt("open", "There", [] { return "open"; });
    server.prompt({.name = "secret", .visible = has_unlocked}, [](const Note& note) { return note.name; });
    server.resource({.uri = "note://open"}, [] { return "open"; });
    server.resource({.uri = "note://secret", .subscribable = true, .visible = has_unlocked}, [] { return "hidden"; });
    server.resource_template({.uri_template = "open://{name}"}, [](const Note& note) { return note.name; });
    server.resource_template({.uri_template = "secret://{name}",
                              .complete = {{"name",
                                            [](const auto&, const auto&) {
                                              return Completion{{"a", "b"}};
                                            }}},
                              .list = [](const std::string&) { return ResourcePage{{{.uri = "secret://listed"}}}; },
                              .visible = has_unlocked},
                             [](const Note& note) { return note.name; });
  }
  Server server;
};

/// What a request came to, with the name of what it was about replaced: the text of its error, or of its result.
std::string outcome(toolwire::Client& client, const std::string& method, const std::string& params) {
  const auto said = [&](const std::string& name) {
    std::string text = params;
    for (std::size_t at = text.find('$'); at != std::string::npos; at = text.find('$')) text.replace(at, 1, name);
    std::string answer;
    try {
      answer = "result " + to_json_text(client.request(method, parse_json(text).as_object()));
    } catch (const ProtocolError& error) {
      answer = std::to_string(error.code) + " " + error.what() + " " + to_json_text(error.data);
    }
    for (std::size_t at = answer.find(name); at != std::string::npos; at = answer.find(name))
      answer.replace(at, name.size(), "$");
    return answer;
  };
  const std::string hidden = said("secret");
  return hidden == said("nowhere") ? "as if it were not there" : hidden;
}

std::set<std::string> listed(toolwire::Client& client) {
  std::set<std::string> names;
  for (const auto& tool : client.list_tools()) names.insert("tool " + tool.name);
  for (const auto& prompt : client.list_prompts()) names.insert("prompt " + prompt.name);
  for (const auto& resource : list_resources(client)) names.insert(resource.uri);
  for (const auto& one : list_resource_templates(client)) names.insert(one.uri);
  return names;
}

const std::set<std::string> open_ones{"tool unlock", "prompt open", "note://open", "open://{name}"};
const std::set<std::string> secret_ones{"tool secret", "prompt secret", "note://secret", "secret://{name}",
                                        "secret://listed"};

const std::vector<std::pair<std::string, std::string>> uses{
    {"tools/call", R"({"name":"$"})"},
    {"prompts/get", R"({"name":"$","arguments":{"name":"x"}})"},
    {"resources/read", R"({"uri":"note://$"})"},
    {"resources/read", R"({"uri":"$://one"})"},
    {"completion/complete", R"({"ref":{"type":"ref/prompt","name":"$"},"argument":{"name":"name","value":""}})"},
    {"completion/complete",
     R"({"ref":{"type":"ref/resource","uri":"$://{name}"},"argument":{"name":"name","value":""}})"},
};

std::vector<std::string> all_revisions() {
  const auto known = known_revisions();
  return {known.begin(), known.end()};
}

std::string scope_of(toolwire::Client& client, const std::string& list) {
  return std::string(text_member(client.request(list), "cacheScope"));
}

constexpr const char* lists[] = {"tools/list", "prompts/list", "resources/list", "resources/templates/list"};

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_is_hidden_is_as_if_it_were_not_there, Fixture) {
  for (const std::string& revision : all_revisions()) {
    BOOST_TEST_CONTEXT(revision) {
      testing::Client client(server, {.revision = revision});
      BOOST_TEST(listed(client) == open_ones, boost::test_tools::per_element());
      for (const auto& [method, params] : uses) {
        BOOST_TEST_CONTEXT(method << " " << params)
        BOOST_TEST(outcome(client, method, params) == "as if it were not there");
      }
      if (revision != newest)
        BOOST_TEST(outcome(client, "resources/subscribe", R"({"uri":"note://$"})") == "as if it were not there");
    }
  }
}

BOOST_FIXTURE_TEST_CASE(what_a_client_has_unlocked_is_there_for_it_and_for_no_other, Fixture) {
  std::set<std::string> all = open_ones;
  all.insert(secret_ones.begin(), secret_ones.end());
  for (const std::string& revision : all_revisions()) {
    BOOST_TEST_CONTEXT(revision) {
      testing::Client client(server, {.revision = revision});
      testing::Client other(server, {.revision = revision});
      client.call("unlock");
      BOOST_TEST(listed(client) == all, boost::test_tools::per_element());
      BOOST_TEST(client.call("secret").text() == "42");
      for (const auto& [method, params] : uses) {
        BOOST_TEST_CONTEXT(method << " " << params)
        BOOST_TEST(outcome(client, method, params).starts_with("result "));
      }
      BOOST_TEST(listed(other) == open_ones, boost::test_tools::per_element());
    }
  }
}

BOOST_FIXTURE_TEST_CASE(only_the_client_concerned_is_told, Fixture) {
  for (const std::string& revision : {std::string("2024-11-05"), std::string("2025-11-25"), newest}) {
    BOOST_TEST_CONTEXT(revision) {
      HeardClient one(server, revision);
      HeardClient other(server, revision);
      one.client().call("unlock");
      for (const char* const list : {"tools", "prompts", "resources"}) {
        BOOST_TEST(one.told(list) == 1u);
        BOOST_TEST(other.told(list) == 0u);
      }
      server.visibility_changed();
      for (const char* const list : {"tools", "prompts", "resources"}) {
        BOOST_TEST(one.told(list) == 2u);
        BOOST_TEST(other.told(list) == 1u);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(lists_that_are_the_same_for_everybody_have_not_changed) {
  Server server({.name = "s", .version = "1"});
  server.prompt("open", "There", [] { return "open"; });
  server.resource({.uri = "note://open"}, [] { return "open"; });
  server.tool({.name = "hidden", .visible = [](Context&) { return false; }}, [] { return 1; });
  HeardClient client(server, newest);
  server.visibility_changed();
  BOOST_TEST(client.told("tools") == 1u);
  BOOST_TEST(client.told("prompts") == 0u);
  BOOST_TEST(client.told("resources") == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_list_that_depends_on_who_asks_is_private, Fixture) {
  testing::Client client(server, {.revision = newest});
  for (const char* const list : lists) BOOST_TEST(scope_of(client, list) == "private");
  client.call("unlock");  // also where nothing is hidden: for others something is
  for (const char* const list : lists) BOOST_TEST(scope_of(client, list) == "private");
  server.remove_tool("secret");
  BOOST_TEST(scope_of(client, "tools/list") == "public");
  server.remove_resource("note://secret");
  BOOST_TEST(scope_of(client, "resources/list") == "private");  // a template that is hidden lists some
}

BOOST_AUTO_TEST_CASE(pages_are_those_of_what_is_seen) {
  ServerOptions options;
  options.page = 2;
  Fixture fixture(std::move(options));
  for (const char* const name : {"a", "b", "c"}) fixture.server.tool(name, "There", [] { return 1; });
  fixture.server.tool({.name = "secret_too", .visible = has_unlocked}, [] { return 1; });
  testing::Client client(fixture.server, {.revision = newest});
  const Json first = client.request("tools/list");
  BOOST_TEST(first.at("tools").as_array().size() == 2u);
  const Json second = client.request("tools/list", {{"cursor", first.at("nextCursor")}});
  BOOST_TEST(second.at("tools").as_array().size() == 2u);
  BOOST_TEST(!second.as_object().contains("nextCursor"));  // nothing tells that there is more
  client.call("unlock");
  BOOST_TEST(client.list_tools().size() == 6u);
}

BOOST_AUTO_TEST_CASE(a_predicate_that_fails_hides) {
  Server server({.name = "s", .version = "1"});
  server.tool({.name = "broken", .visible = [](Context&) -> bool { throw std::runtime_error("no database"); }},
              [] { return 1; });
  server.tool("open", "There", [] { return 1; });
  testing::Client client(server);
  BOOST_TEST(client.list_tools().size() == 1u);
  BOOST_CHECK_THROW(client.call("broken"), ProtocolError);
}

BOOST_AUTO_TEST_CASE(who_calls_decides) {
  ServerOptions options;
  options.identify = [](const UnidentifiedRequest& request, Done<Principal> done) {
    const Json* const caller = request.meta.if_contains("caller");
    done(caller != nullptr ? std::string(caller->get_string()) : std::string());
  };
  Server server({.name = "s", .version = "1"}, std::move(options));
  server.tool({.name = "erase", .visible = [](Context& context) { return context.principal().id == "root"; }},
              [] { return "erased"; });
  testing::Client client(server, {.revision = newest});
  const auto as = [](const char* caller) { return JsonObject{{"caller", caller}}; };
  BOOST_TEST(client.request("tools/list", {{"_meta", as("root")}}).at("tools").as_array().size() == 1u);
  BOOST_TEST(client.request("tools/list", {{"_meta", as("ann")}}).at("tools").as_array().empty());
  BOOST_CHECK_THROW(client.request("tools/call", {{"name", "erase"}, {"_meta", as("ann")}}), ProtocolError);
  BOOST_CHECK_NO_THROW(client.request("tools/call", {{"name", "erase"}, {"_meta", as("root")}}));
}

BOOST_FIXTURE_TEST_CASE(a_hidden_resource_leaves_its_uri_to_a_template, Fixture) {
  server.resource_template({.uri_template = "note://{name}"}, [](const Note& note) { return "of " + note.name; });
  testing::Client client(server);
  BOOST_TEST(read_resource(client, "note://secret").at(0).contents == "of secret");
  client.call("unlock");
  BOOST_TEST(read_resource(client, "note://secret").at(0).contents == "hidden");
}

BOOST_FIXTURE_TEST_CASE(serial_tools_and_tasks_are_hidden_as_others, Fixture) {
  server.tool({.name = "secret_serial", .serial = true, .visible = has_unlocked}, [] { return "done"; });
  server.tool({.name = "secret_task", .long_running = true, .only_as_task = true, .visible = has_unlocked},
              [] { return "done"; });
  for (const std::string& revision : {std::string("2025-11-25"), newest}) {
    BOOST_TEST_CONTEXT(revision) {
      testing::Client client(server, {.revision = revision});
      for (const char* const params : {R"({"name":"$_serial"})", R"({"name":"$_task"})",
                                       R"({"name":"$_task","task":{}})", R"({"name":"$","task":{}})"})
        BOOST_TEST(outcome(client, "tools/call", params) == "as if it were not there");
      client.call("unlock");
      BOOST_TEST(client.call("secret_serial").text() == "done");
    }
  }
}

BOOST_FIXTURE_TEST_CASE(nobody_subscribes_to_what_is_hidden, Fixture) {
  testing::Client client(server, {.revision = newest});
  std::atomic<int> told = 0;
  const auto watch = [&](std::function<void()> then) {
    return client.subscribe_resources({"note://secret"}, [&told, then](const std::string&) { ++told, then(); });
  };
  BOOST_CHECK_THROW(watch([] {}), ProtocolError);
  client.call("unlock");
  std::promise<void> came;
  const Subscription late = watch([&] { came.set_value(); });
  server.resource_updated("note://secret");
  came.get_future().wait();
  client.ping();
  BOOST_TEST(told == 1);
}

// Over HTTP, where nothing is left of one request at the next

BOOST_FIXTURE_TEST_CASE(over_http_the_principal_decides, Fixture) {
  server.tool({.name = "erase", .visible = [](Context& context) { return context.principal().id == "root"; }},
              [] { return "erased"; });
  http::Handler handler(server, test::patient());
  const auto tools_of = [&](const char* principal) {
    http::Request request = test::modern("tools/list");
    request.principal = principal;
    const Json result = test::send(handler, std::move(request))->json().at("result");
    BOOST_TEST(result.at("cacheScope") == Json("private"));
    std::set<std::string> names;
    for (const Json& tool : result.at("tools").as_array()) names.insert(std::string(tool.at("name").as_string()));
    return names;
  };
  BOOST_TEST(tools_of("root") == (std::set<std::string>{"unlock", "erase"}), boost::test_tools::per_element());
  BOOST_TEST(tools_of("ann") == (std::set<std::string>{"unlock"}), boost::test_tools::per_element());

  const auto call_as = [&](const char* principal, const char* tool) {
    http::Request request = test::modern_call(tool);
    request.principal = principal;
    return test::send(handler, std::move(request))->json();
  };
  BOOST_TEST(call_as("root", "erase").as_object().contains("result"));
  BOOST_TEST(call_as("ann", "erase").at("error").at("code") == Json(error_code::invalid_params));
  call_as("ann", "unlock");  // lasts for this request
  BOOST_TEST(call_as("ann", "secret").at("error").at("code") == Json(error_code::invalid_params));
}

BOOST_AUTO_TEST_CASE(over_http_the_fields_of_a_hidden_tool_tell_nothing_of_it) {
  Server server({.name = "s", .version = "1"});
  server.tool({.name = "move",
               .input_schema = parse_json(R"({"type":"object","properties":{"region":{"type":"string",
                                              "x-mcp-header":"Region"}}})"),
               .visible = [](Context& context) { return context.principal().id == "root"; }},
              [](const Json&) { return "moved"; });
  http::Handler handler(server, test::patient());
  const auto call_as = [&](const char* principal, const char* tool) {
    http::Request request = test::modern_call(tool, {{"region", "west"}});  // without its field
    request.principal = principal;
    return test::outcome(handler, std::move(request));
  };
  BOOST_TEST(call_as("root", "move") == "400 -32020");
  BOOST_TEST(call_as("ann", "move") == call_as("ann", "nothing"));
}

BOOST_AUTO_TEST_CASE(a_hint_about_what_is_missing_that_cannot_be_had_is_left_out) {
  ServerOptions options;
  options.why_missing = [](std::string_view tool) -> std::string {
    if (tool == "late") return "it may come yet";
    if (tool == "odd") throw 7;
    throw std::runtime_error("the registry is closed");
  };
  Server server({.name = "s", .version = "1"}, std::move(options));
  server.tool("there", "There", [] { return "yes"; });
  for (const std::string& revision : {std::string("2025-11-25"), newest}) {
    testing::Client client(server, {.revision = revision});
    const auto said_of = [&](const std::string& tool) -> std::string {
      try {
        return client.call(tool).text();
      } catch (const ProtocolError& error) {
        return std::to_string(error.code) + " " + error.what();
      }
    };
    const std::string listed = "\"; tools/list names those there are";
    BOOST_TEST(said_of("gone") == "-32602 Invalid params: Unknown tool \"gone" + listed);
    BOOST_TEST(said_of("odd") == "-32602 Invalid params: Unknown tool \"odd" + listed);
    BOOST_TEST(said_of("late") == "-32602 Invalid params: Unknown tool \"late" + listed + "; it may come yet");
    BOOST_TEST(said_of("there") == "yes");
  }
}
