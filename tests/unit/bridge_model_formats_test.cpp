#include <toolwire/bridge/model_formats.hpp>

#define BOOST_TEST_MODULE bridge_model_formats_test
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

constexpr ModelFormat formats[] = {ModelFormat::native, ModelFormat::anthropic, ModelFormat::openai_chat,
                                   ModelFormat::openai_responses, ModelFormat::gemini};

const char* const answers[] = {
    R"({"role":"assistant","content":[{"type":"text","text":"Reading."},
       {"type":"toolCall","id":"call_1","name":"read_file","input":{"path":"a b"}}],
       "stopReason":"toolUse","model":"m-1","usage":{"inputTokens":7,"outputTokens":3}})",
    R"({"id":"msg","type":"message","role":"assistant","model":"m-1","content":[{"type":"text","text":"Reading."},
       {"type":"tool_use","id":"call_1","name":"read_file","input":{"path":"a b"}}],"stop_reason":"tool_use",
       "usage":{"input_tokens":7,"output_tokens":3}})",
    R"({"model":"m-1","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant",
       "content":"Reading.","tool_calls":[{"id":"call_1","type":"function","function":{"name":"read_file",
       "arguments":"{\"path\":\"a b\"}"}}]}}],"usage":{"prompt_tokens":7,"completion_tokens":3}})",
    R"({"model":"m-1","status":"completed","output":[{"type":"message","role":"assistant","content":[
       {"type":"output_text","text":"Reading."}]},{"type":"function_call","call_id":"call_1","name":"read_file",
       "arguments":"{\"path\":\"a b\"}"}],"usage":{"input_tokens":7,"output_tokens":3}})",
    R"({"modelVersion":"m-1","candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[
       {"text":"Reading."},{"functionCall":{"id":"call_1","name":"read_file","args":{"path":"a b"}}}]}}],
       "usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":2,"thoughtsTokenCount":1}})",
};

AssistantMessage answer_in(ModelFormat format) {
  return read_answer(format, parse_json(answers[static_cast<int>(format)]));
}

std::string text_of(const std::vector<Message>& context) {
  std::string text;
  for (const Message& message : context) text += to_json_text(to_json(message)) + "\n";
  return text;
}

StopReason stop_reason_of(ModelFormat format, const char* text) {
  return read_answer(format, parse_json(text)).stop_reason;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_answer_in_every_form_is_the_same_message) {
  const std::string native = to_json_text(to_json(answer_in(ModelFormat::native)));
  for (const ModelFormat format : formats) {
    BOOST_TEST_CONTEXT(name_of(format)) { BOOST_TEST(to_json_text(to_json(answer_in(format))) == native); }
  }
}

BOOST_AUTO_TEST_CASE(a_conversation_goes_into_every_form_and_comes_back) {
  AssistantMessage answer = answer_in(ModelFormat::native);
  answer.content.emplace_back(ToolCallBlock{.id = "call_2", .name = "echo", .input = Json(JsonObject{})});
  const std::vector<Message> context{
      UserMessage{{{"fix it"}}}, answer, ToolResultMessage{"call_1", "read_file", false, {{"text ü"}}, {}},
      ToolResultMessage{"call_2", "echo", true, {{"it broke"}}, {}}, UserMessage{{{"go on"}}}};
  for (const ModelFormat format : formats) {
    BOOST_TEST_CONTEXT(name_of(format)) {
      std::vector<Message> back = read_context(format, write_context(format, context));
      BOOST_TEST_REQUIRE(back.size() == context.size());
      auto& again = std::get<AssistantMessage>(back[1]);
      again.model = answer.model;  // which a request does not repeat
      again.usage = answer.usage;
      auto& failed = std::get<ToolResultMessage>(back[3]);
      BOOST_TEST(failed.is_error);
      if (failed.text() == "Error: it broke") failed.content = {{"it broke"}};
      BOOST_TEST(text_of(back) == text_of(context));
    }
  }
}

