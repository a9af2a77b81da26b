// `toolwire pack`: packages of npm, the script in them, and secrets in all packages.
#define BOOST_TEST_MODULE toolwire_pack_npm_test
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <string>
#include <toolwire/client.hpp>
#include <toolwire/json.hpp>
#include <vector>

#include "pack/bundle.hpp"
#include "pack/program_file.hpp"
#include "pack/tar.hpp"
#include "pack/zip.hpp"
#include "pack_bench.hpp"
#include "process_status.hpp"

using namespace toolwire;
using namespace toolwire::pack;
using namespace toolwire_test;
namespace fs = std::filesystem;

BOOST_FIXTURE_TEST_CASE(packages_of_npm_run_nothing_when_they_are_installed, PackBench) {
  const ProgramRun made = pack({"--format", "npm", "--npm-name", "@me/adder"}, {hello});
  BOOST_TEST_REQUIRE(made.status == 0, made.errors);
  BOOST_TEST(holds(made.out, "note: there is no node on PATH, so the script in me-adder-1.0.0.tgz was not tried"),
             made.out);
  BOOST_TEST(names_in_packages() == (Words{"me-adder-1.0.0.tgz", "me-adder-" + platform() + "-1.0.0.tgz"}),
             boost::test_tools::per_element());
  const auto main = files_of_tar_gz(in_packages("me-adder-1.0.0.tgz"));
  const Json about = parse_json(main.at(0).content);
  BOOST_TEST(about == parse_json(R"({"name": "@me/adder", "version": "1.0.0", "description": "Adds numbers",
    "author": "Me", "mcpName": "io.github.me/adder", "bin": {"adder": "bin/adder.js"}, "files": ["bin/adder.js"],
    "optionalDependencies": {"@me/adder-)" +
                                 platform() + R"(": "1.0.0"}})"));
  BOOST_TEST(main.at(1).name == "package/bin/adder.js");
  BOOST_TEST(main.at(1).mode == 0755U);
  const auto of_platform = files_of_tar_gz(in_packages("me-adder-" + platform() + "-1.0.0.tgz"));
  const Json program = parse_json(of_platform.at(0).content);
  BOOST_TEST(program.at("os") == parse_json(R"(["linux"])"));
  BOOST_TEST(program.at("cpu").at(0).as_string() == platform().substr(6));
  const ProgramFile file = read_program(hello);
  BOOST_TEST(program.as_object().contains("libc") == (c_library_of(file) != CLibrary::none));
  BOOST_TEST((of_platform.at(1).content == file.content));
  BOOST_TEST(of_platform.at(1).mode == 0755U);
}

BOOST_FIXTURE_TEST_CASE(one_package_of_npm_stands_for_the_programs_of_several_platforms, PackBench) {
  const char* const other = platform() == "linux-x64" ? "linux-arm64" : "linux-x64";
  BOOST_TEST_REQUIRE(pack({"--format", "npm", "--npm-platform", other}, {hello}).status == 0);
  const auto main = files_of_tar_gz(in_packages("adder-1.0.0.tgz"));
  JsonObject expected;
  for (const std::string& name : {platform(), std::string(other)}) expected["adder-" + name] = "1.0.0";
  BOOST_TEST(parse_json(main.at(0).content).at("optionalDependencies") == expected);
  BOOST_TEST(holds(main.at(1).content, "\"" + std::string(other) + "\":\"adder-" + other + "\""), main.at(1).content);
  const auto before = in_packages("adder-1.0.0.tgz");
  BOOST_TEST_REQUIRE(pack({"--format", "npm", "--npm-platform", platform(), "--npm-platform", other}, {hello}).status ==
                     0);
  BOOST_TEST((in_packages("adder-1.0.0.tgz") == before));
}

BOOST_FIXTURE_TEST_CASE(the_script_of_npm_stands_for_the_program, PackBench) {
  put_node_on_path();
  if (!fs::exists(path + "/node")) return;
  const ProgramRun made = pack({"--format", "npm"}, {hello});
  BOOST_TEST_REQUIRE(made.status == 0, made.errors);
  BOOST_TEST(holds(made.out, "unpacked and started by node: 1 tool after "), made.out);
  const std::string node = path + "/node", script = unpacked_npm();
  const ProgramRun called = run_program({.command = {node, script, "--call", "add", R"({"a": 1, "b": 2})"}});
  BOOST_TEST(called.out == "3\n", called.errors);
  BOOST_TEST(run_program({.command = {node, script, "--nonsense"}}).status == 2);
  const std::string other =
      folder.file("other.js", "process.execve = (file, words) => console.log([file, ...words].join('|'));");
  const ProgramRun became = run_program({.command = {node, "--require", other, script, "a b", "c"}});
  const std::string file = (folder / "node_modules" / ("adder-" + platform()) / "bin/adder").string();
  BOOST_TEST(became.out == file + "|" + file + "|a b|c\n", became.errors);
  fs::remove_all(folder / "node_modules" / ("adder-" + platform()));
  const ProgramRun alone = run_program({.command = {node, script}});
  BOOST_TEST(alone.status == 1);
  BOOST_TEST(holds(alone.errors, "the package adder-" + platform() + " is missing"), alone.errors);
}

