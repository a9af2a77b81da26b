// What the READMEs below bridge/ show is true: every example goes through `check`, every command is run. An example or
// a command that this test does not know fails it, and so does one that no README has any more.
#define BOOST_TEST_MODULE bridge_readmes_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "process_bench.hpp"
#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

namespace fs = std::filesystem;

const fs::path bridge_folder = TOOLWIRE_SOURCE_DIR "/bridge";

/// By their paths below bridge/.
std::map<std::string, std::string> readmes() {
  std::map<std::string, std::string> all;
  for (auto entry = fs::recursive_directory_iterator(bridge_folder); entry != fs::recursive_directory_iterator();
       ++entry) {
    if (entry->path().filename() == "node_modules") entry.disable_recursion_pending();
    if (entry->path().extension() == ".md")
      all[fs::relative(entry->path(), bridge_folder).string()] = content_of(entry->path());
  }
  return all;
}

struct Block {
  std::string language;
  std::string text;
};

/// The fenced blocks of a README; what is left of it goes to `prose`.
std::vector<Block> blocks_of(const std::string& readme, std::string* prose = nullptr) {
  std::vector<Block> blocks;
  const std::string fence = "```";
  std::size_t from = 0;
  for (std::size_t at = readme.find("\n" + fence); at != std::string::npos; at = readme.find("\n" + fence, from)) {
    if (prose != nullptr) prose->append(readme, from, at - from).append("\n");
    const std::size_t line = at + 1 + fence.size();
    const std::size_t begin = readme.find('\n', line) + 1;
    const std::size_t end = readme.find("\n" + fence, begin - 1);
    BOOST_REQUIRE(end != std::string::npos);
    blocks.push_back({readme.substr(line, begin - 1 - line), readme.substr(begin, end + 1 - begin)});
    from = end + 1 + fence.size();
  }
  if (prose != nullptr) prose->append(readme, from);
  return blocks;
}

bool is_json(const Block& block) { return block.language == "json" || block.language == "jsonc"; }

// -- Examples ---------------------------------------------------------------------------------------------------------

/// A folder in which everything is that the examples speak of.
struct ExamplesFixture {
  ScratchFolder folder;

  ExamplesFixture() {
    JsonArray tools;
    for (const char* const name :
         {"count_words", "list_files", "weather", "spawn_agent", "summarize", "convert", "send_email", "read_file"}) {
      JsonObject properties{{"all", JsonObject{{"type", "boolean"}}}};
      for (const char* const text : {"text", "folder", "city", "units", "file", "path"})
        properties[text] = JsonObject{{"type", "string"}};
      tools.push_back(JsonObject{{"name", name},
                                 {"description", name},
                                 {"parameters", JsonObject{{"type", "object"}, {"properties", properties}}},
                                 {"metadata", JsonObject{{"enabled_by_default", true}, {"requires_approval", false}}}});
    }
    const JsonObject manifest{{"protocol_version", "1.0"},
                              {"scenario", JsonObject{{"name", "examples"}, {"version", "1"}, {"description", "d"}}},
                              {"tools", std::move(tools)},
                              {"generated_at", "2026-01-15T10:30:00Z"}};
    folder.file("manifest.json", to_json_text(manifest));
    folder.file("token", "a-token");
    folder.file("secret", "a-secret");
    run_program({.command = {"/bin/sh", "-c",
                             "umask 077; openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out '" +
                                 (folder / "toolwire.pem").string() + "'"}});
    folder.folder("work");
    folder.folder("notes");
    folder.folder("data");
    folder.file("tools/convert.py");
    folder.file("tools/python/word_count.py",
                blocks_of(content_of(bridge_folder / "runtimes/python/README.md")).at(0).text);
    for (const char* const name : {"npx", "tickets-mcp"})
      fs::permissions(folder.file("bin/" + std::string(name), "#!/bin/sh\n"), fs::perms::owner_exec,
                      fs::perm_options::add);
  }

  void check(const std::string& file, const std::vector<std::string>& more = {}) const {
    Program program{.command = {bridge_program, "check", file}};
    program.command.insert(program.command.end(), more.begin(), more.end());
    program.environment["HOME"] = folder.text();
    program.environment["PATH"] = (folder / "bin").string() + ":/usr/bin:/bin";
    program.environment["OTLP_TOKEN"] = "a token";
    const ProgramRun checked = run_program(program);
    BOOST_TEST(checked.status == 0, checked.out << checked.errors);
    BOOST_TEST(checked.out.find("no problems") != std::string::npos, checked.out);
  }
  /// As what "toolwire" of a configuration says beside the manifest, with each of its profiles.
  void check_own(const JsonObject& example) const {
    JsonObject own = example;
    own["manifests"] = JsonArray{"manifest.json"};
    std::vector<std::vector<std::string>> ways{{}};
    if (const Json* const profiles = own.if_contains("profiles")) {
      for (const auto& [name, ignored] : profiles->as_object()) ways.push_back({"--profile", name});
    }
    const std::string file = folder.file("mcp.json", to_json_text(JsonObject{{"toolwire", own}})).string();
    for (const auto& way : ways) check(file, way);
  }
};

