#include <toolwire/bridge/tool_files.hpp>

#define BOOST_TEST_MODULE tools from files
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "commands/call_documents.hpp"
#include "commands/compose.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

const char* const mood = R"({"type":"object","properties":{"text":{"type":"string"},"_output":{"type":"string"}}})";

struct Fixture : toolwire_test::ScratchFolder {
  std::string write(const std::string& name, const std::string& text) const {
    std::string path = (this->path() / name).string();
    std::ofstream(path) << text;
    return path;
  }
};

std::string names_of(const ToolFiles& files) {
  std::string names;
  for (const ToolDefinition& tool : files.tools) names.append(names.empty() ? "" : " ").append(tool.name);
  return names;
}

/// What a command writes to standard output, and its status.
struct Ran {
  int status;
  std::string out;
};
Ran run(int (*command)(int, const char* const*), const std::vector<std::string>& arguments) {
  std::vector<const char*> argv{"command"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out;
  std::streambuf* const real = std::cout.rdbuf(out.rdbuf());
  const int status = command(static_cast<int>(argv.size()), argv.data());
  std::cout.rdbuf(real);
  return {status, out.str()};
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(schemas_lists_manifests_and_folders_are_read_in_order, Fixture) {
  write("b_mood.json", mood);
  write("a_list.json", R"([{"type":"object","properties":{"_tool":{"const":"one"}}},
                           {"type":"object","properties":{"_tool":{"const":"two"}}}])");
  write("c.bindings.json", "not read");
  write("notes.txt", "not read");
  const std::string manifest = write("manifest.txt", R"({"protocol_version":"1.0","scenario":{"name":"s","version":"1",
    "description":"d"},"tools":[{"name":"three","description":"d","parameters":{"type":"object"},
    "metadata":{"enabled_by_default":true,"requires_approval":false}}],"generated_at":"2024-01-15T10:30:00Z"})");
  const ToolFiles files = read_tool_files({path().string(), manifest});
  BOOST_TEST(names_of(files) == "one two b_mood three");
  BOOST_TEST(files.manifests.at(0).scenario.name == "s");
  BOOST_TEST(files.manifests.at(0).tools.empty());
}

BOOST_FIXTURE_TEST_CASE(every_problem_of_every_file_is_named, Fixture) {
  const std::string one = write("one.json", "{");
  const std::string two = write("two.json", R"([{"type":"object"},7])");
  try {
    read_tool_files({one, two, "/nowhere/at/all.json"});
    BOOST_FAIL("accepted");
  } catch (const std::invalid_argument& error) {
    const std::string why = error.what();
    for (const std::string& part :
         {one + ": at byte", two + "/0: ", two + "/1: ", std::string("/nowhere/at/all.json: cannot")})
      BOOST_TEST(why.find(part) != std::string::npos, part + " in " + why);
  }
}

BOOST_FIXTURE_TEST_CASE(compose_prints_the_same_bytes_each_time, Fixture) {
  const std::string file = write("mood.json", mood);
  const Ran latent = run(compose_command, {file});
  BOOST_TEST(latent.status == 0);
  BOOST_TEST(latent.out == run(compose_command, {file}).out);
  BOOST_TEST(latent.out.find(R"("_activity":{"type":"string","const":""})") != std::string::npos);
  const Ran explicit_one = run(compose_command, {file, "--activity", "mood", "--strip-output", "--bare"});
  BOOST_TEST(explicit_one.out.starts_with(R"({"calls":)"));
  BOOST_TEST(explicit_one.out.find("_output") == std::string::npos);
  BOOST_TEST(run(compose_command, {write("broken.json", "{")}).status == 1);
  BOOST_TEST(run(compose_command, {}).status == 2);
}

BOOST_FIXTURE_TEST_CASE(call_runs_a_filled_document, Fixture) {
  const std::string tools = write("mood.json", mood);
  const std::string good = write("good", R"({"calls":[{"_tool":"mood","_activity":"","text":"x","_output":"fine"}]})");
  const Ran ran = run(call_command, {good, "--tools", tools});
  BOOST_TEST(ran.status == 0);
  BOOST_TEST(parse_json(ran.out).at("results").at(0).at("output").get_string() == "fine");
  const std::string bad = write("bad", R"({"calls":[{"_tool":"mood","_activity":"","text":"x"}]})");
  BOOST_TEST(run(call_command, {bad, "--tools", tools}).status == 1);
  BOOST_TEST(run(call_command, {tools, "--tools", tools}).status == 1);
  BOOST_TEST(run(call_command, {"--tools"}).status == 2);
}
