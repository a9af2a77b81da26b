// Servers that do what the specification leaves to them, or that take a line no client should send for no request: none
// of them is blamed for more than it does.
#include "conformance_run.hpp"

#define BOOST_TEST_MODULE conformance_fairness_test
#include <boost/test/unit_test.hpp>

#include <map>

#include "scratch_folder.hpp"

using toolwire::Json;
using toolwire::JsonArray;
using toolwire_test::conformance;
using toolwire_test::ConformanceRun;
using toolwire_test::ScratchFolder;

namespace {

/// A server of revision 2025-11-25 in a few lines of shell. `cases` come before its own.
std::string server(const std::string& cases) {
  return R"sh(
id_of() { id=${1#*'"id":'}; id=${id%%[,\}]*}; }
say() { printf '%s\n' "$1"; }
answer() { id_of "$line"; say '{"jsonrpc":"2.0","id":'"$id"',"result":'"$1"'}'; }
refuse() { id_of "$line"; say '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":'"$1"',"message":"no"}}'; }
changed() { say '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'; }
handshake='{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"fair","version":"1"}}'
tools='{"tools":[{"name":"look","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}'
while IFS= read -r line; do
  case $line in
)sh" + cases +
         R"sh(
    *'"method":"initialize"'*) answer "$handshake" ;;
    *'"method":"ping"'*) answer '{}' ;;
    *'"method":"tools/list"'*) answer "$tools" ;;
    *'"method":"tools/call"'*) answer '{"content":[{"type":"text","text":"seen"}]}' ;;
    *'"method":"notifications/'*) ;;
    *'"id":'*) refuse -32601 ;;
  esac
done
)sh";
}

/// For servers that mind others of their kind. Numbers of processes come again on a busy machine, so it asks what each
/// is.
constexpr const char* counts_its_like = R"sh(
folder=$1
: > "$folder/run.$$"
is_one() { words=; read -r words < "/proc/$1/cmdline"; case $words in *"$folder"*) ;; *) false ;; esac; } 2>/dev/null
crowded() { n=0; for f in "$folder"/run.*; do is_one "${f##*.}" && n=$((n + 1)); done; [ "$n" -gt 1 ]; }
)sh";

/// The verdicts on some checks, each by itself, by their ids. The server runs `first` before it reads; $1 is a folder
/// of its own.
std::map<std::string, std::string> verdicts(const std::string& cases, const std::string& checks,
                                            const std::string& first = "", const std::string& revision = "2025-11-25") {
  const ScratchFolder folder;
  const std::string script = folder.file("server.sh", first + server(cases)).string();
  const ConformanceRun run = conformance({"--json", "-", "--revision", revision, "--only", checks, "--timeout", "3",
                                          "--", "/bin/sh", script, folder.path().string()});
  BOOST_TEST_MESSAGE(run.errors);
  std::map<std::string, std::string> all;
  const Json report = run.json();
  for (const Json& check : report.at("checks").as_array()) {
    const std::string id(check.at("id").as_string());
    if (id.starts_with("start-")) continue;
    const bool is_told_with_another = check.as_object().contains("was");
    all[id] = std::string(check.at(is_told_with_another ? "was" : "verdict").as_string());
    BOOST_TEST_MESSAGE(id << " " << all[id] << ": " << check.at("message").as_string());
  }
  return all;
}

/// What makes the server one of 2026-07-28 that has tools; `modern_words` come before it.
const std::string modern = R"sh(
    *'"method":"server/discover"'*) answer '{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}}'"$whole"'}' ;;
    *'"method":"tools/list"'*) answer "${tools%?}$whole}" ;;
)sh";
constexpr const char* modern_words = R"sh(
whole=',"resultType":"complete","ttlMs":0,"cacheScope":"public"'
acknowledged='{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":'
)sh";

void expect_all(const std::string& verdict, const std::string& cases, const std::string& checks) {
  const auto found = verdicts(cases, checks);
  BOOST_TEST(!found.empty());
  for (const auto& [id, got] : found) BOOST_TEST(got == verdict, id << ": " << got << ", not " << verdict);
}

