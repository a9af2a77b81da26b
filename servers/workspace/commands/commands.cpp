#include "workspace/commands/commands.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <toolwire/error.hpp>
#include <toolwire/system/find_program.hpp>
#include <toolwire/system/system_files.hpp>
#include <utility>

#include "workspace/system/command_helper.hpp"
#include "workspace/text/parts.hpp"
#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

namespace fs = std::filesystem;
using toolwire::ToolError;

constexpr std::size_t shown_bytes = 300;
constexpr std::size_t most_words = 4096, most_bytes = std::size_t{128} << 10;

bool is_below(const std::string& path, const std::string& folder) {
  return path == folder || folder == "/" || path.starts_with(folder + '/');
}

bool is_below_any(const std::string& path, const std::vector<std::string>& folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&path](const std::string& folder) { return is_below(path, folder); });
}

/// Of those that can be used; links resolved.
std::vector<std::string> tops_of(const Roots& roots, bool read_only) {
  std::vector<std::string> tops;
  for (const Root* root : roots.all()) {
    if (root->problem().empty() && root->is_read_only() == read_only)
      tops.push_back(fs::weakly_canonical(root->path()).string());
  }
  return tops;
}

/// Absolute, links resolved.
std::vector<std::string> folders_of(const std::vector<std::string>& given, const char* option) {
  std::vector<std::string> folders;
  for (const std::string& one : given) {
    std::error_code error;
    folders.push_back(fs::canonical(one, error).string());
    if (error)
      throw std::invalid_argument(std::string(option) + ": " + one + ": " + error.message() +
                                  "; expected a folder that is there");
  }
  return folders;
}

std::string canonical_or_empty(const std::string& path) {
  std::error_code error;
  const fs::path found = fs::canonical(path, error);
  return error || !fs::is_regular_file(found, error) ? std::string() : found.string();
}

void check_words(const std::vector<std::string>& words) {
  if (words.empty() || words.front().empty())
    throw ToolError("argv: expected the program and its arguments, each a word of its own: [\"cargo\", \"test\"]");
  std::size_t bytes = 0;
  for (const std::string& word : words) {
    bytes += word.size() + 1;
    if (word.find('\0') != std::string::npos) throw ToolError("argv: a word has a NUL byte; expected none");
  }
  if (words.size() > most_words || bytes > most_bytes)
    throw ToolError("argv: too long; expected at most 4096 words and 128 KiB");
}

/// Values that programs without a terminal and without a user's settings expect.
std::vector<std::string> environment_of(const std::string& folders, const std::string& home,
                                        const std::vector<std::string>& more) {
  std::vector<std::string> all{
      "PATH=" + folders, "HOME=" + home, "LANG=C.UTF-8",          "TERM=dumb",        "NO_COLOR=1",
      "GIT_PAGER=cat",   "PAGER=cat",    "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=false", "DEBIAN_FRONTEND=noninteractive"};
  for (const std::string& one : more) {  // of two with the same name programs disagree which counts
    const std::string name = one.substr(0, one.find('=') + 1);
    std::erase_if(all, [&name](const std::string& other) { return other.starts_with(name); });
    all.push_back(one);
  }
  return all;
}

}  // namespace

Commands::Commands(const CommandSettings& settings, const Roots& roots) : settings_(settings), roots_(roots) {
  for (const std::string& pattern : settings.allow) patterns_.push_back(CommandPattern::parse(pattern));
  for (const std::string& value : settings.environment) {
    if (value.find('=') == 0 || value.find('=') == std::string::npos)
      throw std::invalid_argument("--run-env: \"" + value + "\"; expected NAME=value");
  }
  take_folders(roots);
  problem_ = command_confinement_problem();
  confinement_ = confinement_text(rights_);
  if (problem_.empty()) start_helper();
}

void Commands::take_folders(const Roots& roots) {
  if (!settings_.change.empty() && !settings_.write)
    throw std::invalid_argument("--run-write needs --write, as what commands change is looked at and put back");
  rights_.read = folders_of(settings_.read, "--run-read");
  rights_.change = folders_of(settings_.change, "--run-write");
  const std::vector<std::string> tops = tops_of(roots, false), only_read = tops_of(roots, true);
  for (const std::string& folder : rights_.change) {
    if (!is_below_any(folder, tops))
      throw std::invalid_argument("--run-write: " + folder +
                                  " lies in no root that may be changed; expected a folder in one, as what commands "
                                  "change is looked at there and put back");
  }
  std::vector<std::string>& list = settings_.write && settings_.change.empty() ? rights_.change : rights_.read;
  list.insert(list.end(), tops.begin(), tops.end());
  rights_.read.insert(rights_.read.end(), only_read.begin(), only_read.end());
  rights_.network = settings_.network;
  rights_.proc = settings_.proc;
  rights_.memory = settings_.memory << 20;
  take_programs(settings_.write ? tops : std::vector<std::string>());
}

