#include "protocol/tools/lower.hpp"

#define BOOST_TEST_MODULE lower_test
#include <boost/test/unit_test.hpp>

#include <string>

using namespace toolwire;
using protocol::Revision;

namespace {

const Revision& revision(std::string_view name) { return *protocol::find_revision(name); }

JsonObject lowered(std::string_view name, const ToolResult& result) {
  std::string text = "{";
  protocol::append_tool_result(text, revision(name), result);
  return parse_json(text + "}").get_object();
}

Json only_block(std::string_view name, Content content) {
  ToolResult result;
  result.add(std::move(content));
  return lowered(name, result).at("content").get_array().at(0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(bytes_become_base64) {
  const Json image = only_block("2024-11-05", {ImageContent{std::string("\0\1\2\xff", 4), "image/png"}});
  BOOST_TEST(image.at("data") == "AAEC/w==");
  BOOST_TEST(only_block("2024-11-05", {ImageContent{"", "image/png"}}).at("data") == "");
}

BOOST_AUTO_TEST_CASE(content_a_revision_does_not_know_becomes_a_text_that_says_what_it_was) {
  BOOST_TEST(only_block("2024-11-05", {AudioContent{"x", "audio/wav"}}).at("type") == "text");
  BOOST_TEST(only_block("2025-03-26", {AudioContent{"x", "audio/wav"}}).at("type") == "audio");
  BOOST_TEST(only_block("2025-03-26", {ResourceLink{"file:///a", "a"}}).at("text") == "a: file:///a");
  BOOST_TEST(only_block("2025-06-18", {ResourceLink{"file:///a", "a"}}).at("type") == "resource_link");
}

BOOST_AUTO_TEST_CASE(so_does_content_that_came_as_json_from_elsewhere) {
  const Json audio = parse_json(R"({"type":"audio","data":"eA==","mimeType":"audio/wav"})");
  const Json link = parse_json(R"({"type":"resource_link","uri":"file:///a","name":"a"})");
  BOOST_TEST(only_block("2024-11-05", {Json(audio)}).at("type") == "text");
  BOOST_TEST(only_block("2025-03-26", {Json(audio)}) == audio);
  BOOST_TEST(only_block("2025-03-26", {Json(link)}).at("text") == "a: file:///a");
  BOOST_TEST(only_block("2025-06-18", {Json(link)}) == link);
}

BOOST_AUTO_TEST_CASE(annotations_are_left_out_where_there_are_none) {
  BOOST_TEST(!only_block("2025-11-25", {TextContent{"x"}}).get_object().contains("annotations"));
  BOOST_TEST(!only_block("2025-03-26", {TextContent{"x"}, {.last_modified = "2026-01-01"}})
                  .get_object()
                  .contains("annotations"));
  BOOST_TEST(only_block("2025-06-18", {TextContent{"x"}, {.last_modified = "2026-01-01"}})
                 .at("annotations")
                 .at("lastModified") == "2026-01-01");
  BOOST_TEST(only_block("2024-11-05", {TextContent{"x"}, {.priority = 1}}).at("annotations").at("priority") == 1);
}

BOOST_AUTO_TEST_CASE(structured_content_goes_to_revisions_that_have_it) {
  const ToolResult object = ToolResult::of(JsonObject{{"a", 1}});
  BOOST_TEST(!lowered("2025-03-26", object).contains("structuredContent"));
  BOOST_TEST(lowered("2025-06-18", object).at("structuredContent").at("a") == 1);
  const ToolResult array = ToolResult::of(JsonArray{1});
  BOOST_TEST(!lowered("2025-11-25", array).contains("structuredContent"));
  BOOST_TEST(lowered("2026-07-28", array).at("structuredContent").get_array().size() == 1u);
  BOOST_TEST(lowered("2025-11-25", array).at("content").get_array().at(0).at("text") == "[1]");
}

BOOST_AUTO_TEST_CASE(an_error_says_so_and_a_result_does_not) {
  BOOST_TEST(lowered("2025-11-25", ToolResult::error("no")).at("isError") == true);
  BOOST_TEST(!lowered("2025-11-25", ToolResult::text("yes")).contains("isError"));
  BOOST_TEST(lowered("2025-11-25", ToolResult{}).at("content").get_array().empty());
}

BOOST_AUTO_TEST_CASE(a_verbatim_block_is_passed_on_and_what_is_none_becomes_text) {
  const Json block = JsonObject{{"type", "future"}, {"x", JsonArray{1}}};
  BOOST_TEST(to_json_text(only_block("2025-11-25", {block})) == to_json_text(block));
  BOOST_TEST(only_block("2025-11-25", {Json(5)}).at("text") == "5");
}

BOOST_AUTO_TEST_CASE(text_that_is_no_utf8_is_written_as_valid_json) {
  BOOST_TEST(
      only_block("2025-11-25", {TextContent{"a\xff\xc0z"}}).at("text").get_string().starts_with("a\xef\xbf\xbd"));
}
