// `toolwire pack`: what is in the packages, that they start, and that nothing is written that does not.
#define BOOST_TEST_MODULE toolwire_pack_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <toolwire/client.hpp>
#include <toolwire/json.hpp>
#include <toolwire/schema.hpp>
#include <toolwire/system/find_program.hpp>
#include <vector>

#include "install/server_start.hpp"
#include "pack/arguments.hpp"
#include "pack/bundle.hpp"
#include "pack/program_file.hpp"
#include "pack/tar.hpp"
#include "pack/trial.hpp"
#include "pack/zip.hpp"
#include "process_status.hpp"
#include "tools_bench.hpp"

using namespace toolwire;
using namespace toolwire::pack;
using namespace toolwire_test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

/// On the PATH of the test itself.
std::optional<std::string> program(const char* name) {
  const char* const path = std::getenv("PATH");
  const auto found = system::find_program(name, path == nullptr ? "" : path, system::RelativeFolders::skipped);
  if (!found) std::cerr << "SKIPPED: there is no " << name << " on PATH\n";
  return found;
}

struct Fixture : ToolsBench {
  const std::string packages = project + "/packages";
  const Words details{"--name", "io.github.me/adder", "--author", "Me", "--description", "Adds numbers"};

  /// `toolwire pack --name … --author … --description … MORE -- SERVER`
  ProgramRun pack(const Words& more, const Words& server) const {
    Words arguments{"pack"};
    for (const Words& part : {details, more, Words{"--"}, server})
      arguments.insert(arguments.end(), part.begin(), part.end());
    return run(arguments);
  }

  std::string in_packages(const std::string& name) const { return content_of(packages + "/" + name); }

  static std::string platform() { return "linux-" + read_program(TOOLWIRE_BIN_DIR "/hello").architecture; }

  std::string bundle() const { return in_packages("adder-1.0.0-" + platform() + ".mcpb"); }

