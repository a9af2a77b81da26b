// The transcript of the message protocol, replayed against a real server of files by `toolwire-bridge replay`.
#include <toolwire/bridge/messages.hpp>

#define BOOST_TEST_MODULE bridge_replay_test
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <toolwire/child_process.hpp>
#include <vector>

#include "file_content.hpp"
#include "program_run.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;

namespace {

namespace fs = std::filesystem;

const std::string before = "export function divide(a: number, b: number) { return a / b; }\n";
const std::string fixed =
    "export function divide(a: number, b: number) {\n"
    "  if (b === 0) throw new RangeError(\"b is 0\");\n  return a / b;\n}\n";

/// A folder with src/math.ts in it, and the server that may change it.
class Repository {
 public:
  Repository() {
    fs::create_directories(folder_.path() / "tree" / "src");
    std::ofstream(file()) << before;
  }
  fs::path file() const { return folder_.path() / "tree" / "src" / "math.ts"; }

  ProgramRun replay(const Json& transcript, std::vector<std::string> options = {}) const {
    const fs::path path = folder_.path() / "transcript.json";
    std::ofstream(path) << to_json_text(transcript);
    std::vector<std::string> command{TOOLWIRE_BIN_DIR + std::string("/toolwire-bridge"), "replay", path.string()};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", TOOLWIRE_BIN_DIR + std::string("/workspace"), "--root",
                                   (folder_.path() / "tree").string(), "--write"});
    return run_program({.command = std::move(command)});
  }

 private:
  ScratchFolder folder_;
};

JsonObject said(std::string_view role, std::string_view text) {
  return {{"role", role}, {"content", JsonArray{JsonObject{{"type", "text"}, {"text", text}}}}};
}

JsonObject calling(std::string_view id, std::string_view name, Json input) {
  JsonObject call{{"type", "toolCall"}, {"id", id}, {"name", name}, {"input", std::move(input)}};
  return {{"role", "assistant"},
          {"content", JsonArray{std::move(call)}},
          {"stopReason", "toolUse"},
          {"model", "any"},
          {"usage", JsonObject{{"inputTokens", 1}, {"outputTokens", 1}}}};
}

JsonObject over(std::string_view text) {
  JsonObject message = said("assistant", text);
  message["stopReason"] = "stop";
  return message;
}

JsonObject edit(std::string_view old_text, std::string_view new_text) {
  return {{"path", "src/math.ts"}, {"oldText", old_text}, {"newText", new_text}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_transcript_fixes_the_divide_by_zero_bug) {
  const Repository repository;
  const auto run =
      repository.replay(JsonArray{said("user", "fix the divide-by-zero bug in src/math.ts"),
                                  calling("call_1", "read_file", JsonObject{{"path", "src/math.ts"}}),
                                  calling("call_2", "edit_file", edit(before, fixed)),
                                  over("Handled divide-by-zero input; divide now throws a RangeError when b is 0.")});
  BOOST_TEST(run.status == 0, run.errors);
  BOOST_TEST(run.errors.find("next: nothing: the turn is over") != std::string::npos);
  const Json context = parse_json(run.out);
  BOOST_TEST_REQUIRE(context.get_array().size() == 6u);
  const Json& read = context.at(2);
  BOOST_TEST(read.at("role") == "toolResult");
  BOOST_TEST(read.at("toolCallId") == "call_1");
  BOOST_TEST(read.at("toolName") == "read_file");
  BOOST_TEST(read.at("isError") == false);
  BOOST_TEST(read.at("content").at(0).at("text").as_string().find("return a / b;") != std::string::npos);
  BOOST_TEST(context.at(4).at("toolCallId") == "call_2");
  BOOST_TEST(context.at(4).at("isError") == false, to_json_text(context.at(4)));
  BOOST_TEST(content_of(repository.file()) == fixed);
}

BOOST_AUTO_TEST_CASE(a_call_that_is_missing_its_path_leaves_an_error_in_the_next_context) {
  const Repository repository;
  const auto run = repository.replay(JsonArray{said("user", "read it"), calling("call_1", "read_file", JsonObject{}),
                                               calling("call_2", "read_file", nullptr)});
  BOOST_TEST(run.status == 0, run.errors);
  for (const std::size_t index : {2u, 4u}) {
    BOOST_TEST(parse_json(run.out).at(index).at("isError") == true);
    BOOST_TEST(parse_json(run.out).at(index).at("content").at(0).at("text").as_string().size() > 0u);
  }
  BOOST_TEST(run.errors.find("next: ask the model again") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(calls_that_have_a_result_are_run_again_only_if_asked) {
  const Repository repository;
  const JsonArray transcript{
      calling("call_1", "edit_file", edit("a / b", "a * b")),
      JsonObject{{"role", "toolResult"},
                 {"toolCallId", "call_1"},
                 {"toolName", "edit_file"},
                 {"isError", false},
                 {"content", JsonArray{JsonObject{{"type", "text"}, {"text", "edited src/math.ts"}}}}}};
  BOOST_TEST(parse_json(repository.replay(transcript).out).at(1).at("content").at(0).at("text") ==
             "edited src/math.ts");
  BOOST_TEST(content_of(repository.file()) == before);
  BOOST_TEST(parse_json(repository.replay(transcript, {"--again"}).out).at(1).at("isError") == false);
  BOOST_TEST(content_of(repository.file()) != before);
}

BOOST_AUTO_TEST_CASE(an_answer_of_another_api_is_completed_in_its_own_form) {
  const Repository repository;
  const Json answer = parse_json(R"({"role":"assistant","stop_reason":"tool_use","content":[
    {"type":"tool_use","id":"toolu_1","name":"read_file","input":{"path":"src/math.ts"}}]})");
  const auto run = repository.replay(answer, {"--format", "anthropic"});
  BOOST_TEST(run.status == 0, run.errors);
  const Json context = parse_json(run.out);
  BOOST_TEST(context.at(1).at("content").at(0).at("tool_use_id") == "toolu_1");
}

BOOST_AUTO_TEST_CASE(what_is_no_transcript_is_refused_with_its_place) {
  const Repository repository;
  const auto run = repository.replay(JsonArray{said("user", "x"), JsonObject{{"role", "nobody"}}});
  BOOST_TEST(run.status == 1);
  BOOST_TEST(run.errors.find("transcript.json: /1/role: expected") != std::string::npos);
  BOOST_TEST(repository.replay(JsonArray{}, {"--format", "morse"}).status == 1);
}