/// A tool whose structured result has two notes, and this text, as in a string of JSON.
std::string structured_with(const std::string& text) {
  return R"sh(
    *'"method":"tools/list"'*) answer '{"tools":[{"name":"notes","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}' ;;
    *'"method":"tools/call"'*) answer '{"content":[{"type":"text","text":")sh" +
         text +
         R"sh("}],"structuredContent":{"notes":[{"id":"n-1","size":3},{"id":"n-2","size":4}],"more":false}}' ;;
)sh";
}

std::string offering(const std::string& capability) {
  return R"sh(*'"method":"initialize"'*) answer '{"protocolVersion":"2025-11-25","capabilities":{")sh" + capability +
         R"sh(":{}},"serverInfo":{"name":"fair","version":"1"}}' ;;)sh";
}

}  // namespace

/// What a server does for 1.6 seconds on end once it has nothing to read any more: no loop without an end.
BOOST_AUTO_TEST_CASE(work_at_the_end_is_no_busy_loop) {
  const std::string works_at_the_end = R"sh(
hundredths() { read -r up _ < /proc/uptime; now=${up%.*}${up#*.}; }
at_the_end() { hundredths; until=$((now + 160)); while [ "$now" -lt "$until" ]; do hundredths; done; }
trap at_the_end EXIT
)sh";
  for (const auto& [id, got] : verdicts("", "rb-eof-no-spin", works_at_the_end)) BOOST_TEST(got == "PASS", id << got);
}

BOOST_AUTO_TEST_CASE(a_text_that_says_the_same_in_another_form_is_no_fault) {
  expect_all("INFO", structured_with(R"(n-1 (3 bytes)\nn-2 (4 bytes))"), "tools-structured-text-fallback");
}

BOOST_AUTO_TEST_CASE(the_same_json_as_text_is_what_is_asked_for) {
  const std::string json = R"({\"more\":false,\"notes\":[{\"id\":\"n-1\",\"size\":3},{\"id\":\"n-2\",\"size\":4}]})";
  expect_all("PASS", structured_with(json), "tools-structured-text-fallback");
}

BOOST_AUTO_TEST_CASE(a_text_that_leaves_something_out_is_a_warning) {
  for (const char* text : {"done", "", "n-1 (3 bytes)"})
    expect_all("WARN", structured_with(text), "tools-structured-text-fallback");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_one_fault_only) {
  const auto found = verdicts(offering("resources") + R"sh(
    *'"method":"resources/list"'*) answer '{"resources":[{"uri":"own://a","name":"a"},{"uri":"own://b","name":"b"}]}' ;;
    *'"method":"resources/read"'*'own://a'*) refuse -32603 ;;
    *'"method":"resources/read"'*'own://b'*) answer '{"contents":[{"uri":"own://b","text":"b"}]}' ;;
)sh",
                              "resources-read-works,resources-read-shape,resources-read-uri-match");
  BOOST_TEST(found.at("resources-read-works") == "WARN");
  BOOST_TEST(found.at("resources-read-shape") == "PASS");
  BOOST_TEST(found.at("resources-read-uri-match") == "PASS");
}

BOOST_AUTO_TEST_CASE(a_prompt_that_cannot_be_had_is_one_fault_only) {
  const auto found = verdicts(offering("prompts") + R"sh(
    *'"method":"prompts/list"'*) answer '{"prompts":[{"name":"a"},{"name":"b"}]}' ;;
    *'"method":"prompts/get"'*'"name":"a"'*) refuse -32603 ;;
    *'"method":"prompts/get"'*'"name":"b"'*) answer '{"messages":[{"role":"user","content":{"type":"text","text":"b"}}]}' ;;
)sh",
                              "prompts-get-works,prompts-message-shape");
  BOOST_TEST(found.at("prompts-get-works") == "WARN");
  BOOST_TEST(found.at("prompts-message-shape") == "PASS");
}

BOOST_AUTO_TEST_CASE(a_notification_of_its_own_is_no_answer_to_a_cancellation) {
  expect_all("PASS", R"sh(*'"method":"notifications/cancelled"'*) changed ;;)sh",
             "cancel-unknown-id-ignored,cancel-completed-ignored,cancel-malformed-ignored");
}

BOOST_AUTO_TEST_CASE(an_answer_to_a_cancellation_is_still_found) {
  expect_all(
      "WARN",
      R"sh(*'"method":"notifications/cancelled"'*) say '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}' ;;)sh",
      "cancel-unknown-id-ignored,cancel-completed-ignored");
}

