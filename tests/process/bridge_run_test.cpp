// `toolwire-bridge run` with models whose answers are written down: files that a shell program prints one after the
// other.
#include <toolwire/child_process.hpp>

#define BOOST_TEST_MODULE bridge_run_test
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

#include "file_content.hpp"
#include "program_run.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

const std::string bridge = TOOLWIRE_BIN_DIR "/toolwire-bridge";
const std::string everything = TOOLWIRE_BIN_DIR "/everything";

/// A model with these answers: each time it keeps the request it got as request.N and prints answer.N.
class ScriptedModel {
 public:
  explicit ScriptedModel(const std::vector<std::string>& answers) {
    for (std::size_t i = 0; i < answers.size(); ++i) folder_.file("answer." + std::to_string(i + 1), answers[i]);
    script_ = folder_.file("model.sh",
                           "cd \"$(dirname \"$0\")\"\n"
                           "n=$(cat count 2>/dev/null || echo 0); n=$((n + 1)); echo $n >count\n"
                           "cat >request.$n\n"
                           "if [ -f behaviour ]; then . ./behaviour; fi\n"
                           "cat answer.$n\n");
  }

  /// Shell that runs after the request was read.
  ScriptedModel& behaving(const std::string& shell) {
    folder_.file("behaviour", shell);
    return *this;
  }

  std::vector<std::string> command(std::vector<std::string> options) const {
    std::vector<std::string> all{"setsid", "--wait", bridge, "run", "--model-command", "sh " + script_.string()};
    all.insert(all.end(), options.begin(), options.end());
    all.insert(all.end(), {"--", everything});
    return all;
  }
  ProgramRun run(const std::vector<std::string>& options) const {  // without a terminal
    return run_program({.command = command(options), .kept_errors = std::size_t{1} << 20});
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string text(const std::string& name) const { return content_of(folder_.path() / name); }
  Json json(const std::string& name) const { return parse_json(text(name)); }
  Json request(int number) const { return json("request." + std::to_string(number)); }
  void file(const std::string& name, const std::string& content) const { folder_.file(name, content); }

 private:
  ScratchFolder folder_;
  std::filesystem::path script_;
};

/// One API: what its model says when it wants to echo "hello", and when it is done.
struct Api {
  std::string format;
  std::string calls;
  std::string says;
  std::string conversation;  // the member of a request
};

const std::vector<Api> apis{
    {"native",
     R"({"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"echo","input":{"message":"hello"}}],)"
     R"("stopReason":"toolUse","model":"m","usage":{"inputTokens":10,"outputTokens":5}})",
     R"({"role":"assistant","content":[{"type":"text","text":"It said hello."}],"stopReason":"stop","model":"m",)"
     R"("usage":{"inputTokens":20,"outputTokens":5}})",
     "messages"},
    {"anthropic",
     R"({"id":"msg_1","type":"message","role":"assistant","model":"m","stop_reason":"tool_use","content":[)"
     R"({"type":"tool_use","id":"toolu_1","name":"echo","input":{"message":"hello"}}],)"
     R"("usage":{"input_tokens":10,"output_tokens":5}})",
     R"({"id":"msg_2","type":"message","role":"assistant","model":"m","stop_reason":"end_turn","content":[)"
     R"({"type":"text","text":"It said hello."}],"usage":{"input_tokens":20,"output_tokens":5}})",
     "messages"},
    {"openai",
     R"({"id":"c","object":"chat.completion","choices":[{"index":0,"finish_reason":"tool_calls","message":)"
     R"({"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":)"
     R"({"name":"echo","arguments":"{\"message\":\"hello\"}"}}]}}],"usage":{"prompt_tokens":10,"completion_tokens":5}})",
     R"({"id":"d","object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":)"
     R"({"role":"assistant","content":"It said hello."}}],"usage":{"prompt_tokens":20,"completion_tokens":5}})",
     "messages"},
    {"openai-responses",
     R"({"id":"r","object":"response","status":"completed","output":[{"type":"function_call","id":"fc_1",)"
     R"("call_id":"call_1","name":"echo","arguments":"{\"message\":\"hello\"}"}],)"
     R"("usage":{"input_tokens":10,"output_tokens":5}})",
     R"({"id":"s","object":"response","status":"completed","output":[{"type":"message","id":"m","role":"assistant",)"
     R"("status":"completed","content":[{"type":"output_text","text":"It said hello.","annotations":[]}]}],)"
     R"("usage":{"input_tokens":20,"output_tokens":5}})",
     "input"},
    {"gemini",
     R"({"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"echo","args":)"
     R"({"message":"hello"}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":10,)"
     R"("candidatesTokenCount":5}})",
     R"({"candidates":[{"content":{"role":"model","parts":[{"text":"It said hello."}]},"finishReason":"STOP"}],)"
     R"("usageMetadata":{"promptTokenCount":20,"candidatesTokenCount":5}})",
     "contents"},
    {"pi",
     R"({"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"echo","arguments":{"message":"hello"}}],)"
     R"("stopReason":"toolUse","model":"m","usage":{"input":10,"output":5}})",
     R"({"role":"assistant","content":[{"type":"text","text":"It said hello."}],"stopReason":"stop","model":"m",)"
     R"("usage":{"input":20,"output":5}})",
     "messages"},
};

