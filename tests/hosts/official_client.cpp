// The client that the official conformance suite drives: `official_client BRIDGE URL`, a host that starts the bridge,
// behind which is the server of the suite. The environment says which scenario it is, in which revision, and perhaps
// which calls to make. All that reaches the suite is sent by the bridge.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <toolwire/client.hpp>
#include <toolwire/json_members.hpp>
#include <vector>

#include "scratch_folder.hpp"

using namespace toolwire;

namespace {

std::string variable(const char* name) {
  const char* const text = std::getenv(name);
  return text != nullptr ? text : "";
}

void expect(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

/// The form as a user sees it who changes nothing: with what it proposes, a yes where it proposes nothing.
ElicitationReply as_proposed(const Elicitation& asked) {
  JsonObject content;
  const JsonObject* const fields = object_member(asked.schema, "properties");
  for (const auto& [name, field] : fields != nullptr ? *fields : JsonObject()) {
    if (const Json* const proposed = find_member(field, "default"))
      content[name] = *proposed;
    else if (text_or(field, "type") == "boolean")
      content[name] = true;
  }
  return {.action = ElicitationReply::Action::accept, .content = std::move(content)};
}

/// A host with the bridge, which has the suite's server and nothing else behind it.
class Host {
 public:
  Host(const std::string& bridge, const std::string& url) {
    const JsonObject server{{"type", "http"}, {"url", url}};
    const std::string revision = variable("MCP_CONFORMANCE_PROTOCOL_VERSION");
    const JsonObject settings{{"revision", revision.starts_with("2025") ? revision : ""}};
    const std::string configuration =
        to_json_text(JsonObject{{"mcpServers", JsonObject{{"suite", server}}},
                                {"toolwire", JsonObject{{"servers", JsonObject{{"suite", settings}}}}}});
    ClientOptions options;
    options.on_elicitation = [this](const Elicitation& asked) {
      if (before_answer) before_answer();
      return as_proposed(asked);
    };
    Program program{.command = {bridge, "serve", folder_.file("mcp.json", configuration)},
                    .errors = Program::Errors::inherit};
    program.environment["XDG_STATE_HOME"] = folder_.text();
    client_.emplace(program, options);
  }

  Client& client() { return *client_; }
  std::string call(const std::string& tool, Json arguments = JsonObject()) {
    const CallResult result = client_->call(tool, std::move(arguments));
    std::printf("%s: %s\n", tool.c_str(), result.text().c_str());
    expect(!result.is_error, tool + " has failed");
    return result.text();
  }

  std::function<void()> before_answer;

 private:
  const toolwire_test::ScratchFolder folder_;
  std::optional<Client> client_;
};

void list(Host& host) {
  for (const ListedTool& tool : host.client().list_tools()) std::printf("listed: %s\n", tool.name.c_str());
}

void call_all(Host& host) {
  const std::vector<ListedTool> tools = host.client().list_tools();
  expect(!tools.empty(), "no tool is listed");
  for (const ListedTool& tool : tools) host.call(tool.name, {{"region", "here"}});
}

void add(Host& host) {
  expect(host.call("add_numbers", {{"a", 2}, {"b", 3}}).find('5') != std::string::npos, "2 and 3 are not 5");
}

/// Another call stands between the question and its answer, which must get nothing of either.
void be_asked(Host& host) {
  host.before_answer = [&] { host.call("test_mrtr_unrelated"); };
  for (const char* const tool : {"test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_no_result_type"})
    host.call(tool);
}

void use_all_kinds(Host& host) {
  for (const ListedTool& tool : host.client().list_tools()) host.call(tool.name);
  for (const ListedResource& resource : list_resources(host.client())) read_resource(host.client(), resource.uri);
  for (const ListedPrompt& prompt : host.client().list_prompts()) host.client().get_prompt(prompt.name);
}

void echo_schema(Host& host) {
  for (const ListedTool& tool : host.client().list_tools()) {
    if (tool.name == "json_schema_2020_12_tool") host.call("json_schema_echo", {{"schema", tool.input_schema}});
  }
}

/// One that is null where the schema wants a boolean would be refused by the bridge: it is left out, as a model does
/// that has read why. The suite wants no header field in either case.
void make_stated_calls(Host& host) {
  const Json context = parse_json(variable("MCP_CONFORMANCE_CONTEXT"));
  for (const Json& one : context.at("toolCalls").get_array()) {
    JsonObject arguments;
    for (const auto& [name, value] : one.at("arguments").get_object()) {
      if (!value.is_null()) arguments[name] = value;
    }
    host.call(text_or(one, "name"), std::move(arguments));
  }
}

const std::map<std::string, void (*)(Host&), std::less<>> scenarios{
    {"initialize", list},
    {"tools_call", add},
    {"elicitation-sep1034-client-defaults", [](Host& host) { host.call("test_client_elicitation_defaults"); }},
    {"sse-retry", [](Host& host) { host.call("test_reconnection"); }},
    {"request-metadata", list},
    {"sep-2322-client-request-state", be_asked},
    {"http-standard-headers", use_all_kinds},
    {"http-custom-headers", make_stated_calls},
    {"http-invalid-tool-headers", call_all},
    {"json-schema-ref-no-deref", list},
    {"json-schema-2020-12-preservation", echo_schema},
};

}  // namespace

int main(int argc, char** argv) {
  const auto scenario = scenarios.find(variable("MCP_CONFORMANCE_SCENARIO"));
  if (argc != 3 || scenario == scenarios.end()) {
    std::fprintf(stderr, "usage: official_client BRIDGE URL, by the official suite in a scenario that is known\n");
    return 2;
  }
  try {
    Host host(argv[1], argv[2]);
    scenario->second(host);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "official_client: %s\n", error.what());
    return 1;
  }
}
