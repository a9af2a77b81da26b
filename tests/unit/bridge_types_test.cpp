#include "types/generated_types.hpp"

#define BOOST_TEST_MODULE types of tools for other languages
#include <boost/test/unit_test.hpp>

#include <sstream>

#include <toolwire/json.hpp>

#include "commands/types.hpp"
#include "scratch_folder.hpp"

namespace {

using namespace toolwire;
using namespace toolwire::bridge;

ToolDefinition tool(const char* parameters, const char* output = "null", const char* name = "spawn_agent") {
  return {
      .name = name, .description = "Starts one", .parameters = parse_json(parameters), .output = parse_json(output)};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

constexpr const char* everything = R"({"type": "object", "required": ["task", "tree"], "properties": {
  "task": {"type": "string", "description": "What */ to do", "minLength": 1, "pattern": "^a"},
  "count": {"type": "integer", "minimum": 1, "default": 3},
  "kind": {"enum": ["a", "b", null]},
  "exact": {"const": 5},
  "either": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "number"}}]},
  "tags": {"type": ["array", "null"], "items": {"type": "string"}},
  "options": {"type": "object", "properties": {"deep-name": {"type": "boolean"}}},
  "table": {"type": "object", "additionalProperties": {"type": "number"}},
  "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "minItems": 1, "items": false},
  "both": {"allOf": [{"$ref": "#/$defs/node"}, {"type": "object", "properties": {"x": true}}]},
  "tree": {"$ref": "#/$defs/node"}},
  "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}}})";

}  // namespace

BOOST_AUTO_TEST_CASE(typescript_gets_each_type_of_the_table) {
  const std::string text = typescript_types({tool(everything, R"({"type": "integer"})")});
  for (const char* const part :
       {"export type SpawnAgentParameters = {\n", "  task: string;\n", "  count?: number;\n",
        "  kind?: (\"a\" | \"b\" | null);\n", "  exact?: 5;\n", "  either?: (string | Array<number>);\n",
        "  tags?: (Array<string> | null);\n", "  options?: {\n    \"deep-name\"?: boolean;\n  };\n",
        "  table?: { [name: string]: number };\n", "  pair?: [string, number?];\n",
        "  tree: SpawnAgentParametersNode;\n",
        "export type SpawnAgentParametersNode = {\n  next?: SpawnAgentParametersNode;\n};\n",
        "export type SpawnAgentOutput = number;\n",
        "  /** Starts one */\n  spawn_agent(parameters: SpawnAgentParameters): Promise<SpawnAgentOutput>;\n"})
    BOOST_TEST(contains(text, part), part << " in " << text);
}

BOOST_AUTO_TEST_CASE(what_types_cannot_say_stands_in_comments) {
  const std::string text = typescript_types({tool(everything)});
  BOOST_TEST(contains(text, "   * What *\\/ to do\n   * @pattern ^a\n   * @minLength 1\n"), text);
  BOOST_TEST(contains(text, "   * @default 3\n   * @minimum 1\n"), text);
  BOOST_TEST(contains(python_types({tool(everything)}), "    # @default 3\n    # @minimum 1\n    count: "));
}

BOOST_AUTO_TEST_CASE(python_gets_each_type_of_the_table) {
  const std::string text = python_types({tool(everything, R"({"type": "array", "items": {"type": "string"}})")});
  // NOLINTBEGIN(bugprone-suspicious-missing-comma): two of the texts take two lines
  for (const char* const part :
       {"class SpawnAgentParameters(TypedDict):\n", "    task: str\n", "    count: NotRequired[int]\n",
        "    kind: NotRequired[Literal[\"a\", \"b\", None]]\n", "    exact: NotRequired[Literal[5]]\n",
        "    either: NotRequired[Union[str, List[float]]]\n", "    tags: NotRequired[Union[List[str], None]]\n",
        "    options: NotRequired[SpawnAgentParametersOptions]\n", "    table: NotRequired[Dict[str, float]]\n",
        "class SpawnAgentParametersBoth(TypedDict):\n    next: NotRequired[SpawnAgentParametersNode]\n    x: "
        "NotRequired[Any]\n",
        "    tree: SpawnAgentParametersNode\n", "    next: NotRequired[SpawnAgentParametersNode]\n",
        "SpawnAgentParametersOptions = TypedDict(\"SpawnAgentParametersOptions\", {\n    \"deep-name\": "
        "NotRequired[bool],\n})\n",
        "SpawnAgentOutput = List[str]\n",
        "# Starts one\ndef spawn_agent(parameters: SpawnAgentParameters) -> SpawnAgentOutput: ...\n"})
    // NOLINTEND(bugprone-suspicious-missing-comma)
    BOOST_TEST(contains(text, part), part << " in " << text);
}

