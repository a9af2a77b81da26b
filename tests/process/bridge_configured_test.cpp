// `toolwire-bridge serve CONFIG`: what the one file of a bridge says is done, for tools of servers and of files alike.
#define BOOST_TEST_MODULE bridge_configured_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <toolwire/schema.hpp>

#include "once_failing_server.hpp"
#include "process_bench.hpp"
#include "serve_bench.hpp"
#include "system/kernel.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

const std::string hello = R"j("hello": {"command": ")j" TOOLWIRE_BIN_DIR R"j(/hello"})j";

struct ConfiguredFixture {
  ScratchFolder folder;

  std::string configure(const std::string& text) const { return folder.file("bridge.json", text).string(); }
  /// One server, and what "toolwire" says.
  std::string with_hello(const std::string& own) const {
    return configure("{\"mcpServers\": {" + hello + "}, // comment\n\"toolwire\": " + own + ",}");
  }
  Program serve(const std::string& file, const std::vector<std::string>& more = {}) const {
    Program program{.command = {bridge_program, "serve", file}};
    program.command.insert(program.command.end(), more.begin(), more.end());
    program.environment["XDG_STATE_HOME"] = folder.text();
    return program;
  }
  static std::set<std::string> names(Client& client) {
    std::set<std::string> names;
    for (const auto& tool : client.list_tools()) names.insert(tool.name);
    return names;
  }
  /// Waits until the bridge has written it on standard error.
  static void expect_log(Client& client, const std::string& text) {
    BOOST_TEST(eventually([&] { return client.process()->error_tail().find(text) != std::string::npos; }),
               client.process()->error_tail());
  }
};

const Json one_and_two{{"a", 1}, {"b", 2}};

boost::test_tools::assertion_result has_landlock(boost::unit_test::test_unit_id) {
  return toolwire::bridge::kernel_support().landlock > 0;
}

/// A tool whose program writes where it has no business and opens a socket; it says what the system said to each.
struct ConfinedFixture : ConfiguredFixture {
  ScratchFolder outside;

  ConfinedFixture() {
    folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "try_it"}}})j");
    folder.file("try_it.py", R"(
import errno, socket, sys
def attempt(action):
    try:
        action()
        return 'done'
    except OSError as error:
        return errno.errorcode[error.errno]
print(attempt(lambda: open(sys.argv[1] + '/written', 'w')), attempt(socket.socket), end='')
)");
  }
  /// What "tools" says, and what the binding has besides.
  std::string with_tools(const std::string& tools, const std::string& binding = "") const {
    return with_hello(R"j({"manifests": ["tool.json"], "tools": )j" + tools +
                      R"j(, "bindings": {"try_it": {"process": {"argv": ["python3", ")j" +
                      (folder / "try_it.py").string() + R"j(", ")j" + outside.text() + "\"]" + binding + "}}}}");
  }
  bool has_written() const { return std::filesystem::exists(outside / "written"); }
};

const std::string confined = R"j({"try_*": {"confinement": {"files": "read-only", "network": "none"}}})j";

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_tool_of_a_server_is_renamed_described_and_bounded, ConfiguredFixture) {
  Client client(serve(with_hello(R"j({"tools": {"hello/add": {
    "name": "plus", "description": "Adds, as the operator says", "rate_per_minute": 2}}})j")));
  const auto tools = client.list_tools();
  BOOST_REQUIRE(tools.size() == 1U);
  BOOST_TEST(tools.front().name == "plus");
  BOOST_TEST(tools.front().description == "Adds, as the operator says");
  BOOST_TEST(tools.front().raw.at("_meta").at("dev.toolwire/origin") == Json("hello/add"));
  BOOST_TEST(client.call("plus", one_and_two).text() == "3");
  BOOST_TEST(client.call("plus", one_and_two).text() == "3");
  BOOST_TEST(code_of(client.call("plus", one_and_two)) == "rate_limited");
}

