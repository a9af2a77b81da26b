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

struct HostSession {
  explicit HostSession(const std::string& name) : server({"faults", "1"}), name_(name) {
    server.tool(saying("say"), [](const Json& given) { return text_in(given); });
    server.tool(saying("fail"), [](const Json& given) { return ToolResult::error(text_in(given)); });
    server.tool("five", "A number", [] { return 5; });
    server.tool("list", "A list without a schema", [] { return Json{1, 2}; });
  }

  CallResult call(const char* tool, JsonObject arguments = {}) {
    testing::Client client(server, ClientOptions{.name = name_, .revision = "2025-06-18"});
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

BOOST_AUTO_TEST_CASE(others_get_texts_as_they_are) {
  HostSession session("some-other-host");
  for (const std::string& text : all_texts) {
    BOOST_TEST(!session.call("say", {{"text", text}}).structured.has_value());
    BOOST_TEST(session.call("fail", {{"text", text}}).text() == text);
  }
}