BOOST_FIXTURE_TEST_CASE(signals_reach_the_program_behind_the_script, PackBench) {
  put_node_on_path();
  if (!fs::exists(path + "/node")) return;
  BOOST_TEST_REQUIRE(pack({"--format", "npm"}, {hello}).status == 0);
  // Without execve, as in node before 22.15; and a signal may come as soon as there is a program.
  const std::string old = folder.file("old.js",
                                      "delete process.execve;\n"
                                      "const programs = require('node:child_process'), spawn = programs.spawn;\n"
                                      "programs.spawn = (...words) => {\n"
                                      "  if (process.listenerCount('SIGTERM') === 0) process.exit(3);\n"
                                      "  return spawn(...words);\n"
                                      "};\n");
  const Program server{.command = {path + "/node", "--require", old, unpacked_npm()}};
  Client client(server, {.revision = "2025-11-25"});
  BOOST_TEST(client.list_tools().size() == 1U);
  const std::string node = std::to_string(client.process()->id());
  const std::string children = content_of("/proc/" + node + "/task/" + node + "/children");
  BOOST_TEST_REQUIRE(!children.empty());
  client.process()->signal(SIGTERM);
  const ExitStatus ended = client.process()->wait();
  BOOST_TEST((ended.success() || ended.signal == SIGTERM), ended.text());
  BOOST_TEST(has_ended(std::stoi(children)), "the program has outlived the script");
}

BOOST_FIXTURE_TEST_CASE(secrets_are_asked_of_users_and_never_packed, PackBench) {
  const Words options{"--format", "mcpb",        "--format", "npm",
                      "--format", "server.json", "--secret", "ADDER_KEY=Of the account"};
  const ProgramRun unset = pack(options, {hello});
  BOOST_TEST(unset.status == 2);
  BOOST_TEST(holds(unset.errors, "--secret: expected that ADDER_KEY is set in this shell"), unset.errors);
  environment["ADDER_KEY"] = "tell-nobody";
  const ProgramRun made = pack(options, {hello});
  BOOST_TEST_REQUIRE(made.status == 0, made.errors);
  const auto files = files_of_zip(bundle());
  const Json manifest = parse_json(files.at(0).content);
  require_schema_of_bundles(manifest);
  BOOST_TEST(manifest.at("server").at("mcp_config").at("env") ==
             parse_json(R"({"ADDER_KEY": "${user_config.ADDER_KEY}"})"));
  BOOST_TEST(manifest.at("user_config") == parse_json(R"({"ADDER_KEY": {"type": "string", "title": "ADDER_KEY",
    "description": "Of the account", "required": true, "sensitive": true}})"));
  BOOST_TEST(
      parse_json(in_packages("server.json")).at("packages").at(0).at("environmentVariables") ==
      parse_json(R"([{"name": "ADDER_KEY", "description": "Of the account", "isRequired": true, "isSecret": true}])"));
  BOOST_TEST(!holds(files.at(0).content + in_packages("server.json"), "tell-nobody"));
  for (const PackedFile& file : files_of_tar_gz(in_packages("adder-1.0.0.tgz")))
    BOOST_TEST(!holds(file.content, "tell-nobody"), file.name);
  const auto server = server_in_bundle(manifest, "/bundle", {{"ADDER_KEY", {"tell-nobody"}}});
  BOOST_TEST(server.environment.at("ADDER_KEY") == "tell-nobody");
}

BOOST_FIXTURE_TEST_CASE(each_start_has_the_secrets_of_this_shell, PackBench) {
  // A variable that makes all servers write down what they hear.
  environment["TOOLWIRE_TRACE"] = project + "/trace";
  BOOST_TEST_REQUIRE(pack({"--format", "mcpb"}, {hello}).status == 0);
  BOOST_TEST(!fs::exists(project + "/trace"));
  BOOST_TEST_REQUIRE(
      pack({"--format", "mcpb", "--format", "npm", "--secret", "TOOLWIRE_TRACE=A file"}, {hello}).status == 0);
  const std::string trace = content_of(project + "/trace");
  std::size_t starts = 0;
  for (std::size_t at = trace.find("\"initialize\""); at != std::string::npos;
       at = trace.find("\"initialize\"", at + 1))
    ++starts;
  BOOST_TEST(starts == 3U, trace);
}