BOOST_AUTO_TEST_CASE(a_notification_that_overtakes_the_handshake_was_declared_all_the_same) {
  expect_all("PASS", R"sh(*'"method":"initialize"'*) changed; answer "$handshake" ;;)sh",
             "tools-list-changed-not-undeclared,ping-empty-result");
}

BOOST_AUTO_TEST_CASE(a_notification_that_was_never_declared_is_found) {
  const auto found = verdicts(
      R"sh(*'"method":"initialize"'*) changed; answer '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"fair","version":"1"}}' ;;)sh",
      "tools-list-changed-not-undeclared,ping-empty-result");
  BOOST_TEST(found.at("tools-list-changed-not-undeclared") == "WARN");
}

BOOST_AUTO_TEST_CASE(a_list_before_the_handshake_is_the_servers_own_business) {
  expect_all("INFO", "", "init-first-requests-gated");
}

BOOST_AUTO_TEST_CASE(a_line_that_is_taken_for_no_request_is_a_warning) {
  expect_all("WARN", R"sh(*'"x-unknown":true}' | *'"progressToken":null'* | *'"params":null'*) ;;)sh",
             "rpc-unknown-fields-tolerated,progress-invalid-token,rb-params-null-absent");
}

/// RFC 8259 § 9 allows a parser to bound the depth.
BOOST_AUTO_TEST_CASE(a_line_that_is_too_deep_for_its_parser_is_a_warning) {
  expect_all("WARN", "*'[[[[[[[['*) ;;", "rb-deep-nesting-argument");
}

/// JSON-RPC has null for the id that could not be read.
BOOST_AUTO_TEST_CASE(a_line_that_is_too_deep_for_its_parser_may_be_refused_without_its_id) {
  expect_all("PASS",
             R"sh(*'[[[[[[[['*) say '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"too deep"}}' ;;)sh",
             "rb-deep-nesting-argument");
}

BOOST_AUTO_TEST_CASE(a_server_that_ends_at_such_a_line_is_broken) {
  expect_all("FAIL", R"sh(*'"x-unknown":true}' | *'"progressToken":null'* | *'"params":null'*) exit 1 ;;)sh",
             "rpc-unknown-fields-tolerated,progress-invalid-token,rb-params-null-absent");
}

BOOST_AUTO_TEST_CASE(an_error_of_another_code_for_a_cursor_is_a_warning) {
  expect_all("WARN", R"sh(*'"cursor":'*) refuse -32603 ;;)sh", "page-cursor-wrong-type,page-cursor-null-or-empty");
}

/// Which methods of tasks there are, the capabilities say.
BOOST_AUTO_TEST_CASE(a_method_of_tasks_that_is_not_declared_need_not_be_there) {
  expect_all("PASS",
             offering("tasks") + R"sh(*'"method":"tasks/get"'* | *'"method":"tasks/result"'*) refuse -32602 ;;)sh",
             "t25-get-unknown");
}

