// `toolwire-bridge import openapi`: the files it writes are served as they are, and never take another's place.
#define BOOST_TEST_MODULE bridge_import_test
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <string>

#include "http_test_server.hpp"
#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

const char* const description = R"j({"openapi": "3.0.0", "info": {"title": "Pets", "version": "1"},
  "servers": [{"url": "https://pets.example"}], "security": [{"key": []}],
  "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}},
  "paths": {"/pets/{id}": {"put": {"operationId": "putPet", "tags": ["pets"],
    "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}},
                   {"name": "dry-run", "in": "query", "schema": {"type": "boolean"}},
                   {"name": "sid", "in": "cookie", "schema": {"type": "string"}}],
    "requestBody": {"content": {"application/json": {"schema": {"type": "object", "required": ["name"],
      "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}}}}}}}})j";

struct ImportFixture {
  ScratchFolder folder;
  const std::string file = folder.file("pets.json", description).string();
  const std::string manifest = (folder / "pets.tools.json").string();

  ProgramRun import(std::vector<std::string> more = {}) const {
    std::vector<std::string> command{"import", "openapi", file, "--output", manifest};
    command.insert(command.end(), more.begin(), more.end());
    return run(command);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_is_written_passes_check_and_serves_real_requests, ImportFixture) {
  HttpTestServer service([](const std::string&) { return HttpAnswer::json(R"({"ok":true})"); });
  const ProgramRun imported = import({"--base-url", service.origin()});
  BOOST_TEST(imported.status == 0, imported.errors);
  BOOST_TEST(imported.out.find("(1 tool) and ") != std::string::npos, imported.out);
  BOOST_TEST(imported.out.find("to be set in the environment: PETS_KEY, the header X-Key") != std::string::npos);
  BOOST_TEST(imported.errors.find("pets.json:7: /paths/~1pets~1{id}/put/parameters/2: parameters in \"cookie\"") !=
                 std::string::npos,
             imported.errors);
  const std::string configuration =
      folder
          .file("mcp.json",
                R"j({"toolwire": {"manifests": ["pets.tools.json"], "tools": {"putPet": {"approval": "skip"}}}})j")
          .string();
  BOOST_TEST(run({"check", configuration}).out.find("1 tool of files, no problems") != std::string::npos);
  Program program{.command = {bridge_program, "serve", configuration}};
  program.environment["XDG_STATE_HOME"] = folder.text();
  program.environment["PETS_KEY"] = "the-key";
  Client client(program);
  const auto answer = client.call("putPet", {{"id", 7}, {"dry_run", true}, {"name", "Rex"}});
  BOOST_TEST(answer.text().find("true") != std::string::npos, answer.text());
  const std::string request = service.requests().at(0);
  BOOST_TEST(request.find("PUT /pets/7?dry-run=true HTTP/1.1\r\n") == 0U, request);
  BOOST_TEST(request.find("X-Key: the-key\r\n") != std::string::npos, request);
  BOOST_TEST(request.ends_with("{\"name\":\"Rex\"}"), request);
}

BOOST_FIXTURE_TEST_CASE(a_variable_that_is_set_for_something_else_is_told_of, ImportFixture) {
  BOOST_TEST(import().out.find("it is set already") == std::string::npos);
  Program program{.command = {bridge_program, "import", "openapi", file, "--output", (folder / "b.json").string()}};
  program.environment["PETS_KEY"] = "of another service";
  const ProgramRun imported = run_program(program);
  BOOST_TEST(imported.out.find("PETS_KEY, the header X-Key; it is set already: write another name into the bindings") !=
                 std::string::npos,
             imported.out);
}

BOOST_FIXTURE_TEST_CASE(no_file_is_written_over, ImportFixture) {
  BOOST_TEST(import().status == 0);
  folder.file("pets.tools.json", "edited");
  const ProgramRun again = import();
  BOOST_TEST(again.status == 1);
  BOOST_TEST(again.errors.find("pets.tools.json: there is such a file already") != std::string::npos, again.errors);
  BOOST_TEST(content_of(manifest) == "edited");
}

BOOST_FIXTURE_TEST_CASE(what_was_left_by_one_that_was_killed_is_removed, ImportFixture) {
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::minutes(2);
  std::filesystem::last_write_time(folder.file(".toolwire-1.tmp", "old"), long_ago);
  folder.file(".toolwire-2.tmp", "being written");
  BOOST_TEST(import().status == 0);
  BOOST_TEST(!std::filesystem::exists(folder / ".toolwire-1.tmp"));
  BOOST_TEST(std::filesystem::exists(folder / ".toolwire-2.tmp"));
}

BOOST_FIXTURE_TEST_CASE(mistakes_have_a_status_and_a_sentence, ImportFixture) {
  BOOST_TEST(run({"import"}).status == 2);
  BOOST_TEST(run({"import", "openapi"}).status == 2);
  BOOST_TEST(run({"import", "openapi", folder.text()}).status == 2);
  folder.file("pets.json", R"({"swagger": "2.0"})");
  const ProgramRun old = import();
  BOOST_TEST(old.status == 1);
  BOOST_TEST(old.errors.find("pets.json:1: /swagger: expected OpenAPI 3.0 or 3.1") != std::string::npos, old.errors);
}
