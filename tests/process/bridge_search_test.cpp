// `toolwire.search`: two tools in the place of many. What is called through them is what a direct call is, with all
// policies.
#define BOOST_TEST_MODULE bridge_search_test
#include <boost/test/unit_test.hpp>

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "process_bench.hpp"
#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

struct SearchFixture {
  ScratchFolder folder;

  /// The server of tests/support/mcp_back_end.cpp, called "many".
  Program serve(const std::string& own, const std::vector<std::string>& more = {}) const {
    return serve_text(
        R"j({"mcpServers": {"many": {"command": ")j" TOOLWIRE_BIN_DIR R"j(/mcp_back_end"}}, "toolwire": )j" + own + "}",
        more);
  }
  Program serve_text(const std::string& text, const std::vector<std::string>& more = {}) const {
    Program program{.command = {bridge_program, "serve", folder.file("bridge.json", text).string()}};
    program.command.insert(program.command.end(), more.begin(), more.end());
    program.environment["XDG_STATE_HOME"] = folder.text();
    return program;
  }
  static std::set<std::string> names(Client& client) {
    std::set<std::string> names;
    for (const auto& tool : client.list_tools()) names.insert(tool.name);
    return names;
  }
  static CallResult through(Client& client, const std::string& tool, const Json& arguments, CallOptions options = {}) {
    return client.call("call_tool", {{"name", tool}, {"arguments", arguments}}, std::move(options));
  }
  std::vector<Json> audit(std::size_t lines) const {
    const std::string file = (folder / "audit").string();
    BOOST_TEST(eventually([&] {
      const std::string text = content_of(file);
      return static_cast<std::size_t>(std::ranges::count(text, '\n')) >= lines;
    }));
    std::vector<Json> entries;
    const std::string text = content_of(file);
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      entries.push_back(parse_json(text.substr(at, text.find('\n', at) - at)));
    return entries;
  }
};

const std::string searching = R"j({"search": true})j";

