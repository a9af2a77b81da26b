// Replicas and workers of toolwire-cluster, as programs: tools that run elsewhere, workers that die in mid call, events
// that reach clients of other replicas, and what does not start.
#define BOOST_TEST_MODULE cluster_nats_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <toolwire/client.hpp>
#include <toolwire/http/connect.hpp>
#include <toolwire/json_members.hpp>

#include "failure_code.hpp"
#include "nats_server.hpp"
#include "program_run.hpp"
#include "replica.hpp"
#include "trace_collector.hpp"
#include "worker_program.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A tool that leaves a line in a file and takes a while; what it is called with is the line.
constexpr const char* manifest = R"({
  "protocol_version": "1.0",
  "scenario": {"name": "marks", "version": "1.0.0", "description": "Leaves marks"},
  "tools": [{
    "name": "mark", "description": "Leaves a mark",
    "parameters": {"type": "object", "properties": {"text": {"type": "string", "pattern": "^[a-z0-9]+$"}}, "required": ["text"]},
    "metadata": {"enabled_by_default": true, "requires_approval": false}
  }],
  "generated_at": "2026-01-15T10:30:00Z"
})";

struct NatsCluster : ClusterFixture {
  NatsServer nats;

  NatsCluster() {
    configure_replica({{"workers", JsonArray{"marks"}}});
    configure_worker("worker.json", {{"worker", "marks"}});
    folder.file("marks.json", manifest);
    folder.file(
        "marks.bindings.json",
        to_json_text(JsonObject{
            {"bindings", JsonObject{{"mark", JsonObject{{"process", JsonObject{{"argv", JsonArray{"sh", path("mark.sh"),
                                                                                                  "{text}"}}}}}}}}}));
    folder.file("mark.sh", "echo \"$1\" >> '" + path("marks") + "'\nsleep 0.3\necho marked \"$1\"\n");
  }
  JsonObject with_address(JsonObject settings) const {
    settings["address"] = nats.address();
    return settings;
  }
  void configure_replica(JsonObject nats_settings) const {
    const JsonObject own{{"redis", JsonObject{{"address", redis.address()}}},
                         {"nats", with_address(std::move(nats_settings))}};
    folder.file("mcp.json", to_json_text(JsonObject{{"mcpServers", JsonObject{}}, {"toolwire", own}}));
  }
  void configure_worker(const std::string& file, JsonObject nats_settings) const {
    const JsonObject own{{"manifests", JsonArray{"marks.json"}}, {"nats", with_address(std::move(nats_settings))}};
    folder.file(file, to_json_text(JsonObject{{"mcpServers", JsonObject{}}, {"toolwire", own}}));
  }
  std::map<std::string, int> marks() const {
    std::map<std::string, int> counts;
    std::istringstream lines(content_of(path("marks")));
    for (std::string line; std::getline(lines, line);) ++counts[line];
    return counts;
  }
};

/// What is said of a tool that it offers; empty if it does not.
std::string offered(Client& client, const std::string& name) {
  const auto tools = client.list_tools();
  const auto found = std::ranges::find(tools, name, &ListedTool::name);
  return found == tools.end() ? std::string() : found->description;
}

CallResult marked(Client& client, const std::string& text) { return client.call("mark", {{"text", text}}); }

Json error_of(const CallResult& result) { return member_or_null(result.raw, "_meta", "dev.toolwire/error"); }

