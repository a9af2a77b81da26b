// `toolwire install` and `uninstall` with files as each host writes them and as people keep them: a file for each of
// the twenty, with other servers, and in several ways to write the same.
#define BOOST_TEST_MODULE toolwire_wild_files_test
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "edited_texts.hpp"
#include "hosts/config_text.hpp"
#include "hosts/host_entry.hpp"
#include "hosts/host_files.hpp"
#include "tools_bench.hpp"

using namespace toolwire;
using namespace toolwire::hosts;
using namespace toolwire_test;
namespace fs = std::filesystem;

namespace {

/// @project stands for the folder that one works in.
const std::map<std::string_view, std::string_view> wild_files{
    {"antigravity", R"({
    "mcpServers": {
        "firebase": {"$typeName": "exa.cascade_plugins_pb.CascadePluginCommandTemplate", "command": "npx", "args": ["-y", "firebase-tools@latest", "mcp"], "disabledTools": ["a"]}
    }
}
)"},
    {"claude-code", R"({
  "numStartups": 412,
  "tipsHistory": { "new-user-warmup": 3, "shift-enter": 401 },
  "projects": {
    "/elsewhere": { "allowedTools": [], "mcpServers": {}, "history": [ { "display": "fix \"it\" \\ // please", "pastedContents": {} } ] },
    "@project": {
      "allowedTools": [],
      "mcpServers": {
        "local-db": { "type": "stdio", "command": "db", "args": ["--url", "postgres://u:p%40@h/d"], "env": {} }
      },
      "hasTrustDialogAccepted": true,
      "lastCost": 1.2300000000000002,
      "lastSessionId": "0d8b\u2026"
    }
  },
  "oauthAccount": null,
  "mcpServers": {
    "sentry": { "type": "http", "url": "https://mcp.example/mcp", "headers": { "Authorization": "Bearer ${TOKEN:-none}" } }
  },
  "cachedChangelog": "# Changelog\n\n## 2.1\n- \u00e9, ü, 😀\n"
})"},
    {"claude-desktop", R"({
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "C:\\Users\\me\\Desktop"]
    }
  },
  "preferences": { "menuBarEnabled": false }
}
)"},
    {"cline-cli", R"({
  "mcpServers": {
    "github": { "command": "docker",
      "args": ["run", "-i", "--rm"], "env": { "TOKEN": "" }, "disabled": true, "autoApprove": [], "timeout": 60 }
    }
}
)"},
    {"cline-ext", R"({
  "mcpServers": {
    "context7": {
      "autoApprove": [
        "resolve-library-id"
      ],
      "disabled": false,
      "timeout": 60,
      "type": "streamableHttp",
      "url": "https://mcp.example/mcp"
    }
  }
})"},
    {"codex", R"(# my settings
model = "gpt-5"   # for now
model_reasoning_effort="high"
notify = [
    "bash", "-lc",
    "say 'done'", # aloud
]

[projects."/home/me/work"]
trust_level = "trusted"
[projects.'@project']
trust_level = "untrusted"

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs",]
  [mcp_servers.docs.env]
  "API KEY" = 'x # no comment'

# [mcp_servers.old]
# command = "old"

[[skills.config]]
path = "/a"
[tui]
notifications = [ "agent-turn-complete", ]
)"},
    {"continue", R"(name: Local Assistant
version: 1.0.0
schema: v1
mcpServers:
  # the first
  - name: SQLite
    command: npx
    args: ["-y", "mcp-sqlite", "/path/to/your/database.db"]
context:
- provider: code
)"},
    {"copilot-cli", R"({
	"mcpServers" : {
		"playwright" : { "type": "local", "command": "npx", "tools": [ "*" ], "args": [ "@playwright/mcp@latest" ] },
		"off" : { "type": "http", "url": "https://mcp.example/", "tools": [ ] , "headers": { } }
	}
}

)"},
    {"crush", R"({
  "$schema": "https://charm.land/crush.json",
  "lsp": { "go": { "command": "gopls" } },
  "mcp": {
    "github": {
      "type": "http",
      "url": "https://api.example/mcp/",
      "headers": { "Authorization": "Bearer $GH_PAT" }
    }
  },
  "permissions": { "allowed_tools": ["view", "mcp_context7_get-library-doc"] }
}
)"},
    {"cursor", R"({
  "mcpServers": {
      "linear": {"url": "https://mcp.example/sse"},


    "postgres":
    {
      "command": "uvx", "args": [ "postgres-mcp" , "--access-mode=restricted" ], "env": {"URI":"${env:URI}" } }

  }
}
)"},
    {"gemini-cli", R"({
  "security": { "auth": { "selectedType": "oauth-personal" } },
  "ui": { "theme": "Default" }, // too bright?
  "mcpServers": {
    // "playwright": {
    //   "command": "npx", "args": ["@playwright/mcp@latest", "--headless"],
    // },
    "context7": {
      "httpUrl": "https://mcp.example/mcp" /* as in their README */
    }
  },
  "mcp": { "excluded": ["other"] }
}
)"},
    {"goose", R"(GOOSE_PROVIDER: openai
extensions:
  developer:
    bundled: true
    enabled: true
    name: developer
    timeout: 300
    type: builtin
  fetch:   # mine
    {type: stdio, cmd: uvx, args: [mcp-server-fetch], enabled: true, name: fetch}
)"},
    {"junie", R"({ "mcpServers":
  { "one": { "command": "node", "args": ["C:/a b/server.js"] } }
  , "two": 2
}
)"},
    {"kiro", R"({
  "mcpServers": {
    "fetch": {
      "command": "uvx",
      "args": ["mcp-server-fetch"],
      "env": {},
      "disabled": true,
      "autoApprove": []
    }
  },
  "powers": {
    "mcpServers": { "power-x": { "url": "https://mcp.example" } }
  }
}
)"},
    {"lmstudio", R"({
  "mcpServers": {
    "hf-mcp-server": {
      "url": "https://mcp.example/mcp",
      "headers": {
        "Authorization": "Bearer <YOUR_TOKEN>"
      }
    }
  }
})"},
    {"mcporter", R"({
  "$schema": "https://raw.example/mcporter.schema.json",
  // shared with the others
  "imports": ["cursor", "claude-code", "codex",],
  "mcpServers": {
    "chrome-devtools": {"command": "npx -y chrome-devtools-mcp@latest", "lifecycle": "keep-alive",}, // kept
  },
}
)"},
    {"opencode", R"({
  "$schema": "https://opencode.ai/config.json",
  "theme": "system", /* {env:THEME} */
  "mcp": {
    "jira": { "type": "remote", "url": "https://mcp.example/mcp", "enabled": false }, // not today
    /*
    "old": { "type": "local", "command": ["bun", "x", "old"] },
    */
  },
  "permission": { "*": "ask", "jira_*": "deny" }
}
)"},
    {"vscode", R"({
	"inputs": [
		// asked once
		{ "type": "promptString", "id": "key", "description": "Key", "password": true },
	],
	"servers": {
		"github": {
			"type": "http",
			"url": "https://api.example/mcp/",
		},
		/* slow */ "perplexity": { "type": "stdio", "command": "npx", "args": ["-y", "p"], "env": { "K": "${input:key}" } }
	}
}
)"},
    {"windsurf",
     R"({"mcpServers":{"figma":{"serverUrl":"https://mcp.example/sse","disabled":false},"git":{"command":"uvx","args":["mcp-server-git"],"disabledTools":["git_reset"]}}})"},
    {"zed", R"(// Zed settings
//
// For information on how to configure Zed, see the Zed documentation
{
  "agent": { "default_model": { "provider": "zed.dev", "model": "m" }, },
  "context_servers": {
    "mcp-server-context7": { "enabled": true, "settings": { "key": "" }, },
    // "other": { "source": "custom" },
  },
  "buffer_font_size": 15.0, // "ui_font_size": 16
  "theme": { "mode": "system", "light": "One Light", "dark": "One Dark", },
}
)"}};

std::string with_each(std::string text, std::string_view part, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size())
    text.replace(at, part.size(), by);
  return text;
}

