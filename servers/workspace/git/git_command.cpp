#include "workspace/git/git_command.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <toolwire/error.hpp>

#include "workspace/git/records.hpp"
#include "workspace/text/credentials.hpp"
#include "workspace/text/shown_path.hpp"
#include "workspace/text/utf8.hpp"

namespace workspace {
namespace {

using Setting = std::pair<std::string, std::string>;

/// Stronger than what a repository says. Most are behind two walls already: an option of the command, the confinement.
const std::vector<Setting>& harmless() {
  static const std::vector<Setting> all{{"core.fsmonitor", "false"},
                                        {"core.hooksPath", "/dev/null"},
                                        {"core.attributesFile", "/dev/null"},
                                        {"core.excludesFile", "/dev/null"},
                                        {"core.pager", ""},
                                        {"core.editor", "false"},
                                        {"core.askPass", ""},
                                        {"core.sshCommand", "false"},
                                        {"core.gitProxy", ""},
                                        {"core.untrackedCache", "false"},
                                        {"core.alternateRefsCommand", "false"},
                                        {"core.quotePath", "true"},
                                        {"credential.helper", ""},
                                        {"protocol.allow", "never"},
                                        {"safe.bareRepository", "explicit"},
                                        {"gpg.program", "false"},
                                        {"gpg.ssh.program", "false"},
                                        {"gpg.x509.program", "false"},
                                        {"log.showSignature", "false"},
                                        {"log.mailmap", "false"},
                                        {"mailmap.file", ""},
                                        {"log.follow", "false"},
                                        {"log.diffMerges", "off"},
                                        {"diff.external", ""},
                                        {"diff.orderFile", "/dev/null"},
                                        {"diff.noprefix", "false"},
                                        {"diff.mnemonicPrefix", "false"},
                                        {"diff.relative", "false"},
                                        {"diff.renames", "false"},
                                        {"diff.submodule", "short"},
                                        {"diff.ignoreSubmodules", "all"},
                                        {"submodule.recurse", "false"},
                                        {"status.submoduleSummary", "false"},
                                        {"status.relativePaths", "false"},
                                        {"color.ui", "false"},
                                        {"core.bigFileThreshold", "64m"},
                                        {"i18n.logOutputEncoding", "UTF-8"}};
  return all;
}

std::vector<std::string> environment_of(const InRepository& repository, const std::vector<Setting>& settings) {
  std::vector<std::string> all{"GIT_DIR=" + repository.folder,
                               "GIT_WORK_TREE=" + repository.tree,
                               "GIT_CEILING_DIRECTORIES=/",
                               "GIT_CONFIG_NOSYSTEM=1",
                               "GIT_CONFIG_SYSTEM=/dev/null",
                               "GIT_CONFIG_GLOBAL=/dev/null",
                               "GIT_ATTR_NOSYSTEM=1",
                               "GIT_OPTIONAL_LOCKS=0",
                               "GIT_NO_REPLACE_OBJECTS=1",
                               "GIT_NO_LAZY_FETCH=1",
                               "GIT_LITERAL_PATHSPECS=1",
                               "GIT_TERMINAL_PROMPT=0",
                               "GIT_PAGER=",
                               "GIT_ALLOW_PROTOCOL=",
                               "LC_ALL=C",
                               "TZ=UTC",
                               "GIT_CONFIG_COUNT=" + std::to_string(settings.size())};
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const std::string number = std::to_string(i);
    all.push_back("GIT_CONFIG_KEY_" + number + "=" + settings[i].first);
    all.push_back("GIT_CONFIG_VALUE_" + number + "=" + settings[i].second);
  }
  return all;
}

/// What git says is wrong, in one line.
std::string complaint(const ProgramOutput& ran) {
  constexpr std::size_t shown = 500;
  std::string text = valid_utf8_prefix(with_masked_credentials(ran.errors), shown).text;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.empty() ? "git failed with status " + std::to_string(ran.exit_status) : "git says: " + text;
}

/// "filter.NAME.clean" and its like: the settings that make them run nothing.
void neutralise_filter(const std::string& key, std::vector<Setting>& settings) {
  const std::size_t end = key.rfind('.');
  const std::string driver = key.substr(0, end);
  for (const char* const what : {".clean", ".smudge", ".process"}) settings.emplace_back(driver + what, "");
  settings.emplace_back(driver + ".required", "false");
}

/// Of "git version 2.39.5" and the like: 2.32 or later.
bool is_recent(std::string_view version) {
  constexpr std::string_view before = "git version ";
  if (!version.starts_with(before)) return false;
  version.remove_prefix(before.size());
  int major = 0, minor = 0;
  const char* const end = version.data() + version.size();
  const auto dot = std::from_chars(version.data(), end, major);
  if (dot.ptr != end) std::from_chars(dot.ptr + 1, end, minor);
  return major > 2 || (major == 2 && minor >= 32);
}

[[noreturn]] void refuse_include(const InRepository& repository, const std::string& key) {
  throw toolwire::ToolError("path: the settings of the repository " + repository.shown("") +
                            " include further files (" + shown_path(key) +
                            "), which this server does not follow, as they may name programs and files outside; "
                            "expected a .git/config without include and includeIf");
}

/// Sorted, each once.
std::vector<std::string> keys_of(const std::string& listed) {
  std::vector<std::string> keys;
  for (const std::string_view record : records_of(listed)) keys.emplace_back(record.substr(0, record.find('\n')));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace

Git::Git(const Programs& programs, InRepository repository, std::stop_token stop)
    : programs_(programs), repository_(std::move(repository)), stop_(std::move(stop)), settings_(harmless()) {
  read_settings();
}

void Git::read_settings() {
  const ProgramOutput listed = try_run({"config", "--list", "--null", "--no-includes"});
  if (listed.exit_status != 0) {
    refuse_old_git();
    throw toolwire::ToolError("path: the repository's settings cannot be read: " + complaint(listed));
  }
  keys_ = keys_of(listed.output);
  for (const std::string& key : keys_) {
    if (key.starts_with("include.") || key.starts_with("includeif.")) refuse_include(repository_, key);
    if (key.starts_with("filter.")) neutralise_filter(key, settings_);
  }
}

void Git::refuse_old_git() const {
  const ProgramOutput version = try_run({"version"});
  if (is_recent(version.output)) return;
  throw toolwire::ToolError("git: expected version 2.32 or later, the first whose settings can be overruled; found: " +
                            valid_utf8_prefix(version.output, 80).text);
}

ProgramOutput Git::try_run(std::vector<std::string> command, std::size_t most) const {
  std::vector<std::string> arguments{"--no-pager", "--literal-pathspecs", "--no-optional-locks",
                                     "--no-replace-objects"};
  arguments.insert(arguments.end(), command.begin(), command.end());
  return programs_.run({.program = "git",
                        .arguments = std::move(arguments),
                        .environment = environment_of(repository_, settings_),
                        .directory = repository_.tree},
                       stop_, most);
}

bool Git::has_setting(const std::string& key) const { return std::binary_search(keys_.begin(), keys_.end(), key); }

ProgramOutput Git::run(std::vector<std::string> command, std::size_t most) const {
  ProgramOutput ran = try_run(std::move(command), most);
  if (ran.exit_status != 0) throw toolwire::ToolError(complaint(ran));
  return ran;
}

std::string Git::commit(const std::string& revision) const {
  if (revision.find('\0') != std::string::npos) throw toolwire::ToolError("revision: has a NUL byte");
  const ProgramOutput found = try_run({"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
  if (found.exit_status != 0 || found.output.size() < 2)
    throw toolwire::ToolError("revision: " + shown_path(revision) +
                              " is no commit of this repository; expected HEAD~1, a branch, a tag or a commit's name" +
                              (found.errors.empty() ? "" : " (" + complaint(found) + ")"));
  return found.output.substr(0, found.output.find('\n'));
}

std::string Git::head() const {
  const ProgramOutput found = try_run({"rev-parse", "--verify", "--quiet", "HEAD"});
  if (found.exit_status == 0) return found.output.substr(0, found.output.find('\n'));
  if (!found.errors.empty()) throw toolwire::ToolError(complaint(found));
  return {};
}

std::string Git::empty_tree() const {
  const ProgramOutput empty = run({"hash-object", "-t", "tree", "/dev/null"});
  return empty.output.substr(0, empty.output.find('\n'));
}

}  // namespace workspace
