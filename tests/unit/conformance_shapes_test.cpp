#include "passive/shapes.hpp"

#define BOOST_TEST_MODULE conformance_shapes_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "driver/message.hpp"
#include "driver/revision.hpp"

using namespace toolwire::conformance;
using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::parse_json;

namespace {

const std::filesystem::path schemas = std::filesystem::path(TOOLWIRE_SHARED_DIR) / "mcp-schemas";

Json json_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  return parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
}

std::string problem(const char* json, std::string_view type, std::string_view revision = "2025-11-25") {
  return misfit(parse_json(json), type, revision).value_or("");
}

/// A shape and where the published schemas have the same: a definition, or below one of its properties.
struct Pair {
  std::string_view shape;
  std::vector<std::string_view> definitions;  // the first that is there
  std::string_view property = {};
};

const std::vector<Pair> pairs{{"Implementation", {"Implementation"}},
                              {"Icon", {"Icon"}},
                              {"Annotations", {"Annotations"}},
                              {"ServerCapabilities", {"ServerCapabilities"}},
                              {"TasksCapability", {"ServerCapabilities"}, "tasks"},
                              {"ResourcesCapability", {"ServerCapabilities"}, "resources"},
                              {"ListChanged", {"ServerCapabilities"}, "tools"},
                              {"TextContent", {"TextContent"}},
                              {"MediaContent", {"ImageContent"}},
                              {"MediaContent", {"AudioContent"}},
                              {"EmbeddedResource", {"EmbeddedResource"}},
                              {"ToolUse", {"ToolUseContent"}},
                              {"ToolResult", {"ToolResultContent"}},
                              {"Resource", {"Resource"}},
                              {"Resource", {"ResourceLink"}},
                              {"ResourceTemplate", {"ResourceTemplate"}},
                              {"Prompt", {"Prompt"}},
                              {"PromptArgument", {"PromptArgument"}},
                              {"ObjectSchema", {"Tool"}, "inputSchema"},
                              {"ToolAnnotations", {"ToolAnnotations"}},
                              {"ToolExecution", {"ToolExecution"}},
                              {"Tool", {"Tool"}},
                              {"InitializeResult", {"InitializeResult"}},
                              {"DiscoverResult", {"DiscoverResult"}},
                              {"ListToolsResult", {"ListToolsResult"}},
                              {"ListResourcesResult", {"ListResourcesResult"}},
                              {"ListResourceTemplatesResult", {"ListResourceTemplatesResult"}},
                              {"ListPromptsResult", {"ListPromptsResult"}},
                              {"CallToolResult", {"CallToolResult"}},
                              {"ReadResourceResult", {"ReadResourceResult"}},
                              {"GetPromptResult", {"GetPromptResult"}},
                              {"PromptMessage", {"PromptMessage"}},
                              {"CompleteResult", {"CompleteResult"}},
                              {"Completion", {"CompleteResult"}, "completion"},
                              {"Result", {"Result"}},
                              {"InputRequiredResult", {"InputRequiredResult"}},
                              {"ListenMeta", {"SubscriptionsListenResultMetaObject"}},
                              {"ListenResult", {"SubscriptionsListenResult"}},
                              {"Task", {"Task"}},
                              {"CreateTaskResult", {"CreateTaskResult"}},
                              {"ListTasksResult", {"ListTasksResult"}},
                              {"Progress", {"ProgressNotification"}, "params"},
                              {"LogMessage", {"LoggingMessageNotification"}, "params"},
                              {"Cancelled", {"CancelledNotification"}, "params"},
                              {"Updated", {"ResourceUpdatedNotification"}, "params"},
                              {"SubscriptionFilter", {"SubscriptionFilter"}},
                              {"Acknowledged", {"SubscriptionsAcknowledgedNotification"}, "params"},
                              {"ElicitationComplete", {"ElicitationCompleteNotification"}, "params"},
                              {"ModelHint", {"ModelHint"}},
                              {"ModelPreferences", {"ModelPreferences"}},
                              {"SamplingMessage", {"SamplingMessage"}},
                              {"ToolChoice", {"ToolChoice"}},
                              {"CreateMessage", {"CreateMessageRequest"}, "params"},
                              {"Form", {"ElicitRequestFormParams", "ElicitRequest/params"}},
                              {"Page", {"ElicitRequestURLParams"}}};

class Published {
 public:
  explicit Published(std::string_view revision) : schema_(json_in(schemas / (std::string(revision) + ".json"))) {}

  /// Null if the revision does not have it.
  const Json& definition(const Pair& pair) const {
    for (const std::string_view name : pair.definitions) {
      const std::size_t slash = name.find('/');
      const Json* found = &named(name.substr(0, slash));
      if (slash != std::string_view::npos) found = &property(*found, name.substr(slash + 1));
      if (!pair.property.empty()) found = &property(*found, pair.property);
      if (!found->is_null()) return *found;
    }
    return nothing_;
  }

 private:
  const Json& named(std::string_view name) const {
    const Json& found = get(schema_, "definitions", name);
    return found.is_null() ? get(schema_, "$defs", name) : found;
  }
  const Json& property(const Json& definition, std::string_view name) const {
    const Json& found = get(definition, "properties", name);
    const std::string_view target = text_of(get(found, "$ref"));
    return target.empty() ? found : named(target.substr(target.rfind('/') + 1));
  }

  const Json schema_;
  const Json nothing_ = nullptr;
};

