// Files that are run later are seen whatever is done to them, and put back.
#include "workspace/commands/later_runs.hpp"

#define BOOST_TEST_MODULE workspace_later_runs_test
#include <sys/stat.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <toolwire/error.hpp>
#include <vector>

#include <toolwire/system/landlock.hpp>

#include "file_content.hpp"
#include "scratch_folder.hpp"

using workspace::FileKind;
using workspace::LaterRuns;
using workspace::Roots;
using workspace::runs_later;
using workspace::Secrets;

namespace {

namespace fs = std::filesystem;

/// So that modes of folders count for root too.
struct OrdinaryUser {
  OrdinaryUser() { toolwire::system::give_up_capabilities(); }
};
BOOST_TEST_GLOBAL_FIXTURE(OrdinaryUser);

struct Repository : toolwire_test::ScratchFolder {
  Repository() {
    file(".git/config", "[core]\n");
    file(".git/hooks/pre-commit", "#!/bin/sh\n");
    file(".git/hooks/pre-push.sample", "#!/bin/sh\n");
    file(".git/objects/aa/hooks", "x");
    file(".vscode/tasks.json", "{}");
    file("src/a.cpp", "int a;\n");
  }

  std::string content(const std::string& name) const { return toolwire_test::content_of(*this / name); }