using CheckExample = std::function<void(const ExamplesFixture&, const std::string&)>;

void configuration(const ExamplesFixture& here, const std::string& text) {
  const std::string file = here.folder.file("mcp.json", text).string();
  here.check(file);
  here.check(file, {"--profile", "careful"});
}
void servers(const ExamplesFixture& here, const std::string& text) {
  here.check(here.folder.file("mcp.json", text).string());
}
void manifest(const ExamplesFixture& here, const std::string& text) {
  here.check(here.folder.file("tools.json", text).string());
}
void part_of_configuration(const ExamplesFixture& here, const std::string& text) {
  here.check_own(parse_json(text).as_object());
}
void bindings(const ExamplesFixture& here, const std::string& text) {
  const std::string file = here.folder.file("b.json", text).string();
  const ProgramRun checked = run({"check", file});
  BOOST_TEST(checked.out.find("a bindings file without problems") != std::string::npos, checked.out);
  part_of_configuration(here, text);
}
void preferences(const ExamplesFixture& here, const std::string& text) {
  here.folder.file("preferences.json", text);
  const ProgramRun listed = run({"serve", (here.folder / "manifest.json").string(), "--preferences",
                                 (here.folder / "preferences.json").string(), "--list"});
  BOOST_TEST(listed.status == 0, listed.errors);
  part_of_configuration(here, text);
}
void binding(const ExamplesFixture& here, const std::string& text) {
  here.check_own({{"bindings", JsonObject{{"convert", parse_json(text)}}}});
}
void permissions(const ExamplesFixture& here, const std::string& text) {
  here.check_own(
      {{"runtimes", JsonObject{{"mine", JsonObject{{"tools", "tools/python"}, {"permissions", parse_json(text)}}}}}});
}

const std::map<std::string, std::vector<CheckExample>> examples{
    {"README.md", {manifest, bindings}},
    {"activities/README.md", {bindings}},
    {"activities/runtime/README.md", {bindings}},
    {"authorization/README.md", {servers, servers, servers}},
    {"cluster/README.md", {servers, servers}},
    {"configuration/README.md", {configuration}},
    {"configuration/servers_over_http.md", {servers}},
    {"confinement/README.md", {binding}},
    {"login/README.md", {servers, servers}},
    {"policy/README.md", {preferences}},
    {"runtimes/README.md", {permissions}},
    {"traces/README.md", {servers}}};

// -- Commands ---------------------------------------------------------------------------------------------------------

/// How a command is run: with names in the places of what it leaves open. A program that serves is at the end of its
/// input, or is told to end once it listens.
struct Run {
  std::vector<std::string> command;
  int status = 0;
  std::string says = {};  // on one of its two outputs
  std::string input = {};
};

/// A server of HTTP: until it listens, and then told to end.
const std::string listens = "listening on http://127.0.0.1:";
const std::string ping = R"({"jsonrpc":"2.0","protocol":"1.0.0","id":1,"method":"ping","params":{}})"
                         "\n";

