#include "registry/checked_result.hpp"

#define BOOST_TEST_MODULE the last stations of a result
#include <boost/test/unit_test.hpp>

#include <string>

#include <toolwire/bridge/registry.hpp>

#include "policy/operation_status.hpp"
#include "registry/registered_tool.hpp"

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

ToolPointer tool_with_output(const char* output) {
  ToolDefinition tool{.name = "tool"};
  if (output != nullptr) tool.output = parse_json(output);
  return registered_tool(std::move(tool), "", SchemaCare::refuse);
}

std::string text_of(const ToolResult& result) { return std::get<TextContent>(result.content.at(0).item).text; }

std::string code_of(const ToolResult& result) {
  return std::string(result.meta.at("dev.toolwire/error").at("code").get_string());
}

std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text.append(std::to_string(i)).append("\n");
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_output_that_breaks_the_promise_is_held_back) {
  const auto tool = tool_with_output(R"({"type":"object","required":["a"]})");
  BOOST_TEST(code_of(checked_output(*tool, ToolResult::of(JsonObject{{"b", 1}}))) == "invalid_output");
  BOOST_TEST(code_of(checked_output(*tool, ToolResult{})) == "invalid_output");
  BOOST_TEST(!checked_output(*tool, ToolResult::of(JsonObject{{"a", 1}})).is_error);
  BOOST_TEST(text_of(checked_output(*tool, ToolResult::error("no"))) == "no");
}

BOOST_AUTO_TEST_CASE(a_text_counts_as_the_output_it_spells) {
  const auto object = tool_with_output(R"({"type":"object","required":["a"]})");
  BOOST_TEST(*checked_output(*object, ToolResult::text("{\"a\": 1}\n")).structured == Json(JsonObject{{"a", 1}}));
  BOOST_TEST(code_of(checked_output(*object, ToolResult::text("{\"b\": 1}"))) == "invalid_output");
  BOOST_TEST(code_of(checked_output(*object, ToolResult::text("a: 1"))) == "invalid_output");
  const auto string = tool_with_output(R"({"type":"string"})");
  BOOST_TEST(*checked_output(*string, ToolResult::text("12")).structured == "12");
}

BOOST_AUTO_TEST_CASE(a_text_of_another_server_is_a_text) {
  const ToolResult of_server{.content = {{.item = Json(JsonObject{{"type", "text"}, {"text", "{\"a\": 1}"}})}}};
  const auto object = tool_with_output(R"({"type":"object","required":["a"]})");
  BOOST_TEST(*checked_output(*object, ToolResult(of_server)).structured == Json(JsonObject{{"a", 1}}));
  BOOST_TEST(json_of(of_server) == Json(JsonObject{{"a", 1}}));
  CompletedCall call{.call = {.tool = "tool"}, .result = of_server};
  BOOST_TEST(call.output() == Json("{\"a\": 1}"));
  call.result.is_error = true;
  BOOST_TEST(call.error() == "{\"a\": 1}");
}

BOOST_AUTO_TEST_CASE(a_string_nobody_promised_is_plain_text) {
  const auto tool = tool_with_output(nullptr);
  const ToolResult result = checked_output(*tool, ToolResult::of("two\nlines"));
  BOOST_TEST(text_of(result) == "two\nlines");
  BOOST_TEST(!result.structured);
  BOOST_TEST(checked_output(*tool, ToolResult::of(7)).structured.has_value());
}

BOOST_AUTO_TEST_CASE(short_texts_are_left_alone) {
  BOOST_TEST(text_of(bounded(ToolResult::text("a\nb\n"), {.lines = 2, .bytes = 4}, Keep::head)) == "a\nb\n");
  BOOST_TEST(text_of(bounded(ToolResult::text("a\nb"), {.lines = 2, .bytes = 4}, Keep::head)) == "a\nb");
}