BOOST_FIXTURE_TEST_CASE(calls_of_servers_that_are_refused_are_recorded_and_counted, ConfiguredFixture) {
  {
    Client client(serve(with_hello(R"j({"audit": "audit", "metrics": "metrics", "tools": {
      "hello/add": {"rate_per_minute": 1}}})j")));
    BOOST_TEST(client.call("add", one_and_two).text() == "3");
    const CallResult refused = client.call("add", one_and_two);
    BOOST_TEST(code_of(refused) == "rate_limited");
    const Json& wait = refused.raw.at("_meta").at("dev.toolwire/error").at("retryAfterMs");
    BOOST_TEST((wait.as_int64() > 0 && wait.as_int64() <= 60'000));
  }
  const std::string lines = content_of((folder / "audit").string());
  BOOST_TEST(std::ranges::count(lines, '\n') == 2, lines);
  const Json last = parse_json(lines.substr(lines.find('\n') + 1));
  BOOST_TEST(last.at("tool") == "add");
  BOOST_TEST(last.at("arguments") == one_and_two);
  BOOST_TEST(last.at("decision") == "refused");
  BOOST_TEST(last.at("outcome") == "rate_limited");
  const std::string metrics = content_of((folder / "metrics").string());
  BOOST_TEST(metrics.find("toolwire_calls_total{tool=\"add\",outcome=\"rate_limited\"} 1") != std::string::npos,
             metrics);
}

BOOST_FIXTURE_TEST_CASE(a_call_of_a_server_is_charged_once_though_it_comes_again_with_answers, ConfiguredFixture) {
  const std::string file = with_hello(R"j({"tools": {"hello/add": {"rate_per_minute": 1, "approval": "require"}}})j");
  for (const std::string& revision : eras) {
    Counter asked;
    Client client(serve(file), answering(true, asked, revision));
    BOOST_TEST(client.call("add", one_and_two).text() == "3");
    BOOST_TEST(code_of(client.call("add", one_and_two)) == "rate_limited");
  }
}

BOOST_FIXTURE_TEST_CASE(a_call_that_nobody_could_be_asked_about_is_recorded_as_refused, ConfiguredFixture) {
  folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "count"}}})j");
  const std::string file = with_hello(R"j({"audit": "audit", "metrics": "metrics", "manifests": ["tool.json"],
    "bindings": {"count": {"constant": {"text": "1"}}}, "tools": {"*": {"approval": "require"}}})j");
  {
    Client client(serve(file), {.revision = "2025-06-18"});
    for (const char* const tool : {"add", "count"}) BOOST_TEST(code_of(client.call(tool, one_and_two)) == "cannot_ask");
  }
  const std::string lines = content_of((folder / "audit").string());
  BOOST_TEST(std::ranges::count(lines, '\n') == 2, lines);
  for (const char* const tool : {"add", "count"}) {
    const std::size_t begin = lines.find("\"tool\":\"" + std::string(tool) + "\"");
    BOOST_TEST_REQUIRE(begin != std::string::npos, lines);
    const std::string line = lines.substr(begin, lines.find('\n', begin) - begin);
    BOOST_TEST(line.find("\"decision\":\"refused\"") != std::string::npos, line);
    BOOST_TEST(line.find("\"outcome\":\"cannot_ask\"") != std::string::npos, line);
  }
  BOOST_TEST(content_of((folder / "metrics").string()).find("outcome=\"cannot_ask\"} 1") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(an_edit_renames_tools_of_servers_and_of_files, ConfiguredFixture) {
  folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "count"}}})j");
  const auto wanted = [&](const std::string& server_tool, const std::string& file_tool) {
    return with_hello(R"j({"manifests": ["tool.json"], "bindings": {"count": {"constant": {"text": "1"}}},
      "tools": {"hello/add": {"name": ")j" +
                      server_tool + R"j("}, "count": {"name": ")j" + file_tool + "\"}}}");
  };
  Client client(serve(wanted("plus", "one")));
  BOOST_TEST(names(client) == (std::set<std::string>{"plus", "one"}), boost::test_tools::per_element());
  wanted("sum", "two");
  BOOST_TEST(eventually([&] { return names(client) == std::set<std::string>{"sum", "two"}; }));
  BOOST_TEST(client.call("sum", one_and_two).text() == "3");
  wanted("plus", "one");
  BOOST_TEST(eventually([&] { return names(client) == std::set<std::string>{"plus", "one"}; }));
}

BOOST_FIXTURE_TEST_CASE(two_tools_swap_their_names, ConfiguredFixture) {
  const auto write = [&](const std::string& tools) {
    return configure(R"j({"mcpServers": {"many": {"command": ")j" TOOLWIRE_BIN_DIR R"j(/mcp_back_end"}},
      "toolwire": {"tools": )j" +
                     tools + "}}");
  };
  const std::string swapped = R"j({"many/echo": {"name": "process"}, "many/process": {"name": "echo"}})j";
  Client client(serve(write(swapped)));
  BOOST_TEST(client.call("process", {{"text", "said"}}).text() == "said");
  const auto process_is_called = [&](const std::string& name) {
    const CallResult called = client.call(name);  // in no moment of an edit is there none of this name
    return !called.is_error && called.text().find_first_not_of("0123456789") == std::string::npos;
  };
  BOOST_TEST(process_is_called("echo"));
  write("{}");
  BOOST_TEST(eventually([&] { return process_is_called("process"); }));
  BOOST_TEST(client.call("echo", {{"text", "said"}}).text() == "said");
  write(R"j({"many/echo": {"name": "process"}})j");  // now "process" gives way, as it would after a start
  BOOST_TEST(eventually([&] { return names(client).contains("many_process"); }));
  write(swapped);
  BOOST_TEST(eventually([&] { return !names(client).contains("many_process"); }));
  BOOST_TEST(process_is_called("echo"));
  BOOST_TEST(client.call("process", {{"text", "said"}}).text() == "said");
}

BOOST_FIXTURE_TEST_CASE(names_are_those_of_a_new_start_whatever_was_edited, ConfiguredFixture) {
  folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "count"}}})j");
  const auto write = [&](const std::string& tools) {
    return with_hello(R"j({"manifests": ["tool.json"], "bindings": {"count": {"constant": {"text": "1"}}},
      "tools": )j" + tools +
                      "}");
  };
  using Names = std::set<std::string>;
  const std::vector<std::pair<std::string, Names>> all{
      {"{}", {"add", "count"}},
      {R"j({"count": {"name": "add"}})j", {"add", "hello_add"}},  // what files have goes before
      {R"j({"count": {"name": "add"}, "hello/add": {"name": "sum"}})j", {"add", "sum"}},
      {R"j({"count": {"name": "sum"}, "hello/add": {"name": "plus"}})j", {"plus", "sum"}},
      {R"j({"count": {"name": "plus"}, "hello/add": {"name": "sum"}})j", {"plus", "sum"}}};
  // Between a file and a server a name goes over in two steps.
  const auto answer_or_nothing = [](Client& client, const std::string& name) {
    try {
      return client.call(name, one_and_two).text();
    } catch (const ProtocolError&) {
      return std::string();
    }
  };
  Client edited(serve(write("{}")));
  BOOST_TEST(names(edited) == (Names{"add", "count"}), boost::test_tools::per_element());
  for (const auto order : {0, 1, 2, 3, 4, 3, 2, 1, 0}) {
    const std::string& tools = all.at(static_cast<std::size_t>(order)).first;
    const Names& expected = all.at(static_cast<std::size_t>(order)).second;
    const std::string file = write(tools);
    Client started(serve(file));
    BOOST_TEST(names(started) == expected, boost::test_tools::per_element());
    BOOST_TEST(eventually([&] { return names(edited) == expected; }), tools);
    for (const std::string& name : expected) {
      const std::string said = started.call(name, one_and_two).text();
      BOOST_TEST(eventually([&] { return answer_or_nothing(edited, name) == said; }), name);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(the_start_says_that_servers_are_not_confined, ConfiguredFixture) {
  folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "add"}}})j");
  const ProgramRun run = run_program(serve(configure("{\"mcpServers\": {" + hello + R"j(, "lent": {"command": "false"}},
    "toolwire": {"servers": {"lent": {"offer": false}}, "manifests": ["tool.json"],
                 "bindings": {"add": {"mcp": {"server": "lent"}}}}})j")));
  for (const char* const name : {"hello", "lent"}) {
    const std::string line = "server \"" + std::string(name) + "\" is not confined: it may do what this user may\n";
    const std::size_t at = run.errors.find(line);
    BOOST_TEST((at != std::string::npos && run.errors.find(line, at + 1) == std::string::npos), run.errors);
  }
}