/// What the user was asked, on whatever thread.
class Asked {
 public:
  void add(const std::string& message) {
    const std::lock_guard lock(mutex_);
    messages_.push_back(message);
  }
  std::vector<std::string> all() const {
    const std::lock_guard lock(mutex_);
    return messages_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> messages_;
};

/// Answers every form with what it wants, and keeps the messages.
ClientOptions approving(Asked& asked, const std::string& revision) {
  ClientOptions options{.revision = revision};
  options.on_elicitation = [&asked](const Elicitation& question) {
    asked.add(question.message);
    const bool approval = question.schema.at("properties").as_object().contains("approve");
    return ElicitationReply{ElicitationReply::Action::accept, JsonObject{{approval ? "approve" : "sure", true}}};
  };
  return options;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(lists_show_two_tools_and_those_that_are_always_listed, SearchFixture) {
  Client all(serve(searching));
  BOOST_TEST(names(all) == (std::set<std::string>{"search_tools", "call_tool"}), boost::test_tools::per_element());
  BOOST_TEST(all.list_tools().front().description.find("many") != std::string::npos);
  Client some(serve(R"j({"search": {"always": ["echo", "many/pro*"]}})j"));
  BOOST_TEST(names(some) == (std::set<std::string>{"search_tools", "call_tool", "echo", "progress", "process"}),
             boost::test_tools::per_element());
  Client none(serve(R"j({"search": false})j"));
  BOOST_TEST(!names(none).contains("search_tools"));
  BOOST_TEST(names(none).contains("echo"));
}

BOOST_FIXTURE_TEST_CASE(what_is_always_listed_and_does_not_exist_is_said_once_that_is_known, SearchFixture) {
  Client client(serve(R"j({"wait_seconds": 60, "search": {"always": ["echo", "many/pro*", "many/eco", "ehco*"]}})j"));
  BOOST_TEST(names(client).contains("echo"));
  std::string said;
  const auto says = [&](const std::string& text) {
    said = client.process()->error_tail();
    return said.find(text) != std::string::npos;
  };
  BOOST_TEST(eventually([&] { return says("/toolwire/search/always: there is no tool \"many/eco\" now"); }), said);
  BOOST_TEST(eventually([&] { return says("there is no tool \"ehco*\" now"); }), said);
  BOOST_TEST(said.find("\"echo\"") == std::string::npos, said);
  BOOST_TEST(said.find("pro*") == std::string::npos, said);
}

BOOST_FIXTURE_TEST_CASE(what_is_listed_now_is_found, SearchFixture) {
  Client client(serve(searching));
  const auto finds = [&](const std::string& name) {
    return client.call("search_tools", {{"query", name}}).text().find("{\"name\":\"" + name + "\"") == 0U;
  };
  BOOST_TEST(!finds("sprout"));
  through(client, "grow", {{"text", "sprout"}});
  const auto found = [&] { return finds("sprout"); };
  Program accepted{.command = {bridge_program, "accept", "many"}};
  accepted.environment["XDG_STATE_HOME"] = folder.text();
  BOOST_TEST(eventually([&] { return run_program(accepted).status == 0; }));
  BOOST_TEST(eventually(found));
  BOOST_TEST(through(client, "sprout", JsonObject{}).text() == "new");
  through(client, "shrink", {{"text", "sprout"}});
  BOOST_TEST(eventually([&] { return !finds("sprout"); }));
}

BOOST_FIXTURE_TEST_CASE(a_search_shows_how_to_call_what_it_finds, SearchFixture) {
  Client client(serve(searching));
  const auto found = client.call("search_tools", {{"query", "reports how far"}});
  BOOST_TEST(!found.is_error);
  const Json best = parse_json(found.text().substr(0, found.text().find('\n')));
  BOOST_TEST(best.at("name") == Json("progress"));
  BOOST_TEST(best.at("inputSchema").at("properties").as_object().contains("count"));
  BOOST_TEST(client.call("search_tools", {{"query", "quantum chromodynamics"}}).text().find("None of ") == 0U);
  BOOST_TEST(client.call("search_tools", {{"query", "search_tools"}}).text().find("\"search_tools\",") ==
             std::string::npos);
  const std::string two = client.call("search_tools", {{"query", "waits"}, {"limit", 2}}).text();
  BOOST_TEST(std::ranges::count(two, '\n') == 2);
  BOOST_TEST(two.find("more fit less well") != std::string::npos);
  BOOST_TEST(client.call("search_tools", {{"query", "echo"}, {"limit", 0}}).is_error);
}

BOOST_FIXTURE_TEST_CASE(a_call_through_the_search_is_a_direct_call, SearchFixture) {
  for (const std::string& era : eras) {
    Client client(serve(searching), {.revision = era});
    for (const auto& [tool, arguments] : std::vector<std::pair<std::string, Json>>{{"echo", {{"text", "hello"}}},
                                                                                   {"structured", {{"count", 3}}},
                                                                                   {"echo", {{"txt", "hello"}}},
                                                                                   {"bad_name", {}}}) {
      const auto direct = client.call(tool, arguments.is_object() ? arguments : Json(JsonObject{}));
      const auto indirect = through(client, tool, arguments.is_object() ? arguments : Json(JsonObject{}));
      BOOST_TEST_CONTEXT(era << " " << tool) {
        BOOST_TEST(indirect.text() == direct.text());
        BOOST_TEST(indirect.is_error == direct.is_error);
        BOOST_TEST(indirect.structured.value_or(nullptr) == direct.structured.value_or(nullptr));
      }
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_tool_that_is_not_there_is_refused_with_the_nearest_name, SearchFixture) {
  Client client(serve(searching));
  const auto refused = through(client, "ecko", JsonObject{});
  BOOST_TEST(code_of(refused) == "unknown_tool");
  BOOST_TEST(refused.text().find("did you mean \"echo\"?; search_tools finds those there are") != std::string::npos,
             refused.text());
  BOOST_TEST(code_of(through(client, "call_tool", {{"name", "echo"}})) == "unknown_tool");
}

BOOST_FIXTURE_TEST_CASE(permissions_rates_and_switches_hold, SearchFixture) {
  Client client(serve(R"j({"search": true, "tools": {
    "many/echo": {"rate_per_minute": 2, "permissions": [
      {"arguments": {"properties": {"text": {"const": "secret"}}}, "decision": "deny", "reason": "not this"}]},
    "structured": {"enabled": false}, "many/meta": {"deadline_seconds": 5}}})j"));
  const auto denied = through(client, "echo", {{"text", "secret"}});
  BOOST_TEST(code_of(denied) == "denied");
  BOOST_TEST(denied.text().find("not this") != std::string::npos);
  BOOST_TEST(client.call("echo", {{"text", "a"}}).text() == "a");  // both ways count together
  BOOST_TEST(code_of(through(client, "echo", {{"text", "b"}})) == "rate_limited");
  BOOST_TEST(code_of(through(client, "structured", {{"count", 1}})) == "unknown_tool");
}

BOOST_FIXTURE_TEST_CASE(a_deadline_holds_and_the_tool_is_told, SearchFixture) {
  Client client(serve(R"j({"search": true, "tools": {"until_stopped": {"deadline_seconds": 1}}})j"));
  BOOST_TEST(code_of(through(client, "until_stopped", JsonObject{})) == "timeout");
  BOOST_TEST(!through(client, "stopped", JsonObject{}).is_error);
}

BOOST_FIXTURE_TEST_CASE(a_call_that_is_cancelled_is_cancelled_at_the_tool, SearchFixture) {
  Client client(serve(searching));
  CallHandle call = client.start_call("call_tool", {{"name", "until_stopped"}});
  BOOST_TEST(!through(client, "watched", JsonObject{}).is_error);
  call.cancel();
  BOOST_TEST(!through(client, "stopped", JsonObject{}).is_error);
}

BOOST_FIXTURE_TEST_CASE(an_approval_names_the_tool_that_is_meant, SearchFixture) {
  for (const std::string& era : eras) {
    Asked asked;
    Client client(serve(R"j({"search": true, "tools": {"*": {"approval": "require"}}})j"), approving(asked, era));
    BOOST_TEST(!client.call("search_tools", {{"query", "echo"}}).is_error);
    BOOST_TEST(asked.all().empty());
    BOOST_TEST(through(client, "echo", {{"text", "approved"}}).text() == "approved", era);
    BOOST_REQUIRE(asked.all().size() == 1U);
    const std::string question = asked.all().front();
    BOOST_TEST(question.find("echo") != std::string::npos, question);
    BOOST_TEST(question.find("call_tool") == std::string::npos, question);
    Client mute(serve(R"j({"search": true, "tools": {"*": {"approval": "require"}}})j"), {.revision = era});
    std::string refused;
    try {
      const auto result = through(mute, "echo", {{"text", "not approved"}});
      if (result.is_error) refused = result.text();
    } catch (const ProtocolError& error) {
      refused = error.what();
    }
    BOOST_TEST(!refused.empty(), era);
  }
}

BOOST_FIXTURE_TEST_CASE(questions_of_servers_reach_the_user_and_answers_come_back, SearchFixture) {
  for (const std::string& era : eras) {
    Asked asked;
    Client client(serve(searching), approving(asked, era));
    const auto direct = client.call("ask_twice");
    const auto indirect = through(client, "ask_twice", JsonObject{});
    BOOST_TEST(indirect.text() == direct.text(), era);
    BOOST_TEST(!indirect.is_error);
    BOOST_TEST(asked.all().size() == 4U);
  }
}

BOOST_FIXTURE_TEST_CASE(the_audit_log_and_the_metrics_name_the_tool_and_the_host, SearchFixture) {
  Client client(serve(R"j({"search": true, "audit": "audit", "metrics": "metrics"})j"),
                {.name = "a-host", .version = "7", .revision = "2026-07-28"});
  client.call("search_tools", {{"query", "echo"}});
  through(client, "echo", {{"text", "hello"}, {"password", "hunter2"}});
  through(client, "echo", {{"text", "hello"}});
  const std::vector<Json> lines = audit(2);
  BOOST_REQUIRE(lines.size() == 2U);
  for (const Json& line : lines) {
    BOOST_TEST(line.at("tool") == Json("echo"));
    BOOST_TEST(line.at("client") == Json("a-host/7"));
  }
  BOOST_TEST(to_json_text(lines.front()).find("hunter2") == std::string::npos);
  BOOST_TEST(eventually([&] {
    const std::string metrics = content_of((folder / "metrics").string());
    return metrics.find("tool=\"echo\"") != std::string::npos && metrics.find("call_tool") == std::string::npos;
  }));
}

BOOST_FIXTURE_TEST_CASE(progress_and_log_messages_pass, SearchFixture) {
  Counter logged;
  ClientOptions options{.revision = "2026-07-28"};
  options.on_notification = [&](const std::string& method, const Json& params) {
    if (method == "notifications/message" && to_json_text(params).find("said aloud") != std::string::npos)
      logged.count();
  };
  Client client(serve(searching), options);
  Counter reports;
  through(client, "progress", {{"count", 3}}, {.on_progress = [&](const ProgressReport&) { reports.count(); }});
  BOOST_TEST(reports.reaches(1));
  client.set_log_level(LogLevel::debug);
  through(client, "log", {{"text", "said aloud"}});
  BOOST_TEST(logged.reaches(1));
}

BOOST_FIXTURE_TEST_CASE(a_server_whose_tools_are_known_is_started_when_it_is_needed, SearchFixture) {
  const std::string started = (folder / "started").string();
  const std::string text = R"j({"mcpServers": {"hello": {"command": "/bin/sh", "args": ["-c",
    "echo x >> ')j" + started +
                           R"j('; exec ')j" TOOLWIRE_BIN_DIR R"j(/hello'"]}}, "toolwire": {"search": true}})j";
  Program program{.command = {bridge_program, "serve", folder.file("lazy.json", text).string()}};
  program.environment["XDG_STATE_HOME"] = folder.text();
  {
    Client first(program);
    BOOST_TEST(first.call("search_tools", {{"query", "add"}}).text().find("\"add\"") != std::string::npos);
  }
  BOOST_TEST(content_of(started) == "x\n");
  Client second(program);
  BOOST_TEST(second.call("search_tools", {{"query", "add"}}).text().find("\"add\"") != std::string::npos);
  BOOST_TEST(content_of(started) == "x\n");
  BOOST_TEST(through(second, "add", {{"a", 1}, {"b", 2}}).text() == "3");
  BOOST_TEST(content_of(started) == "x\nx\n");
}