const Api& anthropic = apis[1];

std::vector<std::string> asking(const std::string& format, std::vector<std::string> more = {}) {
  std::vector<std::string> options{"--format", format, "--prompt", "Say hello.", "--confirm", "none"};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_model_of_every_api_uses_a_tool_and_has_the_last_word) {
  for (const Api& api : apis) {
    BOOST_TEST_CONTEXT(api.format) {
      const ScriptedModel model({api.calls, api.says});
      const ProgramRun run = model.run(asking(api.format, {"--transcript", model.path("kept.json")}));
      BOOST_TEST(run.status == 0, run.errors);
      BOOST_TEST(run.out == "It said hello.\n");
      BOOST_TEST(has(run.errors, "> echo {\"message\":\"hello\"}\n  hello\n"), run.errors);
      const Json first = model.request(1);
      BOOST_TEST(has(to_json_text(first.at("tools")), "\"name\":\"echo\""));
      BOOST_TEST(first.at(api.conversation).get_array().size() == 1u);
      BOOST_TEST(has(to_json_text(first.at(api.conversation)), "Say hello."));
      const Json second = model.request(2);
      BOOST_TEST(second.at(api.conversation).get_array().size() == 3u);
      const Json kept = model.json("kept.json");
      BOOST_TEST(kept.at(api.conversation).get_array().size() == 4u);
      BOOST_TEST(has(to_json_text(kept), "It said hello."));
      BOOST_TEST((kept.get_object().if_contains("tools") == nullptr));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_body_of_a_request_keeps_its_members_and_tools) {
  const ScriptedModel model({anthropic.calls, anthropic.says});
  model.file("body.json",
             "{ \"model\": \"m\", \"max_tokens\": 1e2, \"system\": \"Be brief.\",\n"
             "  \"tools\": [ {\"type\": \"web_search_20250305\", \"name\": \"web_search\"} ] }\n");
  const ProgramRun run = model.run(
      asking("anthropic", {"--conversation", model.path("body.json"), "--transcript", model.path("kept.json")}));
  BOOST_TEST(run.status == 0, run.errors);
  BOOST_TEST(has(model.text("request.2"), "\"max_tokens\": 1e2, \"system\": \"Be brief.\""), model.text("request.2"));
  const Json tools = model.request(2).at("tools");
  BOOST_TEST(has(to_json_text(tools), "\"name\":\"echo\""));
  BOOST_TEST(has(to_json_text(tools), "web_search_20250305"));
  BOOST_TEST(model.json("kept.json").at("tools").get_array().size() == 1u);

  // The kept conversation is where the next run goes on.
  const ScriptedModel again({anthropic.says});
  const ProgramRun next =
      again.run({"--format", "anthropic", "--conversation", model.path("kept.json"), "--prompt", "And now?"});
  BOOST_TEST(next.status == 0, next.errors);
  BOOST_TEST(again.request(1).at("messages").get_array().size() == 5u);
}

BOOST_AUTO_TEST_CASE(calls_that_have_no_result_yet_are_run_before_the_model_is_asked) {
  const ScriptedModel model({anthropic.says});
  model.file("talk.json",
             R"([{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"t",)"
             R"("name":"echo","input":{"message":"late"}}]}])");
  const ProgramRun run =
      model.run({"--format", "anthropic", "--confirm", "none", "--conversation", model.path("talk.json")});
  BOOST_TEST(run.status == 0, run.errors);
  BOOST_TEST(has(model.text("request.1"), R"("tool_use_id":"t")"));
}

BOOST_AUTO_TEST_CASE(bounds_end_the_task_and_say_which) {
  const auto bounded = [](const std::string& option, const std::string& value, const std::string& told) {
    BOOST_TEST_CONTEXT(option) {
      const ScriptedModel model({anthropic.calls, anthropic.calls, anthropic.says});
      const ProgramRun run = model.run(asking("anthropic", {option, value, "--transcript", model.path("kept.json")}));
      BOOST_TEST(run.status == 3, run.errors);
      BOOST_TEST(has(run.errors, told), run.errors);
      BOOST_TEST(model.text("count") == "1\n");
      BOOST_TEST(model.json("kept.json").at("messages").get_array().size() == 3u);  // nothing is without its result
    }
  };
  bounded("--turns", "1", "the 1 answers of --turns are used up");
  bounded("--tokens", "15", "the 15 tokens of --tokens are used up");
  bounded("--calls", "0", "the 0 calls of --calls are used up");

  ScriptedModel slow({anthropic.says});
  slow.behaving("sleep 100 & echo $! >sleeper; wait\n");
  const ProgramRun run = slow.run(asking("anthropic", {"--seconds", "1"}));
  BOOST_TEST(run.status == 3, run.errors);
  BOOST_TEST(has(run.errors, "the 1 seconds of --seconds are over"), run.errors);
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_cut_off_runs_nothing_and_ends_the_task) {
  std::string cut = anthropic.calls;
  cut.replace(cut.find("\"tool_use\",\"content\""), 10, "\"max_tokens\"");
  const ScriptedModel model({cut});
  const ProgramRun run = model.run(asking("anthropic"));
  BOOST_TEST(run.status == 3, run.errors);
  BOOST_TEST(has(run.errors, "was cut off"), run.errors);
  BOOST_TEST(has(run.errors, "> echo {\"message\":\"hello\"}\n  failed: Not run"), run.errors);
}

BOOST_AUTO_TEST_CASE(what_has_to_be_confirmed_is_refused_where_nobody_can_be_asked) {
  for (const std::string confirm : {"all", "changes"}) {
    const ScriptedModel model({anthropic.calls, anthropic.says});
    const ProgramRun run = model.run({"--format", "anthropic", "--prompt", "x", "--confirm", confirm});
    BOOST_TEST(run.status == 0, run.errors);
    BOOST_TEST(has(run.errors, "there is no terminal to ask at") == (confirm == "all"), run.errors);
  }
}

BOOST_AUTO_TEST_CASE(tools_that_were_not_listed_are_not_called) {
  std::string other = anthropic.calls;
  other.replace(other.find("\"echo\""), 6, "\"none\"");
  const ScriptedModel model({other, anthropic.says});
  const ProgramRun run = model.run(asking("anthropic"));
  BOOST_TEST(has(run.errors, "the server lists no tool of this name"), run.errors);
}

BOOST_AUTO_TEST_CASE(a_model_that_fails_is_told_with_what_it_did) {
  const auto failing = [](const std::string& behaviour, const std::string& told) {
    BOOST_TEST_CONTEXT(behaviour) {
      ScriptedModel model({""});
      model.behaving(behaviour);
      const ProgramRun run = model.run(asking("anthropic", {"--transcript", model.path("kept.json")}));
      BOOST_TEST(run.status == 1);
      BOOST_TEST(has(run.errors, told), run.errors);
      BOOST_TEST(model.json("kept.json").at("messages").get_array().size() == 1u);
    }
  };
  failing("echo out of luck >&2; exit 7\n",
          "out of luck\ntoolwire-bridge run: the model's program exited with status 7");
  failing("exit 0\n", "printed nothing; expected the answer of its API, as JSON");
  failing("echo Sorry; exit 0\n", "printed no JSON");
  failing("echo '{\"type\":\"error\",\"error\":{\"message\":\"overloaded\"}}'; exit 0\n",
          "the model's API refused: overloaded");
  failing("echo '{\"type\":\"error\"}'; exit 0\n", "is none of its API: ");
  failing("kill -9 $$\n", "the model's program exited with status 137");  // as the shell says it
}

BOOST_AUTO_TEST_CASE(a_large_request_that_is_not_read_does_not_hang) {
  ScriptedModel model({""});
  model.file("talk.json", "[{\"role\":\"user\",\"content\":\"" + std::string(1'000'000, 'x') + "\"}]");
  model.file("model.sh", "cat \"$(dirname \"$0\")\"/answer\n");
  model.file("answer", anthropic.says);
  const ProgramRun run = model.run({"--format", "anthropic", "--conversation", model.path("talk.json")});
  BOOST_TEST(run.status == 0, run.errors);
}

BOOST_AUTO_TEST_CASE(an_interrupt_stops_the_model_and_keeps_the_conversation) {
  ScriptedModel model({anthropic.calls, anthropic.says});
  model.behaving("if [ $n = 2 ]; then sleep 100 & echo $! >sleeper; mv sleeper sleeping; wait; fi\n");
  std::vector<std::string> command = model.command(asking("anthropic", {"--transcript", model.path("kept.json")}));
  command.erase(command.begin(), command.begin() + 2);  // the signal is for the program itself
  ChildProcess process({.command = command});
  while (!std::filesystem::exists(model.path("sleeping")))
    BOOST_REQUIRE(!process.wait_for(std::chrono::milliseconds(10)));
  process.signal(SIGINT);
  BOOST_TEST(process.wait().code == 130, process.error_tail());
  BOOST_TEST(model.json("kept.json").at("messages").get_array().size() == 3u);
  const std::string sleeper = model.text("sleeping");
  BOOST_TEST(!has(content_of("/proc/" + sleeper.substr(0, sleeper.size() - 1) + "/cmdline"), "sleep"));
}

BOOST_AUTO_TEST_CASE(a_server_that_never_answers_is_given_up) {
  const ScriptedModel model({anthropic.says});
  const std::string begun = model.path("begun");
  const std::vector<std::string> silent{"--", "/bin/sh", "-c", "read -r line; echo > " + begun + "; exec sleep 100"};
  std::vector<std::string> command{bridge, "run", "--model-command", "true", "--prompt", "x"};
  std::vector<std::string> limited = command;
  command.insert(command.end(), silent.begin(), silent.end());
  ChildProcess process({.command = command});
  while (!std::filesystem::exists(begun)) BOOST_REQUIRE(!process.wait_for(std::chrono::milliseconds(10)));
  process.signal(SIGINT);
  BOOST_TEST(process.wait().code == 130, process.error_tail());

  limited.insert(limited.end(), {"--seconds", "1"});
  limited.insert(limited.end(), silent.begin(), silent.end());
  const ProgramRun run = run_program({.command = limited});
  BOOST_TEST(run.status == 3, run.errors);
  BOOST_TEST(has(run.errors, "the 1 seconds of --seconds are over"), run.errors);
}

BOOST_AUTO_TEST_CASE(nothing_is_run_where_the_transcript_cannot_be_kept) {
  const ScriptedModel model({anthropic.says});
  model.file("talk.json",
             R"([{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"t",)"
             R"("name":"echo","input":{"message":"late"}}]}])");
  const ProgramRun run = model.run({"--format", "anthropic", "--confirm", "none", "--conversation",
                                    model.path("talk.json"), "--transcript", "/no/such/folder/kept.json"});
  BOOST_TEST(run.status == 1);
  BOOST_TEST(has(run.errors, "/no/such/folder/kept.json"), run.errors);
  BOOST_TEST(!has(run.errors, "> echo"), run.errors);
  BOOST_TEST(model.text("count").empty());
}

BOOST_AUTO_TEST_CASE(a_person_at_a_terminal_is_asked) {
  const auto answering = [](const std::string& line, int status, const std::string& told) {
    BOOST_TEST_CONTEXT(line) {
      const ScriptedModel model({anthropic.calls, anthropic.calls, anthropic.says});
      std::vector<std::string> command = model.command({"--format", "anthropic", "--prompt", "x", "--confirm", "all"});
      command.erase(command.begin(), command.begin() + 2);
      std::string quoted;
      for (const std::string& word : command) quoted += "'" + word + "' ";
      ChildProcess process({.command = {"script", "-qec", quoted, "/dev/null"}});
      std::string shown;
      for (std::size_t answered = 0; true;) {
        char bytes[4096];
        const auto count = process.transport().read(bytes, sizeof bytes);
        if (count <= 0) break;
        shown.append(bytes, static_cast<std::size_t>(count));
        const std::size_t asked = shown.find("[q]uit: ", answered);
        if (asked == std::string::npos) continue;
        answered = asked + 1;
        const std::string typed = line + "\n";
        process.transport().write(typed.data(), typed.size(), Transport::Blocking::yes);
      }
      BOOST_TEST(process.wait().code == status, shown);
      BOOST_TEST(has(shown, "The model wants to call \"echo\":"), shown);
      BOOST_TEST(has(shown, told), shown);
    }
  };
  answering("y", 0, "  hello");
  answering("n", 0, "the user does not want this call");
  answering("a", 0, "It said hello.");
  answering("q", 130, "the user has stopped the task");
}

BOOST_AUTO_TEST_CASE(wrong_arguments_are_told_before_anything_is_started) {
  const auto refused = [](const std::vector<std::string>& options, const std::string& told) {
    const ScriptedModel model({anthropic.says});
    const ProgramRun run = model.run(options);
    BOOST_TEST(run.status == 2, run.errors);
    BOOST_TEST(has(run.errors + run.out, told), run.errors);
    BOOST_TEST(model.text("count").empty());
  };
  refused({}, "--prompt or --conversation");
  refused({"--prompt", "x", "--format", "other"}, "expected one of native");
  refused({"--prompt", "x", "--turns", "0"}, "--turns: expected a whole number from 1 to 1000000, not \"0\"");
  refused({"--prompt", "x", "--seconds", "1.5"}, "--seconds: expected a whole number");
  refused({"--prompt", "x", "--confirm", "maybe"}, "--confirm: expected all, changes or none, not \"maybe\"");
  refused({"--conversation", "/no/such/file"}, "/no/such/file");
  refused({"--prompt", "x", "--other"}, "--other");
}
