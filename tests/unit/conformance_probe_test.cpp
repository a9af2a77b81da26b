#include "probe/probe.hpp"

#define BOOST_TEST_MODULE conformance_probe_test
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>

#include "catalogue/catalogue.hpp"

using namespace toolwire::conformance;
using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::parse_json;

namespace {

/// A probe of a server that was never started, with one tool.
struct Setting {
  explicit Setting(std::string_view tool, const char* profile = "null") {
    target.profile = Profile(parse_json(profile));
    offer.revision = find_revision("2025-11-25");
    offer.tools = JsonArray{parse_json(tool)};
    target.read_only_tools.insert("echo");
  }
  Probe probe() { return {target, offer, *find_requirement("ping-prompt"), shared, passive}; }

  Target target;
  Offer offer;
  std::unique_ptr<Session> shared;
  Passive passive;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_tool_with_the_name_and_the_argument_of_a_fixture_is_one) {
  Setting setting(R"({"name": "echo", "inputSchema": {"type": "object", "properties": {"message": {"type": "string"}},
                      "required": ["message"]}})");
  BOOST_TEST((setting.probe().need_tool("tool:echo", "TEXT", "hi").arguments == JsonObject{{"message", "hi"}}));
}

BOOST_AUTO_TEST_CASE(its_only_argument_may_have_another_name) {
  Setting setting(R"({"name": "echo", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}},
                      "required": ["text"], "additionalProperties": false}})");
  BOOST_TEST((setting.probe().need_tool("tool:echo", "TEXT", "hi").arguments == JsonObject{{"text", "hi"}}));
}

BOOST_AUTO_TEST_CASE(a_tool_that_only_shares_the_name_is_no_fixture) {
  for (const char* schema : {R"({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})",
                             R"({"type": "object", "required": ["from", "to"]})"}) {
    Setting setting(std::string(R"({"name": "echo", "inputSchema": )") + schema + "}");
    BOOST_TEST(!setting.probe().find("tool:echo").has_value(), schema);
  }
}

BOOST_AUTO_TEST_CASE(what_a_profile_says_is_not_doubted) {
  Setting setting(R"({"name": "echo", "inputSchema": {"type": "object", "required": ["from", "to"]}})",
                  R"({"tool:echo": {"name": "echo", "arguments": {"text": "<TEXT>"}}})");
  BOOST_TEST((setting.probe().need_tool("tool:echo", "TEXT", "hi").arguments == JsonObject{{"text", "hi"}}));
}

BOOST_AUTO_TEST_CASE(a_code_beyond_32_bits_is_no_other_code) {
  for (const std::int64_t code : {std::int64_t{-32602}, std::int64_t{4294934694}, std::int64_t{-4294999898}}) {
    const std::string line = R"({"jsonrpc":"2.0","id":1,"error":{"message":"no","code":)" + std::to_string(code) + "}}";
    const Answer answer{.kind = Answer::Kind::error, .message = read_message(line, true)};
    BOOST_TEST(answer.code() == code);
    BOOST_TEST(answer.text().starts_with("error " + std::to_string(code)));
  }
}