/// Tabs in place of two blanks before each line.
std::string indented_by_tabs(const std::string& text) {
  std::string out;
  bool is_begin = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_begin && text.compare(at, 2, "  ") == 0) {
      out += '\t';
      ++at;
      continue;
    }
    is_begin = text[at] == '\n';
    out += text[at];
  }
  return out;
}

const std::vector<std::pair<std::string, std::function<std::string(const std::string&)>>> ways{
    {"as it is", [](const std::string& text) { return text; }},
    {"lines of Windows", [](const std::string& text) { return with_each(text, "\n", "\r\n"); }},
    {"a byte order mark", [](const std::string& text) { return "\xEF\xBB\xBF" + text; }},
    {"tabs", indented_by_tabs},
    {"no end of the last line",
     [](const std::string& text) { return text.substr(0, text.find_last_not_of('\n') + 1); }},
    {"blank lines behind", [](const std::string& text) { return text + "\n \n\n"; }}};

struct Fixture : ToolsBench {
  Surroundings here() const {
    return {.system = System::linux_,
            .variable =
                [this](const std::string& name) {
                  return environment.contains(name) ? environment.at(name) : std::string();
                },
            .home = home,
            .folder = project};
  }

  std::string put(const Host& host, Scope scope, const std::string& text) const {
    std::string file = host_file(host, scope, here())->path;
    fs::create_directories(fs::path(file).parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

  /// What each host's file holds, in each scope that the host has and in the first so many of the ways to write it.
  void for_each_file(const std::function<void(const Host&, const std::vector<std::string>& scope_option,
                                              const std::string& file, const std::string& before)>& look,
                     std::size_t ways_to_write = ways.size()) const {
    for (const Host& host : all_hosts()) {
      for (const Scope scope : scopes_of(host, here())) {
        for (const auto& [way, written] : std::span(ways).first(ways_to_write)) {
          BOOST_TEST_CONTEXT(host.name << ", " << name_of(scope) << ", " << way) {
            const std::string before = written(with_each(std::string(wild_files.at(host.name)), "@project", project));
            const std::string file = put(host, scope, before);
            look(host, {"--scope", std::string(name_of(scope))}, file, before);
            fs::remove(file);
          }
        }
      }
    }
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_host_has_a_file) {
  std::set<std::string_view> hosts, files;
  for (const Host& host : all_hosts()) hosts.insert(host.name);
  for (const auto& [host, text] : wild_files) files.insert(host);
  BOOST_TEST(hosts == files, boost::test_tools::per_element());
  BOOST_TEST(files.size() == 20U);
}

BOOST_FIXTURE_TEST_CASE(a_server_comes_into_every_file_and_goes_and_no_other_byte_changes, Fixture) {
  std::set<std::string_view> edited, left;
  for_each_file(
      [&](const Host& host, const std::vector<std::string>& scope, const std::string& file, const std::string& before) {
        const ProgramRun made = install(std::string(host.name), scope);
        if (made.status == 3) {
          BOOST_TEST(content_of(file) == before);
          BOOST_TEST(made.out.find(file) != std::string::npos, made.out);
          BOOST_TEST(made.out.find(hello) != std::string::npos, made.out);
          left.insert(host.name);
          return;
        }
        BOOST_TEST(made.status == 0, made.errors);
        const std::string with = content_of(file);
        BOOST_TEST(with != before);
        BOOST_TEST(only_adds(before, with), with);
        BOOST_TEST(uninstall(std::string(host.name), scope).status == 0);
        BOOST_TEST(content_of(file) == before);
        edited.insert(host.name);
      });
  // Their file is not certain, or YAML; of the first only the one of a user.
  BOOST_TEST((left == std::set<std::string_view>{"antigravity", "claude-desktop", "continue", "goose"}));
  BOOST_TEST(edited.size() == 17U);
}

BOOST_FIXTURE_TEST_CASE(the_first_of_two_goes_first_and_what_was_there_stays, Fixture) {
  const auto of_later = [](std::vector<std::string> words, const std::vector<std::string>& scope) {
    words.insert(words.end(), scope.begin(), scope.end());
    return words;
  };
  for_each_file(
      [&](const Host& host, const std::vector<std::string>& scope, const std::string& file, const std::string& before) {
        const std::string name(host.name);
        if (install(name, scope).status == 3) return;
        std::vector<std::string> later = of_later({"install", name, "--no-start", "--name", "later"}, scope);
        later.insert(later.end(), {"--", hello});
        BOOST_TEST(run(later).status == 0);
        BOOST_TEST(uninstall(name, scope).status == 0);
        const std::string left = content_of(file);
        BOOST_TEST(only_adds(before, left), left);
        BOOST_TEST(run(of_later({"uninstall", name, "--name", "later"}, scope)).status == 0);
        BOOST_TEST(content_of(file) == before);
      },
      2);
}