BOOST_AUTO_TEST_CASE(what_is_not_there_may_be_refused_in_another_way) {
  for (const char* reaction : {"refuse -32602", R"(answer '{"contents":[{"uri":"own://x","text":""}]}')"})
    expect_all("WARN", offering("resources") + R"sh(*'"method":"resources/read"'*) )sh" + reaction + " ;;",
               "resources-not-found-legacy");
}

BOOST_AUTO_TEST_CASE(drawings_on_standard_error_are_utf_8) {
  const auto found = verdicts(
      R"sh(*'"method":"ping"'*) printf '\342\224\220\342\224' >&2; answer '{}'; exit 0 ;;)sh",  // a box, and two bytes
                                                                                                // of one
      "stdio-stderr-optional-utf8,ping-empty-result");
  BOOST_TEST(found.at("stdio-stderr-optional-utf8") == "PASS");
}

BOOST_AUTO_TEST_CASE(other_bytes_on_standard_error_are_a_warning_and_no_failure) {
  const auto found = verdicts(R"sh(*'"method":"ping"'*) printf '\377\377 done\n' >&2; answer '{}' ;;)sh",
                              "stdio-stderr-optional-utf8,ping-empty-result");
  BOOST_TEST(found.at("stdio-stderr-optional-utf8") == "WARN");
}

BOOST_AUTO_TEST_CASE(a_line_that_is_cut_is_one_finding) {
  const auto found =
      verdicts("", "stdio-newline-delimited,stdio-stdout-only-mcp,ping-empty-result,exit-eof-before-opening",
               R"sh(trap 'printf "{"' EXIT
)sh");
  BOOST_TEST(found.at("stdio-newline-delimited") == "FAIL");
  BOOST_TEST(found.at("stdio-stdout-only-mcp") == "PASS");
}

/// It ends in the middle of a line at SIGINT and at a bad line: what judges the lines it had ended says nothing of it.
BOOST_AUTO_TEST_CASE(half_a_line_at_the_end_is_told_by_the_checks_that_are_for_it) {
  const auto found =
      verdicts(R"sh('{"jsonrpc":"2.0",') printf '{"jsonrpc":'; exit 0 ;;)sh",
               "rb-sigint,exit-server-initiated,stdio-stdout-pure-on-error", "trap 'printf \"{\"; exit 0' INT\n");
  BOOST_TEST(found.at("exit-server-initiated") == "FAIL");
  BOOST_TEST(found.at("rb-sigint") == "PASS");
  BOOST_TEST(found.at("stdio-stdout-pure-on-error") == "SKIP");
}

/// Whether a server still answers is asked with pings.
BOOST_AUTO_TEST_CASE(a_server_without_ping_is_one_finding) {
  const ScratchFolder folder;
  const std::string script = folder.file("server.sh", server(R"sh(*'"method":"ping"'*) refuse -32601 ;;)sh")).string();
  const Json report = conformance({"--json", "-", "--revision", "2025-11-25", "--only",
                                   "ping-empty-result,rpc-string-id-accepted,rb-crlf,rb-unknown-notifications", "--",
                                   "/bin/sh", script})
                          .json();
  std::string complaints;
  for (const Json& check : report.at("checks").as_array()) {
    const std::string verdict(check.at("verdict").as_string());
    if (verdict == "FAIL" || verdict == "WARN") complaints += std::string(check.at("id").as_string()) + " ";
  }
  BOOST_TEST(complaints == "ping-empty-result ");
}

BOOST_AUTO_TEST_CASE(a_server_that_is_initialized_once_in_a_process_is_not_broken) {
  const auto found = verdicts(
      R"sh(*'"method":"initialize"'*) if [ "$opened" ]; then refuse -32600; else opened=1; answer "$handshake"; fi ;;)sh",
      "init-malformed-params");
  BOOST_TEST(found.at("init-malformed-params") == "WARN");  // it took what lacks members, which is all there is to say
}

/// Whatever it says of its own accord in between. What it ends at when its input is a file was not sent to it.
BOOST_AUTO_TEST_CASE(a_server_that_ends_at_a_bad_line_has_one_cause) {
  const ScratchFolder folder;
  const std::string script =
      folder.file("server.sh", "[ -f /dev/stdin ] && exit 1\n" + server("42|'['*) changed; exit 1 ;;")).string();
  const ConformanceRun run = conformance({"--json", "-", "--revision", "2025-11-25", "--only",
                                          "rpc-non-object-message,batch-refused-elsewhere,rb-stdio-kinds", "--timeout",
                                          "3", "--", "/bin/sh", script});
  const Json report = run.json();
  BOOST_TEST_REQUIRE(report.at("causes").as_array().size() == 1U);
  const Json& cause = report.at("causes").at(0);
  BOOST_TEST(cause.at("id") == "ends-at-invalid-input");
  BOOST_TEST(cause.at("checks") == Json(JsonArray{"rpc-non-object-message", "batch-refused-elsewhere"}));
}

namespace {

/// The id of the one cause that checks find in a server of this revision.
std::string only_cause(const std::string& revision, const std::string& cases, const std::string& checks) {
  const ScratchFolder folder;
  std::string text = server(cases);
  for (std::size_t at = 0; (at = text.find("2025-11-25", at)) != std::string::npos; at += revision.size())
    text.replace(at, 10, revision);
  const std::string script = folder.file("server.sh", text).string();
  const ConformanceRun run =
      conformance({"--json", "-", "--revision", revision, "--only", checks, "--timeout", "3", "--", "/bin/sh", script});
  const Json report = run.json();
  BOOST_TEST_REQUIRE(report.at("causes").as_array().size() == 1U);
  return std::string(report.at("causes").at(0).at("id").as_string());
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_server_ends_at_is_called_by_its_name) {
  const std::string ends = "ends-by-itself ";
  BOOST_TEST(only_cause("2025-11-25", R"sh(*'"method":""'*) exit 1 ;;)sh", "rb-unknown-notifications") ==
             ends + "a message with an empty method");
  BOOST_TEST(only_cause("2025-03-26", "'['*) exit 1 ;;", "batch-all-notifications") == ends + "a batch");
  BOOST_TEST(only_cause("2025-11-25", "'['*) exit 1 ;;", "batch-refused-elsewhere") == "ends-at-invalid-input");
}

/// Whichever message it is; once it has been opened, what it ends at is the request.
BOOST_AUTO_TEST_CASE(a_server_that_ends_before_its_handshake_has_one_cause) {
  const std::string strict = R"sh(
    *'"method":"initialize"'*)
      case $line in *clientInfo*) opened=1; answer "$handshake" ;; *) refuse -32602; exit 1 ;; esac ;;
    *'"method":"tools/list"'*) if [ "$opened" ]; then answer "$tools"; else refuse -32602; exit 1; fi ;;
    *'"method":"notifications/'*) [ "$opened" ] || exit 1 ;;
)sh";
  BOOST_TEST(only_cause("2025-11-25", strict, "init-malformed-params,init-first-requests-gated,rb-legacy-init-storm") ==
             "ends-before-handshake");
  BOOST_TEST(only_cause("2025-11-25", R"sh(*'"method":"tools/call"'*) exit 1 ;;)sh", "tools-unknown-tool") ==
             "ends-by-itself tools/call");
}