const std::map<std::string, Run> commands{
    {"toolwire-bridge serve words.json", {{"serve", "words.json"}}},
    {"toolwire-bridge serve words.json --call count_words '{\"text\": \"one two three\"}'",
     {{"serve", "words.json", "--call", "count_words", R"({"text": "one two three"})"}, 0, "3"}},
    {"toolwire-bridge serve mcp.json", {{"serve", "mcp.json"}}},
    {"toolwire-bridge serve CONFIG", {{"serve", "mcp.json"}}},
    {"toolwire-bridge attach mcp.json", {{"attach", "mcp.json", "--idle-seconds", "0.1"}}},
    {"toolwire-bridge attach -- hello", {{"attach", "--idle-seconds", "0.1", "--", "hello"}}},
    {"toolwire-bridge check FILE", {{"check", "words.json"}, 0, "1 tool, no problems"}},
    {"toolwire-bridge check CONFIG", {{"check", "mcp.json"}, 0, "1 server, no problems"}},
    {"toolwire-bridge accept [SERVER [TOOL…]]", {{"accept"}, 0, "all tools are as they were accepted"}},
    {"toolwire-bridge accept SERVER [TOOL…]", {{"accept", "changed", "x"}, 0, "accepted: 1 change"}},
    {"toolwire-bridge import openapi FILE", {{"import", "openapi", "other.json"}, 0, "(1 tool)"}},
    {"toolwire-bridge import openapi pets.json", {{"import", "openapi", "pets.json"}, 0, "(1 tool)"}},
    {"toolwire-bridge schema", {{"schema"}, 0, "\"mcpServers\""}},
    {"toolwire-bridge serve tools.json", {{"serve", "tools.json"}}},
    {"toolwire-bridge serve tools.json --list", {{"serve", "tools.json", "--list"}, 0, "count_words"}},
    {"toolwire-bridge serve --scenario http://localhost:15000",
     {{"serve", "--scenario", "http://localhost:1"}, 0, "scenario http://localhost:1"}},
    {"toolwire-bridge serve --server hello=hello", {{"serve", "--server", "hello=hello"}}},
    {"toolwire-bridge serve --runtime mine=DIRECTORY", {{"serve", "--runtime", "mine=DIRECTORY"}}},
    {"toolwire-bridge call calls.json --tools tools.json", {{"call", "calls.json", "--tools", "tools.json"}, 0, "3"}},
    {"toolwire-bridge compose tools.json", {{"compose", "tools.json"}, 0, "count_words"}},
    {"toolwire-bridge manifest -- hello", {{"manifest", "--", "hello"}, 0, "\"add\""}},
    {"toolwire-bridge replay talk.json -- workspace --root .",
     {{"replay", "talk.json", "--", "workspace", "--root", "."}, 0, "\"toolResult\""}},
    {"toolwire-bridge run --prompt TEXT --model-command CMD -- hello",
     {{"run", "--prompt", "TEXT", "--model-command", "cat answer.json", "--", "hello"}, 0, "A word."}},
    {"toolwire-bridge run --format anthropic --conversation body.json --prompt 'What is here?' --transcript talk.json "
     "--model-command 'sh ask.sh' -- workspace --root .",
     {{"run", "--format", "anthropic", "--conversation", "body.json", "--prompt", "What is here?", "--transcript",
       "kept.json", "--model-command", "sh ask.sh", "--", "workspace", "--root", "."},
      0,
      "Some files."}},
    {"toolwire-bridge status", {{"status"}, 1, "no bridge of this user runs"}},
    {"toolwire-bridge stop PROCESS…", {{"stop", "--all"}, 1, "no bridge of this user listens"}},
    {"toolwire-bridge types --typescript tools.json", {{"types", "--typescript", "tools.json"}, 0, "count_words"}},
    {"toolwire-bridge http tools.json --listen 127.0.0.1:15000",
     {{"http", "tools.json", "--listen", "127.0.0.1:0"}, 0, listens}},
    // Without systemd, what it would start.
    {"systemd-run --user --scope -p Delegate=yes toolwire-bridge serve tools.json", {{"serve", "tools.json"}}},
    {"python3 -m toolwire_runtime DIRECTORY [--grant-all]",
     {{"/usr/bin/env", "python3", "-m", "toolwire_runtime", "DIRECTORY", "--grant-all"}, 0, "\"pid\"", ping}},
};

/// Run by tests of their own, which have to name them.
const std::map<std::string, std::string> run_elsewhere{
    {"node toolwire-runtime.js DIRECTORY [--grant-all]", "tests/process/bridge_typescript_test.cpp"},
    {"node dist/main.js DIRECTORY [--grant-all]", "tests/process/bridge_typescript_test.cpp"},
    {"npm ci --ignore-scripts && npm run build", "tests/process/typescript_runtime.sh"},
    {"npm test", "tests/process/typescript_runtime.sh"},
    {"toolwire-bridge serve mcp.json --listen unix:auto --keep", "tests/process/bridge_attach_sharing_test.cpp"},
    {"toolwire-bridge stop --all", "tests/process/bridge_attach_sharing_test.cpp"},
    {"toolwire-bridge serve mcp.json --listen http://127.0.0.1:8080/mcp",
     "tests/process/bridge_http_listening_test.cpp"},
    {"toolwire-bridge serve mcp.json --listen http://127.0.0.1:8080/mcp --token-file tokens",
     "tests/process/bridge_http_listening_test.cpp"},
    {"toolwire-bridge attach https://mcp.example.com/mcp --header 'Authorization: Bearer ${TOKEN}'",
     "tests/process/bridge_remote_servers_test.cpp"},
    {"toolwire-bridge login CONFIG SERVER", "tests/process/bridge_login_command_test.cpp"},
    {"toolwire-bridge login mcp.json issues", "tests/process/bridge_login_command_test.cpp"},
    {"toolwire-bridge login https://mcp.example.com/mcp", "tests/process/bridge_login_command_test.cpp"},
    {"toolwire-bridge logout mcp.json issues", "tests/process/bridge_login_command_test.cpp"},
    {"python3 -m venv --system-site-packages ENV", "bridge/runtimes/python/tests/test_install.py"},
    {"ENV/bin/pip install --no-build-isolation bridge/runtimes/python", "bridge/runtimes/python/tests/test_install.py"},
    {"python3 -m unittest discover -t . -s tests", "tests/CMakeLists.txt"},
};