/// A program that is found by its name is not one that a command or a model has put there.
void Commands::take_programs(const std::vector<std::string>& changed) {
  const char* const path = std::getenv("PATH");
  for (const std::string_view folder : parts_of(path == nullptr ? toolwire::system::usual_folders : path, ':')) {
    std::error_code error;
    const std::string real = fs::canonical(fs::path(folder), error).string();
    if (error || !folder.starts_with('/') || is_below_any(real, changed)) continue;
    const bool is_readable = toolwire::system::is_system_file(real) || is_below_any(real, rights_.read);
    std::string& list = is_readable ? folders_ : hidden_folders_;
    list += (list.empty() ? "" : ":") + std::string(folder);
  }
}

void Commands::start_helper() {
  try {
    const CommandFolders folders = make_command_folders();
    home_ = folders.home;
    janitor_ = FolderJanitor(folders.top);
    const toolwire::MutexLock lock(guard_mutex_);
    if (!rights_.change.empty()) guard_ = LaterRunsGuard(roots_, janitor_.unneeded());
    helper_ = start_command_helper(rights_, folders, janitor_.needed());
    janitor_.give_away();
  } catch (const std::system_error& error) {
    problem_ = error.what();
  }
}

std::string Commands::patterns_text() const {
  std::string text;
  for (const CommandPattern& pattern : patterns_) text += (text.empty() ? "'" : ", '") + pattern.text() + '\'';
  return text;
}

/// A command cannot be confined while a root is missing. Throws ToolError.
void Commands::expect_roots() const {
  for (const Root* const root : roots_.all()) {
    if (root->problem().empty()) root->relative(".");
  }
}

std::string Commands::directory_of(const std::string& directory) const {
  expect_roots();
  const Located where = roots_.locate(path_meant(directory));
  const FileDescriptor opened = where.root->open_directory(where.path);
  const std::string real = where.root->real_path(opened.get());
  if (real.empty()) throw ToolError("directory: is no longer inside the workspace; look again");
  return real == "." ? where.root->path() : where.root->path() + '/' + real;
}

void Commands::refuse_unknown(const std::string& word) const {
  const auto hidden = toolwire::system::find_program(word, hidden_folders_, toolwire::system::RelativeFolders::skipped);
  if (hidden && !hidden_folders_.empty())
    throw ToolError("argv: " + shown_path(*hidden, shown_bytes) +
                    " is a program in a folder that commands may not read; the person can allow that with an option "
                    "--run-read");
  throw ToolError("argv: there is no program " + shown_path(word, shown_bytes) + " in " + folders_ +
                  "; a program of the workspace is named by its path, as in ./tools/check");
}

Commands::Program Commands::program_of(const std::string& word, const std::string& folder) const {
  if (word.find('/') == std::string::npos) {
    const auto found = toolwire::system::find_program(word, folders_, toolwire::system::RelativeFolders::skipped);
    if (!found) refuse_unknown(word);
    return {*found, canonical_or_empty(*found), word};
  }
  const std::string called = (fs::path(folder) / word).lexically_normal().string();
  const std::string file = canonical_or_empty(called);
  if (file.empty()) throw ToolError("argv: " + shown_path(word, shown_bytes) + " is no file; expected a program");
  for (const Root* root : roots_.all()) {
    if (is_below(called, root->path())) return {called, file, "." + called.substr(root->path().size())};
  }
  return {called, file, called};
}

AskedCommand Commands::resolve(std::vector<std::string> words, const std::string& directory,
                               bool changes_what_runs_later) const {
  check_words(words);
  const std::string folder = directory_of(directory);
  const Program program = program_of(words.front(), folder);
  return {.words = std::move(words),
          .called = program.called,
          .file = program.file,
          .program = program.name,
          .directory = directory,
          .folder = folder,
          .changes_what_runs_later = changes_what_runs_later};
}

bool Commands::is_approved(const AskedCommand& command) const {
  const auto fits = [&command](const CommandPattern& pattern) { return pattern.fits(command); };
  if (!command.changes_what_runs_later && std::any_of(patterns_.begin(), patterns_.end(), fits)) return true;
  const toolwire::MutexLock lock(mutex_);
  return approved_.contains(key_of(command));
}

std::string Commands::key_of(const AskedCommand& command) {
  std::string key = command.folder + '\0' + command.file + '\0' + (command.changes_what_runs_later ? "1" : "0");
  for (const std::string& word : command.words) key += '\0' + word;
  return key;
}

void Commands::approve_from_now_on(const AskedCommand& command) {
  const toolwire::MutexLock lock(mutex_);
  approved_.insert(key_of(command));
}

