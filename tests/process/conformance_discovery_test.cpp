// What the suite finds out of a server's own tools, prompts, resources and completions, without a profile.
#include "conformance_run.hpp"

#define BOOST_TEST_MODULE conformance_discovery_test
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <map>

#include "scratch_folder.hpp"

using toolwire::Json;
using toolwire_test::conformance;
using toolwire_test::ConformanceRun;
using toolwire_test::ScratchFolder;

namespace {

/// Of revision 2025-11-25. It notes each call of a tool that writes in the folder $1: one does not say that it only
/// reads, one says it and the opposite. A prompt embeds whatever it is given, another does so with a URI; one prompt
/// and one resource ask the client.
constexpr const char* quiet_server = R"sh(
id_of() { id=${1#*'"id":'}; id=${id%%[,\}]*}; }
say() { printf '%s\n' "$1"; }
answer() { id_of "$line"; say '{"jsonrpc":"2.0","id":'"$id"',"result":'"$1"'}'; }
refuse() { id_of "$line"; say '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":'"$1"',"message":"no"}}'; }
capabilities='{"tools":{},"prompts":{},"resources":{},"completions":{}}'
look='{"name":"look","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}'
measure='{"name":"measure","inputSchema":{"type":"object","properties":{"depth":{"type":"number"}},"required":["depth"]},"annotations":{"readOnlyHint":true}}'
write='{"name":"write","inputSchema":{"type":"object"}},{"name":"erase-and-write","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"destructiveHint":true}}'
argument() { printf '%s' '{"name":"'"$1"'","arguments":[{"name":"'"$2"'","required":true}]}'; }
prompts="$(argument quote word),$(argument embed page_uri),"'{"name":"inquire"},{"name":"greet"},'"$(argument ask topic)"
embed() { answer '{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"'"$1"'","mimeType":"text/plain","text":"x"}}}]}'; }
question='{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{"yes":{"type":"boolean"}}}}}'
ask() { asked=$line; say "$question"; while IFS= read -r line; do case $line in *'"id":"q"'*) break ;; esac; done; line=$asked; }
while IFS= read -r line; do
  case $line in
    *'"method":"initialize"'*) answer '{"protocolVersion":"2025-11-25","capabilities":'"$capabilities"',"serverInfo":{"name":"own","version":"1"}}' ;;
    *'"method":"ping"'*) answer '{}' ;;
    *'"method":"tools/list"'*) answer '{"tools":['"$look,$measure,$write"']}' ;;
    *'"method":"tools/call"'*'write"'*) : > "$1/written"; answer '{"content":[]}' ;;
    *'"method":"tools/call"'*) answer '{"content":[{"type":"text","text":"seen"}]}' ;;
    *'"method":"prompts/list"'*) answer '{"prompts":['"$prompts"']}' ;;
    *'"method":"prompts/get"'*'"inquire"'*) ask; answer '{"messages":[{"role":"user","content":{"type":"text","text":"sure"}}]}' ;;
    *'"method":"prompts/get"'*'"quote"'*) word=${line#*'"word":"'}; embed "${word%%'"}'*}" ;;
    *'"method":"prompts/get"'*'"embed"'*) uri=${line#*'"page_uri":"'}; embed "${uri%%'"}'*}" ;;
    *'"method":"prompts/get"'*'"topic":"'*)
      topic=${line#*'"topic":"'}; topic=${topic%%'"}'*}
      answer '{"messages":[{"role":"user","content":{"type":"text","text":"about '"$topic"'"}}]}' ;;
    *'"method":"prompts/get"'*) answer '{"messages":[{"role":"user","content":{"type":"text","text":"hello"}}]}' ;;
    *'"method":"resources/list"'*) answer '{"resources":[{"uri":"own://notes","name":"notes"},{"uri":"own://secret","name":"secret"}]}' ;;
    *'"method":"resources/templates/list"'*) answer '{"resourceTemplates":[{"uriTemplate":"own://notes/{day}","name":"day"}]}' ;;
    *'"method":"resources/read"'*'own://secret'*) ask; answer '{"contents":[{"uri":"own://secret","text":"sure"}]}' ;;
    *'"method":"resources/read"'*) uri=${line#*'"uri":"'}; uri=${uri%%'"'*}; answer '{"contents":[{"uri":"'"$uri"'","text":"a note"}]}' ;;
    *'"method":"completion/complete"'*'"topic"'* | *'"method":"completion/complete"'*'"day"'*) answer '{"completion":{"values":["monday"]}}' ;;
    *'"method":"notifications/'*) ;;
    *'"id":'*) refuse -32601 ;;
  esac