BOOST_AUTO_TEST_CASE(a_type_takes_every_value_its_schema_takes) {
  const ToolDefinition taken = tool(R"({"type": "object", "properties": {
    "closed": {"type": "object", "patternProperties": {"^a": {"type": "number"}, "^b": {"type": "string"}},
               "additionalProperties": false},
    "open": {"type": "object", "patternProperties": {"^a": {"type": "number"}}},
    "others": {"type": "object", "patternProperties": {"^a": {"type": "number"}}, "additionalProperties": {"type": "null"}},
    "mixed": {"type": "object", "properties": {"x": {"type": "string"}}, "patternProperties": {"^a": {"type": "number"}},
              "additionalProperties": false},
    "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "items": false},
    "rest": {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "null"}},
    "old": {"type": "array", "items": [{"type": "string"}], "additionalItems": false},
    "some": {"type": "object", "properties": {"x": true}, "anyOf": [{"required": ["x"]}, {"required": ["y"]}]}}})");
  const std::string typescript = typescript_types({taken});
  for (const char* const part :
       {"  closed?: { [name: string]: (number | string) };\n", "  open?: { [name: string]: unknown };\n",
        "  others?: { [name: string]: (number | null) };\n",
        "  mixed?: {\n    x?: string;\n    [name: string]: unknown;\n  };\n"})
    BOOST_TEST(contains(typescript, part), part << " in " << typescript);
  const std::string python = python_types({taken});
  for (const char* const part :
       {"    closed: NotRequired[Dict[str, Union[float, str]]]\n", "    open: NotRequired[Dict[str, Any]]\n",
        "    others: NotRequired[Dict[str, Union[float, None]]]\n", "    pair: NotRequired[List[Union[str, float]]]\n",
        "    rest: NotRequired[List[Union[str, None]]]\n", "    old: NotRequired[List[str]]\n",
        "    some: NotRequired[SpawnAgentParametersSome]\n"})
    BOOST_TEST(contains(python, part), part << " in " << python);
}

BOOST_AUTO_TEST_CASE(constraints_within_a_type_stand_in_its_comment) {
  const ToolDefinition taken = tool(R"({"type": "object", "properties": {
    "mails": {"type": "array", "items": {"type": "string", "format": "email"}},
    "either": {"anyOf": [{"type": "string", "format": "date"}, {"type": "integer", "not": {"const": 5}}]},
    "table": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "number", "minimum": 1}}},
    "late": {"type": "string", "deprecated": true}}})");
  for (const std::string& text : {typescript_types({taken}), python_types({taken})}) {
    for (const char* const part : {"@items format email", "@anyOf/0 format date\n", "@anyOf/1 not {\"const\":5}\n",
                                   "@additionalProperties items minimum 1", "@deprecated true"})
      BOOST_TEST(contains(text, part), part << " in " << text);
  }
}

BOOST_AUTO_TEST_CASE(names_that_would_meet_are_told_apart) {
  const std::string text =
      typescript_types({tool("{}", "null", "a_b"), tool("{}", "null", "aB"), tool("{}", "null", "Tools")});
  BOOST_TEST(contains(text, "export type ABParameters = "));
  BOOST_TEST(contains(text, "export type ABParameters2 = "));
  BOOST_TEST(contains(python_types({tool("{}", "null", "class")}), "# \"class\" is no name in Python."));
}

BOOST_AUTO_TEST_CASE(schemas_that_refer_to_themselves_or_nowhere_end) {
  const std::string text =
      typescript_types({tool(R"({"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#/x"},
      "c": {"$ref": "https://example.org"}, "d": false}})")});
  BOOST_TEST(contains(text, "  a?: SpawnAgentParameters;\n  b?: unknown;\n  c?: unknown;\n  d?: never;\n"), text);
}

BOOST_AUTO_TEST_CASE(nothing_is_written_of_a_manifest_with_problems) {
  const toolwire_test::ScratchFolder folder;
  std::ostringstream out, errors;
  const std::string file = folder.file("tools.json", R"({"tools": 5})").string();
  BOOST_TEST(write_types({file}, TypesLanguage::python, out, errors) == 1);
  BOOST_TEST(out.str() == "");
  BOOST_TEST(contains(errors.str(), "tools.json"), errors.str());
}
