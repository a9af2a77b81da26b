// Read in November 2026 from the hosts' documentation, from the sources of three installers, and from measurements.
#include <algorithm>
#include <array>
#include <string>

#include "host.hpp"

namespace toolwire::hosts {
namespace {

using namespace std::chrono_literals;

/// The same place on each system.
constexpr Places everywhere(std::string_view place) { return {.linux_ = place, .mac = place, .windows = place}; }

constexpr std::string_view typed_entry = R"({"type": "stdio", "command": "@command", "args": "@args", "env": "@env"})";
constexpr std::string_view cline_entry =
    R"({"command": "@command", "args": "@args", "env": "@env", "disabled": false})";

constexpr std::array table{
    Host{.name = "antigravity",
         .title = "Antigravity",
         .key = "mcpServers",
         .user = {.linux_ = "~/.gemini/config/mcp_config.json|~/.gemini/antigravity/mcp_config.json",
                  .mac = "~/.gemini/config/mcp_config.json|~/.gemini/antigravity/mcp_config.json",
                  .windows = "~/.gemini/config/mcp_config.json|~/.gemini/antigravity/mcp_config.json",
                  .linux_trust = Trust::print_only,
                  .mac_trust = Trust::print_only,
                  .windows_trust = Trust::print_only},
         .project = everywhere(".agents/mcp_config.json"),
         .own = {.program = "agy", .add = "mcp add @name @line", .user = true, .takes_any_argument = false},
         .schemas_as = "Gemini"},
    Host{.name = "claude-code",
         .title = "Claude Code",
         .key = "mcpServers",
         .entry = typed_entry,
         .user = everywhere("!$CLAUDE_CONFIG_DIR/.claude.json|~/.claude.json"),
         .project = everywhere(".mcp.json"),
         .has_local = true,
         .own = {.program = "claude",
                 .add = "mcp add-json -s @scope @name @json",
                 .remove = "mcp remove -s @scope @name",
                 .user = true,
                 .project = true,
                 .local = true},
         .schemas_as = "Claude",
         .kept_names = " claude-in-chrome computer-use workspace ",  // of 2.1.332
         .note = "a session that is open sees it after /mcp or a restart; of a project it asks the user once"},
    Host{.name = "claude-desktop",
         .title = "Claude Desktop",
         .key = "mcpServers",
         .user = {.linux_ = "~/.config/Claude/claude_desktop_config.json|~/.config/claude/claude_desktop_config.json",
                  .mac = "~/Library/Application Support/Claude/claude_desktop_config.json",
                  .windows = "%APPDATA%\\Claude\\claude_desktop_config.json",
                  .linux_trust = Trust::print_only},
         .schemas_as = "Claude",
         .note = "quit it and start it again"},
    Host{.name = "cline-cli",
         .title = "Cline (command line)",
         .key = "mcpServers",
         .entry = cline_entry,
         .user = everywhere(
             "!$CLINE_DIR/data/settings/cline_mcp_settings.json|~/.cline/data/settings/cline_mcp_settings.json"),
         .start_limit = 3s},
    Host{.name = "cline-ext",
         .title = "Cline (in VS Code)",
         .key = "mcpServers",
         .entry = cline_entry,
         .user = {.linux_ = "!$XDG_CONFIG_HOME/Code/User/globalStorage/saoudrizwan.claude-dev/settings/"
                            "cline_mcp_settings.json|~/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/"
                            "cline_mcp_settings.json",
                  .mac = "~/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/"
                         "cline_mcp_settings.json",
                  .windows = "%APPDATA%\\Code\\User\\globalStorage\\saoudrizwan.claude-dev\\settings\\"
                             "cline_mcp_settings.json"}},
    Host{.name = "codex",
         .title = "Codex",
         .format = Format::toml,
         .key = "mcp_servers",
         .user = everywhere("!$CODEX_HOME/config.toml|~/.codex/config.toml"),
         .project = everywhere(".codex/config.toml"),
         .own = {.program = "codex",
                 .add = "mcp add @name @env:--env -- @line",
                 .remove = "mcp remove @name",
                 .user = true},
         .start_limit = 10s,
         .slow_start = 1s,
         .other_sdk = true,
         .note = "a project has to be trusted; `codex exec` begins without servers that take longer than a second, "
                 "unless required = true stands in the table"},
    Host{.name = "continue",
         .title = "Continue",
         .format = Format::yaml,
         .key = "mcpServers",
         .entry = R"({"name": "@name", "command": "@command", "args": "@args", "env": "@env"})",
         .is_list = true,
         .user = everywhere("~/.continue/config.yaml")},
    Host{.name = "copilot-cli",
         .title = "Copilot CLI",
         .key = "mcpServers",
         .entry = R"({"type": "stdio", "command": "@command", "args": "@args", "env": "@env", "tools": ["*"]})",
         .needed = "tools",
         .user =
             everywhere("!$COPILOT_HOME/mcp-config.json|~/.copilot/mcp-config.json|$XDG_CONFIG_HOME/mcp-config.json"),
         .project = everywhere(".mcp.json|.github/mcp.json"),
         .own = {.program = "copilot", .add = "mcp add @name @env:--env -- @line", .user = true},
         .note = "of the environment a server gets PATH and what --env names"},
    Host{.name = "crush",
         .title = "Crush",
         .key = "mcp",
         .entry = typed_entry,
         .user = {.linux_ = "!$XDG_CONFIG_HOME/crush/crush.json|~/.config/crush/crush.json",
                  .mac = "!$XDG_CONFIG_HOME/crush/crush.json|~/.config/crush/crush.json",
                  .windows = "%LOCALAPPDATA%\\crush\\crush.json"},
         .project = everywhere(".crush.json"),
         .other_sdk = true},
    Host{.name = "cursor",
         .title = "Cursor",
         .key = "mcpServers",
         .user = everywhere("~/.cursor/mcp.json"),
         .project = everywhere(".cursor/mcp.json"),
         .links = {.link = "cursor://anysphere.cursor-deeplink/mcp/install?name=@name&config=@base64",
                   .web = "https://cursor.com/install-mcp?name=@name&config=@base64"},
         .schemas_as = "Cursor"},
    Host{.name = "gemini-cli",
         .title = "Gemini CLI",
         .format = Format::commented_json,  // as 0.61.0 reads it
         .key = "mcpServers",
         .user = everywhere("~/.gemini/settings.json"),
         .project = everywhere(".gemini/settings.json"),
         .own = {.program = "gemini",
                 .add = "mcp add -s @scope @env:-e @name @program -- @args",
                 .user = true,
                 .project = true},
         .start_limit = 5s,
         .schemas_as = "Gemini",
         .variables = "${ $A",
         .note = "a server that writes more than 64 KiB to standard error and waits there hangs"},
    Host{.name = "goose",
         .title = "goose",
         .format = Format::yaml,
         .key = "extensions",
         .entry = R"({"name": "@name", "type": "stdio", "cmd": "@command", "args": "@args", "envs": "@env",
                      "enabled": true, "timeout": 300, "description": ""})",
         .user = {.linux_ = "!$XDG_CONFIG_HOME/goose/config.yaml|~/.config/goose/config.yaml",
                  .mac = "~/.config/goose/config.yaml",
                  .windows = "%APPDATA%\\Block\\goose\\config\\config.yaml"},
         .links = {.link = "goose://extension?cmd=@command@args&id=@name&name=@name"},
         .other_sdk = true},
    Host{.name = "junie",
         .title = "Junie",
         .key = "mcpServers",
         .user = {.linux_ = "~/.junie/mcp/mcp.json",
                  .mac = "~/.junie/mcp/mcp.json",
                  .windows = "~/.junie/mcp/mcp.json",
                  .linux_trust = Trust::if_there,
                  .mac_trust = Trust::if_there,
                  .windows_trust = Trust::if_there},
         .project = {.linux_ = ".junie/mcp/mcp.json",
                     .mac = ".junie/mcp/mcp.json",
                     .windows = ".junie/mcp/mcp.json",
                     .linux_trust = Trust::if_there,
                     .mac_trust = Trust::if_there,
                     .windows_trust = Trust::if_there}},
    Host{.name = "kiro",
         .title = "Kiro",
         .key = "mcpServers",
         .user = everywhere("~/.kiro/settings/mcp.json"),
         .project = everywhere(".kiro/settings/mcp.json")},
    Host{.name = "lmstudio",
         .title = "LM Studio",
         .key = "mcpServers",
         .user = everywhere("~/.lmstudio/mcp.json|~/.cache/lm-studio/mcp.json")},
    Host{.name = "mcporter",
         .title = "mcporter",
         .format = Format::jsonc,
         .key = "mcpServers",
         .user = everywhere("~/.mcporter/mcporter.json|~/.mcporter/mcporter.jsonc"),
         .project = everywhere("config/mcporter.json")},
    Host{.name = "opencode",
         .title = "opencode",
         .format = Format::jsonc,
         .key = "mcp",
         .entry = R"({"type": "local", "command": "@line", "enabled": true, "environment": "@env"})",
         .user = everywhere("!$XDG_CONFIG_HOME/opencode/opencode.json|~/.config/opencode/opencode.json"),
         .project = everywhere("opencode.json"),
         .variables = "${ {env: {file:"},
    Host{.name = "vscode",
         .title = "VS Code",
         .format = Format::jsonc,
         .key = "servers",
         .entry = typed_entry,
         .user = {.linux_ = "!$XDG_CONFIG_HOME/Code/User/mcp.json|~/.config/Code/User/mcp.json",
                  .mac = "~/Library/Application Support/Code/User/mcp.json",
                  .windows = "%APPDATA%\\Code\\User\\mcp.json"},
         .project = everywhere(".vscode/mcp.json"),
         .own = {.program = "code", .add = "--add-mcp @named", .user = true},
         .links = {.link = "vscode:mcp/install?@named",
                   .web = "https://insiders.vscode.dev/redirect/mcp/install?name=@name&config=@percent"},
         .schemas_as = "VS Code",
         .other_sdk = true},
    Host{.name = "windsurf",
         .title = "Windsurf",
         .key = "mcpServers",
         .user = everywhere("~/.codeium/windsurf/mcp_config.json")},
    Host{.name = "zed",
         .title = "Zed",
         .format = Format::jsonc,
         .key = "context_servers",
         .entry = R"({"source": "custom", "enabled": true, "command": "@command", "args": "@args", "env": "@env"})",
         .user = {.linux_ = "!$XDG_CONFIG_HOME/zed/settings.json|~/.config/zed/settings.json",
                  .mac = "~/Library/Application Support/Zed/settings.json|~/.config/zed/settings.json",
                  .windows = "%APPDATA%\\Zed\\settings.json",
                  .mac_trust = Trust::if_there},
         .project = everywhere(".zed/settings.json"),
         .other_sdk = true},
};

static_assert(std::ranges::is_sorted(table, {}, &Host::name));

}  // namespace

std::span<const Host> all_hosts() { return table; }

bool keeps_name(const Host& host, std::string_view server) {
  return host.kept_names.find(" " + std::string(server) + " ") != std::string_view::npos;
}

const Host* find_host(std::string_view name) {
  const auto* const found = std::ranges::find(table, name, &Host::name);
  return found == table.end() ? nullptr : found;
}

std::string_view name_of(Scope scope) {
  switch (scope) {
    case Scope::user:
      return "user";
    case Scope::project:
      return "project";
    case Scope::local:
      break;
  }
  return "local";
}

}  // namespace toolwire::hosts