void Commands::begin_guard(bool keeps_changes) {
  if (rights_.change.empty()) keeps_changes = false;  // there are none
  const toolwire::MutexLock lock(guard_mutex_);
  if (running_ > 0 && (keeps_changes || keeps_changes_))
    throw ToolError(
        "changesWhatRunsLater: a command with it runs alone, as it cannot be told which of two has changed what; "
        "expected that the others have ended, or stop_command for them");
  if (running_ == 0) {
    guard_.begin(keeps_changes);
    keeps_changes_ = keeps_changes;
  }
  ++running_;
}

std::vector<std::string> Commands::end_guard() {
  const toolwire::MutexLock lock(guard_mutex_);
  std::vector<std::string> texts = guard_.look();
  if (--running_ > 0) return texts;
  guard_.end();
  none_runs_.notify_all();
  return texts;
}

bool Commands::puts_changes_back() const {
  const toolwire::MutexLock lock(guard_mutex_);
  return running_ > 0 && !keeps_changes_ && !rights_.change.empty();
}

void Commands::end() {
  std::vector<std::weak_ptr<RunningCommand>> all;
  {
    const toolwire::MutexLock lock(mutex_);
    all.swap(all_);
    has_ended_ = true;
  }
  for (const auto& one : all) {
    if (const auto command = one.lock()) command->end_now();
  }
  constexpr auto most = std::chrono::seconds(30);
  {
    toolwire::MutexLock lock(guard_mutex_);
    none_runs_.wait_for(lock, most, [this]() TOOLWIRE_REQUIRES(guard_mutex_) { return running_ == 0; });
  }
  { const HelperProcess ended = std::move(helper_); }
  { const FolderJanitor done = std::move(janitor_); }
  const toolwire::MutexLock lock(guard_mutex_);
  const LaterRunsGuard gone = std::move(guard_);
}

std::shared_ptr<RunningCommand> Commands::start(const AskedCommand& asked, std::optional<std::chrono::seconds> most) {
  toolwire::system::FileDescriptor call = helper_.call();
  if (!call.is_open())
    throw ToolError("argv: not run, because the process that starts commands has ended; start the server again");
  const ProgramRun run{.program = asked.called,
                       .arguments = asked.words,
                       .environment = environment_of(folders_, home_, settings_.environment),
                       .directory = asked.folder};
  begin_guard(asked.changes_what_runs_later);
  std::shared_ptr<RunningCommand> command;
  try {
    command = std::make_shared<RunningCommand>(std::move(call), run, most, [this] { return end_guard(); });
  } catch (const std::system_error&) {  // no thread is to be had
    end_guard();
    throw;
  }
  const toolwire::MutexLock lock(mutex_);
  std::erase_if(all_, [](const auto& one) { return one.expired(); });
  all_.push_back(command);
  if (has_ended_) command->end_now();
  return command;
}

void Commands::drop_ended() {
  constexpr std::size_t most_kept = 32;
  for (auto at = background_.begin(); background_.size() >= most_kept && at != background_.end();)
    at = at->second.command->end() ? background_.erase(at) : std::next(at);
}

std::int64_t Commands::start_in_background(const AskedCommand& asked) {
  const toolwire::MutexLock turn(background_turn_);  // else two could both be the last that may be started
  check_room();
  std::shared_ptr<RunningCommand> command = start(asked, std::nullopt);
  const toolwire::MutexLock lock(mutex_);
  drop_ended();
  background_[++last_number_] = {std::move(command), shown_command(asked.words)};
  return last_number_;
}

void Commands::check_room() const {
  const toolwire::MutexLock lock(mutex_);
  const auto runs = [](const auto& one) { return !one.second.command->end(); };
  if (std::count_if(background_.begin(), background_.end(), runs) >= static_cast<std::ptrdiff_t>(most_in_background))
    throw ToolError("background: " + std::to_string(most_in_background) +
                    " commands run in the background already; expected stop_command for one of them first");
}

std::shared_ptr<RunningCommand> Commands::in_background(std::int64_t number) const {
  const toolwire::MutexLock lock(mutex_);
  if (const auto found = background_.find(number); found != background_.end()) return found->second.command;
  std::string there;
  for (const auto& [one, background] : background_)
    there += (there.empty() ? "" : ", ") + std::to_string(one) + " (" + background.text.substr(0, shown_bytes) + ')';
  throw ToolError("id: there is no command " + std::to_string(number) + " in the background; there " +
                  (there.empty() ? "is none at all" : "are " + there));
}

std::uint64_t Commands::unseen(std::int64_t number) const {
  const toolwire::MutexLock lock(mutex_);
  const auto found = background_.find(number);
  return found == background_.end() ? 0 : found->second.unseen;
}

void Commands::set_unseen(std::int64_t number, std::uint64_t offset) {
  const toolwire::MutexLock lock(mutex_);
  if (const auto found = background_.find(number); found != background_.end()) found->second.unseen = offset;
}

}  // namespace workspace
