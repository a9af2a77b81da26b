#include <toolwire/bridge/audit.hpp>
#include <toolwire/bridge/metrics.hpp>

#define BOOST_TEST_MODULE bridge_audit_test
#include <boost/test/unit_test.hpp>

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>

#include <toolwire/json_members.hpp>
#include <toolwire/testing.hpp>

#include "file_content.hpp"
#include "policy/audit_line.hpp"
#include "policy/secrets.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using toolwire_test::content_of;
using toolwire_test::ScratchFolder;

namespace {

const Json login_schema = parse_json(R"j({"type": "object", "properties": {
  "user": {"type": "string"}, "password": {"type": "string"}, "pass_phrase_hint": {"type": "string"},
  "code": {"type": "string", "format": "password"},
  "nested": {"type": "object", "properties": {"seed": {"type": "integer", "writeOnly": true}}}}})j");

/// A server whose calls go to a log, and a client of it.
struct Fixture {
  ScratchFolder folder;
  std::string file = (folder / "audit.jsonl").string();
  Server server{{.name = "s", .version = "1"}};

  Fixture() {
    server.around_call(audited(std::make_shared<AuditLog>(AuditSettings{.file = file})));
    server.tool({.name = "login", .description = "", .input_schema = login_schema}, [](const Json& arguments) {
      if (arguments.at("user") == "nobody")
        throw ToolError("no user with password " + std::string(arguments.at("password").as_string()));
      return Json(JsonObject{{"output", "the-output"}});
    });
    ToolInfo secret{.name = "diary", .description = ""};
    secret.meta = JsonObject{{"dev.toolwire/metadata", JsonObject{{"sensitive_output", true}}}};
    server.tool(secret, []() -> std::string { throw ToolError("dear diary"); });
  }
  std::vector<Json> lines() const {
    std::ifstream stream(file);
    std::vector<Json> all;
    for (std::string line; std::getline(stream, line);) all.push_back(parse_json(line));
    return all;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_call_is_one_line_without_its_output, Fixture) {
  testing::Client client{server, {.name = "host", .version = "3"}};
  client.call("login", {{"user", "a"}, {"_reasoningForCall", "why not"}});
  BOOST_REQUIRE(lines().size() == 1);
  const Json line = lines().front();
  BOOST_TEST(line.at("client") == "host/3");
  BOOST_TEST(line.at("tool") == "login");
  BOOST_TEST(to_json_text(line.at("arguments")) == R"j({"user":"a"})j");
  BOOST_TEST(line.at("reasoning") == "why not");
  BOOST_TEST(line.at("decision") == "run");
  BOOST_TEST(line.at("outcome") == "ok");
  BOOST_TEST(line.at("duration_ms").is_number());
  BOOST_TEST(line.at("time").as_string().ends_with("Z"));
  BOOST_TEST(content_of(file).find("the-output") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(clients_of_both_eras_are_named, Fixture) {
  for (const char* const revision : {"2025-06-18", "2026-07-28"}) {
    testing::Client client{server, {.name = "host", .version = "3", .revision = revision}};
    client.call("login", {{"user", "a"}});
    BOOST_TEST(lines().back().at("client") == "host/3");
  }
}

BOOST_FIXTURE_TEST_CASE(secrets_appear_neither_in_arguments_nor_in_errors, Fixture) {
  testing::Client client{server};
  client.call("login", parse_json(R"j({"user": "nobody", "password": "hunter2", "code": "123456", "token": "tok-en",
                                       "nested": {"seed": 424242}, "auth": {"api_key": "k-e-y"}})j"));
  const std::string text = content_of(file);
  for (const char* const secret : {"hunter2", "123456", "tok-en", "424242", "k-e-y"})
    BOOST_TEST(text.find(secret) == std::string::npos, secret);
  BOOST_TEST(lines().front().at("error") == "no user with password (redacted)");
  BOOST_TEST(lines().front().at("outcome") == "error");
}

BOOST_FIXTURE_TEST_CASE(no_part_of_a_secret_stands_where_a_text_was_cut, Fixture) {
  Server given{{.name = "s", .version = "1"}};
  given.around_call(audited(std::make_shared<AuditLog>(AuditSettings{.file = file, .secrets = {"s3cr3t-of-a-file"}})));
  given.tool({.name = "refuse", .description = "", .input_schema = login_schema},
             [](const Json& arguments) -> Json { throw ToolError(std::string(arguments.at("user").as_string())); });
  testing::Client client{given};
  for (const std::size_t before : {490U, 495U, 499U}) {
    const std::string start(before, 'x');
    client.call("refuse", {{"user", start + "s3cr3t-of-a-file"}, {"_reasoningForCall", start + "s3cr3t-of-a-file"}});
    client.call("refuse",
                {{"user", start + "hunter2"}, {"password", "hunter2"}, {"_reasoningForCall", start + "hunter2"}});
  }
  BOOST_TEST(lines().size() == 6U);
  for (const Json& line : lines()) {
    for (const char* const member : {"error", "reasoning"}) {
      const std::string text = text_or(line, member);
      BOOST_TEST(text.find_first_of("s3hu") == std::string::npos, text);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_line_stays_json_whatever_a_secret_looks_like, Fixture) {
  for (const char* const secret : {R"j({"user":"sam"})j", R"j("user":"sam")j", R"j(","decision":")j", "}", "\""}) {
    const std::string own = (folder / "own.jsonl").string();
    {
      AuditLog log(AuditSettings{.file = own, .secrets = {secret}});
      log.append(R"j({"tool":"login","arguments":{"user":"sam"},"decision":"run","duration_ms":0.5})j");
    }
    const std::string line = content_of(own);
    BOOST_TEST_CONTEXT(line) {
      const Json read = parse_json(line);
      BOOST_TEST(read.as_object().size() == 4U);
      BOOST_TEST(read.at("tool").is_string());
      if (std::string_view(secret) != "\"")
        BOOST_TEST(to_json_text(read.at("arguments")).find(secret) == std::string::npos);
    }
    std::filesystem::remove(own);
  }
}

BOOST_FIXTURE_TEST_CASE(what_a_sensitive_tool_says_is_not_written_down, Fixture) {
  testing::Client client{server};
  BOOST_TEST(client.call("diary").is_error);
  BOOST_TEST(lines().front().at("outcome") == "error");
  BOOST_TEST(content_of(file).find("dear") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_cancelled_call_is_recorded_as_such, Fixture) {
  std::promise<Reply> started;
  server.tool({.name = "hang", .description = ""}, [&](Context&, Reply reply) { started.set_value(std::move(reply)); });
  testing::Client client{server};
  CallHandle call = client.start_call("hang");
  Reply reply = started.get_future().get();
  call.cancel();
  BOOST_CHECK_THROW(call.wait(), CancelledError);
  client.call("login", {{"user", "a"}});  // what the server reads next, it reads after the cancellation
  reply("too late");
  BOOST_TEST(lines().at(0).at("tool") == "hang");
  BOOST_TEST(lines().at(0).at("outcome") == "cancelled");
  BOOST_TEST(lines().size() == 2);
}

BOOST_FIXTURE_TEST_CASE(arguments_that_are_too_long_are_counted_instead, Fixture) {
  testing::Client client{server};
  client.call("login", {{"user", std::string(100'000, 'x')}});
  BOOST_TEST(content_of(file).size() < 1'000);
  BOOST_TEST(lines().front().at("arguments") == "(100011 bytes)");
}

BOOST_AUTO_TEST_CASE(only_the_owner_may_read_the_file_and_lines_are_added_to_it) {
  const ScratchFolder folder;
  const std::string file = (folder / "a").string();
  AuditLog(AuditSettings{.file = file}).append("{}");
  AuditLog(AuditSettings{.file = file}).append("[]");
  BOOST_TEST(content_of(file) == "{}\n[]\n");
  struct stat state {};
  BOOST_REQUIRE(::stat(file.c_str(), &state) == 0);
  BOOST_TEST((state.st_mode & 0777) == 0600);
}

BOOST_AUTO_TEST_CASE(a_file_that_was_moved_away_is_made_anew) {
  const ScratchFolder folder;
  AuditLog log(AuditSettings{.file = (folder / "a").string()});
  log.append("1");
  std::filesystem::rename(folder / "a", folder / "a.1");
  log.append("2");
  BOOST_TEST(content_of(folder / "a.1") == "1\n");
  BOOST_TEST(content_of(folder / "a") == "2\n");
}

BOOST_AUTO_TEST_CASE(a_line_that_was_cut_off_by_a_full_disk_spoils_no_other) {
  const ScratchFolder folder;
  const std::string file = (folder / "a").string();
  AuditLog log(AuditSettings{.file = file});
  log.append("1");
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit usual{};
  BOOST_REQUIRE(::getrlimit(RLIMIT_FSIZE, &usual) == 0);
  const rlimit full{4, usual.rlim_max};
  BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &full) == 0);
  log.append("lost");
  log.append("lost, too");
  ::setrlimit(RLIMIT_FSIZE, &usual);
  log.append("2");
  log.append("3");
  BOOST_TEST(content_of(file) == "1\nlo\n2\n3\n");
}

BOOST_AUTO_TEST_CASE(a_log_that_ends_in_mid_line_goes_on_in_the_next) {
  const ScratchFolder folder;
  const std::string file = folder.file("a", "1\nlo").string();
  AuditLog(AuditSettings{.file = file}).append("2");
  BOOST_TEST(content_of(file) == "1\nlo\n2\n");
}

BOOST_AUTO_TEST_CASE(a_place_that_cannot_hold_a_log_is_refused_with_the_reason) {
  const ScratchFolder folder;
  BOOST_REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
  for (const auto& place :
       {std::pair{(folder / "fifo").string(), "regular file"}, std::pair{folder.text(), "directory"},
        std::pair{(folder / "no/where").string(), "No such file"}}) {
    BOOST_CHECK_EXCEPTION(AuditLog(AuditSettings{.file = place.first}), std::runtime_error, [&](const auto& error) {
      const std::string what = error.what();
      return what.find(place.first) != std::string::npos && what.find(place.second) != std::string::npos;
    });
  }
}

BOOST_AUTO_TEST_CASE(the_end_of_a_call_tells_what_was_decided) {
  const JsonObject none;
  Context context(std::stop_token(), none, none);
  const AuditEntry entry = audit_entry("t", JsonObject{}, "", Json(), context);
  const auto decision = [&](const AuditEntry& call, std::string_view code, const AnyOutcome* outcome = nullptr) {
    return std::string(
        parse_json(audit_line(call, {.code = code, .outcome = outcome}, 9999)).at("decision").as_string());
  };
  const AnyOutcome approval = Questions{{form_question(std::string(Approval::key), "?", JsonObject{})}};
  const AnyOutcome other = Questions{{form_question("name", "?", JsonObject{})}};
  BOOST_TEST(decision(entry, "asked", &approval) == "asked");
  BOOST_TEST(decision(entry, "asked", &other) == "run");
  BOOST_TEST(decision(entry, "cannot_ask", &approval) == "refused");
  BOOST_TEST(decision(entry, "cannot_ask", &other) == "run");
  BOOST_TEST(decision(entry, "denied") == "declined");
  BOOST_TEST(decision(entry, "rate_limited") == "refused");
  AuditEntry answered = entry;
  answered.approval_answered = true;
  BOOST_TEST(decision(answered, "ok") == "approved");
  AuditEntry meant = entry;
  meant.decision = "asked";
  BOOST_TEST(decision(meant, "asked", &approval) == "asked");
  BOOST_TEST(decision(meant, "cannot_ask", &approval) == "refused");
  answered.decision = "left to the host";
  BOOST_TEST(decision(answered, "ok") == "left to the host");
}

BOOST_FIXTURE_TEST_CASE(a_failure_is_told_in_the_words_of_another_server, Fixture) {
  server.tool("elsewhere", "Calls another server", []() -> ToolResult {
    return {.content = {{.item = Json(JsonObject{{"type", "text"}, {"text", "no such folder"}})}}, .is_error = true};
  });
  testing::Client{server}.call("elsewhere");
  BOOST_TEST(lines().back().at("error") == "no such folder");
}

BOOST_AUTO_TEST_CASE(calls_that_no_middleware_sees_are_recorded) {
  const ScratchFolder folder;
  const std::string file = (folder / "audit.jsonl").string();
  const auto log = std::make_shared<AuditLog>(AuditSettings{.file = file});
  const auto metrics = std::make_shared<Metrics>();
  Server server{{.name = "s", .version = "1"}, {.calls_per_minute = 1}};
  server.around_call(audited(log));
  server.around_call(measured(metrics));
  server.on_refused_call(refused_calls_audited(log));
  server.on_refused_call(refused_calls_measured(metrics));
  server.tool({.name = "login", .input_schema = login_schema}, [](const Json&) { return "done"; });
  testing::Client client{server, {.name = "host", .version = "3"}};
  client.call("login");
  BOOST_TEST(client.call("login", {{"password", "hunter2"}, {"user", "a"}}).is_error);
  std::ifstream stream(file);
  std::string run;
  std::string refused;
  std::getline(stream, run);
  std::getline(stream, refused);
  BOOST_TEST(run.find("\"decision\":\"run\"") != std::string::npos, run);
  for (const char* const part : {"\"client\":\"host/3\"", "\"tool\":\"login\"", "\"user\":\"a\"",
                                 "\"decision\":\"refused\"", "\"outcome\":\"rate_limited\""})
    BOOST_TEST(refused.find(part) != std::string::npos, refused);
  BOOST_TEST(refused.find("hunter2") == std::string::npos, refused);
  const std::string counts = metrics->text();
  BOOST_TEST(counts.find(R"(toolwire_calls_total{tool="login",outcome="rate_limited"} 1)") != std::string::npos,
             counts);
  BOOST_TEST(counts.find("toolwire_calls_in_flight 0") != std::string::npos, counts);
}