/// A file, or a page of documentation.
BOOST_AUTO_TEST_CASE(a_text_that_names_a_header_is_no_request_for_authorization) {
  const auto verdict_on = [](const std::string& result) {
    return verdicts(R"sh(*'"method":"tools/call"'*) answer ')sh" + result + "' ;;", "stdio-no-oauth,tools")
        .at("stdio-no-oauth");
  };
  BOOST_TEST(verdict_on(R"({"content":[{"type":"text","text":"A reply 401 has WWW-Authenticate."}]})") == "PASS");
  BOOST_TEST(verdict_on(R"({"content":[{"type":"text","text":"401, WWW-Authenticate: Bearer"}],"isError":true})") ==
             "WARN");
}

BOOST_AUTO_TEST_CASE(a_server_that_ends_at_a_bad_line_is_not_said_to_print_foreign_bytes) {
  const auto found = verdicts(R"sh('{"jsonrpc":"2.0",') exit 0 ;;)sh", "stdio-stdout-pure-on-error");
  BOOST_TEST(found.at("stdio-stdout-pure-on-error") == "SKIP");
}

BOOST_AUTO_TEST_CASE(what_takes_its_time_while_others_run_is_judged_alone) {
  const auto found = verdicts(R"sh(*'"method":"ping"'*) if crowded; then sleep 4; fi; answer '{}' ;;)sh",
                              "ping,cancellation,rb-line-over-64k,exit-on-sigterm", counts_its_like);
  BOOST_TEST(found.at("ping-empty-result") == "PASS");
  for (const auto& [id, verdict] : found) BOOST_TEST(verdict != "FAIL", id);
}

