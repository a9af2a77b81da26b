#include "hosts/host_files.hpp"

#define BOOST_TEST_MODULE host_files_test
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>

#include "file_content.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire::hosts;
using toolwire_test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

struct Fixture {
  ScratchFolder folder;
  std::map<std::string, std::string> variables = {};

  Surroundings here(System system = System::linux_) {
    return {.system = system,
            .variable = [this](const std::string& name) { return variables[name]; },
            .home = folder.text(),
            .folder = "/project"};
  }

  std::string place(std::string_view host, Scope scope = Scope::user, System system = System::linux_) {
    const auto file = host_file(*find_host(host), scope, here(system));
    return file ? file->path : "none";
  }
  std::string home(const std::string& rest) { return folder.text() + "/" + rest; }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(each_system_has_places_of_its_own, Fixture) {
  variables["APPDATA"] = "C:\\Roaming";
  BOOST_TEST(place("vscode") == home(".config/Code/User/mcp.json"));
  BOOST_TEST(place("vscode", Scope::user, System::mac) == home("Library/Application Support/Code/User/mcp.json"));
  BOOST_TEST(place("vscode", Scope::user, System::windows) == "C:\\Roaming\\Code\\User\\mcp.json");
  BOOST_TEST(place("claude-desktop", Scope::user, System::windows) ==
             "C:\\Roaming\\Claude\\claude_desktop_config.json");
  BOOST_TEST(place("cursor", Scope::user, System::windows) == home(".cursor/mcp.json"));
  BOOST_TEST(place("crush", Scope::user, System::windows) == "none");  // LOCALAPPDATA is not set
  BOOST_TEST(place("cursor", Scope::project) == "/project/.cursor/mcp.json");
  BOOST_TEST(place("cursor", Scope::local) == "none");
}

BOOST_FIXTURE_TEST_CASE(variables_move_files, Fixture) {
  for (const auto& [variable, host, file] :
       {std::tuple{"CLAUDE_CONFIG_DIR", "claude-code", "/.claude.json"},
        std::tuple{"CODEX_HOME", "codex", "/config.toml"},
        std::tuple{"COPILOT_HOME", "copilot-cli", "/mcp-config.json"},
        std::tuple{"CLINE_DIR", "cline-cli", "/data/settings/cline_mcp_settings.json"},
        std::tuple{"XDG_CONFIG_HOME", "zed", "/zed/settings.json"},
        std::tuple{"XDG_CONFIG_HOME", "opencode", "/opencode/opencode.json"},
        std::tuple{"XDG_CONFIG_HOME", "goose", "/goose/config.yaml"},
        std::tuple{"XDG_CONFIG_HOME", "crush", "/crush/crush.json"},
        std::tuple{"XDG_CONFIG_HOME", "vscode", "/Code/User/mcp.json"}}) {
    variables.clear();
    const std::string usual = place(host);
    BOOST_TEST(usual.starts_with(folder.text()), host);
    variables[variable] = "/elsewhere";
    BOOST_TEST(place(host) == std::string("/elsewhere") + file, host);
  }
}

BOOST_FIXTURE_TEST_CASE(of_several_places_the_first_that_exists_is_the_one, Fixture) {
  BOOST_TEST(place("lmstudio") == home(".lmstudio/mcp.json"));
  folder.file(".cache/lm-studio/mcp.json");
  BOOST_TEST(place("lmstudio") == home(".cache/lm-studio/mcp.json"));
  folder.file(".lmstudio/mcp.json");
  BOOST_TEST(place("lmstudio") == home(".lmstudio/mcp.json"));
}

BOOST_FIXTURE_TEST_CASE(what_is_not_certain_is_not_written, Fixture) {
  const auto may_be_written = [&](std::string_view host, System system = System::linux_) {
    return host_file(*find_host(host), Scope::user, here(system))->may_be_written;
  };
  BOOST_TEST(!may_be_written("claude-desktop"));
  BOOST_TEST(may_be_written("claude-desktop", System::mac));
  folder.file(".gemini/config/mcp_config.json");
  BOOST_TEST(!may_be_written("antigravity"));
  BOOST_TEST(!may_be_written("goose"));
  BOOST_TEST(!may_be_written("continue"));
  BOOST_TEST(!may_be_written("junie"));
  folder.file(".junie/mcp/mcp.json");
  BOOST_TEST(may_be_written("junie"));
  folder.file(".config/zed/settings.json");
  BOOST_TEST(may_be_written("zed", System::mac));
  folder.file("Library/Application Support/Zed/settings.json");
  BOOST_TEST(!may_be_written("zed", System::mac));
}

BOOST_FIXTURE_TEST_CASE(a_server_of_one_user_in_one_folder_stands_under_the_folder, Fixture) {
  const Host& claude = *find_host("claude-code");
  BOOST_TEST((path_of_server(claude, Scope::local, here(), "x") ==
              std::vector<std::string>{"projects", "/project", "mcpServers", "x"}));
  BOOST_TEST((scopes_of(claude, here()) == std::vector{Scope::user, Scope::project, Scope::local}));
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_looked_at_is_there, Fixture) {
  const auto file_of = [&](std::string_view host, Scope scope) { return host_file(*find_host(host), scope, here()); };
  BOOST_TEST(!file_of("cursor", Scope::user)->exists);
  fs::create_directories(folder / ".cursor");
  fs::create_symlink("mcp.json", folder / ".cursor/mcp.json");
  BOOST_TEST(file_of("cursor", Scope::user)->exists);
  BOOST_TEST(file_of("cursor", Scope::user)->existing == 1U);
  fs::remove(folder / ".cursor/mcp.json");
  fs::create_symlink("elsewhere", folder / ".cursor/mcp.json");  // leads nowhere
  BOOST_TEST(!file_of("cursor", Scope::user)->exists);
  fs::remove_all(folder / ".cursor");
  folder.file(".cursor", "a file");
  BOOST_TEST(file_of("cursor", Scope::user)->exists);
  // A file "config" of a project has nothing to do with the host.
  Surroundings in_project = here();
  in_project.folder = folder.text();
  folder.file("config", "a file");
  BOOST_TEST(!host_file(*find_host("mcporter"), Scope::project, in_project)->exists);
}

BOOST_FIXTURE_TEST_CASE(the_home_directory_is_no_project_whatever_its_name, Fixture) {
  folder.file("home/.cursor/mcp.json");
  fs::create_symlink("home", folder / "link");
  const std::string home = fs::canonical(folder / "home").string();
  for (const std::string& name : {home, home + "/", (folder / "link").string(), (folder / "link/").string()}) {
    Surroundings in_home = here();
    in_home.home = name;
    in_home.folder = home;
    BOOST_TEST((scopes_of(*find_host("cursor"), in_home) == std::vector{Scope::user}), name);
    BOOST_TEST((scopes_of(*find_host("copilot-cli"), in_home) == std::vector{Scope::user, Scope::project}), name);
  }
}

// The table was written from this file; skipped where it is not there.
BOOST_AUTO_TEST_CASE(the_table_has_the_hosts_that_were_read) {
  const std::string text = toolwire_test::content_of(TOOLWIRE_SHARED_DIR "/hosts.json");
  if (text.empty()) {
    BOOST_TEST_MESSAGE("there is no hosts.json in " TOOLWIRE_SHARED_DIR);
    return;
  }
  std::set<std::string> known, read;
  for (const Host& host : all_hosts()) known.insert(std::string(host.name));
  const Json hosts = parse_json(text);
  for (const auto& [name, about] : hosts.get_object()) {
    if (name == "$comment") continue;
    read.insert(std::string(name));
    const Host* const host = find_host(name);
    BOOST_TEST_REQUIRE(host != nullptr, name);
    BOOST_TEST(host->key == about.at("key").get_string(), name);
    const std::string_view format = about.at("format").get_string();
    const bool is_yaml = format.starts_with("yaml");
    BOOST_TEST((host->format == Format::yaml) == is_yaml, name);
    BOOST_TEST((host->format == Format::toml) == (format == "toml"), name);
    if (format == "jsonc") BOOST_TEST((host->format == Format::jsonc), name);
    const Json entry = parse_json(host->entry);
    for (const auto& [key, value] : entry.get_object())
      BOOST_TEST((about.at("entry").get_object().contains(key) || key == "env"), name << " has no " << key);
  }
  BOOST_TEST(known == read, boost::test_tools::per_element());
  BOOST_TEST(known.size() == 20U);
}
