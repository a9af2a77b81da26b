// `toolwire-bridge serve` as a host uses it: the manifest of the discovery document, its promises, edits while it runs.
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE bridge_serve_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "manifest_document.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

const std::string bridge_program = TOOLWIRE_BIN_DIR "/toolwire-bridge";
const std::vector<std::string> eras{"2025-06-18", "2026-07-28"};

/// A folder with the seed manifest, and what runs its tool.
struct Fixture {
  ScratchFolder folder;
  Json manifest = parse_json(seed_text());

  Fixture() { bind(R"j({"constant": {"result": {"run_id": "r-1"}}})j"); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  void bind(const std::string& binding) const {
    folder.file("tools.bindings.json", R"j({"bindings": {"spawn_coding_agent": )j" + binding + "}}");
  }
  std::string write_manifest() const { return folder.file("tools.json", to_json_text(manifest)).string(); }
  Json& metadata(const char* name) { return manifest.at_pointer("/tools/0/metadata").as_object()[name]; }

  Program serve(std::vector<std::string> more = {}) const {
    Program program{.command = {bridge_program, "serve", write_manifest()}};
    program.command.insert(program.command.end(), more.begin(), more.end());
    program.environment["XDG_STATE_HOME"] = folder.text();  // where the key and the used answers are kept
    return program;
  }
};

const Json task = JsonObject{{"task", "Fix it"}};

std::string code_of(const CallResult& result) {
  const Json* const error = result.raw.as_object().if_contains("_meta");
  if (!result.is_error || error == nullptr) return "";
  return std::string(error->at("dev.toolwire/error").at("code").as_string());
}

struct Ended {
  int status = -1;
  std::string out = {};
  std::string errors = {};
};

Ended run(std::vector<std::string> command) {
  command.insert(command.begin(), bridge_program);
  ChildProcess process(Program{.command = std::move(command)});
  process.close_input();
  Ended ended;
  std::array<char, 4096> bytes{};
  for (std::ptrdiff_t count = 0; (count = process.transport().read(bytes.data(), bytes.size())) > 0;)
    ended.out.append(bytes.data(), static_cast<std::size_t>(count));
  ended.status = process.wait().code;
  ended.errors = process.error_tail();
  return ended;
}

std::string content_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Counts something that happens on another thread.
class Counter {
 public:
  void count() {
    std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  bool reaches(int number) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 20s, [&] { return count_ >= number; });
  }
  int now() {
    std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

/// A user who says the same every time.
ClientOptions answering(bool approve, Counter& asked, const std::string& revision) {
  ClientOptions options{.revision = revision};
  options.on_elicitation = [approve, &asked](const Elicitation& question) {
    BOOST_TEST(question.message.find("spawn_coding_agent") != std::string::npos);
    asked.count();
    return ElicitationReply{ElicitationReply::Action::accept, JsonObject{{"approve", approve}}};
  };
  return options;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_tool_of_the_document_is_served_as_the_mapping_says, Fixture) {
  for (const std::string& revision : eras) {
    Client client(serve(), {.revision = revision});
    BOOST_TEST(client.server().name == "agent-manager");
    const std::vector<ListedTool> tools = client.list_tools();
    BOOST_REQUIRE(tools.size() == 1);
    BOOST_TEST(tools[0].name == "spawn_coding_agent");
    BOOST_TEST(tools[0].description == "Spawn a coding agent to execute a software engineering task");
    BOOST_TEST(tools[0].input_schema.at_pointer("/properties/runner_type/default") == "claude-code");
    const Json& meta = tools[0].raw.at("_meta").at("dev.toolwire/metadata");
    BOOST_TEST(meta.at("cost_estimate") == "high");
    BOOST_TEST(meta.at("category") == "agent_lifecycle");
    const CallResult result = client.call("spawn_coding_agent", task);
    BOOST_TEST(!result.is_error);
    BOOST_TEST(result.text().find("r-1") != std::string::npos);
    BOOST_TEST(client.call("spawn_coding_agent", JsonObject{}).text().find("task") != std::string::npos);
  }
}

BOOST_FIXTURE_TEST_CASE(the_manifest_comes_back_member_for_member, Fixture) {
  folder.file("seed.json", seed_text());
  const Ended ended = run({"manifest", "--", bridge_program, "serve", path("seed.json")});
  BOOST_TEST(ended.status == 0);
  BOOST_TEST(to_json_text(parse_json(ended.out)) == to_json_text(manifest));
}

BOOST_FIXTURE_TEST_CASE(the_deadline_of_the_manifest_holds, Fixture) {
  metadata("timeout_seconds") = 1;
  bind(R"j({"process": {"argv": ["/bin/sleep", "600"]}})j");
  for (const std::string& revision : eras) {
    Client client(serve(), {.revision = revision});
    const CallResult result = client.call("spawn_coding_agent", task);
    BOOST_TEST(code_of(result) == "timeout");
    BOOST_TEST(result.text().find("timed out after 1 s") != std::string::npos);
  }
}

BOOST_FIXTURE_TEST_CASE(approval_is_asked_once_and_a_no_is_final, Fixture) {
  metadata("requires_approval") = true;
  for (const std::string& revision : eras) {
    Counter yes;
    Client client(serve(), answering(true, yes, revision));
    BOOST_TEST(client.call("spawn_coding_agent", task).text().find("r-1") != std::string::npos);
    BOOST_TEST(yes.now() == 1);
    Counter no;
    Client strict(serve(), answering(false, no, revision));
    BOOST_TEST(code_of(strict.call("spawn_coding_agent", task)) == "denied");
    BOOST_TEST(no.now() == 1);
  }
}

BOOST_FIXTURE_TEST_CASE(an_approval_counts_once, Fixture) {
  metadata("requires_approval") = true;
  Counter asked;
  Client client(serve(), answering(true, asked, "2026-07-28"));
  JsonObject params{{"name", "spawn_coding_agent"}, {"arguments", task}};
  const Json question = client.request("tools/call", params);
  BOOST_REQUIRE(question.at("resultType") == "input_required");
  params["requestState"] = question.at("requestState");
  params["inputResponses"] = JsonObject{
      {"dev.toolwire/approval", JsonObject{{"action", "accept"}, {"content", JsonObject{{"approve", true}}}}}};
  BOOST_TEST(client.request("tools/call", params).at("resultType") == "complete");
  const auto refused = [&](const JsonObject& again) {
    try {
      return client.request("tools/call", again).as_object().if_contains("isError") != nullptr;
    } catch (const ProtocolError&) {
      return true;
    }
  };
  BOOST_TEST(refused(params));
  params["arguments"] = JsonObject{{"task", "Something else"}};
  BOOST_TEST(refused(params));
}

BOOST_FIXTURE_TEST_CASE(without_a_way_to_ask_nothing_runs, Fixture) {
  metadata("requires_approval") = true;
  bind(R"j({"process": {"argv": ["/usr/bin/touch", ")j" + path("ran") + R"j("]}})j");
  Client modern(serve(), {.revision = "2026-07-28"});
  BOOST_CHECK_EXCEPTION(modern.call("spawn_coding_agent", task), ProtocolError,
                        [](const ProtocolError& error) { return error.code == error_code::missing_client_capability; });
  Client legacy(serve(), {.revision = "2025-06-18"});
  BOOST_TEST(legacy.call("spawn_coding_agent", task).is_error);
  BOOST_TEST(!std::filesystem::exists(path("ran")));
  Client trusting(serve({"--approval", "host"}), {.revision = "2026-07-28"});
  BOOST_TEST(!trusting.call("spawn_coding_agent", task).is_error);
  BOOST_TEST(std::filesystem::exists(path("ran")));
}

BOOST_FIXTURE_TEST_CASE(the_eleventh_call_in_a_minute_is_refused_with_the_time_to_wait, Fixture) {
  Client client(serve());
  for (int call = 1; call <= 10; ++call) BOOST_TEST(!client.call("spawn_coding_agent", task).is_error);
  const CallResult refused = client.call("spawn_coding_agent", task);
  BOOST_TEST(code_of(refused) == "rate_limited");
  const Json& wait = refused.raw.at("_meta").at("dev.toolwire/error").at("retryAfterMs");
  BOOST_TEST((wait.as_int64() > 0 && wait.as_int64() <= 60'000));
}

BOOST_FIXTURE_TEST_CASE(the_users_preferences_decide, Fixture) {
  const std::string file =
      folder.file("preferences.json", R"j({"tools": {"spawn_coding_agent": {"enabled": false}}})j").string();
  Client disabled(serve({"--preferences", file}));
  BOOST_TEST(disabled.list_tools().empty());
  BOOST_CHECK_THROW(disabled.call("spawn_coding_agent", task), ProtocolError);
  folder.file("preferences.json", R"j({"tools": {"spawn_coding_agent": {"permissions": [
    {"arguments": {"properties": {"task": {"pattern": "production"}}}, "decision": "deny", "reason": "not there"}]}}})j");
  Client careful(serve({"--preferences", file}));
  BOOST_TEST(!careful.call("spawn_coding_agent", task).is_error);
  const CallResult denied = careful.call("spawn_coding_agent", JsonObject{{"task", "Fix production"}});
  BOOST_TEST(code_of(denied) == "denied");
  BOOST_TEST(denied.text().find("not there") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(calls_are_recorded_and_counted, Fixture) {
  {
    Client client(serve({"--audit", path("audit.jsonl"), "--metrics", path("metrics.prom")}), {.name = "host"});
    client.call("spawn_coding_agent", JsonObject{{"task", "Fix it"}, {"_reasoningForCall", "asked to"}});
    client.call("spawn_coding_agent", JsonObject{});
  }
  const std::string log = content_of(path("audit.jsonl"));
  const Json first = parse_json(log.substr(0, log.find('\n')));
  BOOST_TEST(first.at("tool") == "spawn_coding_agent");
  BOOST_TEST(first.at("outcome") == "ok");
  BOOST_TEST(first.at("reasoning") == "asked to");
  BOOST_TEST(log.find("r-1") == std::string::npos);
  BOOST_TEST(log.find("invalid_arguments") != std::string::npos);
  const std::string metrics = content_of(path("metrics.prom"));
  BOOST_TEST(metrics.find("toolwire_calls_total{tool=\"spawn_coding_agent\",outcome=\"ok\"} 1") != std::string::npos);
  BOOST_TEST(metrics.find("outcome=\"invalid_arguments\"} 1") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(an_edit_takes_effect_on_the_same_connection, Fixture) {
  for (const std::string& revision : eras) {
    manifest = parse_json(seed_text());
    Client client(serve(), {.revision = revision});
    Counter changes;
    const Subscription subscription = client.subscribe_tools([&] { changes.count(); });
    put(manifest, "/tools/0/description", "Edited");
    const std::string fresh = folder.file("fresh", to_json_text(manifest)).string();
    std::filesystem::rename(fresh, path("tools.json"));  // as careful editors do
    BOOST_TEST(changes.reaches(1));
    BOOST_TEST(client.list_tools().at(0).description == "Edited");
  }
}

BOOST_FIXTURE_TEST_CASE(an_edit_that_cannot_be_used_leaves_what_was_and_says_why, Fixture) {
  manifest.at_pointer("/tools/0/metadata").as_object().erase("rate_limit_per_minute");
  Program program = serve();
  std::string errors;
  {
    Client client(program);
    Counter changes;
    const Subscription subscription = client.subscribe_tools([&] { changes.count(); });
    folder.file("tools.json", "{ not json");
    bind(R"j({"constant": {"result": {"run_id": "r-2"}}})j");  // seen not earlier than the edit before
    const auto limit = std::chrono::steady_clock::now() + 20s;
    const auto answer = [&] { return client.call("spawn_coding_agent", task).text(); };
    while (answer().find("r-2") == std::string::npos && std::chrono::steady_clock::now() < limit)
      std::this_thread::yield();
    BOOST_TEST(answer().find("r-2") != std::string::npos);
    BOOST_TEST(client.list_tools().at(0).description == "Spawn a coding agent to execute a software engineering task");
    BOOST_TEST(changes.now() == 0);  // another Activity is no other description
    put(manifest, "/tools/0/description", "Good again");
    write_manifest();
    BOOST_TEST(changes.reaches(1));
    BOOST_TEST(client.list_tools().at(0).description == "Good again");
    client.process()->stop();
    errors = client.process()->error_tail();
  }
  BOOST_TEST(errors.find("tools.json") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(problems_at_the_start_are_told_with_their_places_and_take_nothing_else_down, Fixture) {
  Json second = manifest.at_pointer("/tools/0");
  second.as_object()["name"] = "broken";
  second.as_object()["parameters"] = JsonArray{};
  manifest.at("tools").as_array().push_back(second);
  folder.file("tools.bindings.json", R"j({"bindings": {
    "spawn_coding_agent": {"constant": {"result": 1}}, "other": {"mcp": {"server": "nowhere"}}}})j");
  const std::string file = write_manifest();
  const Ended ended = run({"serve", file, "--list"});
  BOOST_TEST(ended.status == 0);
  BOOST_TEST(ended.out.find("spawn_coding_agent") != std::string::npos);
  BOOST_TEST(ended.out.find("broken") == std::string::npos);
  BOOST_TEST(ended.errors.find(file) != std::string::npos);
  BOOST_TEST(ended.errors.find("/tools/1/parameters") != std::string::npos);
  BOOST_TEST(ended.errors.find("/bindings/other/mcp/server") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(people_can_call_a_tool_without_a_host, Fixture) {
  const Ended ended = run({"serve", write_manifest(), "--call", "spawn_coding_agent", R"j({"task": "x"})j"});
  BOOST_TEST(ended.status == 0);
  BOOST_TEST(ended.out.find("r-1") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(tools_of_another_server_are_offered_and_judged_alike, Fixture) {
  const std::string file = folder
                               .file("preferences.json", R"j({"tools": {"add": {"permissions": [
        {"arguments": {"properties": {"a": {"const": 13}}, "required": ["a"]}, "decision": "deny"}]}}})j")
                               .string();
  Client client(serve({"--server", "hello=" TOOLWIRE_BIN_DIR "/hello", "--preferences", file, "--audit", path("log")}));
  BOOST_TEST(client.call("add", {{"a", 1}, {"b", 2}}).text() == "3");
  BOOST_TEST(code_of(client.call("add", {{"a", 13}, {"b", 2}})) == "denied");
  BOOST_TEST(content_of(path("log")).find("\"tool\":\"add\"") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_disabled_tool_of_another_server_is_not_listed_until_the_user_wants_it, Fixture) {
  const std::string file = folder.file("preferences.json", R"j({"tools": {"add": {"enabled": false}}})j").string();
  Client client(serve({"--server", "hello=" TOOLWIRE_BIN_DIR "/hello", "--preferences", file}));
  const auto is_listed = [&] {
    return std::ranges::any_of(client.list_tools(), [](const ListedTool& tool) { return tool.name == "add"; });
  };
  BOOST_TEST(!is_listed());
  Counter changes;
  const Subscription subscription = client.subscribe_tools([&] { changes.count(); });
  folder.file("preferences.json", R"j({"tools": {}})j");
  BOOST_TEST(changes.reaches(1));
  BOOST_TEST(is_listed());
}

BOOST_AUTO_TEST_CASE(the_program_names_its_commands_and_the_nearest_one) {
  const Ended help = run({"--help"});
  BOOST_TEST(help.status == 0);
  for (const char* const command : {"serve", "compose", "call", "check", "manifest", "http"})
    BOOST_TEST(help.out.find(command) != std::string::npos, command);
  const Ended unknown = run({"sevre"});
  BOOST_TEST(unknown.status == 2);
  BOOST_TEST(unknown.errors.find("did you mean serve?") != std::string::npos);
  BOOST_TEST(run({}).status == 2);
  BOOST_TEST(run({"serve"}).status == 2);
  BOOST_TEST(run({"serve", "x.json", "--latent", "never"}).errors.find("--latent") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_bridge_that_is_started_without_input_ends, Fixture) {
  Program program = serve();
  program.command.insert(program.command.begin(), {"/bin/sh", "-c", "exec \"$@\" 0<&-", "sh"});
  ChildProcess process(program);
  BOOST_TEST(process.wait().code == 0);
}
