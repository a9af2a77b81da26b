// The bridge with servers behind it that are reached over HTTP.
#define BOOST_TEST_MODULE bridge_remote_servers_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <toolwire/http/listen.hpp>
#include <toolwire/server.hpp>
#include <utility>

#include "mcp_bridge.hpp"
#include "process_bench.hpp"
#include "relay.hpp"
#include "remote_script.hpp"
#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;
using namespace std::chrono_literals;

namespace {

const std::string done_text = R"({"content":[{"type":"text","text":"done"}]})";
const std::string one_tool = R"({"tools":[{"name":"run","inputSchema":{"type":"object"}}]})";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Confirm {
  bool sure = false;
  static constexpr auto describe() { return fields(field<&Confirm::sure>("Really?")); }
};

/// A server of ours on a port of its own.
struct OwnServer {
  explicit OwnServer(bool begin_now = true) {
    server.tool("echo", "The text", args("text"), [](const std::string& text) { return text; });
    server.tool("ask", "Asks", [](Context& context) -> Outcome<std::string> {
      const auto answer = context.answer<Confirm>("confirm");
      if (!answer) return toolwire::ask<Confirm>("confirm", "Go on?");
      return std::string(answer->accepted() && answer->value->sure ? "sure" : "unsure");
    });
    server.tool("count", "Reports", [](Context& context) {
      context.progress(1, 2, "half");
      return "reported";
    });
    server.tool("hold", "Waits until it is cancelled", [this](Context& context) {
      ++held;
      while (!context.stop_requested()) std::this_thread::sleep_for(1ms);
      ++cancelled;
      return "stopped";
    });
    if (begin_now) begin();
  }
  ~OwnServer() {
    server.stop();
    if (running.joinable()) running.join();
  }
  void begin() {
    port = http::listen(server, http::Port{});
    running = std::thread([this] { server.run(); });
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port) + "/mcp"; }

  std::atomic<int> held = 0;
  std::atomic<int> cancelled = 0;
  Server server{{"own", "1"}};
  std::uint16_t port = 0;
  std::thread running;
};

/// The HTTP client of a bridge, which outlives it.
struct Reach {
  ~Reach() { http->close(); }
  mcp::BackEndOptions back_end(const std::string& url, std::string revision = {}) const {
    mcp::BackEndOptions made{.name = "far"};
    made.remote = remote::RemoteServer{.url = url, .headers = {{"Authorization", "Bearer hidden-value"}}};
    made.http = http;
    made.revision = std::move(revision);
    made.secrets = {"hidden-value"};
    return made;
  }
  std::shared_ptr<HttpClient> http = std::make_shared<HttpClient>();
};

const std::vector<std::string> revisions{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};

HttpAnswer session(const RemoteRequest& request, const std::string& id) {
  return HttpAnswer::of(200,
                        result_text(request, R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":
true}},"serverInfo":{"name":"s","version":"1"}})"),
                        "Content-Type: application/json\r\nMcp-Session-Id: " + id + "\r\n");
}

}  // namespace

BOOST_AUTO_TEST_CASE(tools_are_listed_and_called_and_report_in_every_revision) {
  const OwnServer own;
  const Reach reach;
  for (const std::string& revision : revisions) {
    BOOST_TEST_CONTEXT("revision " << revision) {
      McpBridge bridge({reach.back_end(own.url(), revision)});
      BOOST_TEST(bridge.tools().size() == 4U);
      BOOST_TEST(bridge.host->call("echo", {{"text", "far"}}).text() == "far");
      std::atomic<int> reports = 0;
      const auto count = [&](const ProgressReport& report) { reports += report.message == "half" ? 1 : 100; };
      BOOST_TEST(bridge.host->call("count", JsonObject(), {.on_progress = count}).text() == "reported");
      BOOST_TEST(reports == (revision == "2025-03-26" ? reports.load() : 1));
      BOOST_TEST(bridge.back_end().state().running);
      BOOST_TEST(bridge.back_end().state().failures == 0U);
    }
  }
}