BOOST_AUTO_TEST_CASE(results_stand_where_each_api_wants_them) {
  const std::vector<Message> context{answer_in(ModelFormat::native),
                                     ToolResultMessage{"call_1", "read_file", true, {{"no"}}, {{"secret", 1}}}};
  const auto last = [&](ModelFormat format) { return to_json_text(write_context(format, context).back()); };
  BOOST_TEST(last(ModelFormat::anthropic) ==
             R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1",)"
             R"("content":[{"type":"text","text":"no"}],"is_error":true}]})");
  BOOST_TEST(last(ModelFormat::openai_chat) == R"({"role":"tool","tool_call_id":"call_1","content":"Error: no"})");
  BOOST_TEST(last(ModelFormat::openai_responses) ==
             R"({"type":"function_call_output","call_id":"call_1","output":"Error: no"})");
  BOOST_TEST(last(ModelFormat::gemini) ==
             R"({"role":"user","parts":[{"functionResponse":{"name":"read_file","response":{"error":"no"},)"
             R"("id":"call_1"}}]})");
}

BOOST_AUTO_TEST_CASE(what_an_api_must_get_back_goes_back_to_it_and_to_no_other) {
  const Json thinking = parse_json(R"({"type":"thinking","thinking":"hm","signature":"s"})");
  const AssistantMessage one = read_answer(
      ModelFormat::anthropic,
      JsonObject{{"content", JsonArray{thinking, parse_json(R"({"type":"tool_use","id":"1","name":"t","input":{},
                                                               "caller":{"type":"direct"}})")}},
                 {"stop_reason", "tool_use"}});
  BOOST_TEST(write_context(ModelFormat::anthropic, {one}).at(0).at("content").at(0) == thinking);
  BOOST_TEST(write_context(ModelFormat::anthropic, {one}).at(0).at("content").at(1).at("caller").at("type") ==
             "direct");
  for (const ModelFormat other : {ModelFormat::openai_chat, ModelFormat::openai_responses, ModelFormat::gemini}) {
    const std::string text = to_json_text(write_context(other, {one}));
    BOOST_TEST(text.find("hm") == std::string::npos);
    BOOST_TEST(text.find("direct") == std::string::npos);
  }
  const char* const part = R"({"functionCall":{"name":"t","args":{}},"thoughtSignature":"abc"})";
  const AssistantMessage signed_call = read_answer(
      ModelFormat::gemini, parse_json(std::string(R"({"candidates":[{"content":{"parts":[)") + part + "]}}]}"));
  BOOST_TEST(write_context(ModelFormat::gemini, {signed_call}).at(0).at("parts").at(0) == parse_json(part));
}

BOOST_AUTO_TEST_CASE(the_native_form_of_a_foreign_message_leads_back_to_it) {
  const char* const body = R"([{"role":"assistant","content":[{"type":"redacted_thinking","data":"x"},
    {"type":"tool_use","id":"1","name":"t","input":{},"caller":{"type":"direct"}}]}])";
  const auto context = read_context(ModelFormat::anthropic, parse_json(body));
  const auto again = read_context(ModelFormat::native, Json(write_context(ModelFormat::native, context)));
  BOOST_TEST(Json(write_context(ModelFormat::anthropic, again)) == parse_json(body));
}

BOOST_AUTO_TEST_CASE(arguments_of_more_values_than_any_message_may_have_are_not_read) {
  const std::string numbers = to_json_text(JsonArray(usual_json_values, Json(1)));
  const Json function = JsonObject{{"name", "t"}, {"arguments", numbers}};
  const Json call = JsonObject{{"id", "1"}, {"type", "function"}, {"function", function}};
  const Json answer = JsonObject{{"finish_reason", "tool_calls"},
                                 {"message", JsonObject{{"content", nullptr}, {"tool_calls", JsonArray{call}}}}};
  const auto calls = tool_calls_in(read_answer(ModelFormat::openai_chat, JsonObject{{"choices", JsonArray{answer}}}));
  BOOST_TEST((calls.at(0).unreadable == numbers));
}

BOOST_AUTO_TEST_CASE(arguments_that_are_no_json_are_kept_as_the_model_wrote_them) {
  const Json response = parse_json(R"({"choices":[{"finish_reason":"tool_calls","message":{"content":null,
    "tool_calls":[{"id":"1","type":"function","function":{"name":"t","arguments":"{\"a\":"}},
                  {"id":"2","type":"function","function":{"name":"t","arguments":""}},
                  {"id":"3","type":"custom","custom":{"name":"shell","input":"ls"}}]}}]})");
  const AssistantMessage message = read_answer(ModelFormat::openai_chat, response);
  const auto calls = tool_calls_in(message);
  BOOST_TEST(calls.at(0).unreadable == "{\"a\":");
  BOOST_TEST(calls.at(1).input == Json(JsonObject{}));
  BOOST_TEST(calls.at(2).name == "shell");
  BOOST_TEST(calls.at(2).input.is_null());
  const Json written = write_context(ModelFormat::openai_chat, {message}).at(0);
  BOOST_TEST(written.at("tool_calls").at(0).at("function").at("arguments") == "{\"a\":");
  BOOST_TEST(written.at("tool_calls").at(2).at("custom").at("input") == "ls");
}

