// `toolwire inspect`: its page, what it answers, and whom it refuses, without a browser.
#define BOOST_TEST_MODULE toolwire_inspect_test
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <deque>
#include <string>
#include <string_view>
#include <toolwire/child_process.hpp>
#include <toolwire/json.hpp>
#include <vector>

#include "raw_http.hpp"
#include "tools_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

/// The program, and a page that has opened its address.
class Inspector {
 public:
  explicit Inspector(std::vector<std::string> server, std::vector<std::string> options = {})
      : program_({.command = command(std::move(options), std::move(server))}) {
    open();
  }

  Inspector(const Inspector&) = delete;
  Inspector& operator=(const Inspector&) = delete;
  ~Inspector() { program_.signal(SIGINT); }

  /// What the terminal shows next.
  std::string next_url() {
    std::string line;
    char byte = 0;
    while (program_.transport().read(&byte, 1) == 1 && byte != '\n') line += byte;
    BOOST_TEST_REQUIRE(line.starts_with("open http://127.0.0.1:"), line);
    return line.substr(5);
  }

  /// With these fields in the place of the usual ones.
  RawAnswer ask(const std::string& line, const std::vector<std::string>& fields, const std::string& body = "") const {
    std::string text = line + " HTTP/1.1\r\n";
    for (const std::string& field : fields) text += field + "\r\n";
    if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    RawHttp client(port_);
    client.send(text + "\r\n" + body);
    const auto answer = client.answer(line.starts_with("HEAD"));
    BOOST_REQUIRE(answer);
    return *answer;
  }
  RawAnswer get(const std::string& path) const { return ask("GET " + path, {host()}); }
  RawAnswer post(const std::string& name, const Json& body, const std::string& secret) const {
    return ask("POST /api/" + name, {host(), "Authorization: Bearer " + secret, "Content-Type: application/json"},
               to_json_text(body));
  }
  Json api(const std::string& name, const Json& body) const {
    const RawAnswer answer = post(name, body, session_);
    BOOST_TEST(answer.status == 200, answer.body);
    return parse_json(answer.body);
  }
  /// Of this type and with this member, once it has happened.
  Json event(const char* type, std::string_view member, const Json& value) const {
    for (std::uint64_t after = 0;;) {
      const Json batch = api("events", JsonObject{{"after", after}});
      for (const Json& one : batch.at("events").get_array()) {
        const Json* const found = one.get_object().if_contains(member);
        if (one.at("type") == type && found != nullptr && *found == value) return one;
      }
      after = batch.at("last").to_number<std::uint64_t>();
    }
  }
  Json result_of(const std::string& tool, const Json& arguments) const {
    const Json call = api("call", JsonObject{{"tool", tool}, {"arguments", arguments}}).at("call");
    return event("result", "call", call);
  }

  std::string host() const { return "Host: 127.0.0.1:" + std::to_string(port_); }
  std::uint16_t port() const { return port_; }
  const std::string& session() const { return session_; }
  const std::string& ticket() const { return ticket_; }
  ChildProcess& program() { return program_; }

 private:
  static std::vector<std::string> command(std::vector<std::string> options, std::vector<std::string> server) {
    std::vector<std::string> all{TOOLWIRE_BIN_DIR "/toolwire", "inspect"};
    all.insert(all.end(), options.begin(), options.end());
    all.emplace_back("--");
    all.insert(all.end(), server.begin(), server.end());
    return all;
  }
  void open() {
    const std::string url = next_url();
    const std::size_t begin = std::string_view("http://127.0.0.1:").size();
    port_ = static_cast<std::uint16_t>(std::stoi(url.substr(begin)));
    ticket_ = url.substr(url.find('#') + 1);
    session_ = std::string(parse_json(post("session", JsonObject{}, ticket_).body).at("session").get_string());
  }

  ChildProcess program_;
  std::uint16_t port_ = 0;
  std::string ticket_;
  std::string session_;
};

const std::vector<std::string> everything{TOOLWIRE_BIN_DIR "/everything"};

}  // namespace

