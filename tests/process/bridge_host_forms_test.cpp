// The files in which hosts keep their MCP servers, each as its host writes it: all of them are served as they are.
#define BOOST_TEST_MODULE bridge_host_forms_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "serve_bench.hpp"

using namespace toolwire_test;

namespace {

struct Form {
  const char* host;
  const char* file;
  const char* text;  // HELLO stands for the path of the server
};

const std::vector<Form> forms{
    {"Claude Code", ".mcp.json", R"j({
  "mcpServers": {
    "hello": {"type": "stdio", "command": "HELLO", "args": [], "env": {}}
  }
})j"},
    {"Claude Desktop", "claude_desktop_config.json", R"j({
  "globalShortcut": "Alt+Space",
  "mcpServers": {"hello": {"command": "HELLO"}}
})j"},
    {"Cursor", "mcp.json", R"j({
  "mcpServers": {
    "hello": {"command": "HELLO", "args": [], "env": {"API_KEY": "${HELLO_KEY:-none}"}, "cwd": "${HOME}"}
  }
})j"},
    {"VS Code", "mcp.json", R"j({
  // Servers of this workspace
  "inputs": [{"type": "promptString", "id": "key", "description": "A key", "password": true}],
  "servers": {
    "hello": {"type": "stdio", "command": "HELLO", "args": [], "env": {"PLACE": "${env:HOME}"}, "envFile": ".env",},
  },
})j"},
    {"Copilot CLI", "mcp-config.json", R"j({
  "mcpServers": {
    "hello": {"type": "local", "command": "HELLO", "args": [], "env": {}, "tools": ["*"]}
  }
})j"},
    {"Copilot CLI, in a project", ".mcp.json", R"j({
  "mcpServers": {"hello": {"type": "stdio", "command": "HELLO", "args": [], "env": {}, "tools": ["*"]}}
})j"},
    {"Gemini CLI", "settings.json", R"j({
  "theme": "Default",
  "selectedAuthType": "oauth-personal",
  "mcpServers": {
    "hello": {"command": "HELLO", "args": [], "env": {}, "cwd": ".", "timeout": 30000, "trust": false,
              "includeTools": ["add"], "excludeTools": []}
  }
})j"},
    {"opencode", "opencode.json", R"j({
  "$schema": "https://opencode.ai/config.json",
  "theme": "opencode",
  "mcp": {
    "hello": {"type": "local", "command": ["HELLO"], "enabled": true, "environment": {}},
    "later": {"type": "remote", "url": "https://mcp.example.com", "enabled": false, "headers": {}}
  }
})j"},
    {"Cline", "cline_mcp_settings.json", R"j({
  "mcpServers": {
    "hello": {"command": "HELLO", "args": [], "env": {}, "disabled": false, "autoApprove": ["add"], "timeout": 60},
    "gone": {"command": "/nowhere/server", "disabled": true}
  }
})j"},
    {"Cline CLI", "cline_mcp_settings.json", R"j({
  "mcpServers": {"hello": {"command": "HELLO", "args": [], "disabled": false}}
})j"},
    {"Zed", "settings.json", R"j({
  // Zed settings
  "ui_font_size": 16,
  "context_servers": {
    "hello": {"source": "custom", "enabled": true, "command": "HELLO", "args": [], "env": {}},
  },
})j"},
    {"Zed, as it was", "settings.json", R"j({
  "context_servers": {"hello": {"command": {"path": "HELLO", "args": [], "env": {}}, "settings": {}}}
})j"},
    {"Windsurf", "mcp_config.json", R"j({
  "mcpServers": {
    "hello": {"command": "HELLO", "args": [], "disabledTools": []},
    "there": {"serverUrl": "http://127.0.0.1:1/mcp"}
  }
})j"},
    {"Antigravity", "mcp_config.json", R"j({
  "mcpServers": {
    "hello": {"command": "HELLO", "args": [], "env": {}},
    "there": {"serverUrl": "http://127.0.0.1:1/mcp", "headers": {"Authorization": "Bearer x"}}
  }
})j"},
    {"Kiro", "mcp.json", R"j({
  "mcpServers": {
    "hello": {"command": "HELLO", "args": [], "env": {}, "disabled": false, "autoApprove": [], "disabledTools": ["sub"]}
  }
})j"},
    {"Crush", "crush.json", R"j({
  "$schema": "https://charm.land/crush.json",
  "lsp": {"go": {"command": "gopls"}},
  "mcp": {"hello": {"type": "stdio", "command": "HELLO", "args": [], "env": {}, "timeout": 120, "disabled": false}}
})j"},
    {"LM Studio, Junie", "mcp.json", R"j({"mcpServers": {"hello": {"command": "HELLO", "args": [], "env": {}}}})j"},
    {"mcporter", "mcporter.json", R"j({
  "mcpServers": {"hello": {"description": "Adds", "command": "HELLO", "args": [], "lifecycle": "keep-alive"}},
  "imports": []
})j"},
};

