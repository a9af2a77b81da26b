// `toolwire-bridge http` with a collector of traces: spans of the tools that it runs, and the context on its way from a
// client's header fields to programs and runtimes.
#define BOOST_TEST_MODULE bridge_http_traces_test
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <toolwire/child_process.hpp>
#include <utility>

#include <toolwire/json_members.hpp>

#include "file_content.hpp"
#include "process_bench.hpp"
#include "raw_http.hpp"
#include "scratch_folder.hpp"
#include "trace_collector.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

const std::string trace = "0af7651916cd43dd8448eb211c80319c";
const std::string caller = "b7ad6b7169203331";
const std::string of_caller = "traceparent: 00-" + trace + "-" + caller + "-01\r\ntracestate: a=1\r\n";
const std::string served_name = "POST /api/v1/tools/execute";
constexpr int served = 2;
constexpr int made = 3;

constexpr const char* manifest = R"({
  "protocol_version": "1.0",
  "scenario": {"name": "own", "version": "1.0.0", "description": "Tools of files"},
  "tools": [
    {"name": "run", "description": "Says its environment", "parameters": {"type": "object", "properties": {}},
     "metadata": {"enabled_by_default": true, "requires_approval": false}},
    {"name": "fails", "description": "Fails", "parameters": {"type": "object", "properties": {}},
     "metadata": {"enabled_by_default": true, "requires_approval": false}},
    {"name": "seen", "description": "Says what its context says", "parameters": {"type": "object", "properties": {}},
     "metadata": {"enabled_by_default": true, "requires_approval": false}}
  ],
  "generated_at": "2026-01-15T10:30:00Z"
})";

constexpr const char* runtime_tool = R"py(
def tool_info():
    return {'name': 'told', 'description': 'Says what its context says', 'input_schema': {'type': 'object', 'properties': {}}}
def tool_function(ctx):
    return ' '.join(ctx.trace[name] for name in sorted(ctx.trace))
)py";