done
)sh";

/// Of the same revision: tools that wait, tell, log, ask, fail, repeat, and one that reads what another has told of.
constexpr const char* busy_server = R"sh(
id_of() { id=${1#*'"id":'}; id=${id%%[,\}]*}; }
say() { printf '%s\n' "$1"; }
answer() { id_of "$line"; say '{"jsonrpc":"2.0","id":'"$id"',"result":'"$1"'}'; }
refuse() { id_of "$line"; say '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":'"$1"',"message":"no"}}'; }
text() { answer '{"content":[{"type":"text","text":"'"$1"'"}]}'; }
fail() { answer '{"content":[{"type":"text","text":"'"$1"'"}],"isError":true}'; }
value() { value=${line#*'"'"$1"'":'}; value=${value%%[,\}]*}; }
tool() { tools="$tools$comma"'{"name":"'"$1"'","inputSchema":{"type":"object"'"$2"'}'"$3"',"annotations":{"readOnlyHint":true}}'; comma=,; }
tool folders; tool chat; tool report; tool ask; tool fail; tool switch
tool read ',"properties":{"path":{"type":"string"}},"required":["path"]' ',"outputSchema":{"type":"object"}'
tool dialect ',"$schema":"http://json-schema.org/draft-07/schema#"'
tool wait ',"properties":{"seconds":{"type":"number"}},"required":["seconds"]' ',"execution":{"taskSupport":"optional"}'
tool count ',"properties":{"seconds":{"type":"number"}},"required":["seconds"]'
tool repeat ',"properties":{"line":{"type":"string"}},"required":["line"]'
while IFS= read -r line; do
  case $line in
    *'"method":"initialize"'*) answer '{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{},"tasks":{"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"busy","version":"1"}}' ;;
    *'"method":"ping"'* | *'"method":"logging/setLevel"'*) answer '{}' ;;
    *'"method":"tools/list"'*) answer '{"tools":['"$tools"']}' ;;
    *'"name":"folders"'*) text 'Allowed directories:\n/srv/notes' ;;
    *'"name":"chat"'*) say '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}'; text seen ;;
    *'"name":"report"'*)
      case $line in *'"progressToken":'*)
        value progressToken; say '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":'"$value"',"progress":1}}' ;;
      esac
      text seen ;;
    *'"name":"ask"'*)
      call=$line
      say '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{"yes":{"type":"boolean","default":true},"how":{"type":"string","enum":["soon","late"]}}}}}'
      while IFS= read -r line; do case $line in *'"id":"q"'*) break ;; esac; done
      line=$call; text asked ;;
    *'"name":"switch"'*) say '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'; text switched ;;
    *'"name":"dialect"'*) text seen ;;
    *'"task":{'*) answer '{"task":{"taskId":"t-1","status":"working","createdAt":"2025-11-25T10:00:00Z","ttl":60000}}' ;;
    *'"name":"fail"'*) fail 'it always does' ;;
    *'"name":"read"'*'"path":"/srv/notes"'*) answer '{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}' ;;
    *'"name":"read"'*) fail 'there is no such note' ;;
    *'"name":"wait"'*) value seconds; sleep "$value"; text waited ;;
    *'"name":"count"'*) text counted ;;
    *'"name":"repeat"'*) repeated=${line#*'"line":"'}; text "${repeated%%'"}'*}" ;;
    *'"method":"notifications/'*) ;;
    *'"id":'*) refuse -32601 ;;
  esac
done
)sh";