  Words names_in_packages() const {
    Words names;
    for (const auto& entry : fs::directory_iterator(packages)) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  void put_node_on_path() const {
    const auto node = program("node");
    if (node) fs::create_symlink(*node, path + "/node");
  }

  /// Unpacks packages of npm as npm would.
  std::string unpacked_npm() const {
    const fs::path modules = folder / "node_modules";
    for (const std::string& name : {std::string("adder"), "adder-" + platform()}) {
      for (const PackedFile& file : files_of_tar_gz(in_packages(name + "-1.0.0.tgz"))) {
        const fs::path place = modules / name / file.name.substr(std::string("package/").size());
        fs::create_directories(place.parent_path());
        std::ofstream(place, std::ios::binary) << file.content;
        fs::permissions(place, static_cast<fs::perms>(file.mode));
      }
    }
    return (modules / "adder/bin/adder.js").string();
  }
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void require_schema_of_bundles(const Json& manifest) {
  const std::string text = content_of(TOOLWIRE_SHARED_DIR "/mcpb/mcpb-manifest-v0.3.schema.json");
  if (text.empty()) {
    std::cerr << "SKIPPED: there is no mcpb/mcpb-manifest-v0.3.schema.json in " TOOLWIRE_SHARED_DIR "\n";
    return;
  }
  for (const SchemaViolation& violation : Schema::compile(parse_json(text)).validate(manifest))
    BOOST_ERROR(violation.text());
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_bundle_holds_a_manifest_and_the_program_that_can_be_executed, Fixture) {
  const ProgramRun made = pack({"--format", "mcpb", "--license", "MIT", "--title", "Adder"}, {hello});
  BOOST_TEST_REQUIRE(made.status == 0, made.errors);
  BOOST_TEST(made.errors.empty(), made.errors);
  BOOST_TEST(holds(made.out, "unpacked and started: 1 tool after "), made.out);
  BOOST_TEST(names_in_packages() == (Words{"adder-1.0.0-" + platform() + ".mcpb"}), boost::test_tools::per_element());
  const auto files = files_of_zip(bundle());
  BOOST_TEST_REQUIRE(files.size() == 2U);
  BOOST_TEST(files[0].name == "manifest.json");
  BOOST_TEST(files[0].mode == 0644U);
  BOOST_TEST(files[1].name == "server/adder");
  BOOST_TEST(files[1].mode == 0755U);
  BOOST_TEST((files[1].content == content_of(hello)));
  const Json manifest = parse_json(files[0].content);
  require_schema_of_bundles(manifest);
  BOOST_TEST(manifest == parse_json(R"({
    "manifest_version": "0.3", "name": "adder", "display_name": "Adder", "version": "1.0.0",
    "description": "Adds numbers", "author": {"name": "Me"}, "license": "MIT",
    "server": {"type": "binary", "entry_point": "server/adder",
               "mcp_config": {"command": "${__dirname}/server/adder", "args": [], "env": {}}},
    "tools": [{"name": "add", "description": "Add two numbers"}], "tools_generated": false,
    "compatibility": {"platforms": ["linux"]}})"));
}

BOOST_FIXTURE_TEST_CASE(a_program_that_only_its_owner_may_execute_can_be_executed_by_all_from_the_bundle, Fixture) {
  fs::copy_file(hello, project + "/mine");
  fs::permissions(project + "/mine", fs::perms::owner_read | fs::perms::owner_exec);
  BOOST_TEST_REQUIRE(pack({"--format", "mcpb"}, {"./mine"}).status == 0);
  BOOST_TEST(files_of_zip(bundle())[1].mode == 0755U);
}

BOOST_FIXTURE_TEST_CASE(other_programs_read_the_archives, Fixture) {
  BOOST_TEST_REQUIRE(pack({}, {hello}).status == 0);
  const std::string zip = packages + "/adder-1.0.0-" + platform() + ".mcpb";
  if (const auto unzip = program("unzip")) {
    const ProgramRun tested = run_program({.command = {*unzip, "-t", zip}});
    BOOST_TEST(tested.status == 0, tested.out);
    BOOST_TEST(holds(tested.out, "No errors detected"), tested.out);
  }
  if (const auto python = program("python3")) {
    const std::string script =
        "import sys, zipfile\n"
        "z = zipfile.ZipFile(sys.argv[1])\n"
        "print(z.testzip(), [(i.filename, i.create_system, oct(i.external_attr >> 16), i.date_time) for i in "
        "z.infolist()])";
    const ProgramRun read = run_program({.command = {*python, "-c", script, zip}});
    BOOST_TEST(read.out ==
                   "None [('manifest.json', 3, '0o100644', (1980, 1, 1, 0, 0, 0)), "
                   "('server/adder', 3, '0o100755', (1980, 1, 1, 0, 0, 0))]\n",
               read.out << read.errors);
  }
  if (const auto tar = program("tar")) {
    const std::string tarball = packages + "/adder-" + platform() + "-1.0.0.tgz";
    const ProgramRun listed = run_program(
        {.command = {*tar, "--numeric-owner", "-tvzf", tarball}, .environment = {{"TZ", "UTC"}, {"LC_ALL", "C"}}});
    BOOST_TEST(listed.status == 0, listed.errors);
    BOOST_TEST(holds(listed.out, "-rw-r--r-- 0/0"), listed.out);
    BOOST_TEST(holds(listed.out, "1980-01-01 00:00 package/package.json\n-rwxr-xr-x 0/0"), listed.out);
    BOOST_TEST(listed.out.ends_with(" 1980-01-01 00:00 package/bin/adder\n"), listed.out);
  }
}

BOOST_FIXTURE_TEST_CASE(the_same_server_gives_the_same_bytes, Fixture) {
  const auto all_bytes = [&](const char* out, const Words& options = {}) {
    Words more{"--out", out};
    more.insert(more.end(), options.begin(), options.end());
    BOOST_TEST_REQUIRE(pack(more, {hello}).status == 0);
    std::map<std::string, std::string> bytes;
    for (const auto& entry : fs::directory_iterator(project + "/" + out))
      bytes[entry.path().filename().string()] = content_of(entry.path());
    return bytes;
  };
  const auto first = all_bytes("one");
  BOOST_TEST(first.size() == 4U);
  BOOST_TEST((all_bytes("two") == first));
  environment["SOURCE_DATE_EPOCH"] = "1000000000";
  const auto later = all_bytes("three", {"--format", "mcpb"});
  BOOST_TEST((later.begin()->second != first.at(later.begin()->first)));
  environment["SOURCE_DATE_EPOCH"] = "yesterday";
  const ProgramRun wrong = pack({"--out", "four"}, {hello});
  BOOST_TEST(wrong.status == 2);
  BOOST_TEST(holds(wrong.errors, "SOURCE_DATE_EPOCH: expected seconds since 1970, found \"yesterday\""), wrong.errors);
  BOOST_TEST(!fs::exists(project + "/four"));
}

BOOST_FIXTURE_TEST_CASE(an_entry_for_the_registry_has_the_digest_of_the_bundle_that_was_written, Fixture) {
  const std::string url = "https://github.com/me/adder/releases/download/v1/adder.mcpb";
  const ProgramRun made =
      pack({"--format", "mcpb", "--format", "server.json", "--url", url, "--repository", "https://github.com/me/adder"},
           {hello});
  BOOST_TEST_REQUIRE(made.status == 0, made.errors);
  BOOST_TEST(!holds(made.out, "note: "), made.out);
  const Json entry = parse_json(in_packages("server.json"));
  const Json& package = entry.at("packages").at(0);
  BOOST_TEST(entry.at("packages").as_array().size() == 1U);
  BOOST_TEST(package.at("identifier").as_string() == url);
  if (const auto sum = program("sha256sum")) {
    const ProgramRun summed = run_program({.command = {*sum, packages + "/adder-1.0.0-" + platform() + ".mcpb"}});
    BOOST_TEST(summed.out.substr(0, 64) == package.at("fileSha256").as_string());
  }
  BOOST_TEST(entry.at("name").as_string() == "io.github.me/adder");
  BOOST_TEST(entry.at("repository").at("source").as_string() == "github");
}

BOOST_FIXTURE_TEST_CASE(what_an_entry_for_the_registry_does_not_name_is_said, Fixture) {
  const ProgramRun made = pack({"--repository", "https://example.com/x"}, {hello});
  BOOST_TEST_REQUIRE(made.status == 0, made.errors);
  BOOST_TEST(holds(made.out, "note: server.json does not name the bundle, because --url does not say"), made.out);
  BOOST_TEST(holds(made.out, "note: server.json does not name the repository"), made.out);
  const Json entry = parse_json(in_packages("server.json"));
  BOOST_TEST(entry.at("packages").as_array().size() == 1U);
  BOOST_TEST(entry.at("packages").at(0).at("registryType").as_string() == "npm");
  BOOST_TEST_REQUIRE(pack({"--format", "server.json"}, {hello}).status == 0);
  BOOST_TEST(!parse_json(in_packages("server.json")).as_object().contains("packages"));
}

BOOST_FIXTURE_TEST_CASE(packages_of_npm_run_nothing_when_they_are_installed, Fixture) {
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

BOOST_FIXTURE_TEST_CASE(one_package_of_npm_stands_for_the_programs_of_several_platforms, Fixture) {
  const char* const other = platform() == "linux-x64" ? "linux-arm64" : "linux-x64";
  BOOST_TEST_REQUIRE(pack({"--format", "npm", "--npm-platform", other}, {hello}).status == 0);
  const auto main = files_of_tar_gz(in_packages("adder-1.0.0.tgz"));
  JsonObject expected;
  expected["adder-linux-arm64"] = expected["adder-linux-x64"] = "1.0.0";
  expected["adder-" + platform()] = "1.0.0";
  BOOST_TEST(parse_json(main.at(0).content).at("optionalDependencies") == expected);
  BOOST_TEST(holds(main.at(1).content, "\"" + std::string(other) + "\":\"adder-" + other + "\""), main.at(1).content);
  const auto before = in_packages("adder-1.0.0.tgz");
  BOOST_TEST_REQUIRE(pack({"--format", "npm", "--npm-platform", platform(), "--npm-platform", other}, {hello}).status ==
                     0);
  BOOST_TEST((in_packages("adder-1.0.0.tgz") == before));
}

BOOST_FIXTURE_TEST_CASE(the_script_of_npm_stands_for_the_program, Fixture) {
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

BOOST_FIXTURE_TEST_CASE(signals_reach_the_program_behind_the_script, Fixture) {
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

BOOST_FIXTURE_TEST_CASE(a_server_that_starts_only_where_it_was_made_is_not_packed, Fixture) {
  if (!fs::exists(TOOLWIRE_BIN_DIR "/workspace")) return;
  fs::create_directory(project + "/logs");
  std::ofstream(project + "/logs/audit") << "";
  const ProgramRun made = pack({}, {TOOLWIRE_BIN_DIR "/workspace", "--audit", "logs/audit"});
  BOOST_TEST(made.status == 1);
  BOOST_TEST(holds(made.errors, "warning: the argument logs/audit is a path of this machine"), made.errors);
  BOOST_TEST(holds(made.errors, "toolwire pack: the bundle was unpacked, and its server does not answer: "),
             made.errors);
  BOOST_TEST(!fs::exists(packages));
}

BOOST_FIXTURE_TEST_CASE(a_server_with_other_tools_than_before_is_not_packed, Fixture) {
  Package package{.name = "io.github.me/adder",
                  .short_name = "adder",
                  .version = "1.0.0",
                  .description = "Adds numbers",
                  .author = "Me",
                  .program = read_program(hello),
                  .tools = {{"add", ""}}};
  const Trial trial(package.arguments);
  BOOST_TEST(trial.bundle(zip_of(bundle_files(package), 0), package).tools.size() == 1U);
  package.tools.push_back({"subtract", ""});
  BOOST_CHECK_EXCEPTION(static_cast<void>(trial.bundle(zip_of(bundle_files(package), 0), package)), std::runtime_error,
                        [](const std::runtime_error& error) {
                          return holds(error.what(), "its server has other tools than before it was packed");
                        });
}

BOOST_FIXTURE_TEST_CASE(packages_that_are_there_stay_when_the_next_ones_fail, Fixture) {
  const Words formats{"--format", "mcpb", "--format", "server.json"};
  BOOST_TEST_REQUIRE(pack(formats, {hello}).status == 0);
  const auto before = files();
  BOOST_TEST(pack({}, {"/bin/cat"}).status == 1);
  BOOST_TEST(pack({"--version", "1"}, {hello}).status == 2);
  BOOST_TEST((files() == before));
  fs::remove(packages + "/server.json");
  fs::create_directory(packages + "/server.json");
  const Words names = names_in_packages();
  const ProgramRun wrong = pack({"--format", "mcpb", "--format", "server.json", "--version", "2.0.0"}, {hello});
  BOOST_TEST(wrong.status == 1);
  BOOST_TEST(holds(wrong.errors, "server.json: cannot be written: Is a directory"), wrong.errors);
  BOOST_TEST(names_in_packages() == names, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(libraries_that_others_may_not_have_are_named, Fixture) {
  const auto libraries = uncommon_libraries(read_program("/bin/ls"));
  if (libraries.empty()) {
    std::cerr << "SKIPPED: /bin/ls needs none\n";
    return;
  }
  const ProgramRun made = pack({}, {"/bin/ls"});
  BOOST_TEST(made.status == 1);
  BOOST_TEST(holds(made.errors,
                   "warning: /bin/ls needs libraries that are not in the packages and not on every "
                   "system: " +
                       libraries.front()),
             made.errors);
  BOOST_TEST(holds(made.errors, "the server does not answer, before it is packed: "), made.errors);
}

BOOST_FIXTURE_TEST_CASE(what_neither_the_options_nor_the_server_say_is_asked_for, Fixture) {
  const auto errors = [&](Words arguments) {
    arguments.insert(arguments.begin(), "pack");
    arguments.insert(arguments.end(), {"--", hello});
    const ProgramRun wrong = run(arguments);
    BOOST_TEST(wrong.status == 2);
    return wrong.errors;
  };
  BOOST_TEST(errors({}).starts_with("toolwire pack: --name: expected the name that the server has in the registry"));
  BOOST_TEST(errors({"--name", "a/b"}).starts_with("toolwire pack: --description: expected what the server does"));
  BOOST_TEST(errors({"--name", "a/b", "--description", "c"})
                 .starts_with("toolwire pack: --author: expected who has made the server"));
  BOOST_TEST(!fs::exists(packages));
}

BOOST_FIXTURE_TEST_CASE(mistakes_have_a_sentence_and_write_nothing, Fixture) {
  const std::vector<std::pair<Words, std::string>> mistakes{
      {{"--name", "adder"}, "--name: expected the name in the registry, such as io.github.USER/notes"},
      {{"--name", "io.github.me/a b"}, "--name: expected the name in the registry"},
      {{"--name", "io.github.me/.."}, "--name: expected the name in the registry"},
      {{"--name", "io.github.me/" + std::string(65, 'n')}, "--name: expected the name in the registry"},
      {{"--version", "latest"}, "--version: expected one such as 1.2.3 (semver.org), found \"latest\""},
      {{"--version", "1.2"}, "--version: expected one such as 1.2.3"},
      {{"--description", std::string(101, 'd')}, "--description: expected at most 100 characters, found 101"},
      {{"--title", "two\nlines"}, "--title: expected one line without hidden characters"},
      {{"--author", "\xff"}, "--author: expected UTF-8"},
      {{"--repository", "git@github.com:me/x"}, "--repository: expected an address that begins with https://"},
      {{"--url", "https://example.com/adder.mcpb"}, "--url: expected the address of a file in a release of GitHub"},
      {{"--url", "https://github.com/me/x/releases/download/v1/adder.mcpb", "--format", "mcpb"},
       "--url: expected both mcpb and server.json among the formats"},
      {{"--npm-name", "Adder"}, "--npm-name: expected a name of npm, such as notes or @user/notes"},
      {{"--npm-name", "@me/../adder"}, "--npm-name: expected a name of npm"},
      {{"--secret", "KEY"}, "--secret: expected NAME=TEXT, a variable and what it is for, and not its value"},
      {{"--secret", "a b=c"}, "--secret: expected NAME=TEXT"},
      {{"--secret", "A=x", "--secret", "A=y"}, "--secret: expected A once"},
      {{"--npm-platform", "win32-x64"},
       "--npm-platform: expected linux-x64, linux-arm64, linux-riscv64 or linux-loong64"},
      {{"--format", "deb"}, "--format: expected mcpb, server.json or npm, found \"deb\""},
      {{"--folder", "x=y"}, "--folder: expected {folder:x} or {folders:x} in the server's arguments"},
      {{"--folder", "x"}, "--folder: expected KEY=TEXT, found \"x\""}};
  for (const auto& [options, sentence] : mistakes) {
    Words arguments{"pack"};
    // The last of an option that is given twice would be a mistake of its own.
    for (std::size_t i = 0; i < details.size(); i += 2) {
      if (std::ranges::find(options, details[i]) == options.end())
        arguments.insert(arguments.end(), {details[i], details[i + 1]});
    }
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", hello});
    const ProgramRun wrong = run(arguments);
    BOOST_TEST(wrong.status == 2, sentence);
    BOOST_TEST(wrong.errors.starts_with("toolwire pack: " + sentence), wrong.errors << "expected " << sentence);
  }
  BOOST_TEST(pack({}, {hello, "{folder:1}"}).status == 2);
  BOOST_TEST(holds(run({"pack", "--name", "a/b"}).errors, "expected the server behind --"));
  const ProgramRun of_script = pack({}, {script("server.sh", "exit 0\n")});
  BOOST_TEST(of_script.status == 1);
  BOOST_TEST(holds(of_script.errors, "server.sh: expected a native program for Linux (ELF)"), of_script.errors);
  BOOST_TEST(!fs::exists(packages));
}

BOOST_FIXTURE_TEST_CASE(secrets_are_asked_of_users_and_never_packed, Fixture) {
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

BOOST_FIXTURE_TEST_CASE(each_start_has_the_secrets_of_this_shell, Fixture) {
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

BOOST_FIXTURE_TEST_CASE(a_version_that_the_server_does_not_have_is_packed_with_a_warning, Fixture) {
  const ProgramRun made = pack({"--version", "2.0.0-rc.1", "--format", "mcpb"}, {hello});
  BOOST_TEST(made.status == 0);
  BOOST_TEST(holds(made.errors, "warning: the server says that its version is \"1.0.0\", and not 2.0.0-rc.1"),
             made.errors);
  BOOST_TEST(names_in_packages().front() == "adder-2.0.0-rc.1-" + platform() + ".mcpb");
}

BOOST_FIXTURE_TEST_CASE(a_server_that_users_give_folders_to_starts_with_all_of_them, Fixture) {
  const std::string workspace = TOOLWIRE_BIN_DIR "/workspace";
  if (!fs::exists(workspace)) return;
  const ProgramRun made = run({"pack", "--name", "io.github.me/workspace", "--author", "Me", "--folder",
                               "roots=What may be read", "--", workspace, "--secrets", "{folders:roots}"});
  BOOST_TEST_REQUIRE(made.status == 0, made.errors);
  const std::string start = "workspace-" TOOLWIRE_VERSION "-";
  const auto files = files_of_zip(in_packages(start + platform() + ".mcpb"));
  const Json manifest = parse_json(files.at(0).content);
  require_schema_of_bundles(manifest);
  BOOST_TEST(manifest.at("server").at("mcp_config").at("args") ==
             parse_json(R"(["--secrets", "${user_config.roots}"])"));
  BOOST_TEST(manifest.at("user_config") == parse_json(R"({"roots": {"type": "directory", "title": "Roots",
    "description": "What may be read", "required": true, "multiple": true}})"));
  BOOST_TEST(manifest.at("description").as_string().starts_with("Read, list"));  // the server says it
  BOOST_TEST(manifest.at("display_name").as_string() == "Workspace");

  const fs::path bundle = folder.path() / "bundle";
  fs::create_directories(bundle / "server");
  std::ofstream(bundle / files.at(1).name, std::ios::binary) << files.at(1).content;
  fs::permissions(bundle / files.at(1).name, static_cast<fs::perms>(files.at(1).mode));
  folder.file("a b/one.txt", "1");
  folder.file("c/two.txt", "2");
  const hosts::Server server =
      server_in_bundle(manifest, bundle.string(), {{"roots", {(folder / "a b").string(), (folder / "c").string()}}});
  Client client(Program{.command = hosts::line_of(server)}, {.revision = "2025-11-25"});
  const std::string listed = client.call("find_files", {{"pattern", "*.txt"}}).text();
  BOOST_TEST(holds(listed, "one.txt"), listed);
  BOOST_TEST(holds(listed, "two.txt"), listed);
}