/// The program, with tools of a manifest that a program and a runtime run.
class TracedProgram {
 public:
  explicit TracedProgram(std::optional<JsonObject> traces) {
    std::filesystem::create_directory(folder_ / "py");
    folder_.file("py/told.py", runtime_tool);
    folder_.file("tools.json", manifest);
    JsonObject own{{"manifests", JsonArray{"tools.json"}},
                   {"wait_seconds", 60},
                   {"runtimes", parse_json(R"j({"py": {"tools": "py"}})j")},
                   {"bindings", parse_json(R"j({
                     "run": {"process": {"argv": ["sh", "-c", "echo $TRACEPARENT $TRACESTATE"]}},
                     "fails": {"process": {"argv": ["false"]}},
                     "seen": {"runtime": {"runtime": "py", "tool": "told"}}})j")}};
    if (traces) own["traces"] = std::move(*traces);
    const auto file = folder_.file(
        "bridge.json", to_json_text(JsonObject{{"mcpServers", JsonObject{}}, {"toolwire", std::move(own)}}));
    Program program{.command = {"sh", "-c", R"(exec "$0" "$@" >')" + path("out") + "' 2>'" + path("log") + "'",
                                TOOLWIRE_BIN_DIR "/toolwire-bridge", "http", file.string(), "--listen", "127.0.0.1:0"}};
    program.environment["XDG_STATE_HOME"] = folder_.text();
    program.end_with_parent = true;
    process_.emplace(program);
    const std::string before = "listening on http://127.0.0.1:";
    BOOST_TEST_REQUIRE(eventually([&] { return content_of(path("out")).find('\n') != std::string::npos; }),
                       content_of(path("log")));
    const std::string out = content_of(path("out"));
    port_ = static_cast<std::uint16_t>(std::stoi(out.substr(out.find(before) + before.size())));
  }
  ~TracedProgram() { process_->signal(SIGTERM); }
  TracedProgram(const TracedProgram&) = delete;
  TracedProgram& operator=(const TracedProgram&) = delete;

  /// The result, as text.
  std::string run(const std::string& tool, const std::string& fields = "") const {
    const std::string body = to_json_text(JsonObject{{"tool_name", tool}, {"arguments", JsonObject{}}});
    RawHttp connection(port_);
    connection.send("POST /api/v1/tools/execute HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
                    fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    const auto answer = connection.answer();
    BOOST_TEST_REQUIRE(answer.has_value());
    std::string text = text_or(parse_json(answer->body), "result", answer->body);
    while (text.ends_with('\n')) text.pop_back();
    return text;
  }

 private:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  ScratchFolder folder_;
  std::optional<ChildProcess> process_;
  std::uint16_t port_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_tool_that_is_run_is_followed_from_the_client_to_what_runs_it) {
  const TraceCollector collector;
  const TracedProgram program(JsonObject{{"endpoint", collector.endpoint()}});
  for (const std::string tool : {"run", "seen"}) {
    const std::string seen = program.run(tool, of_caller);
    const auto request = collector.wait_for(served_name, served, tool == "run" ? 1 : 2).back();
    const auto calls = collector.wait_for("execute_tool " + tool, made);
    BOOST_TEST_REQUIRE(calls.size() == 1U);
    BOOST_TEST(request.trace() == trace);
    BOOST_TEST(request.parent() == caller);
    BOOST_TEST(request.attribute("gen_ai.tool.name") == tool);
    BOOST_TEST(request.attribute("http.request.method") == "POST");
    BOOST_TEST(request.attribute("http.route") == "/api/v1/tools/execute");
    BOOST_TEST(request.attribute("http.response.status_code") == "200");
    BOOST_TEST(request.attribute("error.type") == "-");
    BOOST_TEST(request.attribute("mcp.method.name") == "-");
    BOOST_TEST(!request.has_failed());
    BOOST_TEST(calls.front().parent() == request.id());
    BOOST_TEST(calls.front().trace() == trace);
    BOOST_TEST(seen == calls.front().traceparent() + " a=1");
  }
}

BOOST_AUTO_TEST_CASE(one_without_a_context_begins_a_trace_and_says_how_it_failed) {
  const TraceCollector collector;
  const TracedProgram program(JsonObject{{"endpoint", collector.endpoint()}});
  program.run("fails", "traceparent: 00-nothing of the kind\r\n");
  const auto requests = collector.wait_for(served_name, served);
  BOOST_TEST_REQUIRE(requests.size() == 1U);
  BOOST_TEST(requests.front().parent() == "");
  BOOST_TEST(requests.front().trace() != trace);
  BOOST_TEST(requests.front().has_failed());
  BOOST_TEST(requests.front().attribute("error.type") == "back_end_error");
  BOOST_TEST(requests.front().attribute("http.response.status_code") == "200");
}

BOOST_AUTO_TEST_CASE(what_is_not_followed_is_passed_on_as_not_followed) {
  const TraceCollector collector;
  const TracedProgram program(JsonObject{{"endpoint", collector.endpoint()}, {"sample_ratio", 0}});
  const std::string seen = program.run("run");
  BOOST_TEST(seen.size() == 55U, seen);
  BOOST_TEST(seen.ends_with("-00"), seen);
  BOOST_TEST(program.run("run", of_caller).find(trace) != std::string::npos);
  BOOST_TEST(collector.wait_for(served_name, served).size() == 1U);  // that of who has decided otherwise
}

BOOST_AUTO_TEST_CASE(without_a_collector_the_context_is_passed_on_as_it_came) {
  const TracedProgram program(std::nullopt);
  for (const std::string tool : {"run", "seen"})
    BOOST_TEST(program.run(tool, of_caller) == "00-" + trace + "-" + caller + "-01 a=1");
  BOOST_TEST(program.run("run") == "");
}