/// Of the same revision: four tools, none of which ever answers. It notes each call in $1/calls.
constexpr const char* silent_server = R"sh(
id_of() { id=${1#*'"id":'}; id=${id%%[,\}]*}; }
answer() { id_of "$line"; printf '%s\n' '{"jsonrpc":"2.0","id":'"$id"',"result":'"$1"'}'; }
tool() { printf '%s' '{"name":"'"$1"'","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}'; }
while IFS= read -r line; do
  case $line in
    *'"method":"initialize"'*) answer '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"silent","version":"1"}}' ;;
    *'"method":"ping"'*) answer '{}' ;;
    *'"method":"tools/list"'*) answer '{"tools":['"$(tool a),$(tool b),$(tool c),$(tool d)"']}' ;;
    *'"method":"tools/call"'*) echo x >> "$1/calls" ;;
  esac
done
)sh";

/// Of the same revision: one tool kills the process, another writes a line that is no message; both come before the
/// rest.
constexpr const char* falling_server = R"sh(
id_of() { id=${1#*'"id":'}; id=${id%%[,\}]*}; }
answer() { id_of "$line"; printf '%s\n' '{"jsonrpc":"2.0","id":'"$id"',"result":'"$1"'}'; }
text() { answer '{"content":[{"type":"text","text":"'"$1"'"}]}'; }
tool() { tools="$tools$comma"'{"name":"'"$1"'","inputSchema":{"type":"object"'"$2"'},"annotations":{"readOnlyHint":true}}'; comma=,; }
tool fall; tool print; tool look
tool letters ',"properties":{"size":{"type":"integer"}}'
tool anything ',"properties":{"value":{}},"required":["value"]'
while IFS= read -r line; do
  case $line in
    *'"method":"initialize"'*) answer '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"falling","version":"1"}}' ;;
    *'"method":"ping"'*) answer '{}' ;;
    *'"method":"tools/list"'*) answer '{"tools":['"$tools"']}' ;;
    *'"name":"fall"'*) kill -SEGV $$ ;;
    *'"name":"print"'*) echo 'printed'; text seen ;;
    *'"name":"look"'*) text seen ;;
    *'"name":"letters"'*)
      size=${line#*'"size":'}; size=${size%%[,\}]*}
      case $size in [0-9]*) text "$(printf "%0${size}d" 0)" ;; *) text '' ;; esac ;;
    *'"name":"anything"'*)
      value=${line#*'"value":'}; value=${value%%'},"_meta"'*}; value=${value%'}}}'}
      text "$(printf '%s' "$value" | sed 's/"/\\"/g')" ;;
    *'"method":"notifications/'*) ;;
    *'"id":'*) id_of "$line"; printf '%s\n' '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":-32601,"message":"no"}}' ;;
  esac
done
)sh";

struct Judged {
  ConformanceRun run;
  bool wrote = false;
  std::size_t calls = 0;
  std::map<std::string, std::string> verdicts = {};
};

Judged judge(const std::string& checks, const std::string& profile = "", const char* server = quiet_server) {
  const ScratchFolder folder;
  std::vector<std::string> arguments = {"--json", "-",    "--verbose",  "--timeout", "3",
                                        "--only", checks, "--revision", "2025-11-25"};
  if (!profile.empty()) arguments.insert(arguments.end(), {"--profile", folder.file("profile.json", profile).string()});
  arguments.insert(arguments.end(), {"--", "/bin/sh", folder.file("server.sh", server).string(), folder.text()});
  Judged judged{.run = conformance(arguments)};
  judged.wrote = std::filesystem::exists(folder / "written");
  if (std::filesystem::exists(folder / "calls")) judged.calls = std::filesystem::file_size(folder / "calls") / 2;
  BOOST_TEST_MESSAGE(judged.run.errors);
  const Json report = judged.run.json();
  for (const Json& check : report.at("checks").as_array())
    judged.verdicts[std::string(check.at("id").as_string())] = std::string(check.at("verdict").as_string());
  return judged;
}

}  // namespace

BOOST_AUTO_TEST_CASE(fixtures_are_found_by_looking) {
  const Judged judged = judge("ping");
  for (const char* part :
       {"tool:no-args is look", "tool:text is look", "tool:with-required-args is measure", "prompt:simple is greet",
        "prompt:args is ask", "resource:text is own://notes", "resource:template is own://notes/monday",
        "prompt:embedded-resource is embed", "prompt:needs-input is inquire", "resource:needs-input is own://secret",
        "completion:prompt is topic of ask", "completion:template is day of own://notes/{day}"})
    BOOST_TEST(judged.run.says(part), part);
}