BOOST_AUTO_TEST_CASE(a_server_is_described_listed_and_called) {
  for (const std::string revision : {"2025-06-18", "2026-07-28"}) {
    const Inspector inspector(everything, {"--revision", revision});
    const Json about = inspector.api("describe", JsonObject{});
    BOOST_TEST(about.at("revision") == Json(revision));
    BOOST_TEST(about.at("name") == "everything");
    for (const std::string kind : {"tools", "resources", "templates", "prompts"})
      BOOST_TEST(!inspector.api("list", JsonObject{{"kind", kind}}).get_array().empty(), kind);
    const Json ended = inspector.result_of("echo", JsonObject{{"message", "hello"}});
    BOOST_TEST(ended.at("result").at("content").at(0).at("text") == "hello");
    const Json slow =
        inspector.api("call", JsonObject{{"tool", "test_tool_with_progress"}, {"arguments", JsonObject{}}});
    BOOST_TEST(inspector.event("progress", "call", slow.at("call")).at("progress").is_number());
    const Json unknown = inspector.result_of("none", JsonObject{});
    BOOST_TEST((unknown.get_object().contains("error") || unknown.at("result").at("isError") == true));
    const Json message = inspector.event("message", "to", "server");
    BOOST_TEST(message.at("line").get_string().find("jsonrpc") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(questions_of_the_server_are_answered_by_the_page) {
  for (const std::string revision : {"2025-06-18", "2026-07-28"}) {
    const Inspector inspector(everything, {"--revision", revision});
    const Json call = inspector.api(
        "call", JsonObject{{"tool", "test_elicitation"}, {"arguments", JsonObject{{"message", "Who are you?"}}}});
    const Json asked = inspector.event("question", "method", "elicitation/create");
    BOOST_TEST(asked.at("params").get_object().contains("requestedSchema"));
    inspector.api("answer",
                  JsonObject{{"question", asked.at("question")}, {"result", JsonObject{{"action", "decline"}}}});
    BOOST_TEST(inspector.event("result", "call", call.at("call")).get_object().contains("result"));
    const Json again = JsonObject{{"question", asked.at("question")}};
    BOOST_TEST(inspector.post("answer", again, inspector.session()).status == 400);
  }
}

BOOST_AUTO_TEST_CASE(a_question_goes_with_the_call_that_asks_it) {
  for (const std::string revision : {"2025-06-18", "2026-07-28"}) {
    const Inspector inspector(everything, {"--revision", revision});
    const auto ask = [&](const std::string& text) {
      return inspector
          .api("call", JsonObject{{"tool", "test_elicitation"}, {"arguments", JsonObject{{"message", text}}}})
          .at("call");
    };
    const Json first = ask("Who are you?");
    const Json asked = inspector.event("question", "method", "elicitation/create").at("question");
    inspector.api("cancel", JsonObject{{"call", first}});
    BOOST_TEST(inspector.event("withdrawn", "question", asked).at("question") == asked);
    BOOST_TEST(inspector.post("answer", JsonObject{{"question", asked}}, inspector.session()).status == 400);
    const Json second = ask("Who are you?");  // as alike as can be
    const Json again = inspector.event("question", "question", Json(second.to_number<std::uint64_t>() + 1));
    inspector.api("answer",
                  JsonObject{{"question", again.at("question")}, {"result", JsonObject{{"action", "decline"}}}});
    BOOST_TEST(inspector.event("result", "call", second).get_object().contains("result"));
  }
}

BOOST_AUTO_TEST_CASE(a_question_that_its_server_withdraws_is_not_answered) {
  const Inspector inspector(
      {"/bin/sh", "-c",
       R"(read -r line; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},)"
       R"("serverInfo":{"name":"asks","version":"1"}}}'; read -r line; )"
       R"(echo '{"jsonrpc":"2.0","id":"a","method":"elicitation/create","params":{"message":"a"}}'; )"
       R"(echo '{"jsonrpc":"2.0","id":"b","method":"elicitation/create","params":{"message":"b"}}'; )"
       R"(echo '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}'; )"
       R"(read -r line; echo "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/heard\",\"params\":$line}"; read -r line)"},
      {"--revision", "2025-06-18"});
  const Json asked = inspector.event("question", "params", JsonObject{{"message", "b"}}).at("question");
  const Json batch = inspector.api("events", JsonObject{{"after", 0}});
  for (const Json& one : batch.at("events").get_array())
    if (one.at("type") == "question" && one.at("params").at("message") == "a")
      BOOST_TEST(inspector.event("withdrawn", "question", one.at("question")).is_object());
  inspector.api("answer", JsonObject{{"question", asked}, {"result", JsonObject{{"action", "decline"}}}});
  const Json heard = inspector.event("notification", "method", "notifications/heard");
  BOOST_TEST(heard.at("params").at("id") == "b");  // and not a refusal of the other one
}

BOOST_AUTO_TEST_CASE(a_call_is_cancelled) {
  const Inspector inspector(everything);
  const Json call =
      inspector.api("call", JsonObject{{"tool", "test_slow"}, {"arguments", JsonObject{{"seconds", 100}}}});
  inspector.api("cancel", JsonObject{{"call", call.at("call")}});
  BOOST_TEST(inspector.event("result", "call", call.at("call")).get_object().contains("error"));
}

BOOST_AUTO_TEST_CASE(the_page_lets_nothing_in_and_is_not_let_into_others) {
  const Inspector inspector(everything);
  for (const std::string path : {"/", "/inspect.js", "/inspect.css"}) {
    const RawAnswer answer = inspector.get(path);
    BOOST_TEST(answer.status == 200);
    const std::string policy = answer.field("content-security-policy");
    BOOST_TEST(policy.starts_with("default-src 'self';"));
    BOOST_TEST(policy.find("frame-ancestors 'none'") != std::string::npos);
    BOOST_TEST(policy.find("unsafe") == std::string::npos);
    BOOST_TEST(answer.field("x-content-type-options") == "nosniff");
    BOOST_TEST(answer.field("cache-control") == "no-store");
    BOOST_TEST(answer.field("access-control-allow-origin").empty());
    // What a server says can become markup in none of these ways.
    for (const std::string way : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "srcdoc"})
      BOOST_TEST(answer.body.find(way) == std::string::npos, way);
  }
}

BOOST_AUTO_TEST_CASE(others_are_refused) {
  Inspector inspector(everything);
  const std::string port = std::to_string(inspector.port());
  const std::string allowed = "Authorization: Bearer " + inspector.session();
  const auto status = [&](const std::string& line, const std::vector<std::string>& fields) {
    return inspector.ask(line, fields, line.starts_with("POST") ? "{}" : "").status;
  };
  const std::string call = "POST /api/describe";
  BOOST_TEST(status(call, {inspector.host(), allowed}) == 200);
  BOOST_TEST(status(call, {"Host: localhost:" + port, allowed, "Origin: http://localhost:" + port}) == 200);
  BOOST_TEST(status(call, {inspector.host()}) == 401);
  BOOST_TEST(status(call, {inspector.host(), "Authorization: Bearer "}) == 401);
  BOOST_TEST(status(call, {inspector.host(), "Authorization: Bearer " + inspector.ticket()}) == 401);
  BOOST_TEST(status(call, {inspector.host(), allowed, allowed}) == 401);
  BOOST_TEST(status(call, {"Host: evil.example", allowed}) == 403);
  BOOST_TEST(status(call, {"Host: 127.0.0.1", allowed}) == 403);
  BOOST_TEST(status(call, {"Host: 127.0.0.1:1", allowed}) == 403);
  BOOST_TEST(status("GET /", {"Host: rebound.example:" + port}) == 403);
  for (const std::string origin : {"null", "http://evil.example", "https://127.0.0.1", "http://127.0.0.1:1"})
    BOOST_TEST(status(call, {inspector.host(), allowed, "Origin: " + origin}) == 403, origin);
  const std::string own_origin = "Origin: http://127.0.0.1:" + port;
  BOOST_TEST(status(call, {inspector.host(), allowed, own_origin, own_origin}) == 403);
  BOOST_TEST(status("GET /api/describe", {inspector.host(), allowed}) == 405);
  BOOST_TEST(status("OPTIONS /api/describe", {inspector.host(), "Origin: http://evil.example"}) == 403);
  BOOST_TEST(status("POST /", {inspector.host()}) == 405);
  BOOST_TEST(status("GET /none", {inspector.host()}) == 404);
  BOOST_TEST(status("POST /api/none", {inspector.host(), allowed}) == 400);
}

BOOST_AUTO_TEST_CASE(an_address_opens_one_page) {
  Inspector inspector(everything);
  BOOST_TEST(inspector.post("session", JsonObject{}, inspector.ticket()).status == 401);
  BOOST_TEST(inspector.post("session", JsonObject{}, "").status == 401);
  const std::string url = inspector.next_url();
  const std::string ticket = url.substr(url.find('#') + 1);
  BOOST_TEST(ticket != inspector.ticket());
  BOOST_TEST(inspector.post("session", JsonObject{}, ticket).status == 200);
  inspector.api("describe", JsonObject{});  // the first page goes on
}

BOOST_AUTO_TEST_CASE(pages_that_wait_for_events_hold_up_no_other) {
  const Inspector inspector(everything);
  inspector.result_of("echo", JsonObject{{"message", "first"}});
  const std::uint64_t last = inspector.api("events", JsonObject{{"after", 0}}).at("last").to_number<std::uint64_t>();
  const std::string body = to_json_text(JsonObject{{"after", last}});
  std::deque<RawHttp> pages;
  for (int i = 0; i < 100; ++i) {
    pages.emplace_back(inspector.port());
    pages.back().send("POST /api/events HTTP/1.1\r\n" + inspector.host() + "\r\nAuthorization: Bearer " +
                      inspector.session() + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  inspector.result_of("echo", JsonObject{{"message", "second"}});
  for (RawHttp& page : pages) {
    const auto answer = page.answer();
    BOOST_TEST_REQUIRE(answer.has_value());
    BOOST_TEST(!parse_json(answer->body).at("events").get_array().empty());  // it was not waited for an empty one
  }
}

BOOST_AUTO_TEST_CASE(bodies_that_make_no_sense_are_told_so) {
  const Inspector inspector(everything);
  const auto refused = [&](const std::string& name, const std::string& body, const std::string& told) {
    const RawAnswer answer =
        inspector.ask("POST /api/" + name, {inspector.host(), "Authorization: Bearer " + inspector.session()}, body);
    BOOST_TEST(answer.status == 400, name << body);
    BOOST_TEST(answer.body.find(told) != std::string::npos, answer.body);
  };
  refused("call", "{", "");
  refused("call", "[]", "expected an object");
  refused("call", "{}", "expected a member");
  refused("call", R"({"tool": 5, "arguments": {}})", "expected a text");
  refused("events", R"({"after": -1})", "expected a number");
  refused("list", R"({"kind": "other"})", "expected tools, resources");
  refused("log_level", R"({"level": "loud"})", "loud");
  refused("answer", R"({"question": 12345})", "never asked");
}

BOOST_AUTO_TEST_CASE(it_ends_with_a_signal_and_says_when_the_server_has) {
  {
    Inspector inspector(everything);
    inspector.program().signal(SIGINT);
    BOOST_TEST(inspector.program().wait().code == 0);
  }
  const Inspector inspector(
      {"/bin/sh", "-c",
       "read -r line; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\","
       "\"capabilities\":{},\"serverInfo\":{\"name\":\"short\",\"version\":\"1\"}}}'; read -r line; exit 3"},
      {"--revision", "2025-06-18"});
  for (std::uint64_t after = 0; true;) {
    const Json batch = inspector.api("events", JsonObject{{"after", after}});
    bool is_lost = false;
    for (const Json& one : batch.at("events").get_array()) is_lost = is_lost || one.at("type") == "lost";
    if (is_lost) break;
    after = batch.at("last").to_number<std::uint64_t>();
  }
  const RawAnswer answer =
      inspector.post("call", JsonObject{{"tool", "x"}, {"arguments", JsonObject{}}}, inspector.session());
  BOOST_TEST(answer.status == 502);
}

BOOST_AUTO_TEST_CASE(a_server_without_templates_has_none) {
  const std::string begin = R"(echo '{"jsonrpc":"2.0","id":)";
  const Inspector inspector({"/bin/sh", "-c",
                             "read -r line; " + begin +
                                 R"(1,"result":{"protocolVersion":"2025-06-18","capabilities":{"resources":{}},)"
                                 R"("serverInfo":{"name":"short","version":"1"}}}'; read -r line; read -r line; )" +
                                 begin + R"(2,"error":{"code":-32601,"message":"Method not found"}}'; read -r line)"},
                            {"--revision", "2025-06-18"});
  BOOST_TEST(inspector.api("list", JsonObject{{"kind", "templates"}}).get_array().empty());
}

BOOST_AUTO_TEST_CASE(a_server_that_never_answers_is_given_up_at_a_signal) {
  const ScratchFolder folder;
  const std::string begun = (folder / "begun").string();
  ChildProcess program({.command = {TOOLWIRE_BIN_DIR "/toolwire", "inspect", "--", "/bin/sh", "-c",
                                    "read -r line; echo > " + begun + "; exec sleep 100"}});
  while (!std::filesystem::exists(begun)) BOOST_REQUIRE(!program.wait_for(10ms));
  program.signal(SIGINT);
  BOOST_TEST(program.wait().code == 0, program.error_tail());
}

BOOST_AUTO_TEST_CASE(a_signal_lets_go_who_waits_for_a_server_that_does_not_answer) {
  Inspector inspector(
      {"/bin/sh", "-c",
       R"(read -r line; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18",)"
       R"("capabilities":{"resources":{}},"serverInfo":{"name":"slow","version":"1"}}}'; while read -r line; do :; done)"},
      {"--revision", "2025-06-18"});
  RawHttp page(inspector.port());
  const std::string body = R"({"uri": "test://x"})";
  page.send("POST /api/read HTTP/1.1\r\n" + inspector.host() + "\r\nAuthorization: Bearer " + inspector.session() +
            "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  const auto is_asked = [](const Json& batch) {
    return to_json_text(batch).find("resources/read") != std::string::npos;
  };
  for (std::uint64_t after = 0; true;) {
    const Json batch = inspector.api("events", JsonObject{{"after", after}});
    if (is_asked(batch)) break;
    after = batch.at("last").to_number<std::uint64_t>();
  }
  inspector.program().signal(SIGINT);
  const auto answer = page.answer();
  BOOST_TEST_REQUIRE(answer.has_value());
  BOOST_TEST(answer->status == 502);
  BOOST_TEST(answer->body.find("timed out") == std::string::npos, answer->body);
  BOOST_TEST(inspector.program().wait().code == 0);
}

BOOST_AUTO_TEST_CASE(without_standard_output_nobody_is_waited_for) {
  ChildProcess program(
      {.command = {"/bin/sh", "-c",
                   "exec '" TOOLWIRE_BIN_DIR "/toolwire' inspect -- '" TOOLWIRE_BIN_DIR "/everything' >/dev/full"}});
  BOOST_TEST(program.wait().code == 1);
  BOOST_TEST(program.error_tail().find("standard output cannot be written") != std::string::npos, program.error_tail());
}

BOOST_AUTO_TEST_CASE(roots_are_told_as_addresses) {
  const ScratchFolder folder;
  const std::string root = std::filesystem::canonical(folder.folder("a b#c")).string();
  for (const std::string revision : {"2025-06-18", "2026-07-28"}) {
    const Inspector inspector(everything, {"--revision", revision, "--root", root});
    const Json ended = inspector.result_of("test_input_required_result_list_roots", JsonObject{});
    BOOST_TEST(to_json_text(ended).find("/a%20b%23c") != std::string::npos, to_json_text(ended));
  }
}

BOOST_FIXTURE_TEST_CASE(a_command_line_that_makes_no_sense_is_told_so, ToolsBench) {
  const auto refused = [&](const std::vector<std::string>& arguments, int status, const std::string& told) {
    const ProgramRun run = this->run(arguments);
    BOOST_TEST(run.status == status, run.errors);
    BOOST_TEST(run.errors.find(told) != std::string::npos, run.errors);
  };
  refused({"inspect"}, 2, "expected the server behind --");
  refused({"inspect", "--port", "many", "--", hello}, 2, "--port");
  refused({"inspect", "--revision", "1999", "--", hello}, 2, "nobody speaks this revision");
  refused({"inspect", "--root", "/no/such", "--", hello}, 2, "expected a folder");
  refused({"inspect", "--", "/no/such/server"}, 1, "/no/such/server");
  refused({"inspect", "--", "/bin/false"}, 1, "");
}
