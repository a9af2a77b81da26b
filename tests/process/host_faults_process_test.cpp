// All that the tools of whole servers say, as a host with a known fault gets it: Gemini CLI reads the first text of a
// result as JSON, takes what it finds for structured content, and refuses the result unless that is an object
// (fixStructuredContent of its 0.61.0; see src/protocol/host_faults.cpp).
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE host_faults_process_test
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <toolwire/json_members.hpp>

#include "scratch_folder.hpp"

using namespace toolwire;
using namespace std::chrono_literals;

namespace {

/// Texts that are JSON and no object, and what they are as the names and contents of files.
const std::vector<std::string> texts{"5", "[1]", "true", "null", "\"quoted\"", "-0.5"};

/// Whether that host gives the result to its model.
bool is_taken(const Json& result) {
  if (const Json* const structured = find_member(result, "structuredContent")) return structured->is_object();
  const JsonArray* const content = array_member(result, "content");
  if (content == nullptr || content->empty() || text_member(content->at(0), "type") != "text") return true;
  try {
    return parse_json(text_member(content->at(0), "text")).is_object();
  } catch (const JsonError&) {
    return true;
  }
}

/// Something that fits the schema of a member; every text is `text` where there is no choice.
Json fitting(const Json& schema, const std::string& text) {
  if (const Json* const constant = find_member(schema, "const")) return *constant;
  if (const JsonArray* const choices = array_member(schema, "enum")) return choices->at(0);
  const std::string_view type = text_member(schema, "type");
  if (type == "boolean") return true;
  if (type == "array") return JsonArray{fitting(member_or_null(schema, "items"), text)};
  if (type == "number" || type == "integer") {
    const Json* const least = find_member(schema, "minimum");
    return least != nullptr ? *least : Json(1);
  }
  if (type != "object") return JsonString(text);
  JsonObject object;
  for (const Json& name : find_member(schema, "required") ? schema.at("required").as_array() : JsonArray{})
    object[name.as_string()] = fitting(member_or_null(schema, "properties", std::string_view(name.as_string())), text);
  return object;
}

/// The results that one host would refuse, of all tools of a server with arguments made of `texts`.
struct Seen {
  std::size_t results = 0;
  std::set<std::string> tools_with_results = {};
  std::vector<std::string> refused = {};
};

void look_at(Client& client, const ListedTool& tool, const std::string& text, Seen& seen) {
  try {
    const CallResult result = client.call(tool.name, fitting(tool.input_schema, text), {.timeout = 2s});
    ++seen.results;
    seen.tools_with_results.insert(tool.name);
    if (!is_taken(result.raw)) seen.refused.push_back(tool.name + ": " + result.text());
  } catch (const TimeoutError&) {   // a tool that waits for something
  } catch (const ProtocolError&) {  // no result
  }
}

Seen what_is_said_to(const std::string& host, const std::string& revision, const Program& program) {
  ClientOptions options{.name = host, .revision = revision};
  options.on_elicitation = [](const Elicitation&) {
    return ElicitationReply{.action = ElicitationReply::Action::decline};
  };
  Client client(program, options);
  Seen seen;
  for (const ListedTool& tool : client.list_tools())
    for (const std::string& text : texts) look_at(client, tool, text, seen);
  return seen;
}

Program server(const std::string& name, std::vector<std::string> arguments = {}) {
  Program program{.command = {std::string(TOOLWIRE_BIN_DIR) + "/" + name}, .errors = Program::Errors::discard};
  program.command.insert(program.command.end(), arguments.begin(), arguments.end());
  program.environment["LSAN_OPTIONS"] = "detect_leaks=0";  // who is confined cannot look for leaks in /proc
  return program;
}

/// A project whose files are called, and contain, what that host takes for structured content.
struct Project {
  Project() {
    for (const std::string& text : texts) folder.file("top/" + text, text);
  }
  Program workspace() const { return server("workspace", {"--root", (folder / "top").string(), "--write"}); }
  toolwire_test::ScratchFolder folder;
};

void check(const Program& program, std::size_t least_tools) {
  for (const char* const revision : {"2025-06-18", "2025-11-25"}) {
    const Seen seen = what_is_said_to("gemini-cli-mcp-client", revision, program);
    BOOST_TEST(seen.tools_with_results.size() >= least_tools);
    for (const std::string& refused : seen.refused) BOOST_ERROR(revision << ": " << refused);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(everything_that_hello_says_is_taken) { check(server("hello"), 1); }

BOOST_AUTO_TEST_CASE(everything_that_everything_says_is_taken) { check(server("everything"), 20); }

BOOST_FIXTURE_TEST_CASE(everything_that_workspace_says_is_taken, Project) { check(workspace(), 8); }

// Of `workspace` nothing would be: all that its tools return is an object, too.
BOOST_AUTO_TEST_CASE(another_host_is_told_what_that_one_would_refuse) {
  BOOST_TEST(!what_is_said_to("another-host", "2025-11-25", server("everything")).refused.empty());
}