namespace {

/// All revisions are started at once, which is too much for it: then it does this.
void expect_a_start_alone(const std::string& if_crowded) {
  const ScratchFolder folder;
  const std::string start = std::string(counts_its_like) + "sleep 0.5\nif crowded; then " + if_crowded + "; fi\n";
  const std::string script = folder.file("server.sh", start + server("")).string();
  const ConformanceRun run = conformance({"--json", "-", "--revision", "2025-11-25", "--only", "start-up",
                                          "--start-timeout", "5", "--", "/bin/sh", script, folder.path().string()});
  const Json report = run.json();
  for (const Json& check : report.at("checks").as_array())
    BOOST_TEST(check.at("verdict") == "PASS", check.at("id").as_string() << ": " << run.out);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_silent_while_others_start_is_started_alone) { expect_a_start_alone("sleep 100"); }

BOOST_AUTO_TEST_CASE(what_ends_while_others_start_is_started_alone) { expect_a_start_alone("sleep 1; exit 1"); }

BOOST_AUTO_TEST_CASE(a_member_nobody_asked_for_at_the_top_may_be_refused) {
  expect_all("INFO", R"sh(*'"x-unknown":true}') refuse -32600 ;;)sh", "rpc-unknown-fields-tolerated");
}

/// The sentence of 2025-03-26 binds who sends it: such a server takes all batches, as it has to.
BOOST_AUTO_TEST_CASE(a_handshake_in_a_batch_may_be_served) {
  const auto found = verdicts(
      R"sh('['*'"method":"initialize"'*) say "[$(answer "$older")]" ;; *'"method":"initialize"'*) answer "$older" ;;)sh",
      "batch-initialize-refused",
      R"sh(older='{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"fair","version":"1"}}')sh"
      "\n",
      "2025-03-26");
  BOOST_TEST(found.at("batch-initialize-refused") == "WARN");
}

/// Whoever takes an empty method for no request at all may not know its id. Nothing at all leaves the client waiting.
BOOST_AUTO_TEST_CASE(an_empty_method_that_is_refused_without_its_id_is_a_warning) {
  constexpr const char* check = "rb-unknown-methods-burst";
  expect_all("WARN",
             R"sh(*'"method":""'*) say '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}' ;;)sh",
             check);
  expect_all("FAIL", R"sh(*'"method":""'*) ;;)sh", check);
}

/// A list of nothing is no feature, in this revision as in those before it.
BOOST_AUTO_TEST_CASE(an_empty_list_of_what_is_not_declared_is_no_lie) {
  const auto truthful = [](const std::string& resources) {
    return verdicts(modern + R"sh(*'"method":"resources/list"'*) answer '{"resources":[)sh" + resources +
                        R"sh(]'"$whole"'}' ;;)sh",
                    "discover-capabilities-truthful", modern_words, "2026-07-28")
        .at("discover-capabilities-truthful");
  };
  BOOST_TEST(truthful("") == "PASS");
  BOOST_TEST(truthful(R"({"uri":"test://one","name":"one"})") == "FAIL");
}

/// That kinds which the server does not have are left out is said without a MUST.
BOOST_AUTO_TEST_CASE(an_acknowledgment_of_what_a_server_does_not_have_is_a_warning) {
  const auto found = verdicts(
      modern +
          R"sh(*'"method":"subscriptions/listen"'*) id_of "$line"; say "$acknowledged$id"'},"notifications":{"toolsListChanged":true,"resourcesListChanged":true}}}' ;;)sh",
      "sub-ack-subset", modern_words, "2026-07-28");
  BOOST_TEST(found.at("sub-ack-subset") == "WARN");
}

/// The schema binds who asks.
BOOST_AUTO_TEST_CASE(a_subscription_to_nothing_that_is_acknowledged_is_a_warning) {
  const auto listening = [](const std::string& reaction) {
    return verdicts(modern + R"sh(*'"method":"subscriptions/listen"'*) )sh" + reaction + " ;;", "sub-missing-filter",
                    modern_words, "2026-07-28")
        .at("sub-missing-filter");
  };
  BOOST_TEST(listening(R"sh(id_of "$line"; say "$acknowledged$id"'},"notifications":{}}}')sh") == "WARN");
  BOOST_TEST(listening("") == "FAIL");  // nothing came
}

/// One that starts slowly answers the batch only when it is asked again.
BOOST_AUTO_TEST_CASE(a_slow_server_that_serves_a_handshake_in_a_batch_is_not_broken) {
  const auto found = verdicts(
      R"sh('['*'"method":"initialize"'*) opened=1; say "[$(answer "$older")]" ;;
           *'"method":"initialize"'*) if [ "$opened" ]; then refuse -32600; else answer "$older"; fi ;;)sh",
      "batch-initialize-refused",
      R"sh(sleep 1
older='{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"fair","version":"1"}}'
)sh",
      "2025-03-26");
  BOOST_TEST(found.at("batch-initialize-refused") == "WARN");
}

