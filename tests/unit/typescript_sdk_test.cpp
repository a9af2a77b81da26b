#include "install/typescript_sdk.hpp"

#define BOOST_TEST_MODULE typescript_sdk_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace toolwire;
using namespace toolwire::install;

namespace {

using Faults = std::vector<std::string>;

Json greeting(const std::string& more) {
  return parse_json(R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                    R"("serverInfo":{"name":"s","version":"1"})" +
                    more + "}");
}

Faults of_tool(const std::string& more, const std::string& schema = R"({"type":"object"})") {
  return faults_of_tools(parse_json(R"({"tools":[{"name":"t","inputSchema":)" + schema + more + "}]}"));
}

const std::string refused = "hosts with the TypeScript SDK refuse its answer to initialize: ";
const std::string unseen = "hosts with the TypeScript SDK see none of its tools, because of ";

}  // namespace

BOOST_AUTO_TEST_CASE(what_fits_has_no_faults) {
  BOOST_TEST(faults_of_greeting(greeting("")).empty());
  BOOST_TEST(
      faults_of_greeting(greeting(R"(,"instructions":"i","_meta":{"progressToken":1,"x":null},"more":null)")).empty());
  BOOST_TEST(faults_of_greeting(parse_json(R"({"protocolVersion":"2024-11-05","capabilities":{"experimental":{"x":{}},
      "logging":{},"completions":{},"prompts":{"listChanged":true},"resources":{"subscribe":false,"listChanged":true},
      "tools":{"listChanged":false,"subscribe":null},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}},
      "extensions":{"a/b":{}},"own":null},
      "serverInfo":{"name":"","title":"","version":"","websiteUrl":"","description":"",
                    "icons":[{"src":"data:,","mimeType":"","sizes":["any"],"theme":"dark"}]}})"))
                 .empty());
  BOOST_TEST(of_tool("").empty());
  BOOST_TEST(
      of_tool(R"(,"title":"","description":"","icons":[],"_meta":{"x":null},"execution":{"taskSupport":"optional"},
      "annotations":{"title":"","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":true,
                     "own":null},
      "outputSchema":{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false},"own":null)",
              R"({"type":"object","properties":{"null":{"type":"null","default":null}},"required":[],"x":null})")
          .empty());
  BOOST_TEST(faults_of_tools(parse_json(R"({"tools":[],"nextCursor":"","_meta":{},"own":null})")).empty());
}

BOOST_AUTO_TEST_CASE(each_place_of_a_greeting_is_named_with_what_is_expected_there) {
  for (const auto& [more, fault] : std::vector<std::pair<std::string, std::string>>{
           {R"(,"instructions":null)", "instructions: expected a string; leave it out instead of null"},
           {R"(,"instructions":1)", "instructions: expected a string"},
           {R"(,"_meta":null)", "_meta: expected an object; leave it out instead of null"}})
    BOOST_TEST((faults_of_greeting(greeting(more)) == Faults{refused + fault}), more);
  const auto faults = [](const std::string& capabilities, const std::string& info) {
    return faults_of_greeting(
        parse_json(R"({"protocolVersion":"2025-11-25","capabilities":)" + capabilities + info + "}"));
  };
  const std::string info = R"(,"serverInfo":{"name":"s","version":"1"})";
  BOOST_TEST((faults("{}", "") == Faults{refused + "serverInfo: missing"}));
  BOOST_TEST((faults("{}", R"(,"serverInfo":{"name":"s"})") == Faults{refused + "serverInfo.version: missing"}));
  BOOST_TEST((faults("{}", R"(,"serverInfo":{"name":"s","version":null})") ==
              Faults{refused + "serverInfo.version: expected a string"}));
  BOOST_TEST((faults("[]", info) == Faults{refused + "capabilities: expected an object"}));
  BOOST_TEST((faults(R"({"tools":{},"logging":null})", info) ==
              Faults{refused + "capabilities.logging: expected an array or an object; leave it out instead of null"}));
  BOOST_TEST((faults(R"({"tools":{"listChanged":"yes"}})", info) ==
              Faults{refused + "capabilities.tools.listChanged: expected a boolean"}));
}

