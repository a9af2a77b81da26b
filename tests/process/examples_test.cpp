// The programs of framework/examples with one feature each, as a client sees them: a case for each, named after its
// file.
#define BOOST_TEST_MODULE examples_test
#include <boost/test/unit_test.hpp>

#include <array>
#include <csignal>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <toolwire/client.hpp>
#include <toolwire/json_members.hpp>
#include <utility>
#include <vector>

#include "curl.hpp"
#include "examples.hpp"
#include "program_run.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// The code that an error result has for programs.
std::string_view code_of(const CallResult& result) {
  return text_member(member_or_null(result.raw, "_meta", "dev.toolwire/error"), "code");
}

ClientOptions answering(ElicitationReply::Action action, const Json& content) {
  ClientOptions options;
  options.on_elicitation = [=](const Elicitation&) { return ElicitationReply{action, content}; };
  return options;
}

}  // namespace

namespace examples {  // where the cases may have the names of namespaces

BOOST_AUTO_TEST_CASE(typed_tool) {
  Client client(example("typed_tool"));
  const ListedTool tool = client.list_tools().at(0);
  BOOST_TEST(tool.input_schema.at("required") == Json(JsonArray{"city"}));
  BOOST_TEST(tool.input_schema.at("properties").at("days").at("default") == Json(2));
  BOOST_TEST(tool.output_schema.at("properties").as_object().contains("highest"));

  const CallResult result = client.call("forecast", {{"city", "Rome"}, {"days", 3}, {"unit", "fahrenheit"}});
  BOOST_TEST((result.structured == Json{{"city", "Rome"}, {"highest", JsonArray{68, 68, 68}}}));
  const CallResult wrong = client.call("forecast", {{"city", ""}, {"days", 11}});
  BOOST_TEST(wrong.is_error);
  BOOST_TEST(contains(wrong.text(), "days: 11 is not between 1 and 10"), wrong.text());
}

BOOST_AUTO_TEST_CASE(short_tool) {
  Client client(example("short_tool"));
  BOOST_TEST(client.call("add", {{"a", 1}, {"b", 2}}).text() == "3");
  BOOST_TEST(client.call("repeat", {{"text", "ab"}}).text() == "abab");
  BOOST_TEST(client.call("repeat", {{"text", "ab"}, {"times", 3}}).text() == "ababab");
  BOOST_TEST(client.call("repeat", {{"text", "ab"}, {"times", 0}}).is_error);
  BOOST_TEST(client.call("reverse", {{"text", "abc"}}).text() == "cba");
}

BOOST_AUTO_TEST_CASE(rich_types) {
  Client client(example("rich_types"));
  const Json inner{{"kind", "section"}, {"id", "first"}, {"number", "I"}};
  const Json outer{{"kind", "chapter"}, {"id", "trees"}, {"number", 7.5}, {"parts", JsonArray{inner, inner}}};
  BOOST_TEST(client.call("count", outer).text() == "3");
  BOOST_TEST(client.call("next").text() == "1");
  BOOST_TEST(client.call("next").text() == "2");
  Json wrong = outer;
  wrong.at("parts").as_array()[1].as_object()["id"] = "Second";
  BOOST_TEST(client.call("count", wrong).text() == "parts[1].id: \"Second\" does not match the pattern ^[a-z-]+$");
  const Json schema = client.list_tools().at(0).input_schema;
  BOOST_TEST(schema.at_pointer("/properties/kind/oneOf/1/title") == "A whole chapter");
  BOOST_TEST(schema.at_pointer("/properties/parts/items/$ref") == "#/$defs/Part");
}

BOOST_AUTO_TEST_CASE(errors) {
  Client client(example("errors"));
  BOOST_TEST(client.call("divide", {{"a", 1}, {"b", 2}}).text() == "0.5");
  const CallResult refused = client.call("divide", {{"a", 1}, {"b", 0}});
  BOOST_TEST((refused.is_error && refused.text() == "b is 0: give another number"));
  BOOST_TEST(code_of(client.call("read_meter")) == "offline");
  const CallResult paid = client.call("pay", {{"cents", 5}});
  BOOST_TEST(text_member(member_or_null(paid.raw, "_meta", "dev.toolwire/error"), "outcome") == "unknown");
  BOOST_CHECK_EXCEPTION(client.call("vault"), ProtocolError, [](const auto& error) { return error.code == -32000; });
  const CallResult crashed = client.call("crash");
  BOOST_TEST(crashed.is_error);
  BOOST_TEST(!contains(crashed.text(), "PIN"));
}

BOOST_AUTO_TEST_CASE(progress) {
  Client client(example("progress"));
  std::vector<ProgressReport> reports;
  CallOptions options;
  options.on_progress = [&](const ProgressReport& report) { reports.push_back(report); };
  BOOST_TEST(client.call("count_primes", {{"below", 20'000}}, options).text() == "2262");
  BOOST_REQUIRE(!reports.empty());
  BOOST_TEST(reports.back().progress == 19'000);
  BOOST_TEST(reports.back().total.value() == 20'000);
  BOOST_TEST(contains(reports.back().message, " so far"));
}

BOOST_AUTO_TEST_CASE(cancellation) {
  Client client(example("cancellation"));
  std::promise<void> begun;
  CallOptions options;
  options.on_progress = [&, first = true](const ProgressReport&) mutable {
    if (std::exchange(first, false)) begun.set_value();
  };
  CallHandle search = client.start_call("search", {}, options);
  begun.get_future().wait();
  BOOST_TEST(client.call("at_work").text() == "1");
  search.cancel();
  while (client.call("at_work").text() != "0") continue;  // the test's own time limit ends it

  CallHandle waiting = client.start_call("wait_for_bell");
  client.call("ring");
  BOOST_TEST(waiting.wait().text() == "It has rung");
}

BOOST_AUTO_TEST_CASE(async) {
  Client client(example("async"));
  std::vector<std::string> reports;
  CallOptions options;
  options.on_progress = [&](const ProgressReport& report) { reports.push_back(report.message); };
  BOOST_TEST(client.call("breakfast", {{"eggs", 2}}, options).text() == "warm tea, 2 eggs, warm bread");
  BOOST_TEST(reports == std::vector<std::string>{"warm tea"}, boost::test_tools::per_element());
  BOOST_TEST(client.call("primes", {{"below", 1'000}}).text() == "168");
  BOOST_TEST(client.call("order", {{"below", 1'000}}).text() == "168");
}

BOOST_AUTO_TEST_CASE(resource) {
  Client client(example("resource"));
  BOOST_TEST(read_resource(client, "notes://help").at(0).contents == "# One note a day");
  BOOST_TEST(read_resource(client, "notes://day/monday").at(0).contents == "Buy bread");
  BOOST_CHECK_THROW(read_resource(client, "notes://day/sunday"), ProtocolError);
  BOOST_TEST(list_resources(client).size() == 3U);
  BOOST_TEST(list_resource_templates(client).at(0).uri == "notes://day/{day}");

  std::promise<std::string> changed;
  const Subscription subscription =
      client.subscribe_resources({"notes://day/monday"}, [&](const std::string& uri) { changed.set_value(uri); });
  client.call("write_note", {{"day", "monday"}, {"text", "Eat bread"}});
  BOOST_TEST(changed.get_future().get() == "notes://day/monday");
  BOOST_TEST(read_resource(client, "notes://day/monday").at(0).contents == "Eat bread");
}

BOOST_AUTO_TEST_CASE(prompt) {
  Client client(example("prompt"));
  BOOST_TEST(client.list_prompts().at(0).name == "review");
  using Values = std::vector<std::string>;
  BOOST_TEST((complete_prompt(client, "review", "file", "ma").values == Values{"main.cpp", "map.cpp"}));
  BOOST_TEST((complete_prompt(client, "review", "tone", "s").values == Values{"strict"}));
  const PromptMessages messages = client.get_prompt("review", {{"file", "main.cpp"}, {"tone", "strict"}});
  BOOST_TEST(contains(to_json_text(messages.raw), "Review main.cpp. Be strict."));
  BOOST_CHECK_THROW(client.get_prompt("review"), ProtocolError);
}

BOOST_AUTO_TEST_CASE(visible) {
  for (const char* const revision : {"2025-06-18", "2026-07-28"}) {
    Client client(example("visible"), {.revision = revision});
    std::promise<void> changed;
    const Subscription subscription = client.subscribe_lists([&, told = false]() mutable {
      if (!std::exchange(told, true)) changed.set_value();
    });
    BOOST_TEST(client.list_tools().size() == 1U);
    BOOST_CHECK_THROW(client.call("open_safe"), ProtocolError);
    BOOST_TEST(client.call("log_in", {{"password", "123"}}).is_error);
    client.call("log_in", {{"password", "swordfish"}});
    changed.get_future().wait();
    BOOST_TEST(client.list_tools().size() == 2U);
    BOOST_TEST(client.call("open_safe").text() == "a ruby");
    BOOST_TEST(read_resource(client, "safe://list").at(0).contents == "one ruby");
  }
}

BOOST_AUTO_TEST_CASE(mount) {
  Client client(example("mount"));
  BOOST_TEST(client.call("weather_now", {{"city", "Rome"}}).text() == "Rome: rain");
  BOOST_TEST(read_resource(client, "weather://cities").at(0).contents == "Oslo, Rome");
  BOOST_CHECK_THROW(client.call("trains_book"), ProtocolError);
  client.call("trains_next", {{"city", "Rome"}});
  BOOST_TEST(client.call("trains_book").text() == "booked");
}

BOOST_AUTO_TEST_CASE(ask_user) {
  using Action = ElicitationReply::Action;
  for (const char* const revision : {"2025-06-18", "2026-07-28"}) {
    const auto said = [&](Action action, const Json& content) {
      ClientOptions options = answering(action, content);
      options.revision = revision;
      return Client(example("ask_user"), options).call("delete_notes").text();
    };
    BOOST_TEST(said(Action::accept, {{"which", "drafts"}, {"sure", true}}) == "The drafts are deleted");
    BOOST_TEST(said(Action::accept, {{"which", "everything"}, {"sure", false}}) == "Nothing was deleted");
    BOOST_TEST(said(Action::decline, nullptr) == "Nothing was deleted");
  }
}

BOOST_AUTO_TEST_CASE(output_schema) {
  Client client(example("output_schema"));
  BOOST_TEST(
      (client.call("statistics", {{"numbers", JsonArray{1, 2}}}).structured == Json{{"count", 2}, {"mean", 1.5}}));
  const CallResult wrong = client.call("wrong");
  BOOST_TEST(wrong.is_error);
  BOOST_TEST(!wrong.structured.has_value());
}

BOOST_AUTO_TEST_CASE(task) {
  BOOST_TEST(Client(example("task")).call("bake", {{"loaves", 3}}).text() == "3 loaves");
  ClientOptions options;
  options.tasks = true;
  options.revision = "2026-07-28";
  Client client(example("task"), options);
  BOOST_TEST(client.call("bake", {{"loaves", 3}}).text() == "3 loaves");
  const Json begun = client.request("tools/call", {{"name", "bake"}, {"arguments", {{"loaves", 2}}}});
  BOOST_TEST(text_member(begun, "resultType") == "task");
}

BOOST_AUTO_TEST_CASE(middleware) {
  Client client(example("middleware"));
  const CallResult counted = client.call("count_books");
  BOOST_TEST(counted.text() == "3");
  BOOST_TEST(member_or_null(counted.raw, "_meta", "dev.toolwire/details", "microseconds").is_int64());
  const CallResult refused = client.call("burn_books");
  BOOST_TEST((refused.is_error && contains(refused.text(), "only reads")));
}

BOOST_AUTO_TEST_CASE(content) {
  Client client(example("content"));
  const CallResult result = client.call("disk_usage");
  BOOST_TEST((result.structured == Json{{"percent", 42}}));
  BOOST_REQUIRE(result.content.size() == 3U);
  BOOST_TEST(text_member(result.content.at(1), "mimeType") == "image/svg+xml");
  BOOST_TEST(member_or_null(result.content.at(1), "annotations", "audience") == Json(JsonArray{"user"}));
  BOOST_TEST(read_resource(client, text_or(result.content.at(2), "uri")).at(0).contents == "42 % of /dev/sda1");
  BOOST_TEST(text_member(member_or_null(result.raw, "_meta", "dev.toolwire/details"), "device") == "/dev/sda1");
}

BOOST_AUTO_TEST_CASE(listeners) {
  const ScratchFolder folder;
  Announcing server("listeners", {folder.path().string()});
  const std::string token = "this should be random";
  const auto visit = [](std::unique_ptr<Transport> transport) {
    return Client(std::move(transport)).call("visit").text();
  };
  BOOST_TEST(visit(connect_unix_socket(folder.path() / "open")) == "1");
  BOOST_TEST(visit(connect_unix_socket(folder.path() / "guarded", token)) == "2");
  BOOST_TEST(visit(connect_loopback(static_cast<std::uint16_t>(std::stoi(server.line)), token)) == "3");
  BOOST_CHECK_THROW(visit(connect_unix_socket(folder.path() / "guarded", "this is not the token")), ConnectionError);
  BOOST_TEST(server.ended_by(SIGTERM).success());
}

BOOST_AUTO_TEST_CASE(http_port) {
  if (!has_example("http_port")) return;
  Announcing server("http_port");
  const std::string call =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":40,"b":2},"_meta":{)"
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
  const CurlAnswer answer =
      curl({server.line, "-H", "Content-Type: application/json", "-H", "Accept: application/json, text/event-stream",
            "-H", "MCP-Protocol-Version: 2026-07-28", "-H", "Mcp-Method: tools/call", "-H", "Mcp-Name: add",
            "--data-binary", call});
  BOOST_TEST(answer.status == 200);
  BOOST_TEST(contains(answer.body, R"("text":"42")"), answer.body);
  BOOST_TEST(server.ended_by(SIGTERM).success());
}

BOOST_AUTO_TEST_CASE(http_client) {
  if (!has_example("http_client") || !has_example("http_port")) return;
  Announcing server("http_port");
  const ProgramRun run = run_program(example("http_client", {server.line}));
  BOOST_TEST(run.out == "adder speaks 2026-07-28\nadd: Add two numbers\n42\n", run.out + run.errors);
  BOOST_TEST(server.ended_by(SIGTERM).success());
  const ProgramRun failed = run_program(example("http_client", {server.line}));
  BOOST_TEST(failed.status == 1);
  BOOST_TEST(contains(failed.errors, "http_client: "), failed.errors);
}

BOOST_AUTO_TEST_CASE(testing) {
  const ProgramRun run = run_program(example("testing"));
  BOOST_TEST(run.status == 0, run.errors);
}

BOOST_AUTO_TEST_CASE(client) {
  const ProgramRun run = run_program(example("client", {example("short_tool").command.at(0)}));
  BOOST_TEST(run.out.starts_with("texts speaks 2026-07-28\nadd: Add two numbers\n"), run.out);
  BOOST_TEST(run.out.ends_with("\n42\n1.5\n"), run.out);
  const ProgramRun failed = run_program(example("client", {"/there/is/no/such/program"}));
  BOOST_TEST(failed.status == 1);
  BOOST_TEST(contains(failed.errors, "/there/is/no/such/program"), failed.errors);
}

}  // namespace examples