BOOST_FIXTURE_TEST_CASE(five_thousand_tools_of_a_server_are_offered_and_found, SearchFixture) {
  folder.file("server.py", R"py(import json, sys
tools = [{'name': 'tool_%d' % i, 'description': 'Does the thing of number %d' % i, 'inputSchema': {
    'type': 'object', 'properties': {'a': {'type': 'string', 'description': 'Some text'}}}} for i in range(5000)]
for line in sys.stdin:
    message = json.loads(line)
    result = {'initialize': {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}},
                             'serverInfo': {'name': 'py', 'version': '1'}},
              'tools/list': {'tools': tools},
              'tools/call': {'content': [{'type': 'text', 'text': message.get('params', {}).get('name')}]}}
    if 'id' in message:
        print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result[message['method']]}), flush=True)
)py");
  const auto serve_with = [&](const std::string& own) {
    return serve_text(R"j({"mcpServers": {"py": {"command": "python3", "args": ["server.py"]}}, "toolwire":
      {"wait_seconds": 60, "servers": {"py": {"revision": "2025-06-18"}})j" +
                      own + "}}");
  };
  {
    Client client(serve_with(""));
    BOOST_TEST(names(client).size() == 5000U, client.process()->error_tail());
    BOOST_TEST(client.call("tool_4999").text() == "tool_4999");
  }
  Client client(serve_with(R"j(, "search": true)j"));
  BOOST_TEST(client.call("search_tools", {{"query", "number 4321"}}).text().find("{\"name\":\"tool_4321\"") == 0U);
  BOOST_TEST(through(client, "tool_77", JsonObject{}).text() == "tool_77");
}