bool is_command(const std::string& text) {
  for (const char* const program : {"toolwire-bridge ", "python3 ", "node ", "npm ", "systemd-run ", "ENV/bin/"}) {
    if (text.starts_with(program)) return true;
  }
  return false;
}

/// In code within a line, and in lines of blocks that are no program text.
std::set<std::string> commands_of(const std::string& readme) {
  std::set<std::string> found;
  std::string prose;
  for (const Block& block : blocks_of(readme, &prose)) {
    if (!block.language.empty() && block.language != "sh") continue;
    for (std::size_t at = 0; at < block.text.size();) {
      const std::size_t end = block.text.find('\n', at);
      std::string line = block.text.substr(at, end - at);
      line = line.substr(0, line.find("  #"));
      while (line.ends_with(' ')) line.pop_back();
      if (is_command(line)) found.insert(line);
      at = end + 1;
    }
  }
  const std::regex code("`([^`\n]+)`");
  for (std::sregex_iterator it(prose.begin(), prose.end(), code), end; it != end; ++it) {
    if (const std::string text = (*it)[1]; is_command(text)) found.insert(text);
  }
  return found;
}

/// A folder with all files that the commands name.
struct CommandsFixture : ExamplesFixture {
  CommandsFixture() {
    const fs::path examples_folder = bridge_folder / "examples";
    for (const char* const name : {"words", "tools"}) {
      folder.file(name + std::string(".json"), content_of(examples_folder / "words.json"));
      folder.file(name + std::string(".bindings.json"), content_of(examples_folder / "words.bindings.json"));
    }
    folder.file("mcp.json", R"j({"mcpServers": {"hello": {"command": "hello"}}})j");
    folder.file("calls.json",
                R"j({"calls": [{"_tool": "count_words", "_activity": "count_words", "text": "a b c"}]})j");
    for (const char* const name : {"pets.json", "other.json"})
      folder.file(name, R"j({"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": "https://pets.example"}], "paths": {"/pets": {"get": {"operationId": "listPets"}}}})j");
    folder.file("talk.json", R"j([
      {"role": "user", "content": [{"type": "text", "text": "What is here?"}]},
      {"role": "assistant", "content": [{"type": "toolCall", "id": "1", "name": "list_files", "input": {}}],
       "stopReason": "toolUse", "model": "any", "usage": {"inputTokens": 1, "outputTokens": 1}}])j");
    folder.file("answer.json", R"j({"role": "assistant", "content": [{"type": "text", "text": "A word."}],
      "stopReason": "stop", "model": "any", "usage": {"inputTokens": 1, "outputTokens": 1}})j");
    folder.file("body.json", R"j({"model": "any", "max_tokens": 4096, "system": "Be brief."})j");
    folder.file("ask.sh", R"sh(grep -q '"system": "Be brief."' && echo '{"role": "assistant", "stop_reason": "end_turn",
      "content": [{"type": "text", "text": "Some files."}], "usage": {"input_tokens": 1, "output_tokens": 1}}'
)sh");
    folder.file("DIRECTORY/word_count.py", content_of(folder / "tools/python/word_count.py"));
    make_a_change();
  }

  /// A server "changed", whose tool is not what it was at its first start.
  void make_a_change() const {
    folder.file("server.sh", R"sh(read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}'
read -r line
read -r line
echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"x","description":"'"$(cat said)"'","inputSchema":{"type":"object"}}]}}'
cat > /dev/null
)sh");
    folder.file("changing.json", R"j({"mcpServers": {"changed": {"command": "sh", "args": ["server.sh"]}},
      "toolwire": {"servers": {"changed": {"revision": "2025-06-18"}}}})j");
    for (const char* const said : {"first", "second"}) {
      folder.file("said", said);
      Client client(program({bridge_program, "serve", "changing.json"}));
      BOOST_TEST(client.list_tools().size() == 1U);
      if (said == std::string("second"))
        BOOST_TEST(eventually([&] { return client.process()->error_tail().find("accept it") != std::string::npos; }));
    }
  }

  Program program(std::vector<std::string> command) const {
    Program made{.command = std::move(command)};
    made.directory = folder.text();
    made.environment["XDG_STATE_HOME"] = (folder / "state").string();
    made.environment["XDG_RUNTIME_DIR"] = (folder / "runtime").string();
    made.environment["PYTHONPATH"] = (bridge_folder / "runtimes/python").string();
    made.environment["PYTHONDONTWRITEBYTECODE"] = "1";
    const char* const path = std::getenv("PATH");
    made.environment["PATH"] = TOOLWIRE_BIN_DIR ":" + std::string(path == nullptr ? "/usr/bin:/bin" : path);
    return made;
  }

  void run_one(const Run& one) const {
    std::vector<std::string> command = one.command;
    if (!command.front().starts_with('/')) command.insert(command.begin(), bridge_program);
    if (one.says == listens) return run_http(std::move(command));
    const ProgramRun ended = run_program(program(std::move(command)), one.input);
    BOOST_TEST(ended.status == one.status, ended.errors);
    BOOST_TEST((ended.out + ended.errors).find(one.says) != std::string::npos, ended.out << ended.errors);
  }

  void run_http(std::vector<std::string> command) const {
    ChildProcess process(program(std::move(command)));
    std::string line;
    for (char c = 0; process.transport().read(&c, 1) == 1 && c != '\n';) line += c;
    BOOST_TEST(line.starts_with(listens), line);
    process.signal(SIGTERM);
    BOOST_TEST(process.wait().code == 0);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_example_goes_through_check) {
  for (const auto& [name, text] : readmes()) {
    std::vector<Block> shown = blocks_of(text);
    std::erase_if(shown, [](const Block& block) { return !is_json(block); });
    const auto known = examples.find(name);
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(shown.size() == (known == examples.end() ? 0U : known->second.size()));
      for (std::size_t i = 0; known != examples.end() && i < std::min(shown.size(), known->second.size()); ++i) {
        const ExamplesFixture here;
        BOOST_TEST_CONTEXT("example " << i) { known->second[i](here, shown[i].text); }
      }
    }
  }
  const auto all = readmes();
  for (const auto& [name, ignored] : examples) BOOST_TEST(all.contains(name), name);
}