std::string refused(const NatsCluster& cluster, const std::vector<std::string>& words) {
  std::vector<std::string> command{cluster_program};
  command.insert(command.end(), words.begin(), words.end());
  const ProgramRun run = run_program(cluster.program(command));
  BOOST_TEST(run.status == 2);
  return run.errors;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(tools_of_workers_are_offered_by_all_replicas_and_run_by_any_worker, NatsCluster) {
  const Replica one(*this, "one");
  const Replica other(*this, "other");
  const WorkerProgram worker(*this, "first");
  Client first(http::connect(one.url()));
  Client second(http::connect(other.url()));
  const auto is_there = [](Client& client) { return offered(client, "mark") == "Leaves a mark"; };
  BOOST_TEST(eventually([&] { return is_there(first) && is_there(second); }));  // it came after them
  BOOST_TEST(marked(first, "a").text() == "marked a\n");
  BOOST_TEST(marked(second, "b").text() == "marked b\n");
  BOOST_TEST((marks() == std::map<std::string, int>{{"a", 1}, {"b", 1}}));
}

BOOST_FIXTURE_TEST_CASE(of_calls_at_a_worker_that_is_killed_each_is_answered_or_unknown_and_none_has_two_effects,
                        NatsCluster) {
  auto doomed = std::make_unique<WorkerProgram>(*this, "doomed");
  const WorkerProgram survivor(*this, "survivor");
  const Replica one(*this, "one");
  const Replica other(*this, "other");
  Client first(http::connect(one.url()));
  Client second(http::connect(other.url()));
  BOOST_TEST(
      eventually([&] { return code_of(marked(first, "warm")).empty() && code_of(marked(second, "up")).empty(); }));
  std::vector<CallHandle> calls;
  constexpr int count = 40;
  for (int i = 0; i < count; ++i)
    calls.push_back((i % 2 == 0 ? first : second).start_call("mark", {{"text", "n" + std::to_string(i)}}));
  BOOST_TEST(eventually([&] { return marks().size() > 10; }));
  doomed->kill();
  int answered = 0;
  int unknown = 0;
  std::map<std::string, bool> certainly_not;
  for (int i = 0; i < count; ++i) {
    const CallResult result = calls[static_cast<std::size_t>(i)].wait();
    const std::string text = "n" + std::to_string(i);
    if (!result.is_error) {
      BOOST_TEST(result.text() == "marked " + text + "\n");
      ++answered;
    } else if (text_or(error_of(result), "outcome") == "unknown") {
      ++unknown;
    } else {
      certainly_not[text] = true;
    }
  }
  BOOST_TEST_MESSAGE(answered << " answered, " << unknown << " unknown, " << certainly_not.size() << " not begun");
  BOOST_TEST(answered + unknown + static_cast<int>(certainly_not.size()) == count);
  BOOST_TEST(unknown > 0);
  for (const auto& [text, times] : marks()) {
    BOOST_TEST((text == "warm" || text == "up" || times == 1), text << " has " << times << " effects");
    BOOST_TEST(!certainly_not.contains(text));
  }
  BOOST_TEST(code_of(marked(first, "after")).empty());
}

/// A client, a replica, a worker, and a server behind it.
BOOST_FIXTURE_TEST_CASE(traces_progress_and_questions_go_through_every_hop, NatsCluster) {
  folder.file("worker.json",
              to_json_text(JsonObject{
                  {"mcpServers", JsonObject{{"many", JsonObject{{"command", TOOLWIRE_BIN_DIR "/mcp_back_end"}}}}},
                  {"toolwire", JsonObject{{"nats", with_address({{"worker", "marks"}})}}}}));
  const WorkerProgram worker(*this, "first");
  const Replica one(*this, "one");
  ClientOptions options{.revision = "2026-07-28"};
  options.on_elicitation = [](const Elicitation&) {
    return ElicitationReply{ElicitationReply::Action::accept, JsonObject{{"sure", true}}};
  };
  Client client(http::connect(one.url()), options);
  BOOST_TEST(eventually([&] { return !offered(client, "meta").empty(); }));
  const std::string trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const CallResult seen = client.call(
      "meta", JsonObject{}, {.meta = {{"dev.toolwire/caller", "somebody else"}}, .trace = {.traceparent = trace}});
  BOOST_TEST_REQUIRE(seen.structured.has_value());
  BOOST_TEST(text_or(*seen.structured, "traceparent") == trace);
  BOOST_TEST(text_or(*seen.structured, "dev.toolwire/caller") == "");
  std::atomic<int> reports{0};
  const CallOptions reported{.on_progress = [&](const ProgressReport&) { ++reports; }};
  BOOST_TEST(client.call("progress", {{"count", 3}}, reported).text() == "reported");
  BOOST_TEST(reports > 0);
  BOOST_TEST(client.call("ask").text() == "sure");
}

BOOST_FIXTURE_TEST_CASE(a_trace_goes_on_at_the_worker, NatsCluster) {
  const TraceCollector collector;
  const auto traces = [&](const char* name) {
    return JsonObject{{"endpoint", collector.endpoint()}, {"service_name", name}};
  };
  folder.file("mcp.json",
              to_json_text(JsonObject{{"mcpServers", JsonObject{}},
                                      {"toolwire", JsonObject{{"redis", JsonObject{{"address", redis.address()}}},
                                                              {"nats", with_address({{"workers", JsonArray{"marks"}}})},
                                                              {"traces", traces("replica")}}}}));
  folder.file(
      "worker.json",
      to_json_text(JsonObject{
          {"mcpServers", JsonObject{{"many", JsonObject{{"command", TOOLWIRE_BIN_DIR "/mcp_back_end"}}}}},
          {"toolwire", JsonObject{{"nats", with_address({{"worker", "marks"}})}, {"traces", traces("worker")}}}}));
  WorkerProgram worker(*this, "first");
  std::string seen;
  const std::string trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  {
    const Replica one(*this, "one");
    Client client(http::connect(one.url()));
    BOOST_TEST(eventually([&] { return !offered(client, "meta").empty(); }));
    seen = text_or(*client.call("meta", {}, {.trace = {.traceparent = trace}}).structured, "traceparent");
  }
  const auto served = collector.wait_for("tools/call meta", 2, 2);
  const auto made = collector.wait_for("tools/call meta", 3, 2);
  BOOST_REQUIRE((served.size() == 2U && made.size() == 2U));
  const auto child_of = [](const std::vector<CollectedSpan>& spans, const std::string& parent) {
    const auto found = std::ranges::find(spans, parent, &CollectedSpan::parent);
    BOOST_REQUIRE(found != spans.end());
    return *found;
  };
  const CollectedSpan at_replica = child_of(served, "b7ad6b7169203331");
  const CollectedSpan over_nats = child_of(made, at_replica.id());
  const CollectedSpan at_worker = child_of(served, over_nats.id());
  const CollectedSpan to_server = child_of(made, at_worker.id());
  BOOST_TEST(seen == to_server.traceparent());
  BOOST_TEST(over_nats.attribute("network.protocol.name") == "nats");
  for (const CollectedSpan& one : {at_replica, over_nats, at_worker, to_server})
    BOOST_TEST(one.trace() == "0af7651916cd43dd8448eb211c80319c");
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_is_asked_to_end_answers_first, NatsCluster) {
  const Replica one(*this, "one");
  WorkerProgram worker(*this, "first");
  Client client(http::connect(one.url()));
  BOOST_TEST(eventually([&] { return !offered(client, "mark").empty(); }));
  CallHandle call = client.start_call("mark", {{"text", "last"}});
  BOOST_TEST(eventually([&] { return marks().contains("last"); }));
  BOOST_TEST(worker.end() == 0);
  BOOST_TEST(call.wait().text() == "marked last\n");
  const CallResult late = marked(client, "late");
  BOOST_TEST(code_of(late) == "unavailable");
  BOOST_TEST(text_or(error_of(late), "outcome").empty());
  BOOST_TEST(!marks().contains("late"));
}

BOOST_FIXTURE_TEST_CASE(who_is_not_named_and_who_has_another_key_offers_nothing, NatsCluster) {
  folder.file("mcp.json",
              to_json_text(JsonObject{
                  {"mcpServers", JsonObject{{"many", JsonObject{{"command", TOOLWIRE_BIN_DIR "/mcp_back_end"}}}}},
                  {"toolwire", JsonObject{{"redis", JsonObject{{"address", redis.address()}}},
                                          {"nats", with_address({{"workers", JsonArray{"others"}}})}}}}));
  const WorkerProgram unnamed(*this, "unnamed");
  configure_worker("others.json", {{"worker", "others"}});
  const WorkerProgram stranger(*this, "stranger", "others.json", "a key of somebody else");
  const Replica one(*this, "one");
  Client client(http::connect(one.url()));
  BOOST_TEST(eventually([&] { return !offered(client, "process").empty(); }));
  BOOST_TEST(offered(client, "mark") == "");
  const WorkerProgram named(*this, "named", "others.json");
  BOOST_TEST(eventually([&] { return !offered(client, "mark").empty(); }));
  BOOST_TEST(marked(client, "once").text() == "marked once\n");
  BOOST_TEST((marks() == std::map<std::string, int>{{"once", 1}}));
}

BOOST_FIXTURE_TEST_CASE(a_tool_that_has_changed_is_refused_until_it_is_accepted, NatsCluster) {
  {
    const Replica one(*this, "one");
    const WorkerProgram worker(*this, "first");
    Client client(http::connect(one.url()));
    BOOST_TEST(eventually([&] { return !offered(client, "mark").empty(); }));
    BOOST_TEST(marked(client, "before").text() == "marked before\n");
  }
  std::string changed = manifest;
  changed.replace(changed.find("Leaves a mark\""), 13, "Sends all away");
  folder.file("marks.json", changed);
  const WorkerProgram worker(*this, "first");
  const Replica one(*this, "one");  // with the state of the one before
  Client client(http::connect(one.url()));
  BOOST_TEST(eventually([&] { return code_of(marked(client, "after")) == "changed"; }));
  BOOST_TEST(offered(client, "mark") == "Leaves a mark");
  BOOST_TEST(!marks().contains("after"));
}

BOOST_FIXTURE_TEST_CASE(what_cannot_work_does_not_start, NatsCluster) {
  BOOST_TEST(has(refused(*this, {"work", path("mcp.json")}), R"(expected "worker" in "nats")"));
  folder.file("both.json",
              to_json_text(JsonObject{{"mcpServers", JsonObject{}},
                                      {"toolwire", JsonObject{{"manifests", JsonArray{"marks.json"}},
                                                              {"redis", JsonObject{{"address", redis.address()}}},
                                                              {"nats", with_address({{"worker", "marks"}})}}}}));
  BOOST_TEST(has(refused(*this, {"serve", path("both.json")}), R"("worker" is for toolwire-cluster work)"));
  configure_worker("worker.json", {{"worker", "marks"}, {"nkey_file", "nowhere"}});
  BOOST_TEST(has(refused(*this, {"work", path("worker.json")}), R"("nkey_file": expected a file of yours)"));
  const ProgramRun alone = run_program(program({TOOLWIRE_BIN_DIR "/toolwire-bridge", "serve", path("worker.json")}));
  BOOST_TEST(alone.status == 2);
  BOOST_TEST(has(alone.errors, R"("nats" is for toolwire-cluster)"), alone.errors);
}

/// The files of bridge/examples/cluster, with keys and addresses in the places of those that stand there.
BOOST_FIXTURE_TEST_CASE(the_example_runs_with_nkeys_and_no_more_rights_than_are_needed, NatsCluster) {
  const std::filesystem::path examples = std::filesystem::path(TOOLWIRE_SOURCE_DIR) / "bridge/examples";
  std::filesystem::copy(examples, folder / "examples", std::filesystem::copy_options::recursive);
  const std::string place = path("examples/cluster/");
  const auto key = [&](const std::string& file) {
    const ProgramRun made = run_program(program({cluster_program, "nkey", place + file}));
    return made.out.substr(0, made.out.find('\n'));
  };
  const auto replaced = [&](std::string text, const std::string& what, const std::string& by) {
    BOOST_TEST_REQUIRE(has(text, what));
    return text.replace(text.find(what), what.size(), by);
  };
  std::string rights = content_of(place + "nats-server.conf");
  rights = replaced(rights.substr(rights.find("authorization")), "KEY_OF_REPLICAS", key("replica.nk"));
  nats.kill();
  nats.start_again("jetstream {store_dir: \"" + path("jetstream") + "\"}\n" +
                   replaced(rights, "KEY_OF_WORKERS", key("worker.nk")));
  for (const char* const file : {"replica.json", "worker.json"}) {
    std::string text = replaced(content_of(place + file), "127.0.0.1:4222", nats.address());
    if (has(text, "redis")) text = replaced(text, "127.0.0.1:6379", redis.address());
    folder.file(std::filesystem::path("examples/cluster") / file, text);
  }
  folder.file("examples/words.json", replaced(content_of(path("examples/words.json")), R"("requires_approval": false)",
                                              R"("requires_approval": false, "long_running": true)"));
  std::filesystem::copy_file(place + "replica.json", path("mcp.json"),
                             std::filesystem::copy_options::overwrite_existing);
  std::filesystem::copy_file(place + "replica.nk", path("replica.nk"));
  const ChildProcess worker(program({cluster_program, "work", place + "worker.json"}, "worker"));
  const Replica replica(*this, "one");
  Client client(http::connect(replica.url()));
  BOOST_TEST(eventually([&] { return !offered(client, "count_words").empty(); }));
  BOOST_TEST(has(client.call("count_words", {{"text", "one two three"}}).text(), "3"));
  Client with_tasks(http::connect(replica.url()), {.revision = "2026-07-28", .tasks = true});
  const Json task =
      with_tasks.request("tools/call", {{"name", "count_words"}, {"arguments", JsonObject{{"text", "one two"}}}});
  BOOST_TEST_REQUIRE(has(to_json_text(task), "taskId"), to_json_text(task));
  const auto result = [&] {
    return to_json_text(member_or_null(with_tasks.request("tasks/get", {{"taskId", task.at("taskId")}}), "result"));
  };
  BOOST_TEST(eventually([&] { return result() != "null"; }));
  BOOST_TEST(has(result(), R"("text":"2)"), result());
  BOOST_TEST(!has(content_of(path("one.log")), "ermissions"), content_of(path("one.log")));
}

BOOST_AUTO_TEST_CASE(nobody_else_links_what_redis_and_nats_need) {
  const auto libraries = [](const std::string& name) {
    return run_program({.command = {"ldd", TOOLWIRE_BIN_DIR "/" + name}}).out;
  };
  const std::string of_cluster = libraries("toolwire-cluster");
  const std::string of_bridge = libraries("toolwire-bridge");
  for (const char* const library : {"libnats.so", "libssl.so"}) BOOST_TEST(has(of_cluster, library), of_cluster);
  BOOST_TEST(has(of_bridge, "libc.so"), of_bridge);
  for (const char* const library : {"libnats", "libhiredis", "libssl"}) BOOST_TEST(!has(of_bridge, library), of_bridge);
}

BOOST_FIXTURE_TEST_CASE(an_nkey_is_made_for_its_owner_alone, NatsCluster) {
  const ProgramRun made = run_program(program({cluster_program, "nkey", path("user.nk")}));
  BOOST_TEST(made.status == 0);
  BOOST_TEST(made.out.size() == 57u);
  BOOST_TEST(made.out.starts_with("U"));
  BOOST_TEST(content_of(path("user.nk")).starts_with("SU"));
  BOOST_TEST(((std::filesystem::status(path("user.nk")).permissions() & std::filesystem::perms::mask) ==
              (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write)));
  const ProgramRun again = run_program(program({cluster_program, "nkey", path("user.nk")}));
  BOOST_TEST(again.status == 1);
  BOOST_TEST(has(again.errors, "cannot write"));
}