BOOST_FIXTURE_TEST_CASE(tools_of_manifests_are_found_and_called, SearchFixture) {
  Json manifest = parse_json(seed_text());
  manifest.at_pointer("/tools/0/metadata").as_object()["requires_approval"] = true;
  folder.file("tools.json", to_json_text(manifest));
  const std::string own = R"j({"search": {"always": ["echo"]}, "manifests": ["tools.json"],
    "bindings": {"spawn_coding_agent": {"constant": {"result": {"run_id": "r-9"}}}}, "audit": "audit"})j";
  for (const std::string& era : eras) {
    Counter asked;
    Client client(serve(own), answering(true, asked, era));
    BOOST_TEST(names(client) == (std::set<std::string>{"search_tools", "call_tool", "echo"}),
               boost::test_tools::per_element());
    BOOST_TEST(client.call("search_tools", {{"query", "spawn agent"}}).text().find("spawn_coding_agent") !=
               std::string::npos);
    BOOST_TEST(through(client, "spawn_coding_agent", task).text().find("r-9") != std::string::npos, era);
    BOOST_TEST(asked.now() == 1);
  }
  for (const Json& line : audit(4)) BOOST_TEST(line.at("tool") == Json("spawn_coding_agent"));
}

BOOST_FIXTURE_TEST_CASE(pages_have_the_size_that_is_wanted, SearchFixture) {
  Client client(serve(R"j({"page_size": 4})j"));
  const Json page = client.request("tools/list");
  BOOST_TEST(page.at("tools").as_array().size() == 4U);
  BOOST_TEST(page.as_object().contains("nextCursor"));
  BOOST_TEST(names(client).contains("echo"));
  BOOST_TEST(names(client).size() > 4U);
}