/// Of a method that is not there, each of two errors is the right one: -32601, and -32602 for its metadata. So it is of
/// a version that is empty: an unknown one, or none.
BOOST_AUTO_TEST_CASE(a_method_that_is_not_there_may_be_unknown_first) {
  const std::string prompts_alone = R"sh(
    *'"method":"server/discover"'* | *'"method":"prompts/list"'* | *'"method":"prompts/get"'*)
      case $line in *'/protocolVersion":"2026-07-28"'*) problem= ;; *'/protocolVersion":""'*) problem=-32602 ;; *'/protocolVersion":"'*) problem=-32022 ;; *) problem=-32602 ;; esac
      case $line in *'/clientCapabilities":{'*) ;; *) problem=-32602 ;; esac
      case $problem$line in
        -32*) refuse "$problem" ;;
        *'"server/discover"'*) answer '{"supportedVersions":["2026-07-28"],"capabilities":{"prompts":{}}'"$whole"'}' ;;
        *'"prompts/list"'*) answer '{"prompts":[{"name":"one"}]'"$whole"'}' ;;
        *) answer '{"messages":[],"resultType":"complete"}' ;;
      esac ;;
    *'"method":"notifications/'*) ;;
    *'"id":'*) refuse -32601 ;;
)sh";
  const auto found = verdicts(prompts_alone,
                              "meta-missing-rejected,meta-missing-version-rejected,meta-missing-capabilities-rejected,"
                              "meta-every-method-validated,version-unsupported-error",
                              modern_words, "2026-07-28");
  BOOST_TEST(found.size() == 5U);
  for (const auto& [id, verdict] : found) BOOST_TEST(verdict == "PASS", id << ": " << verdict);
}

/// A busy machine makes seconds of what logging a thousand errors takes.
BOOST_AUTO_TEST_CASE(what_has_a_thousand_lines_to_refuse_may_take_its_time) {
  expect_all("PASS", R"sh('{') [ "$rested" ] || { rested=1; sleep 7; } ;;)sh", "rb-parse-error-many");
}

/// The answer to its question goes behind the line.
BOOST_AUTO_TEST_CASE(a_server_may_ask_while_half_a_line_is_on_its_way) {
  expect_all("PASS",
             R"sh(*'"id":"whole"'*) say '{"jsonrpc":"2.0","id":"of-the-server","method":"ping"}'; answer '{}' ;;
                  *'"id":"of-the-server"'*) ;;)sh",
             "rb-partial-then-rest");
}

/// How often it tells of its progress is up to the server.
BOOST_AUTO_TEST_CASE(of_calls_at_once_one_alone_may_tell_of_its_progress) {
  expect_all("SKIP",
             R"sh(*'"progressToken":8101'* | *'"progressToken":8102'*) answer '{"content":[]}' ;;
                  *'"progressToken":'*) token=${line#*'"progressToken":'}; token=${token%%[,\}]*}
                    say '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":'"$token"',"progress":1}}'
                    answer '{"content":[{"type":"text","text":"seen"}]}' ;;)sh",
             "progress-concurrent-tokens");
}

/// A profile may name one: 0.5 is no integer, so it is asked for a second.
BOOST_AUTO_TEST_CASE(a_tool_that_counts_whole_seconds_is_slow_too) {
  const ScratchFolder folder;
  const std::string script = folder
                                 .file("server.sh", server(R"sh(
    *'"method":"tools/list"'*) answer '{"tools":[{"name":"wait","inputSchema":{"type":"object","properties":{"seconds":{"type":"integer"}},"required":["seconds"]},"annotations":{"readOnlyHint":true}}]}' ;;
    *'"seconds":1}'*) sleep 1; answer '{"content":[]}' ;;
    *'"seconds":'*) refuse -32602 ;;
)sh"))
                                 .string();
  const std::string profile =
      folder.file("profile.json", R"({"tool:slow": {"name": "wait", "arguments": {"seconds": "<SECONDS>"}}})").string();
  const ConformanceRun run = conformance(
      {"--revision", "2025-11-25", "--only", "cancel-id-type-exact", "--profile", profile, "--", "/bin/sh", script});
  BOOST_TEST_MESSAGE(run.out);
  BOOST_TEST(run.status == 0);
  BOOST_TEST(run.says("PASS cancellation"));
}
