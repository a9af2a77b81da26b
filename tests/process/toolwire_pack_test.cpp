// `toolwire pack`: what is in bundles and in entries for the registry, that they start, and that nothing is written
// that does not.
#define BOOST_TEST_MODULE toolwire_pack_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <toolwire/client.hpp>
#include <toolwire/json.hpp>
#include <toolwire/system/private_file.hpp>
#include <utility>
#include <vector>

#include "pack/bundle.hpp"
#include "pack/program_file.hpp"
#include "pack/tar.hpp"
#include "pack/trial.hpp"
#include "pack/zip.hpp"
#include "pack_bench.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire::pack;
using namespace toolwire_test;
namespace fs = std::filesystem;

BOOST_FIXTURE_TEST_CASE(a_bundle_holds_a_manifest_and_the_program_that_can_be_executed, PackBench) {
  const ProgramRun made = pack({"--format", "mcpb", "--license", "MIT", "--title", "Adder"}, {hello});
  BOOST_TEST_REQUIRE(made.status == 0, made.errors);
  // In some builds it is linked to libraries, which is a warning.
  BOOST_TEST(made.errors.empty() == uncommon_libraries(read_program(hello)).empty(), made.errors);
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

BOOST_FIXTURE_TEST_CASE(files_that_are_named_stand_in_every_package, PackBench) {
  std::ofstream(project + "/LICENSE") << "Do as you like.\n";
  const ProgramRun made = pack({"--file", "LICENSE"}, {hello});
  BOOST_TEST_REQUIRE(made.status == 0, made.errors);
  const PackedFile in_bundle{.name = "LICENSE", .content = "Do as you like.\n"};
  BOOST_TEST((files_of_zip(bundle()).at(2) == in_bundle));
  PackedFile in_npm = in_bundle;
  in_npm.name = "package/LICENSE";
  for (const std::string& name : {std::string("adder-1.0.0.tgz"), "adder-" + platform() + "-1.0.0.tgz"}) {
    const auto files = files_of_tar_gz(in_packages(name));
    BOOST_TEST((files.at(2) == in_npm), name);
    BOOST_TEST(parse_json(files.at(0).content).at("files").at(1) == Json("LICENSE"), name);
  }
}

BOOST_FIXTURE_TEST_CASE(files_that_cannot_stand_in_packages_are_refused, PackBench) {
  std::ofstream(project + "/manifest.json") << "{}";
  std::ofstream(project + "/README") << "";
  const ProgramRun taken = pack({"--file", "manifest.json"}, {hello});
  BOOST_TEST(taken.status == 2);
  BOOST_TEST(holds(taken.errors, "--file: expected another name than those in packages, found \"manifest.json\""),
             taken.errors);
  const ProgramRun twice = pack({"--file", "README", "--file", project + "/README"}, {hello});
  BOOST_TEST(twice.status == 2);
  BOOST_TEST(holds(twice.errors, "--file: expected each name once, found \"README\""), twice.errors);
  const ProgramRun missing = pack({"--file", "LICENSE"}, {hello});
  BOOST_TEST(missing.status == 1);
  BOOST_TEST(holds(missing.errors, "/LICENSE: cannot be read: No such file or directory"), missing.errors);
  BOOST_TEST(!fs::exists(packages));
}

BOOST_FIXTURE_TEST_CASE(a_program_that_only_its_owner_may_execute_can_be_executed_by_all_from_the_bundle, PackBench) {
  fs::copy_file(hello, project + "/mine");
  fs::permissions(project + "/mine", fs::perms::owner_read | fs::perms::owner_exec);
  BOOST_TEST_REQUIRE(pack({"--format", "mcpb"}, {"./mine"}).status == 0);
  BOOST_TEST(files_of_zip(bundle())[1].mode == 0755U);
}

BOOST_FIXTURE_TEST_CASE(other_programs_read_the_archives, PackBench) {
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

BOOST_FIXTURE_TEST_CASE(the_same_server_gives_the_same_bytes, PackBench) {
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

BOOST_FIXTURE_TEST_CASE(an_entry_for_the_registry_has_the_digest_of_the_bundle_that_was_written, PackBench) {
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

BOOST_FIXTURE_TEST_CASE(what_an_entry_for_the_registry_does_not_name_is_said, PackBench) {
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

BOOST_FIXTURE_TEST_CASE(a_server_that_starts_only_where_it_was_made_is_not_packed, PackBench) {
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

BOOST_FIXTURE_TEST_CASE(a_server_with_other_tools_than_before_is_not_packed, PackBench) {
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

BOOST_AUTO_TEST_CASE(what_killed_ones_have_unpacked_is_removed_and_nothing_else) {
  using toolwire::system::PrivateFile;
  const toolwire_test::ScratchFolder place;
  const auto locked = [](const fs::path& folder) {
    return PrivateFile((folder / "lock").string(), PrivateFile::Access::read_and_write);
  };
  const auto grows_old = [](const fs::path& folder) {
    fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(1));
  };
  const auto folder = [&](const std::string& name) {
    const fs::path made = place.folder(name);
    std::ofstream(made / "program") << "program";
    static_cast<void>(locked(made));
    return made;
  };
  const fs::path left = folder("toolwire-pack-1"), fresh = folder("toolwire-pack-2"), used = folder("toolwire-pack-3");
  const fs::path strange = folder("toolwire-pack-x"), without = place.folder("toolwire-pack-4");
  for (const fs::path& old : {left, used, strange, without}) grows_old(old);
  fs::create_directory_symlink(strange, place / "toolwire-pack-5");
  const PrivateFile lock = locked(used);
  BOOST_TEST(lock.lock(std::chrono::milliseconds(0)));
  const char* const usual = std::getenv("TMPDIR");
  const std::string before = usual == nullptr ? "/tmp" : usual;
  BOOST_REQUIRE(::setenv("TMPDIR", place.text().c_str(), 1) == 0);
  { const Trial trial(Arguments{}); }
  ::setenv("TMPDIR", before.c_str(), 1);
  BOOST_TEST(!fs::exists(left));
  for (const fs::path& stays : {fresh, used, strange}) BOOST_TEST(fs::exists(stays / "program"), stays);
  BOOST_TEST(fs::exists(without));
  BOOST_TEST(std::distance(fs::directory_iterator(place.path()), {}) == 5);
}

BOOST_FIXTURE_TEST_CASE(packages_that_are_there_stay_when_the_next_ones_fail, PackBench) {
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

BOOST_FIXTURE_TEST_CASE(libraries_that_others_may_not_have_are_named, PackBench) {
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

BOOST_FIXTURE_TEST_CASE(what_neither_the_options_nor_the_server_say_is_asked_for, PackBench) {
  const auto errors = [&](Words arguments) {
    arguments.insert(arguments.begin(), "pack");
    arguments.insert(arguments.end(), {"--", hello});
    const ProgramRun wrong = run(arguments);
    BOOST_TEST(wrong.status == 2);
    return wrong.errors;
  };
  const auto expect = [&](const Words& arguments, const std::string& sentence) {
    const std::string found = errors(arguments);
    BOOST_TEST(holds(found, "toolwire pack: " + sentence), found);
  };
  expect({}, "--name: expected the name that the server has in the registry");
  expect({"--name", "a/b"}, "--description: expected what the server does");
  expect({"--name", "a/b", "--description", "c"}, "--author: expected who has made the server");
  BOOST_TEST(!fs::exists(packages));
}

BOOST_FIXTURE_TEST_CASE(mistakes_have_a_sentence_and_write_nothing, PackBench) {
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

BOOST_FIXTURE_TEST_CASE(a_version_that_the_server_does_not_have_is_packed_with_a_warning, PackBench) {
  const ProgramRun made = pack({"--version", "2.0.0-rc.1", "--format", "mcpb"}, {hello});
  BOOST_TEST(made.status == 0);
  BOOST_TEST(holds(made.errors, "warning: the server says that its version is \"1.0.0\", and not 2.0.0-rc.1"),
             made.errors);
  BOOST_TEST(names_in_packages().front() == "adder-2.0.0-rc.1-" + platform() + ".mcpb");
}

BOOST_FIXTURE_TEST_CASE(a_server_that_users_give_folders_to_starts_with_all_of_them, PackBench) {
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