  Roots roots{workspace::Root::at(text(), Secrets::shown)};
};

bool says(const std::vector<std::string>& texts, std::string_view part) {
  for (const std::string& text : texts) {
    if (text.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_runs_later_is_known_by_its_path) {
  for (const char* const path : {".git/hooks/pre-commit",
                                 ".git/config",
                                 "a/b/.git/config",
                                 ".git",
                                 "sub/.git",
                                 ".git/modules/x/hooks/post-merge",
                                 ".git/worktrees/w/config.worktree",
                                 ".git/modules/x/config",
                                 ".envrc",
                                 "a/.envrc",
                                 ".mcp.json",
                                 ".vscode/tasks.json",
                                 ".vscode/settings.json",
                                 ".vscode",
                                 "x/.claude/settings.json",
                                 ".github/workflows/ci.yml",
                                 ".github",
                                 ".husky/pre-commit",
                                 ".bashrc",
                                 "node_modules/x/.git/hooks/post-checkout",
                                 ".git/modules/logs/config",
                                 ".git/worktrees/refs/gitdir",
                                 "sub/HEAD",
                                 "project.code-workspace",
                                 ".circleci/config.yml",
                                 ".ssh/rc",
                                 ".config/autostart/x.desktop",
                                 ".hg/hgrc",
                                 ".agents/mcp_config.json",
                                 ".codex/config.toml",
                                 ".github/mcp.json",
                                 ".crush.json",
                                 ".cursor/mcp.json",
                                 ".gemini/settings.json",
                                 ".junie/mcp/mcp.json",
                                 ".kiro/settings/mcp.json",
                                 "config/mcporter.json",
                                 "opencode.json",
                                 ".zed/settings.json",
                                 ".copilot/mcp-config.json",
                                 ".config/Claude/claude_desktop_config.json",
                                 ".config/crush/crush.json",
                                 ".config/goose/config.yaml",
                                 ".config/opencode/opencode.json",
                                 ".config/Code/User/settings.json",
                                 ".qwen/settings.json",
                                 ".GIT/config"})
    BOOST_TEST(runs_later(path, FileKind::regular), path);
  for (const char* const path :
       {"Makefile", "package.json", "src/a.cpp", ".git/HEAD", ".git/index", ".git/hooks/pre-push.sample",
        ".git/description", ".github/CODEOWNERS", "hooks/a", "config", ".config/nextest.toml",
        "node_modules/x/.vscode/settings.json", "envrc", ".gitignore"})
    BOOST_TEST(!runs_later(path, FileKind::regular), path);
  BOOST_TEST(runs_later(".git/objects", FileKind::symlink));
}

BOOST_FIXTURE_TEST_CASE(without_a_change_nothing_is_said, Repository) {
  const LaterRuns before = LaterRuns::of(roots);
  file("src/b.cpp", "int b;\n");
  file(".git/index", "x");
  BOOST_TEST(before.differences().empty());
  BOOST_TEST(before.put_back().empty());
  BOOST_TEST(!fs::exists(*this / ".workspace-trash"));
}

BOOST_FIXTURE_TEST_CASE(what_is_made_is_taken_away_and_kept, Repository) {
  const LaterRuns before = LaterRuns::of(roots);
  file(".git/hooks/post-checkout", "evil");
  file("deep/er/.envrc", "evil");
  BOOST_TEST(says(before.differences(), ".git/hooks/post-checkout was made"));
  const auto said = before.put_back();
  BOOST_TEST(said.size() == 2U);
  BOOST_TEST(says(said, "deep/er/.envrc was made; what the command made is in .workspace-trash/"));
  BOOST_TEST(!fs::exists(*this / ".git/hooks/post-checkout"));
  BOOST_TEST(!fs::exists(*this / "deep/er/.envrc"));
  BOOST_TEST(before.put_back().empty());
}

BOOST_FIXTURE_TEST_CASE(what_is_changed_is_again_as_it_was, Repository) {
  fs::permissions(*this / ".git/hooks/pre-commit", fs::perms(0755));
  const LaterRuns before = LaterRuns::of(roots);
  file(".git/config", "[core]\n\tfsmonitor = evil\n");
  file(".git/hooks/pre-commit", "evil");
  const auto said = before.put_back();
  BOOST_TEST(says(said, ".git/config was changed; what the command made is in"));
  BOOST_TEST(content(".git/config") == "[core]\n");
  BOOST_TEST(content(".git/hooks/pre-commit") == "#!/bin/sh\n");
  BOOST_TEST((fs::status(*this / ".git/hooks/pre-commit").permissions() == fs::perms(0755)));
}

BOOST_FIXTURE_TEST_CASE(the_right_to_execute_and_times_that_are_set_back_do_not_deceive, Repository) {
  fs::permissions(*this / ".git/hooks/pre-commit", fs::perms(0644));
  const auto time = fs::last_write_time(*this / ".git/config");
  const LaterRuns before = LaterRuns::of(roots);
  fs::permissions(*this / ".git/hooks/pre-commit", fs::perms(0755));
  file(".git/config", "[evil]\n");
  fs::last_write_time(*this / ".git/config", time);
  BOOST_TEST(before.put_back().size() == 2U);
  BOOST_TEST((fs::status(*this / ".git/hooks/pre-commit").permissions() == fs::perms(0644)));
  BOOST_TEST(content(".git/config") == "[core]\n");
}

BOOST_FIXTURE_TEST_CASE(folders_that_are_removed_moved_or_replaced_by_links_come_back, Repository) {
  const LaterRuns before = LaterRuns::of(roots);
  fs::remove_all(*this / ".git/hooks");
  link("../src", ".git/hooks");
  fs::rename(*this / ".vscode", *this / "vscode");
  const auto said = before.put_back();
  BOOST_TEST(says(said, ".git/hooks was made"));
  BOOST_TEST(says(said, ".git/hooks/pre-commit was removed; it is again as it was"));
  BOOST_TEST(!fs::is_symlink(*this / ".git/hooks"));
  BOOST_TEST(content(".git/hooks/pre-commit") == "#!/bin/sh\n");
  BOOST_TEST(content(".vscode/tasks.json") == "{}");
  BOOST_TEST(!fs::exists(*this / "src/pre-commit"));
}

BOOST_FIXTURE_TEST_CASE(nothing_is_written_through_a_link_that_took_the_place_of_a_folder, Repository) {
  file("deep/.envrc", "export A=1\n");
  const LaterRuns before = LaterRuns::of(roots);
  fs::remove_all(*this / "deep");
  link("src", "deep");
  BOOST_TEST(says(before.put_back(), "deep/.envrc was removed; it could NOT be put back"));
  BOOST_TEST(!fs::exists(*this / "src/.envrc"));
}

BOOST_FIXTURE_TEST_CASE(no_mode_is_set_through_a_link_that_comes_meanwhile, Repository) {
  const toolwire_test::ScratchFolder other;
  other.file("there", "precious");
  fs::permissions(other / "there", fs::perms(0600));
  file(".envrc", "export A=1\n");
  fs::permissions(*this / ".envrc", fs::perms(0644));
  const workspace::Root root = workspace::Root::at(text());
  const auto saved = workspace::save_file(root, ".envrc");
  std::atomic<bool> is_done = false;
  std::thread swapping([&] {
    std::error_code ignored;
    while (!is_done) {
      fs::create_symlink(other / "there", *this / "way", ignored);
      if (fs::is_regular_file(fs::symlink_status(*this / ".envrc", ignored)))
        fs::rename(*this / "way", *this / ".envrc", ignored);
    }
  });
  for (int i = 0; i < 200; ++i) {
    fs::remove(*this / ".envrc");
    try {
      workspace::put_back(workspace::open_place(root, ".envrc", ""), *saved);
    } catch (const toolwire::ToolError&) {  // the link was seen
    }
  }
  is_done = true;
  swapping.join();
  BOOST_TEST((fs::status(other / "there").permissions() == fs::perms(0600)));
}

BOOST_FIXTURE_TEST_CASE(a_link_comes_back_as_a_link, Repository) {
  link("src/a.cpp", ".envrc");
  const LaterRuns before = LaterRuns::of(roots);
  fs::remove(*this / ".envrc");
  file(".envrc", "evil");
  before.put_back();
  BOOST_TEST(fs::is_symlink(*this / ".envrc"));
  BOOST_TEST(content("src/a.cpp") == "int a;\n");
}

BOOST_FIXTURE_TEST_CASE(a_repository_that_is_made_or_a_git_that_is_a_file_is_seen, Repository) {
  const LaterRuns before = LaterRuns::of(roots);
  file("new/.git/config", "[core]\n\tfsmonitor = evil\n");
  file("link/.git", "gitdir: /elsewhere\n");
  const auto said = before.put_back();
  BOOST_TEST(says(said, "new/.git/config was made"));
  BOOST_TEST(says(said, "link/.git was made"));
  BOOST_TEST(!fs::exists(*this / "link/.git"));
}

BOOST_FIXTURE_TEST_CASE(what_is_too_large_to_be_kept_is_said, Repository) {
  file(".vscode/large", std::string(workspace::SavedFile::most + 1, 'x'));
  const LaterRuns before = LaterRuns::of(roots);
  file(".vscode/large", "evil");
  BOOST_TEST(says(before.put_back(), ".vscode/large was changed; it was too large to be kept, so it stays"));
}

BOOST_FIXTURE_TEST_CASE(submodules_and_worktrees_may_have_any_name, Repository) {
  file(".git/modules/logs/config", "[core]\n");
  const LaterRuns before = LaterRuns::of(roots);
  file(".git/modules/logs/config", "[core]\n\tfsmonitor = evil\n");
  file(".git/modules/refs/hooks/post-checkout", "evil");
  file(".git/worktrees/objects/commondir", "/elsewhere");
  BOOST_TEST(before.put_back().size() == 3U);
  BOOST_TEST(content(".git/modules/logs/config") == "[core]\n");
  BOOST_TEST(!fs::exists(*this / ".git/modules/refs/hooks/post-checkout"));
  BOOST_TEST(!fs::exists(*this / ".git/worktrees/objects/commondir"));
}

BOOST_FIXTURE_TEST_CASE(a_folder_does_not_become_a_repository, Repository) {
  file("old.git/HEAD", "ref: refs/heads/main\n");
  file("old.git/config", "[core]\n");
  const LaterRuns before = LaterRuns::of(roots);
  file("src/HEAD", "ref: refs/heads/main\n");
  file("src/config", "[core]\n\tfsmonitor = evil\n");
  file("old.git/config", "[core]\n\tfsmonitor = evil\n");
  file("old.git/hooks/post-receive", "evil");
  fs::remove(*this / "old.git/HEAD");
  before.put_back();
  BOOST_TEST(!fs::exists(*this / "src/HEAD"));
  BOOST_TEST(content("old.git/HEAD") == "ref: refs/heads/main\n");
  BOOST_TEST(content("old.git/config") == "[core]\n");
  BOOST_TEST(!fs::exists(*this / "old.git/hooks/post-receive"));
}

BOOST_FIXTURE_TEST_CASE(folders_that_were_closed_hide_nothing, Repository) {
  const LaterRuns before = LaterRuns::of(roots);
  file(".git/hooks/post-checkout", "evil");
  fs::permissions(*this / ".git/hooks", fs::perms(0555));
  file("deep/.vscode/tasks.json", "evil");
  fs::permissions(*this / "deep", fs::perms(0300));
  file("flat/.envrc", "evil");
  fs::permissions(*this / "flat", fs::perms(0600));
  const auto said = before.put_back();
  BOOST_TEST(says(said, ".git/hooks/post-checkout was made; what the command made is in"));
  BOOST_TEST(says(said, "deep/.vscode/tasks.json was made; what the command made is in"));
  BOOST_TEST(says(said, "flat/.envrc was made; what the command made is in"));
  BOOST_TEST((fs::status(*this / ".git/hooks").permissions() == fs::perms(0555)));
  BOOST_TEST((fs::status(*this / "deep").permissions() == fs::perms(0300)));
  BOOST_TEST((fs::status(*this / "flat").permissions() == fs::perms(0600)));
  for (const char* const name : {".git/hooks", "deep", "flat"}) fs::permissions(*this / name, fs::perms(0700));
  BOOST_TEST(!fs::exists(*this / ".git/hooks/post-checkout"));
  BOOST_TEST(!fs::exists(*this / "deep/.vscode/tasks.json"));
  BOOST_TEST(!fs::exists(*this / "flat/.envrc"));
}

BOOST_FIXTURE_TEST_CASE(what_was_removed_from_a_folder_that_was_closed_comes_back, Repository) {
  const LaterRuns before = LaterRuns::of(roots);
  fs::remove(*this / ".git/hooks/pre-commit");
  fs::permissions(*this / ".git/hooks", fs::perms(0000));
  BOOST_TEST(says(before.put_back(), ".git/hooks/pre-commit was removed; it is again as it was"));
  fs::permissions(*this / ".git/hooks", fs::perms(0700));
  BOOST_TEST(content(".git/hooks/pre-commit") == "#!/bin/sh\n");
}

BOOST_FIXTURE_TEST_CASE(without_a_trash_it_is_removed, Repository) {
  const LaterRuns before = LaterRuns::of(roots);
  file(".envrc", "evil");
  file(".git/config", "evil");
  file(".workspace-trash", "in the way");
  BOOST_TEST(says(before.put_back(), ".envrc was made; what the command made was removed for good, as the trash"));
  BOOST_TEST(!fs::exists(*this / ".envrc"));
  BOOST_TEST(content(".git/config") == "[core]\n");
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_looked_into_is_said, Repository) {
  const LaterRuns before = LaterRuns::of(roots);
  std::string path = "d";
  for (int i = 0; i < 210; ++i) path += "/d";
  file(path + "/.envrc", "evil");
  BOOST_TEST(says(before.put_back(), "cannot be looked into; what was made there is NOT known"));
  BOOST_TEST(says(before.differences(), "cannot be looked into"));
  const LaterRuns later = LaterRuns::of(roots);
  BOOST_TEST(later.put_back().empty());  // was so before
}