BOOST_AUTO_TEST_CASE(the_head_of_a_long_text_stays_in_whole_lines) {
  const std::string text = text_of(bounded(ToolResult::text(lines(100)), {.lines = 3, .bytes = 1000}, Keep::head));
  BOOST_TEST(text.starts_with("0\n1\n2\n[Not shown: lines 4-100 of 100, "));
  const std::string few = text_of(bounded(ToolResult::text(lines(100)), {.lines = 99, .bytes = 5}, Keep::head));
  BOOST_TEST(few.starts_with("0\n1\n[Not shown: lines 3-100 of 100, "));
}

BOOST_AUTO_TEST_CASE(of_a_command_the_end_stays_too) {
  const std::string text =
      text_of(bounded(ToolResult::text(lines(100)), {.lines = 5, .bytes = 1000}, Keep::head_and_tail));
  BOOST_TEST(text.starts_with("0\n1\n2\n[Not shown: lines 4-98 of 100, "));
  BOOST_TEST(text.ends_with("]\n98\n99\n"));
}

BOOST_AUTO_TEST_CASE(a_line_that_is_too_long_is_cut_between_characters) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "ä";
  const std::string head = text_of(bounded(ToolResult::text(text), {.lines = 9, .bytes = 5}, Keep::head));
  BOOST_TEST(head.starts_with("ää\n[Not shown: "));
  const std::string both = text_of(bounded(ToolResult::text(text), {.lines = 9, .bytes = 10}, Keep::head_and_tail));
  BOOST_TEST(both.starts_with("ää\n[Not shown: "));
  BOOST_TEST(both.ends_with("]\nää"));
}

BOOST_AUTO_TEST_CASE(several_texts_share_the_bounds) {
  ToolResult result = ToolResult::text(lines(3));
  result.add_text(lines(3));
  const ToolResult cut = bounded(std::move(result), {.lines = 4, .bytes = 1000}, Keep::head);
  BOOST_TEST(text_of(cut) == "0\n1\n2\n");
  BOOST_TEST(std::get<TextContent>(cut.content.at(1).item).text.starts_with("0\n[Not shown: lines 2-3 of 3"));
}

BOOST_AUTO_TEST_CASE(texts_of_other_servers_are_cut_and_keep_what_else_they_have) {
  const auto block = [](const std::string& text) {
    return JsonObject{{"type", "text"}, {"text", text}, {"annotations", JsonObject{{"priority", 1}}}};
  };
  const Json link = JsonObject{{"type", "resource_link"}, {"uri", "a:b"}, {"name", "n"}, {"text", lines(100)}};
  ToolResult result;
  for (const Json& item : {Json(block(lines(3))), link, Json(block(lines(100)))})
    result.content.push_back({.item = item});
  const ToolResult cut = bounded(std::move(result), {.lines = 5, .bytes = 1000}, Keep::head);
  BOOST_TEST(std::get<Json>(cut.content.at(0).item) == Json(block(lines(3))));
  BOOST_TEST(std::get<Json>(cut.content.at(1).item) == link);
  const Json& last = std::get<Json>(cut.content.at(2).item);
  const std::string text(last.at("text").get_string());
  BOOST_TEST(text.starts_with("0\n1\n[Not shown: lines 3-100 of 100, "), text);
  BOOST_TEST(last == Json(block(text)));
}

BOOST_AUTO_TEST_CASE(structure_is_never_cut) {
  const OutputBounds bounds{.lines = 1, .bytes = 10, .structured = 100};
  const Json fits = JsonObject{{"text", std::string(80, 'x')}};
  const ToolResult whole = bounded(ToolResult::of(fits), bounds, Keep::head);
  BOOST_TEST(*whole.structured == fits);
  BOOST_TEST(text_of(whole) == to_json_text(fits));
  BOOST_TEST(code_of(bounded(ToolResult::of(JsonObject{{"text", std::string(100, 'x')}}), bounds, Keep::head)) ==
             "too_large");
}