BOOST_AUTO_TEST_CASE(each_place_of_a_tool_is_named_with_what_is_expected_there) {
  for (const auto& [more, fault] : std::vector<std::pair<std::string, std::string>>{
           {R"(,"description":null)", "description: expected a string; leave it out instead of null"},
           {R"(,"annotations":null)", "annotations: expected an object; leave it out instead of null"},
           {R"(,"_meta":null)", "_meta: expected an object; leave it out instead of null"},
           {R"(,"title":5)", "title: expected a string"},
           {R"(,"annotations":{"readOnlyHint":"yes"})", "annotations.readOnlyHint: expected a boolean"},
           {R"(,"outputSchema":{"type":"array","items":{}})", R"(outputSchema.type: expected "object")"},
           {R"(,"outputSchema":{"properties":{}})", "outputSchema.type: missing"},
           {R"(,"outputSchema":null)", "outputSchema: expected an object; leave it out instead of null"},
           {R"(,"execution":{"taskSupport":"no"})",
            R"(execution.taskSupport: expected one of "required", "optional", "forbidden")"}})
    BOOST_TEST((of_tool(more) == Faults{unseen + "its tool \"t\": " + fault}),
               more << ": " << (of_tool(more).empty() ? "none" : of_tool(more).front()));
  BOOST_TEST(
      (of_tool("", R"({"type":"object","properties":{"a":true}})") ==
       Faults{unseen +
              "its tool \"t\": inputSchema.properties.a: expected an array or an object; write {} instead of true"}));
  BOOST_TEST((of_tool("", R"({"type":"object","required":"a"})") ==
              Faults{unseen + "its tool \"t\": inputSchema.required: expected an array"}));
  BOOST_TEST((faults_of_tools(parse_json(R"({"tools":[{"name":"a"},5,{}]})")) ==
              Faults{unseen + "its tool number 2: expected an object", unseen + "its tool number 3: name: missing"}));
  BOOST_TEST((faults_of_tools(parse_json(R"({"tools":[],"nextCursor":null})")) ==
              Faults{unseen + "nextCursor: expected a string; leave it out instead of null"}));
}

BOOST_AUTO_TEST_CASE(of_many_faults_the_first_are_told_and_how_many_more_there_are) {
  std::string tools;
  for (int i = 0; i < 40; ++i)
    tools += (i == 0 ? "" : ",") + std::string(R"({"name":"t)") + std::to_string(i) + R"(","description":null})";
  const Faults faults = faults_of_tools(parse_json("{\"tools\":[" + tools + "]}"));
  BOOST_TEST_REQUIRE(faults.size() == 5U);
  BOOST_TEST(faults.back() == unseen +
                                  "its tool \"t4\": description: expected a string; leave it out instead of null "
                                  "(and 35 more like these)");
}

BOOST_AUTO_TEST_CASE(a_line_whose_answers_are_not_seen_is_told) {
  const std::string unheard = "hosts with the TypeScript SDK do not see its answers: ";
  BOOST_TEST(fault_of_line(R"({"jsonrpc":"2.0","id":1,"result":{},"error":null})") ==
             unheard + R"("error" stands beside "result"; leave it out)");
  BOOST_TEST(fault_of_line(R"({"time":1,"result":{}})") == unheard + R"("time" stands beside "result"; leave it out)");
  BOOST_TEST(fault_of_line(R"([{"jsonrpc":"2.0","id":1,"result":{}}])") ==
             unheard + "they stand in an array; write each on a line of its own");
  for (const char* const line :
       {R"({"jsonrpc":"2.0","id":"1","result":{"error":null}})", R"({"jsonrpc":"2.0","method":"m","params":{}})",
        R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""},"time":1})", "Server 1.0", "5", ""})
    BOOST_TEST(fault_of_line(line) == "", line);
}