std::string with_path(std::string text) {
  const std::string path = TOOLWIRE_BIN_DIR "/hello";
  for (std::size_t at = text.find("\"HELLO\""); at != std::string::npos; at = text.find("\"HELLO\"", at + path.size()))
    text.replace(at + 1, 5, path);
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_host_has_is_served_as_it_is) {
  BOOST_TEST(forms.size() == 18U);
  for (const Form& form : forms) {
    const ScratchFolder folder;
    const std::string file = folder.file(form.file, with_path(form.text)).string();
    folder.file(".env", "PLACE_OF_FILE=here\n");
    const ProgramRun called = run({"serve", file, "--call", "add", R"({"a": 1, "b": 2})"});
    const ProgramRun checked = run({"check", file});
    BOOST_TEST_CONTEXT(form.host << ": " << called.errors << checked.out << checked.errors) {
      BOOST_TEST(called.status == 0);
      BOOST_TEST(called.out.find('3') != std::string::npos);
      BOOST_TEST(checked.status == 0);
      const bool has_another = std::string_view(form.text).find("\"there\"") != std::string_view::npos;
      const char* const servers = has_another ? "2 servers, no problems" : "1 server, no problems";
      BOOST_TEST(checked.out.find(servers) != std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(filters_of_hosts_hold) {
  const ScratchFolder folder;
  for (const auto& [filter, is_offered] :
       {std::pair{"includeTools", true}, {"tools", true}, {"excludeTools", false}, {"disabledTools", false}}) {
    const std::string file =
        folder
            .file("mcp.json", with_path(std::string(R"j({"mcpServers": {"hello": {"command": "HELLO", ")j") + filter +
                                        R"j(": ["add"]}}})j"))
            .string();
    const ProgramRun listed = run({"serve", file, "--list"});
    BOOST_TEST_CONTEXT(filter << ": " << listed.errors)
    BOOST_TEST((listed.out.find("add") != std::string::npos) == is_offered);
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_is_reached_over_http_is_taken_in_the_spellings_of_hosts) {
  const ScratchFolder folder;
  for (const char* const entry :
       {R"("type": "http", "url": "https://mcp.example.com/mcp", "headers": {"Authorization": "Bearer ${PATH}"})",
        R"("type": "streamable-http", "url": "https://mcp.example.com/mcp")", R"("httpUrl": "http://127.0.0.1:1/mcp")",
        R"("serverUrl": "https://mcp.example.com/mcp")", R"("type": "remote", "url": "https://mcp.example.com")",
        R"("type": "sse", "url": "https://mcp.example.com/sse", "disabled": true}, "b": {"command": "sh")"}) {
    const std::string file =
        folder.file("mcp.json", std::string(R"({"mcpServers": {"there": {)") + entry + "}}}").string();
    const ProgramRun checked = run({"check", file});
    BOOST_TEST(checked.status == 0, entry << checked.out);
    BOOST_TEST(checked.out.find("1 server, no problems") != std::string::npos, entry << checked.out);
    BOOST_TEST(checked.out.find("hint") == std::string::npos, entry << checked.out);
  }
  const std::string open =
      folder
          .file("mcp.json",
                R"({"mcpServers": {"there": {"url": "http://mcp.example.com", "headers": {"X-Key": "y"}}}})")
          .string();
  BOOST_TEST(run({"check", open}).out.find("its headers are sent without encryption") != std::string::npos);
}