BOOST_AUTO_TEST_CASE(tools_are_told_by_what_they_do) {
  const Judged judged = judge("ping", "", busy_server);
  for (const char* part :
       {"tool:no-args is folders", "tool:logging is chat", "tool:progress is report", "tool:needs-elicitation is ask",
        "tool:elicitation-defaults is ask", "tool:elicitation-enums is ask", "tool:mutates-tool-list is switch",
        "tool:schema-draft07 is dialect", "tool:error is fail", "tool:slow is wait", "tool:task is wait",
        "tool:echo is repeat"})
    BOOST_TEST(judged.run.says(part), part);
}

/// What comes after it is found as well, and the tool itself is judged.
BOOST_AUTO_TEST_CASE(a_tool_that_ends_the_process_does_not_end_the_search) {
  const Judged judged = judge("ping", "", falling_server);
  for (const char* part : {"tool:throws is fall", "tool:prints is print", "tool:text is print", "tool:no-args is print",
                           "tool:big-output is letters", "tool:echo-json is anything"})
    BOOST_TEST(judged.run.says(part), part);
  BOOST_TEST(judge("tools-exec-error-in-result", "", falling_server).verdicts.at("tools-exec-error-in-result") ==
             "FAIL");
}

/// No other check calls `print`.
BOOST_AUTO_TEST_CASE(what_passes_while_it_looks_is_judged_too) {
  const Judged judged = judge("stdio-stdout-only-mcp", R"({"tool:prints": null, "tool:text": null})", falling_server);
  BOOST_TEST(judged.verdicts.at("stdio-stdout-only-mcp") == "FAIL");
}

/// `read` fails for what is made from its schema; what `folders` says helps.
BOOST_AUTO_TEST_CASE(what_one_tool_tells_another_is_called_with) {
  BOOST_TEST(judge("ping", "", busy_server).run.says("tool:structured is read"));
}

BOOST_AUTO_TEST_CASE(a_run_by_what_was_found_is_reported) {
  const Json report = judge("ping", "", busy_server).run.json();
  const Json& found = report.at("revisions").as_array().at(3).at("found");
  BOOST_TEST(found.at("tool:slow") == "wait");
}

BOOST_AUTO_TEST_CASE(what_tools_do_is_judged) {
  const Judged judged = judge(
      "progress-token-echo,log-message-shape,lsr-elicit-shape,tools-exec-error-in-result,tools-arg-unicode-fidelity,"
      "tools-list-changed-sent,rpc-out-of-order-allowed",
      "", busy_server);
  BOOST_TEST(judged.verdicts.size() >= 7U);
  for (const auto& [check, verdict] : judged.verdicts) BOOST_TEST(verdict != "SKIP", check << ": " << verdict);
}

BOOST_AUTO_TEST_CASE(a_tool_that_does_not_say_it_only_reads_or_that_it_destroys_is_not_called) {
  BOOST_TEST(!judge("ping").wrote);
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_answer_is_let_alone) {
  BOOST_TEST(judge("ping", "", silent_server).calls == 2U);
}

BOOST_AUTO_TEST_CASE(what_was_found_is_judged) {
  const Judged judged = judge(
      "completion-shape,completion-ref-resource,tools-call-arguments-optional,resources-read-text,prompts-embedded");
  for (const auto& [check, verdict] : judged.verdicts) BOOST_TEST(verdict == "PASS", check << ": " << verdict);
}

/// `measure` takes whatever it is given.
BOOST_AUTO_TEST_CASE(a_tool_that_takes_everything_is_found_out) {
  const Judged judged = judge("tools-input-validated");
  BOOST_TEST(judged.verdicts.at("tools-input-validated") == "FAIL");
}

BOOST_AUTO_TEST_CASE(a_profile_has_the_last_word) {
  const Judged judged = judge("tools-input-validated", R"({"tool:with-required-args": null})");
  BOOST_TEST(judged.verdicts.at("tools-input-validated") == "SKIP");
  BOOST_TEST(!judged.run.says("tool:with-required-args is"));
}