std::set<std::string> required_of(const Json& definition) {
  std::set<std::string> names;
  if (const JsonArray* required = get(definition, "required").if_array()) {
    for (const Json& name : *required) names.emplace(text_of(name));
  }
  return names;
}

const Shape& shape_named(std::string_view name) {
  const auto all = shapes();
  return *std::find_if(all.begin(), all.end(), [&](const Shape& it) { return it.name == name; });
}

/// The required members of a shape, those left out that its caller looks at.
void compare(const Pair& pair, const Json& definition, std::string_view revision) {
  std::set<std::string> required = required_of(definition);
  for (const char* elsewhere : {"resultType", "type"}) {
    if (pair.shape != "Result" && pair.shape != "ObjectSchema") required.erase(elsewhere);
  }
  std::set<std::string> ours;
  for (const Member& member : shape_named(pair.shape).members) {
    if (revision < member.since || revision > member.until || member.name.find('|') != std::string_view::npos) continue;
    const std::string name(member.name.substr(0, member.name.find('?')));
    if (name == member.name) ours.insert(name);
    BOOST_TEST((pair.shape == "Notification" || !get(definition, "properties", name).is_null()),
               revision << " " << pair.shape << " has no " << name);
  }
  BOOST_TEST(ours == required, revision << " " << pair.shape);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_tables_ask_for_what_the_published_schemas_require) {
  if (!std::filesystem::exists(schemas)) return;
  for (const Revision& revision : revisions) {
    const Published published(revision.name);
    for (const Pair& pair : pairs) {
      const Json& definition = published.definition(pair);
      if (!definition.is_null()) compare(pair, definition, revision.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_published_examples_fit) {
  std::size_t count = 0;
  for (const Pair& pair : pairs) {
    const auto folder = schemas / "2026-07-28-examples" / pair.definitions.front();
    if (!pair.property.empty() || !std::filesystem::exists(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      BOOST_TEST(misfit(json_in(entry.path()), pair.shape, "2026-07-28").value_or("") == "", entry.path());
      ++count;
    }
  }
  if (std::filesystem::exists(schemas)) BOOST_TEST(count > 20U);
}

BOOST_AUTO_TEST_CASE(every_type_a_table_names_is_there) {
  std::set<std::string> known{"any",    "string",  "integer", "natural", "number", "share",
                              "object", "boolean", "null",    "id",      "role"};
  for (const Shape& shape : shapes()) BOOST_TEST(known.emplace(shape.name).second, shape.name);
  for (const Variant& variant : variants()) {
    known.emplace(variant.shape);
    BOOST_TEST(known.contains(std::string(variant.is)), variant.is);
  }
  for (const Shape& shape : shapes()) {
    for (const Member& member : shape.members) {
      for (std::string_view rest = member.type; !rest.empty();) {
        std::string_view one = rest.substr(0, rest.find('|'));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        if (one.ends_with("[]") || one.ends_with("{}")) one.remove_suffix(2);
        BOOST_TEST((one.starts_with('\'') || known.contains(std::string(one))), shape.name << ": " << one);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_misfit_names_the_member) {
  BOOST_TEST(problem(R"({"tools": [{"inputSchema": {"type": "object"}}]})", "ListToolsResult") ==
             "tools[0].name is missing");
  BOOST_TEST(problem(R"({"tools": {}})", "ListToolsResult") == "tools: expected an array, found an object");
  BOOST_TEST(problem(R"({"content": [{"type": "text", "text": 7}]})", "CallToolResult") ==
             "content[0].text: expected a string, found 7");
  BOOST_TEST(problem(R"([])", "CallToolResult") == "it: expected an object, found an array");
  BOOST_TEST(problem(R"({"content": [{"type": "video"}]})", "CallToolResult") ==
             "content[0].type: expected a type like \"text\", found \"video\"");
}

BOOST_AUTO_TEST_CASE(a_resource_has_a_text_or_a_blob) {
  BOOST_TEST(problem(R"({"contents": [{"uri": "a:b", "text": ""}]})", "ReadResourceResult") == "");
  BOOST_TEST(problem(R"({"contents": [{"uri": "a:b", "blob": ""}]})", "ReadResourceResult") == "");
  BOOST_TEST(problem(R"({"contents": [{"uri": "a:b"}]})", "ReadResourceResult") == "contents[0].text|blob is missing");
}

BOOST_AUTO_TEST_CASE(what_a_revision_does_not_have_is_not_looked_at) {
  const char* const titled = R"({"name": "n", "inputSchema": {"type": "object"}, "title": 7})";
  BOOST_TEST(problem(titled, "Tool", "2025-03-26") == "");
  BOOST_TEST(problem(titled, "Tool", "2025-06-18") == "title: expected a string, found 7");
  BOOST_TEST(problem(R"({"content": [{"type": "audio"}]})", "CallToolResult", "2024-11-05") == "");
}

BOOST_AUTO_TEST_CASE(numbers_keep_within_their_ranges) {
  BOOST_TEST(problem(R"({"priority": 1.0})", "Annotations") == "");
  BOOST_TEST(problem(R"({"priority": 2})", "Annotations") == "priority: expected a number from 0 to 1, found 2");
  BOOST_TEST(problem(R"({"values": [], "total": 1.5})", "Completion") != "");
  BOOST_TEST(problem(R"({"values": [], "total": 1e0})", "Completion") == "");
}