BOOST_FIXTURE_TEST_CASE(a_new_name_does_not_take_a_tool_away_from_its_policy, ConfiguredFixture) {
  Client client(serve(with_hello(R"j({"tools": {"hello/add": {"name": "plus", "permissions": [
    {"arguments": {"properties": {"a": {"const": 13}}}, "decision": "deny", "reason": "bad luck"}]}}})j")));
  BOOST_TEST(client.call("plus", one_and_two).text() == "3");
  const auto refused = client.call("plus", {{"a", 13}, {"b", 2}});
  BOOST_TEST(code_of(refused) == "denied");
  BOOST_TEST(refused.text().find("bad luck") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(patterns_hold_for_what_has_no_entry_of_its_own, ConfiguredFixture) {
  Client off(serve(with_hello(R"j({"tools": {"hello/*": {"enabled": false}}})j")));
  BOOST_TEST(names(off).empty());
  Client on(serve(with_hello(R"j({"tools": {"*": {"enabled": false}, "hello/a*": {"enabled": true}}})j")));
  BOOST_TEST(names(on) == std::set<std::string>{"add"}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(settings_of_tools_that_no_server_has_are_said, ConfiguredFixture) {
  const std::string slow =
      "until test -e '" + (folder / "go").string() + "'; do sleep 0.01; done; exec " + TOOLWIRE_BIN_DIR "/hello";
  const auto wanted = [&](const std::string& tools) {
    return configure(to_json_text(
        JsonObject{{"mcpServers", JsonObject{{"a/b", JsonObject{{"command", "sh"}, {"args", JsonArray{"-c", slow}}}}}},
                   {"toolwire", JsonObject{{"wait_seconds", 0}, {"tools", parse_json(tools)}}}}));
  };
  Client client(serve(wanted(R"j({"a/b/ad": {"approval": "require"}, "a/b/add": {"approval": "skip"},
    "ad": {"enabled": false}})j")));
  folder.file("go", "");
  expect_log(client, "/toolwire/tools/a~1b~1ad: there is no such tool; did you mean \"a/b/add\"?");
  expect_log(client, "/toolwire/tools/ad: there is no such tool; did you mean \"add\"?");
  BOOST_TEST(client.process()->error_tail().find("a~1b~1add") == std::string::npos);
  wanted(R"j({"a/b/add": {"enabled": false}, "dad*": {"enabled": false}})j");
  expect_log(client, "/toolwire/tools/dad*: there is no tool that it fits");
  BOOST_TEST(client.process()->error_tail().find("a~1b~1add") == std::string::npos);
  BOOST_TEST(eventually([&] { return names(client).empty(); }));
}

BOOST_FIXTURE_TEST_CASE(settings_of_tools_that_a_server_does_not_have_are_said_though_another_has_failed,
                        ConfiguredFixture) {
  Client client(serve(configure("{\"mcpServers\": {" + hello + R"j(, "bad": {"command": "false"}},
    "toolwire": {"tools": {"hello/ad": {"approval": "require"}, "bad/x": {"approval": "require"},
                           "maybe_of_bad": {"approval": "require"}}}})j")));
  expect_log(client, "/toolwire/tools/hello~1ad: there is no such tool; did you mean \"hello/add\"?");
  client.ping();
  const std::string log = client.process()->error_tail();
  BOOST_TEST(log.find("/toolwire/tools/bad~1x") == std::string::npos, log);
  BOOST_TEST(log.find("/toolwire/tools/maybe_of_bad") == std::string::npos, log);
}

BOOST_FIXTURE_TEST_CASE(tools_that_a_server_does_not_have_and_is_not_to_offer_are_said, ConfiguredFixture) {
  Client client(serve(
      configure(R"j({"mcpServers": {"a": {"command": ")j" TOOLWIRE_BIN_DIR R"j(/hello", "excludeTools": ["ad"]}}})j")));
  expect_log(client, "server \"a\": there is no tool \"ad\", which is to be left out; did you mean \"add\"?");
  BOOST_TEST(names(client) == std::set<std::string>{"add"}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(what_is_not_noticed_without_a_folder_for_it_is_said_and_edits_are, ConfiguredFixture) {
  Program program = serve(with_hello("{}"));
  program.environment["XDG_STATE_HOME"] = folder.file("no_folder", "").string();
  Client client(program);
  expect_log(client, "what is accepted, and logins, will not be noticed: ");
  BOOST_TEST(client.process()->error_tail().find("edits will not be noticed") == std::string::npos);
  with_hello(R"j({"tools": {"hello/add": {"enabled": false}}})j");
  BOOST_TEST(eventually([&] { return names(client).empty(); }));
}

BOOST_FIXTURE_TEST_CASE(a_file_with_a_byte_order_mark_is_read, ConfiguredFixture) {
  const std::string file = configure("\xEF\xBB\xBF{\"mcpServers\": {" + hello + "}}");
  BOOST_TEST(run({"check", file}).status == 0);
  BOOST_TEST(run_program(serve(file, {"--list"})).out.find("add") == 0U);
}

BOOST_FIXTURE_TEST_CASE(what_all_servers_inherit_those_of_bindings_do, ConfiguredFixture) {
  folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "sum"}, "a": {}, "b": {}}})j");
  const std::string seen = (folder / "seen").string();
  Program program = serve(
      configure(R"j({"mcpServers": {"hello": {"command": "sh", "args": ["-c", "env > ')j" + seen + R"j('; exec )j" +
                TOOLWIRE_BIN_DIR + R"j(/hello"]}}, "toolwire": {"manifests": ["tool.json"], "inherit": ["OF_ALL"],
        "servers": {"hello": {"offer": false}},
        "bindings": {"sum": {"mcp": {"server": "hello", "tool": "add"}}}}})j"),
      {"--call", "sum", R"({"a": 1, "b": 2})"});
  program.environment["OF_ALL"] = "one";
  BOOST_TEST(run_program(program).out.find('3') != std::string::npos);
  BOOST_TEST(content_of(seen).find("OF_ALL=one") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_tool_that_needs_approval_is_refused_where_nobody_can_be_asked, ConfiguredFixture) {
  Client client(serve(with_hello(R"j({"tools": {"add": {"approval": "require"}}})j")), {.revision = "2025-06-18"});
  const auto refused = client.call("add", one_and_two);
  BOOST_TEST(refused.is_error);
  BOOST_TEST(refused.text() != "3");
}

BOOST_FIXTURE_TEST_CASE(results_of_a_server_are_remembered, ConfiguredFixture) {
  const std::string counted = (folder / "counted").string();
  folder.file("server.sh", R"(read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}'
read -r line
read -r line
echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"x","inputSchema":{"type":"object"}}]}}'
while read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  echo called >> ')" + counted +
                               R"('
  echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"ok"}]}}'
done
)");
  Client client(serve(configure(R"j({"mcpServers": {"sh": {"command": "sh", "args": ["server.sh"]}},
    "toolwire": {"servers": {"sh": {"revision": "2025-06-18"}}, "tools": {"sh/x": {"cache_seconds": 600}}}})j")));
  BOOST_TEST(client.call("x").text() == "ok");
  BOOST_TEST(client.call("x").text() == "ok");
  BOOST_TEST(content_of(counted) == "called\n");
}

BOOST_FIXTURE_TEST_CASE(files_and_bindings_stand_in_the_same_file, ConfiguredFixture) {
  Json manifest = parse_json(seed_text());
  manifest.at_pointer("/tools/0/metadata").as_object().erase("rate_limit_per_minute");
  manifest.at_pointer("/tools/0/metadata").as_object()["requires_approval"] = false;
  folder.file("tools.json", to_json_text(manifest));
  Client client(serve(with_hello(R"j({"manifests": ["tools.json"],
    "bindings": {"spawn_coding_agent": {"constant": {"result": {"run_id": "r-9"}}}},
    "tools": {"spawn_coding_agent": {"description": "Told anew"}}})j")));
  BOOST_TEST(names(client) == (std::set<std::string>{"add", "spawn_coding_agent"}), boost::test_tools::per_element());
  BOOST_TEST(client.call("spawn_coding_agent", task).text().find("r-9") != std::string::npos);
  BOOST_TEST(client.list_tools().front().description.find("Told anew") == 0U);
}

BOOST_FIXTURE_TEST_CASE(a_tool_of_a_file_is_renamed_and_its_output_bounded, ConfiguredFixture) {
  folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "count"}}})j");
  const std::string audit = (folder / "audit").string();
  const auto text_of = [&](const std::string& keep) {
    Client client(serve(with_hello(R"j({"manifests": ["tool.json"], "audit": "audit",
      "bindings": {"count": {"constant": {"text": "one\ntwo\nthree\nfour\n"}}},
      "tools": {"count": {"name": "add", "approval": "skip", "output": {"lines": 2, "keep": ")j" +
                                   keep + "\"}}}}")));
    BOOST_TEST(names(client) == (std::set<std::string>{"add", "hello_add"}), boost::test_tools::per_element());
    return client.call("add").text();
  };
  const std::string head = text_of("head");
  BOOST_TEST(head.find("one\ntwo\n") == 0U, head);
  BOOST_TEST(head.find("three\n") == std::string::npos, head);
  const std::string tail = text_of("tail");
  BOOST_TEST(tail.find("three\nfour") != std::string::npos, tail);
  BOOST_TEST(tail.find("one\n") == std::string::npos, tail);
  const std::string lines = content_of(audit);
  BOOST_TEST(std::ranges::count(lines, '\n') == 2, lines);  // once for each call
  BOOST_TEST(lines.find("\"tool\":\"count\"") != std::string::npos, lines);
}

BOOST_FIXTURE_TEST_CASE(the_output_of_a_tool_of_a_server_is_bounded, ConfiguredFixture) {
  folder.file("tool.json",
              R"j({"type": "object", "properties": {"_tool": {"const": "say"}, "text": {"type": "string"}}})j");
  Client client(serve(configure(R"j({"mcpServers": {"many": {"command": ")j" TOOLWIRE_BIN_DIR R"j(/mcp_back_end"}},
    "toolwire": {"manifests": ["tool.json"], "bindings": {"say": {"mcp": {"server": "many", "tool": "echo"}}},
      "tools": {"many/echo": {"output": {"lines": 2}}}}})j")));
  std::string text;
  for (int i = 1; i <= 3'000; ++i) text += std::to_string(i) + "\n";
  const std::string two = client.call("echo", {{"text", text}}).text();
  BOOST_TEST(two.starts_with("1\n2\n[Not shown: lines 3-3000 of 3000, "), two);
  const std::string head = client.call("say", {{"text", text}}).text();  // by a binding: the bounds of all tools
  BOOST_TEST(head.starts_with("1\n2\n3\n"), head);
  BOOST_TEST(head.find("\n2000\n[Not shown: lines 2001-3000 of 3000, ") != std::string::npos);
  BOOST_TEST(client.call("echo", {{"text", "1\n2\n"}}).text() == "1\n2\n");
}

BOOST_FIXTURE_TEST_CASE(a_name_needs_a_key_that_stays, ConfiguredFixture) {
  const ProgramRun refused = run({"serve", with_hello(R"j({"tools": {"add": {"name": "plus"}}})j"), "--list"});
  BOOST_TEST(refused.status == 2);
  BOOST_TEST(
      refused.errors.find("/toolwire/tools/add/name: expected the key SERVER/TOOL, or that of a tool of a file") !=
          std::string::npos,
      refused.errors);
}

BOOST_FIXTURE_TEST_CASE(a_tool_of_a_server_is_tried_again_where_that_is_wanted, ConfiguredFixture) {
  folder.file("server.sh", once_failing_server);
  const auto answer_with = [&](const std::string& tools) {
    std::filesystem::remove(folder / "died");
    Client client(serve(configure(R"j({"mcpServers": {"sh": {"command": "sh", "args": ["server.sh"]}}, "toolwire": {
      "servers": {"sh": {"revision": "2025-06-18"}}, "tools": )j" +
                                  tools + "}}")));
    return client.call("x");
  };
  BOOST_TEST(code_of(answer_with("{}")) == "unavailable");
  BOOST_TEST(code_of(answer_with(R"j({"sh/x": {"retry": false}})j")) == "unavailable");
  BOOST_TEST(answer_with(R"j({"sh/x": {"retry": true}})j").text() == "at last");
}

BOOST_FIXTURE_TEST_CASE(a_server_may_be_there_for_bindings_alone, ConfiguredFixture) {
  folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "sum"}, "a": {"type": "number"},
    "b": {"type": "number"}}})j");
  Client client(serve(with_hello(R"j({"manifests": ["tool.json"], "servers": {"hello": {"offer": false}},
    "bindings": {"sum": {"mcp": {"server": "hello", "tool": "add"}}}})j")));
  BOOST_TEST(names(client) == std::set<std::string>{"sum"}, boost::test_tools::per_element());
  BOOST_TEST(client.call("sum", one_and_two).text() == "3");
}

BOOST_FIXTURE_TEST_CASE(a_profile_takes_the_places_of_other_settings, ConfiguredFixture) {
  const std::string file = with_hello(R"j({"tools": {"add": {"enabled": false}}, "profiles": {
    "dev": {"tools": {"add": {"enabled": true}}, "prefix": "always"}}})j");
  BOOST_TEST(run({"serve", file, "--list"}).out.find("add") == std::string::npos);
  BOOST_TEST(run({"serve", file, "--profile", "dev", "--list"}).out.find("hello_add") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(every_profile_is_checked_unless_one_is_chosen, ConfiguredFixture) {
  const std::string file = with_hello(R"j({"wait_seconds": 1, "profiles": {
    "dev": {"wait_seconds": 900},
    "test": {"servers": {"helo": {"offer": false}}},
    "good": {"wait_seconds": 2}}})j");
  const ProgramRun all = run({"check", file});
  BOOST_TEST(all.status == 1);
  BOOST_TEST(all.out.find("profile \"dev\": " + file + ":3: /toolwire/profiles/dev/wait_seconds: expected") == 0U,
             all.out);
  BOOST_TEST(
      all.out.find("\nprofile \"test\": " + file + ":4: /toolwire/profiles/test/servers/helo") != std::string::npos,
      all.out);
  BOOST_TEST(all.out.find("good") == std::string::npos, all.out);
  BOOST_TEST(run({"check", file, "--profile", "dev"}).status == 1);
  const ProgramRun good = run({"check", file, "--profile", "good"});
  BOOST_TEST(good.status == 0, good.out);
}

BOOST_FIXTURE_TEST_CASE(what_several_profiles_have_in_common_is_said_once, ConfiguredFixture) {
  const ProgramRun both = run({"check", with_hello(R"j({"manifests": ["none.json"], "profiles": {
    "dev": {"wait_seconds": 1}, "test": {"wait_seconds": 2}}})j")});
  BOOST_TEST(both.status == 1);
  BOOST_TEST(std::count(both.out.begin(), both.out.end(), '\n') == 1, both.out);
}

BOOST_FIXTURE_TEST_CASE(servers_get_no_more_of_the_environment_than_they_need, ConfiguredFixture) {
  const std::string seen = (folder / "seen").string();
  const auto variables = [&](const std::string& own) {
    const std::string file = configure(R"j({"mcpServers": {"hello": {"command": "/bin/sh",
      "args": ["-c", "env > ')j" + seen +
                                       R"j('; exec ')j" TOOLWIRE_BIN_DIR R"j(/hello'"], "env": {"OWN": "${HOME}"}}},
      "toolwire": )j" + own + "}");
    Program program = serve(file, {"--list", "--no-remember"});
    program.environment["GITHUB_TOKEN"] = "ghp_secret";
    program.environment["https_proxy"] = "http://proxy";
    BOOST_TEST(run_program(program).status == 0);
    return content_of(seen);
  };
  const std::string usual = variables("{}");
  BOOST_TEST(usual.find("ghp_secret") == std::string::npos);
  BOOST_TEST(usual.find("https_proxy=http://proxy") != std::string::npos);
  BOOST_TEST(usual.find("OWN=/") != std::string::npos);
  BOOST_TEST(variables(R"j({"inherit": ["GITHUB_*"]})j").find("GITHUB_TOKEN=ghp_secret") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(secrets_are_in_no_message, ConfiguredFixture) {
  folder.file("key", "s3cr3t-of-a-file\n");
  const std::string file = configure(R"j({"mcpServers": {"loud": {"command": "/bin/sh",
    "args": ["-c", "echo \"I know $FROM_FILE and $API_KEY\" >&2; exit 3"],
    "env": {"FROM_FILE": "${file:key}", "API_KEY": "literal-key-value"}}}})j");
  Client client(serve(file));
  expect_log(client, "I know");
  const std::string said = client.process()->error_tail();
  BOOST_TEST(said.find("I know (redacted) and (redacted)") != std::string::npos, said);
  BOOST_TEST(said.find("s3cr3t-of-a-file") == std::string::npos);
  BOOST_TEST(said.find("literal-key-value") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(secrets_are_in_no_error_of_a_tool_and_in_no_record, ConfiguredFixture) {
  folder.file("key", "s3cr3t-of-a-file\n");
  folder.file("server.sh", R"sh(read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}'
read -r line
read -r line
echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"x","inputSchema":{"type":"object"}}]}}'
while read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"isError":true,"content":[{"type":"text","text":"refused '"$KEY"'"}]}}'
done
)sh");
  const std::string audit = (folder / "audit").string();
  Client client(serve(configure(R"j({"mcpServers": {"sh": {"command": "sh", "args": ["server.sh"],
    "env": {"KEY": "${file:key}"}}}, "toolwire": {"audit": "audit", "servers": {"sh": {"revision": "2025-06-18"}}}})j")));
  BOOST_TEST(client.call("x", {{"note", "with s3cr3t-of-a-file"}}).text() == "refused (redacted)");
  BOOST_TEST(eventually([&] { return content_of(audit).find("with (redacted)") != std::string::npos; }));
  BOOST_TEST(content_of(audit).find("s3cr3t-of-a-file") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(secrets_are_in_nothing_that_a_runtime_says, ConfiguredFixture) {
  std::filesystem::create_directory(folder / "tools");
  folder.file("tools/die.py", R"py(import os
def tool_info():
    return {'name': 'die', 'input_schema': {'type': 'object'}}
def tool_function():
    print('I know ' + os.environ['KEY'], flush=True)
    os._exit(3)
)py");
  Program program = serve(configure(R"j({"toolwire": {"runtimes": {"py": {"tools": "tools",
    "environment": {"KEY": "${env:KEY_OF_RUNTIME}"}}}}})j"));
  program.environment["KEY_OF_RUNTIME"] = "of no known form";
  Client client(program);
  BOOST_TEST(eventually([&] { return names(client).contains("die"); }));
  const std::string failed = client.call("die").text();
  BOOST_TEST(failed.find("I know (redacted)") != std::string::npos, failed);
  BOOST_TEST(failed.find("of no known form") == std::string::npos, failed);
  BOOST_TEST(client.process()->error_tail().find("of no known form") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(secrets_are_in_no_log_message_of_a_server, ConfiguredFixture) {
  folder.file("key", "s3cr3t \"of a\" file\n");
  folder.file("server.sh", R"sh(read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"sh","version":"1"}}}'
while read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  case $line in
  *'"tools/list"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"tools":[{"name":"x","inputSchema":{"type":"object"}}]}}';;
  *'"tools/call"'*)
    echo '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":{"why":["s3cr3t \"of a\" file"]}}}'
    echo '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"it is s3cr3t \"of a\" file"}}'
    echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"said"}]}}';;
  *'"id"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{}}';;
  esac
done
)sh");
  std::mutex mutex;
  std::string heard;
  ClientOptions options{.revision = "2025-11-25"};
  options.on_notification = [&](const std::string& method, const Json& params) {
    const std::lock_guard lock(mutex);
    if (method == "notifications/message") heard += to_json_text(params.at("data")) + "\n";
  };
  Client client(serve(configure(R"j({"mcpServers": {"sh": {"command": "sh", "args": ["server.sh"],
    "env": {"KEY": "${file:key}"}}}, "toolwire": {"servers": {"sh": {"revision": "2025-06-18"}}}})j")),
                options);
  client.set_log_level(LogLevel::info);
  BOOST_TEST(client.call("x").text() == "said");
  BOOST_TEST(eventually([&] {
    const std::lock_guard lock(mutex);
    return std::ranges::count(heard, '\n') == 2;
  }));
  const std::lock_guard lock(mutex);
  BOOST_TEST(heard == "{\"why\":[\"(redacted)\"]}\n\"it is (redacted)\"\n");
}

BOOST_FIXTURE_TEST_CASE(secrets_of_several_lines_are_in_no_record, ConfiguredFixture) {
  folder.file("key", "-----BEGIN KEY-----\nAb\"c/d\n-----END KEY-----\n");
  const Program program = serve(configure("{\"mcpServers\": {\"env\": {\"command\": \"" TOOLWIRE_BIN_DIR
                                          R"j(/mcp_back_end", "env": {"KEY": "${file:key}"}}},
    "toolwire": {"audit": "audit"}})j"),
                                {"--trace", (folder / "trace").string()});
  const std::string key = "-----BEGIN KEY-----\nAb\"c/d\n-----END KEY-----";
  {
    Client client(program);
    BOOST_TEST(client.call("echo", {{"text", "it is " + key}}).text() == "it is " + key);  // it is the host's already
  }
  for (const char* const record : {"audit", "trace"}) {
    BOOST_TEST_CONTEXT(record) {
      BOOST_TEST(eventually([&] { return content_of(folder / record).find("it is (redacted)") != std::string::npos; }));
      BOOST_TEST(content_of(folder / record).find("Ab") == std::string::npos, content_of(folder / record));
    }
  }
}

BOOST_FIXTURE_TEST_CASE(commands_run_only_where_the_command_line_says_so, ConfiguredFixture) {
  const std::string seen = (folder / "seen").string();
  const std::string file = configure(R"j({"mcpServers": {"hello": {"command": "/bin/sh",
      "args": ["-c", "echo \"$KEY\" > ')j" +
                                     seen + R"j('; exec ')j" TOOLWIRE_BIN_DIR R"j(/hello'"],
      "env": {"KEY": "${cmd:printf %s 'of a program; $(id)'}"}}}})j");
  BOOST_TEST(run({"serve", file, "--list"}).status == 2);
  BOOST_TEST(run({"serve", file, "--allow-commands", "--list"}).status == 0);
  BOOST_TEST(content_of(seen) == "of a program; $(id)\n");
  const std::string failing = configure(
      R"j({"mcpServers": {"x": {"command": "x", "env": {"KEY": "${cmd:false}", "MANY": "${cmd:head -c 70000 /dev/zero}"}}}})j");
  const ProgramRun ended = run({"serve", failing, "--allow-commands", "--list"});
  BOOST_TEST(ended.status == 2);
  BOOST_TEST(ended.errors.find("expected \"false\" to succeed; it exited with status 1") != std::string::npos,
             ended.errors);
  BOOST_TEST(ended.errors.find("expected at most 65536 bytes of \"head\"") != std::string::npos, ended.errors);
}

BOOST_FIXTURE_TEST_CASE(an_edit_of_what_counts_at_the_start_is_said_to_wait_for_it, ConfiguredFixture) {
  Client client(serve(with_hello(R"j({"inherit": ["A"]})j")));
  BOOST_TEST(!names(client).empty());
  const auto says_so = [&] {
    return client.process()->error_tail().find("from the next start on") != std::string::npos;
  };
  with_hello(R"j({"inherit": ["A"], "tools": {"add": {"description": "Edited"}}})j");
  BOOST_TEST(eventually([&] { return client.list_tools().front().description == "Edited"; }));
  BOOST_TEST(!says_so());
  with_hello(R"j({"inherit": ["B"], "tools": {"add": {"description": "Edited"}}})j");
  BOOST_TEST(eventually(says_so));
}

BOOST_FIXTURE_TEST_CASE(an_edit_changes_policies_and_a_mistake_changes_nothing, ConfiguredFixture) {
  Client client(serve(with_hello("{}")));
  BOOST_TEST(names(client).contains("add"));
  with_hello(R"j({"tools": {"hello/add": {"description": "Edited"}}})j");
  BOOST_TEST(eventually([&] { return client.list_tools().front().description == "Edited"; }));
  with_hello(R"j({"tools": {"hello/add": {"enabld": false}}})j");
  expect_log(client, "enabld: unknown");
  BOOST_TEST(client.list_tools().front().description == "Edited");
  with_hello(R"j({"tools": {"hello/add": {"enabled": false}}})j");
  BOOST_TEST(eventually([&] { return names(client).empty(); }));
}

BOOST_FIXTURE_TEST_CASE(an_edit_that_takes_all_bindings_away_is_used, ConfiguredFixture) {
  folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "count"}}})j");
  Client client(serve(configure(R"j({"toolwire": {"manifests": ["tool.json"],
    "bindings": {"count": {"constant": {"text": "1"}}}}})j")));
  BOOST_TEST(client.call("count").text() == "1");
  configure(R"j({"toolwire": {"manifests": ["tool.json"]}})j");
  BOOST_TEST(
      eventually([&] { return client.call("count").text().find("its binding was removed") != std::string::npos; }));
}

BOOST_FIXTURE_TEST_CASE(options_for_servers_of_the_command_line_are_refused_without_one, ConfiguredFixture) {
  const std::string file = with_hello("{}");
  for (const char* const option : {"--prefix", "--inherit"}) {
    const ProgramRun run = run_program(serve(file, {option, "always"}));
    BOOST_TEST(run.status == 2);
    BOOST_TEST(run.errors.find(std::string(option) + ": expected a --server") != std::string::npos, run.errors);
  }
}

BOOST_FIXTURE_TEST_CASE(an_edit_with_a_setting_that_nothing_follows_from_keeps_what_was, ConfiguredFixture) {
  folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "count"}}})j");
  const auto wanted = [&](const std::string& tools) {
    return configure(R"j({"toolwire": {"manifests": ["tool.json"], "bindings": {"count": {"constant": {"text": "1"}}},
      "tools": )j" + tools +
                     "}}");
  };
  Client client(serve(wanted(R"j({"count": {"description": "First"}})j")));
  BOOST_TEST(client.list_tools().front().description == "First");
  wanted(R"j({"count": {"description": "Second"}, "cuont": {"enabled": false}})j");
  BOOST_TEST(eventually([&] {
    const std::string said = client.process()->error_tail();
    return said.find("/toolwire/tools/cuont: there is no tool of this name; did you mean \"count\"?") !=
               std::string::npos &&
           said.find("the preferences stay as they were") != std::string::npos &&
           said.find("the files were read again") != std::string::npos;
  }));
  BOOST_TEST(client.list_tools().front().description == "First");
  wanted(R"j({"count": {"description": "Third"}})j");
  BOOST_TEST(eventually([&] { return client.list_tools().front().description == "Third"; }));
}

BOOST_FIXTURE_TEST_CASE(an_edit_that_mistypes_the_key_of_a_tool_of_a_server_keeps_what_was, ConfiguredFixture) {
  const std::string never = R"j("never": {"command": "sh", "args": ["-c", "exec sleep 600"]})j";
  const auto wanted = [&](const std::string& tools) {
    return configure("{\"mcpServers\": {" + hello + ", " + never + R"j(}, "toolwire": {"wait_seconds": 0, "tools": )j" +
                     tools + "}}");
  };
  Client client(serve(wanted("{}")));
  BOOST_TEST(eventually([&] { return names(client) == std::set<std::string>{"add"}; }));
  int edits = 0;
  const auto edit = [&](const std::string& tools) {
    wanted(tools);
    ++edits;
    BOOST_TEST(eventually([&] {
      const std::string said = client.process()->error_tail();
      int seen = 0;
      for (std::size_t at = 0; (at = said.find("the files were read again", at)) != std::string::npos; ++at) ++seen;
      return seen == edits;
    }));
  };
  edit(R"j({"hello/add": {"enabled": false}, "never/x": {"approval": "skip"}})j");
  BOOST_TEST(names(client).empty());
  for (const char* const mistyped : {"hello/ad", "hello/something_else", "hello/*dad*"}) {
    edit("{\"" + std::string(mistyped) + R"j(": {"enabled": false}, "never/x": {"approval": "skip"}})j");
    expect_log(client, "/toolwire/tools/hello~1" + std::string(mistyped).substr(6) + ": there is no ");
    expect_log(client, "\"hello/add\" would go with the same edit");
    expect_log(client, "the preferences stay as they were");
    BOOST_TEST(names(client).empty());
  }
  // Of a server whose tools nobody knows yet, any key may be right.
  edit(R"j({"hello/add": {"enabled": false}, "never/y": {"approval": "require"}})j");
  edit(R"j({"hello/a*": {"enabled": false}, "never/z": {"approval": "require"}})j");
  BOOST_TEST(names(client).empty());
  // What was not there lifts nothing, and what goes alone is meant to go.
  edit(R"j({"hello/a*": {"enabled": false}, "hello/later": {"enabled": false}})j");
  BOOST_TEST(names(client).empty());
  edit(R"j({"hello/later": {"enabled": false}})j");
  BOOST_TEST(eventually([&] { return names(client) == std::set<std::string>{"add"}; }));
}

BOOST_FIXTURE_TEST_CASE(a_tool_is_confined_by_its_settings, ConfinedFixture,
                        *boost::unit_test::precondition(has_landlock)) {
  Client client(serve(with_tools(confined)));
  BOOST_TEST(client.call("try_it").text() == "EACCES EACCES");
  BOOST_TEST(!has_written());
  expect_log(client, "\"try_it\" runs with files=read-only, network=none");
  const auto tools = client.list_tools();
  const auto listed = std::ranges::find(tools, "try_it", [](const auto& tool) { return tool.name; });
  BOOST_REQUIRE((listed != tools.end()));
  BOOST_TEST(listed->raw.at("_meta").at("dev.toolwire/confinement").at("network") == "none");
  const ProgramRun open = run_program(serve(with_tools("{}"), {"--call", "try_it", "{}"}));
  BOOST_TEST(open.out.find("done done") != std::string::npos, open.out);
  BOOST_TEST(has_written());
}

BOOST_FIXTURE_TEST_CASE(of_the_confinements_of_binding_and_settings_the_stricter_one_counts, ConfinedFixture,
                        *boost::unit_test::precondition(has_landlock)) {
  const auto said = [&](const char* binding, const char* tools) {
    return run_program(serve(with_tools(R"j({"try_it": {"confinement": )j" + std::string(tools) + "}}",
                                        R"j(, "confinement": )j" + std::string(binding)),
                             {"--call", "try_it", "{}"}))
        .out;
  };
  const std::string one = said(R"j({"network": "none"})j", R"j({"files": "read-only", "network": "all"})j");
  BOOST_TEST(one.find("EACCES EACCES") != std::string::npos, one);
  const std::string other = said(R"j({"files": "read-only", "network": "all"})j", R"j({"network": "none"})j");
  BOOST_TEST(other.find("EACCES EACCES") != std::string::npos, other);
}

BOOST_FIXTURE_TEST_CASE(an_edit_confines_a_tool_from_the_next_call_on, ConfinedFixture,
                        *boost::unit_test::precondition(has_landlock)) {
  Client client(serve(with_tools("{}")));
  BOOST_TEST(client.call("try_it").text() == "done done");
  std::filesystem::remove(outside / "written");
  with_tools(confined);
  const auto is_confined = [&] { return client.call("try_it").text() == "EACCES EACCES"; };
  BOOST_TEST(eventually(is_confined));
  with_tools(R"j({"try_it": {"confinement": {"netwrk": "none"}}})j");
  expect_log(client, "everything stays as it was");
  BOOST_TEST(is_confined());
  with_tools(R"j({"try_it": {}, "hello/add": {"confinement": {"network": "none"}}})j");
  expect_log(client, "the preferences stay as they were");
  BOOST_TEST(is_confined());
  with_tools("{}");
  BOOST_TEST(eventually([&] { return client.call("try_it").text() == "done done"; }));
}

BOOST_FIXTURE_TEST_CASE(a_tool_whose_confinement_cannot_be_had_any_more_fails, ConfinedFixture,
                        *boost::unit_test::precondition(has_landlock)) {
  Client client(serve(with_tools(confined)));
  BOOST_TEST(client.call("try_it").text() == "EACCES EACCES");
  with_tools(confined, R"j(, "confinement": {"files": "workspace", "workspace": ["."]})j");
  BOOST_TEST(eventually([&] {
    return client.call("try_it").text().find("its \"confinement\" cannot be had: in conflict") != std::string::npos;
  }));
  BOOST_TEST(!has_written());
}

BOOST_FIXTURE_TEST_CASE(a_tool_of_a_server_that_a_confinement_fits_is_not_offered, ConfinedFixture) {
  folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "add_it"}}})j");
  const std::string file = with_hello(R"j({"manifests": ["tool.json"], "bindings": {"add_it": {"process": {"argv":
    ["true"]}}}, "tools": {"add*": {"confinement": {"network": "none"}}}})j");
  Client client(serve(file));
  expect_log(client, "\"hello/add\" is not offered: \"confinement\" of \"add*\" cannot be had");
  BOOST_TEST(names(client) == std::set<std::string>{"add_it"}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_tool_of_a_runtime_that_a_confinement_fits_is_not_offered, ConfiguredFixture) {
  folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "add_it"}}})j");
  folder.folder("py");
  const auto runtime_tool = [&](const std::string& name) {
    folder.file("py/" + name + ".py", "def tool_info():\n    return {'name': '" + name +
                                          "', 'input_schema': {'type': 'object'}}\n"
                                          "def tool_function():\n    return 'ran'\n");
  };
  runtime_tool("add_up");
  runtime_tool("take_away");
  Client client(serve(
      configure(R"j({"toolwire": {"manifests": ["tool.json"], "wait_seconds": 60, "runtimes": {"py": {"tools": "py"}},
    "bindings": {"add_it": {"process": {"argv": ["true"]}}}, "tools": {"add*": {"confinement": {"network": "none"}}}}})j")));
  BOOST_TEST(names(client) == (std::set<std::string>{"add_it", "take_away"}), boost::test_tools::per_element());
  expect_log(client, "runtime \"py\": left out: tool \"add_up\"");
}

BOOST_FIXTURE_TEST_CASE(what_servers_may_have_later_is_declared_at_once, ConfiguredFixture) {
  const std::string file = configure(R"j({"mcpServers": {"slow": {"command": "/bin/sh", "args": ["-c", "sleep 600"]}},
    "toolwire": {"wait_seconds": 0}})j");
  Client client(serve(file), {.revision = "2025-06-18"});
  for (const char* const kind : {"tools", "resources", "prompts"})
    BOOST_TEST(client.server().capabilities.as_object().contains(kind), kind);
}

BOOST_AUTO_TEST_CASE(the_schema_is_printed_and_knows_what_is_read) {
  const ProgramRun printed = run({"schema"});
  BOOST_TEST(printed.status == 0);
  const Schema schema = Schema::compile(parse_json(printed.out));
  const auto fits = [&](const char* text) { return schema.is_valid(parse_json(text)); };
  BOOST_TEST(fits(R"j({"$schema": "s", "mcpServers": {"a": {"command": "x", "args": []}}, "toolwire": {
    "tools": {"a/*": {"enabled": false, "output": {"lines": 5}}}, "servers": {"a": {"prefix": "never"}},
    "profiles": {"dev": {"prefix": "always"}}}})j"));
  BOOST_TEST(fits(R"j({"toolwire": {"listen": {"address": "127.0.0.1:0", "token_file": "t"}}})j"));
  BOOST_TEST(!fits(R"j({"toolwire": {"listen": {"addres": "127.0.0.1:0"}}})j"));
  BOOST_TEST(
      fits(R"j({"toolwire": {"authorization": {"issuer": "https://a.example", "resource": "https://b.example/mcp",
    "audiences": ["x"], "algorithms": ["ES256"], "token_types": ["JWT"], "scopes": ["y"], "leeway_seconds": 60,
    "keys": "https://a.example/keys"}}})j"));
  for (const char* const wrong : {R"j({"issuer": "https://a.example"})j", R"j({"issuer": "a", "resource": "b"})j",
                                  R"j({"issuer": "https://a.example", "resource": "https://b.example", "x": 1})j",
                                  R"j({"issuer": "https://a.example", "resource": "https://b.example",
                                       "algorithms": ["none"]})j",
                                  R"j({"proxy": {}})j", R"j({"proxy": {"principal_field": "X-User", "x": 1}})j",
                                  R"j({"proxy": {"principal_field": "X-User"}})j",
                                  R"j({"proxy": {"principal_field": "X-User", "secret_field": "X-Secret",
                                       "secret_file": "s"}, "issuer": "https://a.example"})j"})
    BOOST_TEST(!fits((R"j({"toolwire": {"authorization": )j" + std::string(wrong) + "}}").c_str()), wrong);
  BOOST_TEST(fits(R"j({"toolwire": {"authorization": {"proxy": {"principal_field": "X-User",
    "secret_field": "X-Secret", "secret_file": "s"}}}})j"));
  BOOST_TEST(fits(R"j({"toolwire": {"authorization": null}})j"));
  BOOST_TEST(!fits(R"j({"toolwire": {"tool": {}}})j"));
  BOOST_TEST(!fits(R"j({"toolwire": {"tools": {"a": {"enable": true}}}})j"));
  BOOST_TEST(fits(R"j({"toolwire": {"tools": {"a": {"confinement": {"files": "workspace", "workspace": ["w"]}}}}})j"));
  BOOST_TEST(!fits(R"j({"toolwire": {"tools": {"a": {"confinement": {"file": "workspace"}}}}})j"));
  BOOST_TEST(!fits(R"j({"toolwire": {"profiles": {"dev": {"prefx": "always"}}}})j"));
}
