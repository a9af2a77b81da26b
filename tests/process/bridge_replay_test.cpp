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

/// A conversation as it is, and as it is once its calls have been run.
struct Shape {
  std::string name;
  std::string before;
  std::string after;
};

/// Those in replayed/: each stands behind a line with its name. What is in « » is put in by `replay`.
std::vector<Shape> shapes_of(const std::string& format) {
  std::vector<Shape> shapes;
  std::ifstream file(TOOLWIRE_SOURCE_DIR + std::string("/tests/process/replayed/") + format + ".txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# ")) {
      shapes.push_back({line.substr(2), "", ""});
    } else {
      shapes.back().after += line + "\n";
    }
  }
  const std::string begin = "«";
  const std::string end = "»";
  for (Shape& shape : shapes) {
    for (std::size_t at = 0; (at = shape.after.find(begin, at)) != std::string::npos;) {
      const std::size_t last = shape.after.find(end, at);
      shape.before = shape.before.empty() ? shape.after : shape.before;
      shape.before.erase(shape.before.find(begin), last + end.size() - at);
      shape.after.erase(last, end.size()).erase(at, begin.size());
    }
    if (shape.before.empty()) shape.before = shape.after;
  }
  return shapes;
}

ProgramRun replay_with_everything(const std::string& text, const std::string& format,
                                  std::vector<std::string> options = {}) {
  const ScratchFolder folder;
  folder.file("talk.json", text);
  std::vector<std::string> command{TOOLWIRE_BIN_DIR + std::string("/toolwire-bridge"), "replay",
                                   (folder.path() / "talk.json").string(), "--format", format};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--", TOOLWIRE_BIN_DIR + std::string("/everything")});
  return run_program({.command = std::move(command)});
}

}  // namespace

BOOST_AUTO_TEST_CASE(conversations_of_every_api_get_their_results_and_are_otherwise_the_same_bytes) {
  for (const std::string format : {"anthropic", "openai", "openai-responses", "gemini", "pi"}) {
    const std::vector<Shape> shapes = shapes_of(format);
    BOOST_TEST(shapes.size() >= 12u, format);
    for (const Shape& shape : shapes) {
      BOOST_TEST_CONTEXT(format << ": " << shape.name) {
        const ProgramRun run = replay_with_everything(shape.before, format);
        BOOST_TEST(run.status == 0, run.errors);
        BOOST_TEST(run.out == shape.after);
        BOOST_TEST(replay_with_everything(shape.after, format).out == shape.after);  // nothing is left to be run
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_image_is_an_image_where_the_form_has_them_in_results) {
  const std::string anthropic =
      R"([{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"test_image_content","input":{}}]}])";
  const Json block = parse_json(replay_with_everything(anthropic, "anthropic").out).at(1).at("content").at(0);
  const Json image = block.at("content").at(1);
  BOOST_TEST(image.at("type") == "image");
  BOOST_TEST(image.at("source").at("media_type") == "image/png");
  const std::string data(image.at("source").at("data").as_string());
  BOOST_TEST(data.starts_with("iVBORw0KGgo"));

  const std::string responses =
      R"([{"type":"function_call","call_id":"c","name":"test_image_content","arguments":"{}"}])";
  const Json parts = parse_json(replay_with_everything(responses, "openai-responses").out).at(1).at("output");
  BOOST_TEST(parts.at(0).at("type") == "input_text");
  BOOST_TEST(parts.at(1).at("image_url") == Json("data:image/png;base64," + data));

  const std::string pi = R"([{"role":"assistant","stopReason":"toolUse",)"
                         R"("content":[{"type":"toolCall","id":"t","name":"test_image_content","arguments":{}}]}])";
  const Json content = parse_json(replay_with_everything(pi, "pi").out).at(1).at("content");
  BOOST_TEST(content.at(1) == (JsonObject{{"type", "image"}, {"data", data}, {"mimeType", "image/png"}}));
}

BOOST_AUTO_TEST_CASE(a_result_that_is_run_again_takes_the_place_of_the_one_before) {
  const std::string document =
      R"([{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"echo","input":{"message":"new"}}]}, )"
      R"({"role":"user","content":[ {"type":"tool_result","tool_use_id":"t","content":"old"} , {"type":"text","text":"x"}]}])";
  std::string expected = document;
  const std::string old = R"("content":"old")";
  expected.replace(expected.find(old), old.size(), R"("content":[{"type":"text","text":"new"}])");
  BOOST_TEST(replay_with_everything(document, "anthropic").out == document);
  BOOST_TEST(replay_with_everything(document, "anthropic", {"--again"}).out == expected);
}

BOOST_AUTO_TEST_CASE(an_answer_becomes_the_beginning_of_a_conversation_with_all_of_its_blocks) {
  const Json thinking = JsonObject{{"type", "thinking"}, {"thinking", "Hm."}, {"signature", "x="}};
  const Json call = JsonObject{
      {"type", "tool_use"}, {"id", "t"}, {"name", "echo"}, {"input", JsonObject{{"message", "a"}}}, {"new", nullptr}};
  const Json answer =
      JsonObject{{"role", "assistant"}, {"stop_reason", "tool_use"}, {"content", JsonArray{thinking, call}}};
  const Json context = parse_json(replay_with_everything(to_json_text(answer), "anthropic").out);
  BOOST_TEST(context.at(0).at("content") == answer.at("content"));
  BOOST_TEST(context.at(1).at("content").at(0).at("tool_use_id") == "t");

  const Json paused =
      JsonObject{{"role", "assistant"}, {"stop_reason", "pause_turn"}, {"content", JsonArray{thinking}}};
  const ProgramRun run = replay_with_everything(to_json_text(paused), "anthropic");
  BOOST_TEST(run.errors.find("next: ask the model again") != std::string::npos, run.errors);
}

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
  const auto many = repository.replay(JsonArray(usual_json_values, Json(1)));
  BOOST_TEST(many.status == 1);
  BOOST_TEST(many.errors.find("transcript.json: at byte 1600000 ([799999]): expected at most 800000 values") !=
                 std::string::npos,
             many.errors);
}