BOOST_AUTO_TEST_CASE(stop_reasons_of_the_apis_are_understood) {
  using enum StopReason;
  const auto anthropic = [](const std::string& reason) {
    return stop_reason_of(ModelFormat::anthropic, (R"({"content":[],"stop_reason":")" + reason + "\"}").c_str());
  };
  BOOST_TEST((anthropic("end_turn") == stop && anthropic("max_tokens") == length && anthropic("tool_use") == tool_use));
  const auto openai = [](const std::string& reason) {
    return stop_reason_of(ModelFormat::openai_chat,
                          (R"({"choices":[{"message":{"content":"x"},"finish_reason":")" + reason + "\"}]}").c_str());
  };
  BOOST_TEST((openai("stop") == stop && openai("length") == length && openai("content_filter") == error));
  const auto gemini = [](const std::string& reason) {
    return stop_reason_of(ModelFormat::gemini, (R"({"candidates":[{"finishReason":")" + reason + "\"}]}").c_str());
  };
  BOOST_TEST((gemini("STOP") == stop && gemini("MAX_TOKENS") == length && gemini("SAFETY") == error));
  BOOST_TEST(
      (stop_reason_of(ModelFormat::openai_responses,
                      R"({"output":[],"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}})") ==
       length));
  BOOST_TEST((stop_reason_of(ModelFormat::openai_responses, R"({"output":[],"status":"failed"})") == error));
}

BOOST_AUTO_TEST_CASE(what_is_no_message_of_a_form_is_refused_with_its_place) {
  const auto problem = [](ModelFormat format, const char* text) -> std::string {
    try {
      read_answer(format, parse_json(text));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  BOOST_TEST(problem(ModelFormat::anthropic, R"({"content":[{"type":"tool_use","id":5}]})") ==
             "/content/0/id: expected a string");
  BOOST_TEST(problem(ModelFormat::openai_chat, R"({"choices":[]})") ==
             "/choices: expected an array with one choice at least");
  BOOST_TEST(problem(ModelFormat::openai_responses, "[]") == "the whole: expected an object");
  BOOST_TEST(problem(ModelFormat::gemini, R"({"candidates":{}})") == "/candidates: expected an array");
  BOOST_TEST(problem(ModelFormat::native, R"({"role":"user","content":[]})") == "/role: expected \"assistant\"");
  BOOST_CHECK_THROW(read_context(ModelFormat::openai_chat, parse_json(R"([{"role":"system","content":"x"}])")),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(formats_have_names_and_others_are_refused_with_all_of_them) {
  for (const ModelFormat format : formats) BOOST_TEST((model_format_named(name_of(format)) == format));
  BOOST_CHECK_EXCEPTION(model_format_named("x"), std::invalid_argument, [](const auto& error) {
    return std::string(error.what()).find("openai-responses, gemini") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(tools_are_declared_as_each_api_wants_them) {
  ToolDefinition tool{.name = "t", .description = "d"};
  tool.parameters = parse_json(R"({"type":"object"})");
  const auto written = [&](ModelFormat format) { return to_json_text(write_tools(format, {tool}).at(0)); };
  BOOST_TEST(written(ModelFormat::anthropic) == R"({"name":"t","description":"d","input_schema":{"type":"object"}})");
  BOOST_TEST(written(ModelFormat::openai_chat) ==
             R"({"type":"function","function":{"name":"t","description":"d","parameters":{"type":"object"}}})");
  BOOST_TEST(written(ModelFormat::openai_responses) ==
             R"({"type":"function","name":"t","description":"d","parameters":{"type":"object"}})");
  BOOST_TEST(written(ModelFormat::gemini) ==
             R"({"functionDeclarations":[{"name":"t","description":"d","parametersJsonSchema":{"type":"object"}}]})");
}