BOOST_FIXTURE_TEST_CASE(every_command_runs, CommandsFixture) {
  std::set<std::string> shown;
  for (const auto& [name, text] : readmes()) shown.merge(commands_of(text));
  for (const std::string& command : shown)
    BOOST_TEST((commands.contains(command) || run_elsewhere.contains(command)), "nothing runs: " << command);
  // What changes what another looks at comes first: there is one thing to accept.
  run_one(commands.at("toolwire-bridge accept SERVER [TOOL…]"));
  for (const auto& [command, one] : commands) {
    BOOST_TEST(shown.contains(command), "no README has: " << command);
    if (command == "toolwire-bridge accept SERVER [TOOL…]") continue;
    BOOST_TEST_CONTEXT(command) { run_one(one); }
  }
  for (const auto& [command, file] : run_elsewhere) {
    BOOST_TEST(shown.contains(command), "no README has: " << command);
    BOOST_TEST(fs::exists(fs::path(TOOLWIRE_SOURCE_DIR) / file), file);
  }
}

BOOST_AUTO_TEST_CASE(the_first_screen_shows_the_files_of_the_examples) {
  const std::string readme = content_of(bridge_folder / "README.md");
  for (const char* const name : {"words.json", "words.bindings.json"}) {
    const std::string shown = "```json\n" + content_of(bridge_folder / "examples" / name) + "```\n";
    const std::size_t at = readme.find(shown);
    BOOST_REQUIRE(at != std::string::npos);
    BOOST_TEST(std::count(readme.begin(), readme.begin() + static_cast<std::ptrdiff_t>(at), '\n') < 40, name);
  }
}

BOOST_AUTO_TEST_CASE(an_example_or_a_command_that_nobody_knows_is_found) {
  const std::string readme =
      "Text `toolwire-bridge fly --high` and\n\n```json\n{}\n```\n\n```sh\nnpm start   # it\n```\n`--list`\n";
  BOOST_TEST(commands_of(readme) == (std::set<std::string>{"npm start", "toolwire-bridge fly --high"}),
             boost::test_tools::per_element());
  BOOST_TEST(blocks_of(readme).size() == 2U);
  BOOST_TEST(is_json(blocks_of(readme).front()));
}
