// Conversations by chance with servers that have one fault each: it is found, shown as few lines, and comes again with
// the same number.
#include "conformance_run.hpp"

#define BOOST_TEST_MODULE conformance_fuzz_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "file_content.hpp"
#include "scratch_folder.hpp"

using namespace toolwire_test;

namespace {

/// A server with a tool "upper" that may be called and a tool "erase" that may not; `call` is what a call does, in
/// Python, with the message `m`.
std::string server(const std::string& call) {
  return R"(import json, sys, time
def say(message): print(json.dumps(message), flush=True)
def answer(m, result): say({"jsonrpc": "2.0", "id": m["id"], "result": result})
def call(m):
    )" + call +
         R"(
for line in sys.stdin.buffer:
    try:
        m = json.loads(line)
    except ValueError:
        say({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no JSON"}})
        continue
    if not isinstance(m, dict) or "id" not in m: continue
    method = m.get("method")
    if method == "initialize":
        answer(m, {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}})
    elif method == "tools/list":
        schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
        answer(m, {"tools": [{"name": "upper", "inputSchema": schema, "annotations": {"readOnlyHint": True}},
                             {"name": "erase", "inputSchema": schema}]})
    elif method == "tools/call":
        call(m)
    elif method == "ping":
        answer(m, {})
    else:
        say({"jsonrpc": "2.0", "id": m["id"], "error": {"code": -32601, "message": "unknown"}})
)";
}

const std::string careful = "answer(m, {'content': []})";

struct Fuzzed {
  ScratchFolder folder;

  ConformanceRun judge(const std::string& call, std::vector<std::string> options = {}) const {
    const std::string script = folder.file("server.py", server(call)).string();
    options.insert(options.begin(), {"--fuzz", "1", "--only", "fuzz"});
    options.insert(options.end(), {"--", "/usr/bin/python3", script});
    return conformance(options);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_server_that_takes_everything_passes, Fuzzed) {
  const ConformanceRun run = judge(careful, {"--for", "1"});
  BOOST_TEST(run.status == 0, run.out << run.errors);
  BOOST_TEST(run.says("PASS fuzz"), run.out);
  BOOST_TEST(!left_something(run));
}

BOOST_FIXTURE_TEST_CASE(what_ends_a_server_is_found_and_shown_as_one_line, Fuzzed) {
  const std::string fault = "answer(m, {'content': [], 'echo': m['params']['arguments']['text'].upper()})";
  const ConformanceRun run = judge(fault, {"--for", "60"});
  BOOST_TEST(run.status == 1, run.out << run.errors);
  BOOST_TEST(run.says(", 1 of its 40 lines"), run.out);
  BOOST_TEST(run.says(R"("method":"tools/call")"), run.out);
  BOOST_TEST(run.says("the process ends at input that is no message"), run.out);
  BOOST_TEST(run.says("--fuzz 1 --for 60"), run.out);
  const auto conversation = [](const ConformanceRun& of) {
    const std::size_t at = of.out.find("conversation ");
    return of.out.substr(at, of.out.find('\n', at) - at);
  };
  BOOST_TEST(conversation(judge(fault, {"--for", "60"})) == conversation(run));
}

BOOST_FIXTURE_TEST_CASE(a_server_that_falls_silent_is_found, Fuzzed) {
  const ConformanceRun run =
      judge("if len(m) != 4: time.sleep(600)\n    " + careful, {"--for", "60", "--timeout", "0.3", "--jobs", "1"});
  BOOST_TEST(run.status == 1, run.out << run.errors);
  BOOST_TEST(run.says("no answer in time; conversation "), run.out);
}

BOOST_FIXTURE_TEST_CASE(a_line_that_is_no_message_is_found, Fuzzed) {
  const ConformanceRun run =
      judge("print('odd') if isinstance(m.get('params'), list) or 'params' not in m else " + careful, {"--for", "60"});
  BOOST_TEST(run.status == 1, run.out << run.errors);
  BOOST_TEST(run.says("the line odd; conversation "), run.out);
}

BOOST_FIXTURE_TEST_CASE(tools_that_nobody_allowed_are_not_called, Fuzzed) {
  const std::string called = (folder / "called").string();
  const std::string note = "open('" + called + "', 'a').write(repr((m.get('params') or {}).get('name')) + '\\n')";
  const std::string safe = "m['params'] = m.get('params') if isinstance(m.get('params'), dict) else {}; ";
  const ConformanceRun run = judge(safe + note + "; " + careful, {"--for", "1"});
  BOOST_TEST(run.status == 0, run.out << run.errors);
  BOOST_TEST(content_of(called).find("'upper'") != std::string::npos);
  BOOST_TEST(content_of(called).find("'erase'") == std::string::npos);
  judge(safe + note + "; " + careful, {"--for", "1", "--allow-tool", "erase"});
  BOOST_TEST(content_of(called).find("'erase'") != std::string::npos);
}
