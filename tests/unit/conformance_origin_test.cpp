#include "target/origin.hpp"

#define BOOST_TEST_MODULE conformance_origin_test
#include <boost/test/unit_test.hpp>

#include "scratch_folder.hpp"

using namespace toolwire::conformance;
using toolwire_test::ScratchFolder;

namespace {

std::string read_text(const Origin& origin) {
  std::string text = origin.server ? origin.server->text() : "-";
  for (const Package& sdk : origin.sdks) text += ", " + sdk.registry + " " + sdk.text();
  return text;
}

std::string origin(const ScratchFolder& folder, const std::vector<std::string>& words) {
  return read_text(origin_of(std::vector<StartedAs>{{words, folder.path()}}));
}

void write_npm_server(const ScratchFolder& folder) {
  folder.file("node_modules/@a/server/package.json",
              R"({"name": "@a/server", "version": "1.2.3", "dependencies": {"@modelcontextprotocol/sdk": "^1.0.0"}})");
  folder.file("node_modules/@a/server/dist/package.json", R"({"type": "module"})");
  folder.file("node_modules/@a/server/dist/index.js", "#!/usr/bin/env node\n");
  folder.file("node_modules/@modelcontextprotocol/sdk/package.json",
              R"({"name": "@modelcontextprotocol/sdk", "version": "1.22.0"})");
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_npm_server_is_found_by_its_script) {
  const ScratchFolder folder;
  write_npm_server(folder);
  BOOST_TEST(origin(folder, {"node", "node_modules/@a/server/dist/index.js", "--port", "1"}) ==
             "@a/server 1.2.3, npm @modelcontextprotocol/sdk 1.22.0");
}

BOOST_AUTO_TEST_CASE(an_npm_server_is_found_by_the_link_that_starts_it) {
  const ScratchFolder folder;
  write_npm_server(folder);
  folder.folder("node_modules/.bin");
  folder.link("../@a/server/dist/index.js", "node_modules/.bin/a-server");
  BOOST_TEST(origin(folder, {"node", (folder / "node_modules/.bin/a-server").string()}) ==
             "@a/server 1.2.3, npm @modelcontextprotocol/sdk 1.22.0");
}

BOOST_AUTO_TEST_CASE(the_sdk_of_the_package_itself_comes_before_one_beside_it) {
  const ScratchFolder folder;
  write_npm_server(folder);
  folder.file("node_modules/@a/server/node_modules/@modelcontextprotocol/sdk/package.json",
              R"({"name": "@modelcontextprotocol/sdk", "version": "1.0.0"})");
  BOOST_TEST(origin(folder, {"node", "node_modules/@a/server/dist/index.js"}) ==
             "@a/server 1.2.3, npm @modelcontextprotocol/sdk 1.0.0");
}

BOOST_AUTO_TEST_CASE(an_sdk_that_only_lies_beside_it_is_not_the_servers) {
  const ScratchFolder folder;
  write_npm_server(folder);
  folder.file("node_modules/b/package.json", R"({"name": "b", "version": "2.0.0"})");
  folder.file("node_modules/b/index.js");
  BOOST_TEST(origin(folder, {"node", "node_modules/b/index.js"}) == "b 2.0.0");
}

BOOST_AUTO_TEST_CASE(an_sdk_that_a_needed_package_needs_is_the_servers) {
  const ScratchFolder folder;
  write_npm_server(folder);
  folder.file("node_modules/b/package.json", R"({"name": "b", "version": "2.0.0", "dependencies": {"fastmcp": "1"}})");
  folder.file("node_modules/b/index.js");
  folder.file("node_modules/fastmcp/package.json",
              R"({"name": "fastmcp", "version": "1.5.0", "dependencies": {"@modelcontextprotocol/sdk": "1"}})");
  BOOST_TEST(origin(folder, {"node", "node_modules/b/index.js"}) ==
             "b 2.0.0, npm fastmcp 1.5.0, npm @modelcontextprotocol/sdk 1.22.0");
}

BOOST_AUTO_TEST_CASE(a_program_in_a_package_of_npm_says_what_it_is_made_of) {
  const ScratchFolder folder;
  write_npm_server(folder);
  folder.file("node_modules/go/package.json", R"({"name": "go", "version": "0.1.0"})");
  folder.file("node_modules/go/bin/server",
              "\x7f"
              "ELF\ndep\tgithub.com/modelcontextprotocol/go-sdk\tv1.8.0\th1:abc=\n");
  BOOST_TEST(origin(folder, {"node_modules/go/bin/server"}) ==
             "go 0.1.0, go github.com/modelcontextprotocol/go-sdk v1.8.0");
}

BOOST_AUTO_TEST_CASE(settings_in_a_package_of_others_say_nothing_of_the_server) {
  const ScratchFolder folder;
  write_npm_server(folder);
  folder.file("package.json", R"({"name": "the-users-own", "version": "9.0.0"})");
  folder.file("settings.yaml", "port: 1\n");
  BOOST_TEST(origin(folder, {"node", "node_modules/@a/server/dist/index.js", "--settings", "settings.yaml"}) ==
             "@a/server 1.2.3, npm @modelcontextprotocol/sdk 1.22.0");
}

BOOST_AUTO_TEST_CASE(a_program_that_starts_packages_of_others_is_not_the_server) {
  const ScratchFolder folder;
  folder.file("npm/package.json", R"({"name": "npm", "version": "10.0.0"})");
  folder.file("npm/bin/npx-cli.js");
  BOOST_TEST(origin(folder, {"node", "npm/bin/npx-cli.js", "-y", "@a/server"}) == "-");
}

BOOST_AUTO_TEST_CASE(the_packages_of_an_environment_of_python_are_found_by_its_interpreter) {
  const ScratchFolder folder;
  folder.folder("venv/bin");
  folder.link("/bin/true", "venv/bin/python3");
  folder.folder("venv/lib/python3.11/site-packages/mcp-1.9.4.dist-info");
  folder.folder("venv/lib/python3.11/site-packages/fastmcp-2.3.0.dist-info");
  folder.folder("venv/lib/python3.11/site-packages/mcp_other-1.0.dist-info");
  folder.file("venv/bin/a-server", "#!" + (folder / "venv/bin/python3").string() + "\nimport sys\n");
  const std::string by_script = origin(folder, {"venv/bin/a-server"});
  BOOST_TEST(
      (by_script == "-, pypi mcp 1.9.4, pypi fastmcp 2.3.0" || by_script == "-, pypi fastmcp 2.3.0, pypi mcp 1.9.4"),
      by_script);
  BOOST_TEST(origin(folder, {"venv/bin/python3", "-m", "a"}) == by_script);
}

BOOST_AUTO_TEST_CASE(the_packages_of_debians_python_are_found) {
  const ScratchFolder folder;
  folder.folder("usr/bin");
  folder.link("/bin/true", "usr/bin/python3");
  folder.folder("usr/lib/python3/dist-packages/mcp-1.28.1.dist-info");
  BOOST_TEST(origin(folder, {"usr/bin/python3", "server.py"}) == "-, pypi mcp 1.28.1");
}

BOOST_AUTO_TEST_CASE(modules_are_found_in_programs) {
  const ScratchFolder folder;
  const std::string elf =
      "\x7f"
      "ELF";
  folder.file("go", elf + "path\tx\nmod\tx\t(devel)\t\ndep\tgithub.com/mark3labs/mcp-go\tv0.32.0\th1:abc=\n");
  folder.file("rust", elf + "/root/.cargo/registry/src/index.crates.io-1/rmcp-macros/src/rmcp-0.8.1/src/service.rs");
  folder.file("cs", elf + "{\"libraries\": {\"ModelContextProtocol/0.4.0-preview.1\": {}}}");
  BOOST_TEST(origin(folder, {"./go"}) == "-, go github.com/mark3labs/mcp-go v0.32.0");
  BOOST_TEST(origin(folder, {"./rust", "stdio"}) == "-, cargo rmcp 0.8.1");
  BOOST_TEST(origin(folder, {"./cs"}) == "-, nuget ModelContextProtocol 0.4.0-preview.1");
}

BOOST_AUTO_TEST_CASE(nothing_is_said_of_what_is_not_known) {
  const ScratchFolder folder;
  folder.file("server.sh", "#!/bin/sh\n");
  BOOST_TEST(origin(folder, {"/bin/sh", "server.sh"}) == "-");
  BOOST_TEST(origin(folder, {"no-such-program"}) == "-");
  BOOST_TEST(read_text(origin_of({})) == "-");
}
