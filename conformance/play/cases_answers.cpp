// Answers that are wrong: of nobody's request, twice, of the wrong type, with contents that no revision has.
#include <array>

#include "play/cases.hpp"

namespace toolwire::conformance {
namespace {

/// The right answer, with the marker of wrong ones in place of the other.
JsonObject wrong_answer(Stage& stage, const Message& main) {
  std::string text = to_json_text(stage.served().response_to(main));
  for (const std::string_view right : {answer_marker, listed_marker}) {
    for (std::size_t at = 0; (at = text.find(right)) != std::string::npos;)
      text.replace(at, right.size(), wrong_marker);
  }
  return parse_json(text).as_object();
}

/// A message before the right answer.
void wrong_before_answer(Stage& stage, const Message& main, const Json& wrong) {
  stage.send(wrong);
  stage.probe();
  stage.answer(main);
  stage.finish();
}

void unknown_id(Stage& stage) {
  const Message main = stage.stimulus();
  JsonObject wrong = wrong_answer(stage, main);
  wrong["id"] = "toolwire-unknown";
  wrong_before_answer(stage, main, wrong);
}

void null_id(Stage& stage) {
  const Message main = stage.stimulus();
  wrong_before_answer(stage, main, error_response(nullptr, -32700, "Parse error"));
}

/// A text for a number, and the other way round.
void id_of_other_type(Stage& stage) {
  const Message main = stage.stimulus();
  JsonObject wrong = wrong_answer(stage, main);
  const Json id = main.id().value_or(nullptr);
  wrong["id"] = id.is_string() ? Json(7) : Json(to_json_text(id));
  wrong_before_answer(stage, main, wrong);
}

void twice(Stage& stage) {
  const Message main = stage.stimulus();
  stage.answer(main);
  stage.send(wrong_answer(stage, main));
  stage.probe();
  stage.finish();
}

/// Answers the main request with this alone.
void answer_with(Stage& stage, const Message& main, JsonObject members) {
  members["jsonrpc"] = "2.0";
  members["id"] = main.id().value_or(nullptr);
  stage.send(members);
  stage.probe();
  stage.note(note::answered);
  stage.finish();
}

void result_and_error(Stage& stage) {
  const Message main = stage.stimulus();
  JsonObject both = wrong_answer(stage, main);
  both["error"] = JsonObject{{"code", -32603}, {"message", "It failed"}};
  answer_with(stage, main, std::move(both));
}

void neither(Stage& stage) { answer_with(stage, stage.stimulus(), {}); }
void error_text(Stage& stage) { answer_with(stage, stage.stimulus(), {{"error", "It failed"}}); }
void error_code_text(Stage& stage) {
  answer_with(stage, stage.stimulus(), {{"error", JsonObject{{"code", "E_FAILED"}, {"message", 7}}}});
}
void error_unknown(Stage& stage) {
  answer_with(stage, stage.stimulus(),
              {{"error", JsonObject{{"code", -1}, {"message", "It failed"}, {"data", JsonArray{Json(1)}}}}});
}
void result_list(Stage& stage) { answer_with(stage, stage.stimulus(), {{"result", JsonArray{Json(1)}}}); }
void result_null(Stage& stage) { answer_with(stage, stage.stimulus(), {{"result", nullptr}}); }

void version_absent(Stage& stage) {
  const Message main = stage.stimulus();
  JsonObject answer = stage.served().response_to(main).as_object();
  answer.erase("jsonrpc");
  wrong_before_answer(stage, main, answer);
}

/// Answers tools/list with these members.
void list_with(Stage& stage, JsonObject members) {
  const Message list = stage.await("tools/list");
  stage.note(note::stimulus);
  stage.send(response(list.id().value_or(nullptr), stage.served().result(std::move(members), true)));
  stage.probe();
  stage.note(note::answered);
  stage.finish();
}

void tools_object(Stage& stage) { list_with(stage, {{"tools", JsonObject{{"toolwire_echo", JsonObject{}}}}}); }
void tools_absent(Stage& stage) { list_with(stage, {}); }

void tools_misshapen(Stage& stage) {
  JsonArray tools = stage.served().tools;
  tools.push_back(JsonObject{{"name", 7}, {"inputSchema", "any"}});
  tools.push_back(nullptr);
  list_with(stage, {{"tools", std::move(tools)}});
}

/// What JSON Schema allows, and servers have.
void odd_schemas(Stage& stage) {
  const auto tool = [](std::string_view name, JsonObject schema) {
    schema["type"] = "object";
    return JsonObject{{"name", name}, {"description", name}, {"inputSchema", std::move(schema)}};
  };
  const JsonObject itself{{"$ref", "#/$defs/node"}};
  const JsonObject node{{"type", "object"}, {"properties", JsonObject{{"next", itself}}}};
  JsonArray tools = stage.served().tools;
  tools.push_back(
      tool("recursive", {{"$defs", JsonObject{{"node", node}}}, {"properties", JsonObject{{"a", itself}}}}));
  tools.push_back(tool("anything", {{"properties", JsonObject{{"a", true}, {"b", JsonObject{}}}}}));
  tools.push_back(tool("dialect", {{"$schema", "https://example.com/unknown-dialect"}}));
  tools.push_back(tool("away", {{"properties", JsonObject{{"a", JsonObject{{"$ref", "http://127.0.0.1:9/s.json"}}}}}}));
  list_with(stage, {{"tools", std::move(tools)}});
}

void twice_listed(Stage& stage) {
  JsonArray tools = stage.served().tools;
  tools.push_back(tools.front());
  list_with(stage, {{"tools", std::move(tools)}});
}

void call_with(Stage& stage, JsonObject members) {
  const Message call = stage.await("tools/call");
  stage.note(note::stimulus);
  stage.send(response(call.id().value_or(nullptr), stage.served().result(std::move(members))));
  stage.probe();
  stage.note(note::answered);
  stage.finish();
}

void content_unknown(Stage& stage) {
  JsonObject members = text_content(answer_marker);
  members["content"].as_array().push_back(JsonObject{{"type", "hologram"}, {"data", "AAAA"}});
  call_with(stage, std::move(members));
}

void content_absent(Stage& stage) { call_with(stage, {}); }
void content_text(Stage& stage) { call_with(stage, {{"content", "a text"}}); }

void image_broken(Stage& stage) {
  JsonObject members = text_content(answer_marker);
  members["content"].as_array().push_back(
      JsonObject{{"type", "image"}, {"data", "no base64!"}, {"mimeType", "image/png"}});
  call_with(stage, std::move(members));
}

void tool_failed(Stage& stage) {
  JsonObject members = text_content(answer_marker);
  members["isError"] = true;
  call_with(stage, std::move(members));
}

constexpr std::array all_answer_cases{
    Case{"unknown-id", Played::newest, "answers a request that nobody sent", unknown_id},
    Case{"null-id", Played::newest, "sends an error with the id null", null_id},
    Case{"id-of-other-type", Played::newest, "answers with the id as a text instead of a number", id_of_other_type},
    Case{"twice", Played::newest, "answers twice", twice},
    Case{"result-and-error", Played::newest, "answers with a result and an error", result_and_error},
    Case{"neither", Played::newest, "answers with neither result nor error", neither},
    Case{"error-text", Played::newest, "answers with an error that is a text", error_text},
    Case{"error-code-text", Played::newest, "answers with an error whose code is a text", error_code_text},
    Case{"error-unknown", Played::newest, "answers with an error of a code that nobody knows", error_unknown},
    Case{"result-list", Played::newest, "answers with an array as result", result_list},
    Case{"result-null", Played::newest, "answers with null as result", result_null},
    Case{"version-absent", Played::newest, "answers without \"jsonrpc\"", version_absent},
    Case{"tools-object", Played::newest, "lists its tools as an object", tools_object},
    Case{"tools-absent", Played::newest, "answers tools/list without tools", tools_absent},
    Case{"tools-misshapen", Played::newest, "lists a good tool and two that are none", tools_misshapen},
    Case{"odd-schemas", Played::newest, "lists tools with unusual schemas", odd_schemas},
    Case{"twice-listed", Played::newest, "lists a tool twice", twice_listed},
    Case{"content-unknown", Played::newest, "answers with a type of content that no revision has", content_unknown},
    Case{"content-absent", Played::newest, "answers a call without content", content_absent},
    Case{"content-text", Played::newest, "answers a call with a text as content", content_text},
    Case{"image-broken", Played::newest, "answers with an image that is no base64", image_broken},
    Case{"tool-failed", Played::newest, "answers that the tool has failed", tool_failed},
};

}  // namespace

std::span<const Case> answer_cases() { return all_answer_cases; }

}  // namespace toolwire::conformance
