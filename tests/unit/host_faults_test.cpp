// Results that are right by the specification, as hosts with known faults get them.
#include "protocol/host_faults.hpp"

#define BOOST_TEST_MODULE host_faults_test
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <toolwire/server.hpp>
#include <toolwire/testing.hpp>
#include <utility>
#include <vector>

using namespace toolwire;

namespace {

constexpr const char* host_that_takes_text = "gemini-cli-mcp-client";

/// What that host does with a result before it looks at it (fixStructuredContent of its 0.61.0).
bool would_be_taken_by_that_host(const JsonObject& result) {
  if (const Json* const structured = result.if_contains("structuredContent")) return structured->is_object();
  const Json& first = result.at("content").as_array().at(0);
  if (first.at("type") != "text") return true;
  try {
    return parse_json(std::string(first.at("text").as_string())).is_object();
  } catch (const JsonError&) {
    return true;
  }
}

ToolInfo saying(const char* name) {
  return {.name = name,
          .description = "Says it",
          .input_schema = parse_json(R"({"type":"object","properties":{"text":{"type":"string"}}})")};
}

std::string text_in(const Json& given) { return std::string(given.at("text").as_string()); }

/// What no other than a text or an image is, as values and as another server's blocks.
ToolResult mixed_result() {
  ToolResult result = ToolResult::text("12");
  result.add_text("34");
  result.add({ImageContent{"png", "image/png"}});
  result.add({ResourceLink{.uri = "test://a", .name = "a"}, {.audience = {"user"}}});
  result.add({AudioContent{"wav", "audio/wav"}});
  result.add({EmbeddedResource{.uri = "test://text", .contents = "words", .mime_type = "text/plain"}});
  result.add({EmbeddedResource{"test://bytes", std::string("\0\1\2", 3), "application/octet-stream", true}});
  for (const char* const block : {R"({"type":"resource_link","uri":"test://b","name":"b"})",
                                  R"({"type":"audio","data":"AAEC","mimeType":"audio/ogg"})",
                                  R"({"type":"resource","resource":{"uri":"test://c","blob":"AAEC"}})",
                                  R"({"type":"resource","resource":{"uri":"test://d","text":"more words"}})"}) {
    result.add({parse_json(block)});
  }
  return result;
}

ToolResult structured_alone() {
  ToolResult result;
  result.structured = JsonObject{{"a", 1}};
  return result;
}

/// Its blocks as a client gets them: the text, or else the type.
std::vector<std::string> blocks_of(const CallResult& result) {
  std::vector<std::string> blocks;
  for (const Json& block : result.raw.as_object().at("content").as_array()) {
    const Json* const text = block.as_object().if_contains("text");
    blocks.emplace_back((text != nullptr ? *text : block.at("type")).as_string());
  }
  return blocks;
}

struct HostSession {
  explicit HostSession(const std::string& name) : server({"faults", "1"}), name_(name) {
    server.tool(saying("say"), [](const Json& given) { return text_in(given); });
    server.tool(saying("pass_on"), [](const Json& given) {
      return ToolResult().add({Json{{"type", "text"}, {"text", given.at("text")}}});
    });
    server.tool(saying("fail"), [](const Json& given) { return ToolResult::error(text_in(given)); });
    server.tool("five", "A number", [] { return 5; });
    server.tool("list", "A list without a schema", [] { return Json{1, 2}; });
    server.tool("structured", "Structured content alone", [] { return structured_alone(); });
    server.tool("mixed", "Content of every kind", [] { return mixed_result(); });
  }

  CallResult call(const char* tool, JsonObject arguments = {}, const char* revision = "2025-06-18") {
    testing::Client client(server, ClientOptions{.name = name_, .revision = revision});
    return client.call(tool, std::move(arguments));
  }

  Server server;

 private:
  const std::string name_;
};

const std::vector<std::string> all_texts{"5",        "-0.5e3",    " [1, 2]",    "\"quoted\"",    "true",
                                         "null",     "{}",        "{\"a\": 1}", "plain",         "",
                                         "5 apples", "[not json", "nullable",   "\xef\xbb\xbf 5"};

}  // namespace

BOOST_AUTO_TEST_CASE(a_host_that_takes_text_for_structured_content_takes_every_text) {
  HostSession session(host_that_takes_text);
  for (const std::string& text : all_texts) {
    const CallResult said = session.call("say", {{"text", text}});
    BOOST_TEST(would_be_taken_by_that_host(said.raw.as_object()), text);
    BOOST_TEST(said.text() == text);
    const CallResult passed_on = session.call("pass_on", {{"text", text}});
    BOOST_TEST(would_be_taken_by_that_host(passed_on.raw.as_object()), text);
    BOOST_TEST(passed_on.text() == text);
    const CallResult failed = session.call("fail", {{"text", text}});
    BOOST_TEST(would_be_taken_by_that_host(failed.raw.as_object()), text);
    BOOST_TEST(failed.is_error);
    BOOST_TEST(failed.text().ends_with(text));
  }
  BOOST_TEST(would_be_taken_by_that_host(session.call("five").raw.as_object()));
  const CallResult list = session.call("list");
  BOOST_TEST(would_be_taken_by_that_host(list.raw.as_object()));
  BOOST_TEST(list.text() == "[1,2]");
  BOOST_TEST((list.structured == Json{{"result", {1, 2}}}));
}

BOOST_AUTO_TEST_CASE(others_get_content_as_it_is) {
  HostSession session("some-other-host");
  const std::vector<std::string> whole{"12",    "34",       "image",    "resource_link",
                                       "audio", "resource", "resource", "resource_link",
                                       "audio", "resource", "resource"};
  BOOST_TEST(blocks_of(session.call("mixed")) == whole, boost::test_tools::per_element());
  for (const std::string& text : all_texts) {
    BOOST_TEST(!session.call("say", {{"text", text}}).structured.has_value());
    BOOST_TEST(session.call("fail", {{"text", text}}).text() == text);
  }
}

BOOST_AUTO_TEST_CASE(what_a_host_drops_is_named_in_a_text) {
  const std::vector<std::string> named{
      "12",
      "34",
      "image",
      "a: test://a",
      "[audio, audio/wav: this host shows its model none]",
      "resource",
      "[test://bytes, application/octet-stream, 3 bytes: this host shows its model none]",
      "b: test://b",
      "[audio, audio/ogg: this host shows its model none]",
      "[test://c, 3 bytes: this host shows its model none]",
      "resource"};
  HostSession session("opencode");
  for (const char* const revision : {"2025-06-18", "2025-11-25", "2026-07-28"}) {
    const CallResult result = session.call("mixed", {}, revision);
    const std::vector<std::string> blocks = blocks_of(result);
    BOOST_TEST(blocks == named, boost::test_tools::per_element());
    BOOST_TEST(result.raw.as_object().at("content").at(3).at("annotations").at("audience").at(0) == "user");
  }
}

BOOST_AUTO_TEST_CASE(texts_that_a_host_joins_end_with_their_line) {
  HostSession session("copilot-cli");
  const std::vector<std::string> blocks = blocks_of(session.call("mixed", {}, "2026-07-28"));
  BOOST_TEST(blocks.at(0) == "12\n");
  BOOST_TEST(blocks.at(1) == "34\n");
  BOOST_TEST(blocks.at(3) == "a: test://a\n");
  BOOST_TEST(session.call("say", {{"text", "alone"}}).text() == "alone");
}

BOOST_AUTO_TEST_CASE(structured_content_has_a_text_where_that_alone_is_shown) {
  for (const char* const host : {"continue-cli-client", host_that_takes_text}) {
    const CallResult result = HostSession(host).call("structured");
    BOOST_TEST(result.text() == R"({"a":1})", host);
    BOOST_TEST((result.structured == Json{{"a", 1}}), host);
  }
  BOOST_TEST(HostSession("some-other-host").call("structured").text().empty());
}