BOOST_AUTO_TEST_CASE(questions_of_a_server_reach_the_user_in_every_revision) {
  const OwnServer own;
  const Reach reach;
  for (const char* const revision : {"2025-06-18", "2025-11-25", "2026-07-28"}) {
    for (const char* const of_host : {"2025-11-25", "2026-07-28"}) {
      std::atomic<int> asked = 0;
      McpBridge bridge({reach.back_end(own.url(), revision)}, willing_host(of_host, asked));
      BOOST_TEST(bridge.host->call("ask", JsonObject()).text() == "sure", revision << " behind " << of_host);
      BOOST_TEST(asked == 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_call_that_the_host_cancels_is_stopped_at_the_server) {
  const Reach reach;
  for (const char* const revision : {"2025-11-25", "2026-07-28"}) {
    const OwnServer own;
    McpBridge bridge({reach.back_end(own.url(), revision)});
    CallHandle call = bridge.host->start_call("hold", JsonObject());
    BOOST_TEST(comes_true([&] { return own.held == 1; }));
    call.cancel();
    BOOST_TEST(comes_true([&] { return own.cancelled == 1; }), revision);
    BOOST_CHECK_THROW(call.wait(), CancelledError);
  }
}

BOOST_AUTO_TEST_CASE(tools_that_come_later_are_offered) {
  OwnServer own;
  const Reach reach;
  mcp::BackEndOptions far = reach.back_end(own.url(), "2026-07-28");
  far.on_change = mcp::OnChange::accept;
  McpBridge bridge({far});
  own.server.tool("later", "Comes later", [] { return "here"; });
  BOOST_TEST(comes_true([&] { return bridge.tools().size() == 5U; }));
  BOOST_TEST(bridge.host->call("later", JsonObject()).text() == "here");
}

BOOST_AUTO_TEST_CASE(a_session_that_is_forgotten_is_begun_anew_and_the_call_is_made_in_it) {
  std::atomic<int> sessions = 0;
  std::atomic<int> calls = 0;
  RemoteScript script(
      "2025-11-25",
      {{"initialize",
        [&](const RemoteRequest& request) { return session(request, "number-" + std::to_string(++sessions)); }},
       {"tools/list", [](const RemoteRequest& request) { return result(request, one_tool); }},
       {"tools/call", [&](const RemoteRequest& request) {
          if (request.header("Mcp-Session-Id") == "number-1") return HttpAnswer::of(404, "");
          ++calls;
          return result(request, done_text);
        }}});
  const Reach reach;
  McpBridge bridge({reach.back_end(script.server().url("/mcp"), "2025-11-25")});
  BOOST_TEST(bridge.host->call("run", JsonObject()).text() == "done");
  BOOST_TEST(sessions == 2);
  BOOST_TEST(calls == 1);
  BOOST_TEST(bridge.log.has("no longer knows the session"));
}

BOOST_AUTO_TEST_CASE(a_call_that_cannot_reach_the_server_fails_alone_and_says_when_to_come_again) {
  std::atomic<bool> is_busy = true;
  RemoteScript script("2026-07-28",
                      {{"tools/list", [](const RemoteRequest& request) { return result(request, one_tool); }},
                       {"tools/call", [&](const RemoteRequest& request) {
                          return is_busy ? HttpAnswer::of(429, "", "Retry-After: 40\r\n") : result(request, done_text);
                        }}});
  const Reach reach;
  McpBridge bridge({reach.back_end(script.server().url("/mcp"))});
  const CallResult failed = bridge.host->call("run", JsonObject());
  BOOST_TEST(failed.is_error);
  BOOST_TEST(code_of(failed) == "busy", failed.text());
  BOOST_TEST(member_or_null(failed.raw, "_meta", "dev.toolwire/error", "retryAfterMs") == Json(40'000));
  is_busy = false;
  BOOST_TEST(bridge.host->call("run", JsonObject()).text() == "done");
  BOOST_TEST(bridge.back_end().state().failures == 0U);
}

BOOST_AUTO_TEST_CASE(values_of_headers_are_taken_out_of_what_a_server_says) {
  RemoteScript script("2026-07-28",
                      {{"tools/list", [](const RemoteRequest& request) { return result(request, one_tool); }},
                       {"tools/call", [](const RemoteRequest&) {
                          return HttpAnswer::of(403, R"({"message":"hidden-value may not"})",
                                                "Content-Type: application/json\r\n");
                        }}});
  const Reach reach;
  McpBridge bridge({reach.back_end(script.server().url("/mcp"))});
  const CallResult failed = bridge.host->call("run", JsonObject());
  BOOST_TEST(code_of(failed) == "unauthorized", failed.text());
  BOOST_TEST(has(failed.text(), "may not"), failed.text());
  BOOST_TEST(!has(failed.text(), "hidden-value"), failed.text());
}

BOOST_AUTO_TEST_CASE(a_tool_whose_header_cannot_be_sent_is_left_out) {
  RemoteScript script("2026-07-28", {{"tools/list", [](const RemoteRequest& request) {
                                        return result(request, R"({"tools":[
{"name":"fine","inputSchema":{"type":"object"}},
{"name":"wrong","inputSchema":{"type":"object","properties":{"a":{"type":"number","x-mcp-header":"A"}}}}]})");
                                      }}});
  const Reach reach;
  McpBridge bridge({reach.back_end(script.server().url("/mcp"))});
  BOOST_TEST((bridge.tools() == std::vector<std::string>{"fine"}));
  BOOST_TEST(bridge.log.has("a tool is left out: \"wrong\""));
}

BOOST_AUTO_TEST_CASE(a_server_that_is_silent_fails_the_start_and_the_end_waits_for_nobody) {
  RemoteScript script("2026-07-28", {{"server/discover", [](const RemoteRequest&) { return HttpAnswer{.held = true}; }},
                                     {"initialize", [](const RemoteRequest&) { return HttpAnswer{.held = true}; }}});
  const Reach reach;
  mcp::BackEndOptions far = reach.back_end(script.server().url("/mcp"));
  far.start_timeout = 50ms;
  const auto failing = mcp::make_back_end(far);
  failing->start();
  failing->wait_for_tools(30s);
  BOOST_TEST(has(failing->state().trouble, "got no answer within 50 ms"), failing->state().trouble);
  far.start_timeout = std::chrono::hours(1);
  const auto waiting = mcp::make_back_end(far);
  waiting->start();
  const std::size_t before = script.requests("POST").size();
  BOOST_TEST(comes_true([&] { return script.requests("POST").size() > before; }));
  waiting->end();
  failing->end();
  BOOST_TEST(script.server().wait_until_idle());
}

/// What is ended then is still there: for the sanitizers to see. A connection that is being made is closed by libcurl
/// before it says so, and its number may be another thread's then, so each has been made.
BOOST_AUTO_TEST_CASE(a_back_end_may_be_ended_while_its_start_fails) {
  HttpTestServer refusing([](const std::string&) { return HttpAnswer::of(403, "no"); });
  const Reach reach;
  for (std::size_t i = 0; i < 200; ++i) {
    const auto failing = mcp::make_back_end(reach.back_end(refusing.url("/mcp")));
    const std::size_t before = refusing.requests().size();
    failing->start();
    BOOST_TEST(refusing.wait_for_requests(before + 2));  // server/discover and initialize
    std::this_thread::sleep_for(std::chrono::microseconds(i * 10));
    failing->end();
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_comes_up_later_is_reached) {
  OwnServer own(false);
  std::string url;
  {
    const HttpTestServer gone([](const std::string&) { return HttpAnswer(); });
    url = gone.url("/mcp");
    own.port = static_cast<std::uint16_t>(gone.port());
  }
  const Reach reach;
  const auto far = mcp::make_back_end(reach.back_end(url));
  far->start();
  BOOST_TEST(comes_true([&] { return far->state().failures > 0; }));
  BOOST_TEST(has(far->state().trouble, "Connection refused"), far->state().trouble);
  http::listen(own.server, http::Port{.port = own.port});
  own.running = std::thread([&] { own.server.run(); });
  BOOST_TEST(comes_true([&] { return far->state().running; }));
  BOOST_TEST(far->tools().size() == 4U);
  far->end();
}

BOOST_AUTO_TEST_CASE(the_program_ends_its_sessions) {
  RemoteScript script("2025-11-25",
                      {{"initialize", [](const RemoteRequest& request) { return session(request, "of-the-program"); }},
                       {"tools/list", [](const RemoteRequest& request) { return result(request, one_tool); }},
                       {"tools/call", [](const RemoteRequest& request) { return result(request, done_text); }},
                       {"DELETE", [](const RemoteRequest&) { return HttpAnswer::of(200, ""); }}});
  const ScratchFolder folder;
  const auto file =
      folder.file("mcp.json", R"({"mcpServers": {"far": {"url": ")" + script.server().url("/mcp") + R"("}}})");
  Program made{.command = {bridge_program, "serve", file.string(), "--call", "run", "{}"}};
  made.environment["XDG_STATE_HOME"] = (folder / "state").string();
  const ProgramRun called = run_program(made);
  BOOST_TEST(called.status == 0, called.errors);
  BOOST_TEST(has(called.out, "done"), called.out);
  const auto farewells = script.requests("DELETE");
  BOOST_TEST_REQUIRE(farewells.size() == 1U);
  BOOST_TEST(farewells[0].header("Mcp-Session-Id") == "of-the-program");
}

BOOST_AUTO_TEST_CASE(a_host_is_attached_to_an_address_with_headers_that_name_their_secrets) {
  RemoteScript script("2026-07-28",
                      {{"tools/list", [](const RemoteRequest& request) { return result(request, one_tool); }},
                       {"tools/call", [](const RemoteRequest& request) { return result(request, done_text); }}});
  const ScratchFolder folder;
  const auto attach = [&](const std::string& token, const std::string& header) {
    Program made{.command = {bridge_program, "attach", script.server().url("/mcp"), "--header", header,
                             "--idle-seconds", "0.1"}};
    made.environment["XDG_STATE_HOME"] = (folder / "state").string();
    made.environment["XDG_RUNTIME_DIR"] = (folder / "runtime").string();
    made.environment["OWN_KEY"] = token;
    return made;
  };
  for (const std::string& token : {std::string("first-token"), std::string("other-token")}) {
    // toolwire-bridge attach https://mcp.example.com/mcp --header 'Authorization: Bearer ${TOKEN}'
    Client client(attach(token, "Authorization: Bearer ${OWN_KEY}"));
    BOOST_TEST(client.call("run", JsonObject()).text() == "done");
    BOOST_TEST(script.requests("tools/call").back().header("Authorization") == "Bearer " + token);
  }
  const ProgramRun missing = run_program(attach("x", "Authorization: ${TOOLWIRE_NOT_SET}"));
  BOOST_TEST(missing.status == 2);
  BOOST_TEST(has(missing.errors, "--header \"Authorization\": expected TOOLWIRE_NOT_SET to be set"), missing.errors);
  const ProgramRun wrong = run_program(attach("x", "Host: secret"));
  BOOST_TEST(wrong.status == 2);
  BOOST_TEST(has(wrong.errors, "--header \"Host\": is a header field of the protocol"), wrong.errors);
  BOOST_TEST(!has(wrong.errors, "secret"), wrong.errors);
}

BOOST_AUTO_TEST_CASE(a_host_is_attached_to_a_server_behind_tls) {
  const Certificate certificate("mcp.example.com");
  OwnServer own(false);
  http::Port port;
  port.handler.hosts = {"127.0.0.1"};
  own.port = http::listen(own.server, port);
  own.running = std::thread([&] { own.server.run(); });
  const Relay front = Relay::tls(own.port, certificate);
  const std::string url = "https://" + front.host() + "/mcp";
  const ScratchFolder folder;
  const auto bridge = [&](std::vector<std::string> words, const std::string& trusted) {
    words.insert(words.begin(), bridge_program);
    Program made{.command = std::move(words)};
    made.environment["XDG_STATE_HOME"] = (folder / "state").string();
    made.environment["XDG_RUNTIME_DIR"] = (folder / "runtime").string();
    if (!trusted.empty()) made.environment["SSL_CERT_FILE"] = trusted;
    return made;
  };
  {
    Client client(bridge({"attach", url, "--idle-seconds", "0.1"}, certificate.file()));
    BOOST_TEST(client.call("echo", {{"text", "over TLS"}}).text() == "over TLS");
  }
  const Certificate other("mcp.example.com");
  for (const std::string& trusted : {std::string(), other.file(), (folder / "none").string()}) {
    const ProgramRun refused =
        run_program(bridge({"serve", "--server", "far=" + url, "--call", "echo", R"({"text":"x"})"}, trusted));
    BOOST_TEST(refused.status != 0, trusted);
    BOOST_TEST((has(refused.errors, "certificate") || has(refused.errors, "SSL CA cert")), refused.errors);
  }
}

BOOST_AUTO_TEST_CASE(headers_are_for_one_address) {
  const auto serve = [](std::vector<std::string> words) {
    words.insert(words.begin(), {bridge_program, "serve", "--header", "X-Key: secret"});
    return run_program(Program{.command = std::move(words)});
  };
  for (const std::vector<std::string>& servers :
       {std::vector<std::string>{"--server", "a=cat"},
        {"--server", "a=http://127.0.0.1:1/a", "--server", "b=http://127.0.0.1:1/b"}}) {
    const ProgramRun ended = serve(servers);
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(has(ended.errors, "--header: expected one --server with a URL"), ended.errors);
  }
  const ProgramRun named = serve({"--server", "a=http://me:secret@127.0.0.1:1/a"});
  BOOST_TEST(named.status == 2);
  BOOST_TEST(has(named.errors, "without user name and password"), named.errors);
}

BOOST_AUTO_TEST_CASE(the_program_takes_what_another_bridge_serves_over_http) {
  const ScratchFolder folder;
  folder.file("near.json", R"({"mcpServers": {"many": {"command": ")" TOOLWIRE_BIN_DIR R"(/mcp_back_end"}}})");
  const auto tokens = folder.file("tokens", "ana 0123456789abcdef0123456789abcdef\n");
  std::filesystem::permissions(tokens, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  const std::string log = (folder / "log").string();
  Program near{.command = {bridge_program, "serve", (folder / "near.json").string(), "--listen",
                           "http://127.0.0.1:0/mcp", "--token-file", tokens.string(), "--log", log}};
  near.environment["XDG_STATE_HOME"] = (folder / "state").string();
  ChildProcess serving(near);
  const std::string before = "listening on ";
  BOOST_REQUIRE(eventually([&] { return has(content_of(log), "/mcp\n"); }));
  const std::string rest = content_of(log).substr(content_of(log).find(before) + before.size());
  const std::string url = rest.substr(0, rest.find('\n'));
  const std::string file = folder
                               .file("far.json", R"({"mcpServers": {"far": {"type": "http", "url": ")" + url + R"(",
"headers": {"Authorization": "Bearer ${TOOLWIRE_TEST_TOKEN}"}}}})")
                               .string();
  const auto run_far = [&](std::vector<std::string> words, const std::string& token) {
    Program made{.command = {bridge_program}};
    made.command.insert(made.command.end(), words.begin(), words.end());
    made.environment["TOOLWIRE_TEST_TOKEN"] = token;
    made.environment["XDG_STATE_HOME"] = (folder / "state").string();
    return run_program(made);
  };
  const std::string token = "0123456789abcdef0123456789abcdef";
  const ProgramRun checked = run_far({"check", file, "--start"}, token);
  BOOST_TEST(checked.status == 0, checked.out);
  BOOST_TEST(has(checked.out, "the server \"far\" has "), checked.out);
  const ProgramRun called = run_far({"serve", file, "--call", "echo", R"({"text": "there and back"})"}, token);
  BOOST_TEST(called.status == 0, called.errors);
  BOOST_TEST(has(called.out, "there and back"), called.out);
  BOOST_TEST(has(called.errors, "server \"far\" is reached over HTTP at http://127.0.0.1:"), called.errors);
  const ProgramRun refused = run_far({"check", file, "--start"}, "a-token-that-nobody-has");
  BOOST_TEST(refused.status == 1);
  BOOST_TEST(has(refused.out, R"(expected "headers" of the server with what it knows you by)"), refused.out);
  BOOST_TEST(!has(refused.out, "a-token-that-nobody-has"), refused.out);
  serving.signal(SIGTERM);
  serving.wait();
}

BOOST_AUTO_TEST_CASE(libcurl_is_asked_for_by_those_alone_who_reach_servers_over_http) {
  const ScratchFolder folder;
  folder.file("libcurl.so.4", "not a library");
  folder.file("libcurl-gnutls.so.4", "nor this");
  const auto check = [&](const std::string& name, const std::string& server) {
    Program made{
        .command = {bridge_program, "check", folder.file(name, R"({"mcpServers": {"one": )" + server + "}}").string()}};
    made.environment = {{"LD_LIBRARY_PATH", folder.text()}, {"XDG_STATE_HOME", (folder / "state").string()}};
    return run_program(made);
  };
  const ProgramRun near = check("near.json", R"({"command": ")" TOOLWIRE_BIN_DIR R"(/mcp_back_end"})");
  BOOST_TEST(near.status == 0, near.out + near.errors);
  const ProgramRun far = check("far.json", R"({"type": "http", "url": "http://127.0.0.1:1/mcp"})");
  BOOST_TEST(far.status == 1, far.out);
  BOOST_TEST(has(far.errors, "http and https URLs need libcurl 7.88 or later"), far.errors);
}
