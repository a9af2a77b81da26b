// The commands of a server: which program one means, whether it needs a question, and those that run. Independent of
// how a person is asked and of how answers are worded.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "toolwire/detail/mutex.hpp"
#include "workspace/commands/command_pattern.hpp"
#include "workspace/commands/later_runs_guard.hpp"
#include "workspace/commands/running_command.hpp"
#include "workspace/system/command_confinement.hpp"
#include "workspace/system/folder_janitor.hpp"
#include "workspace/system/helper_process.hpp"
#include "workspace/system/roots.hpp"

namespace workspace {

/// As the options of the program have it. A plain value.
struct CommandSettings {
  std::vector<std::string> allow = {};        // patterns
  std::vector<std::string> read = {};         // folders beside the roots
  std::vector<std::string> change = {};       // folders in the roots; empty: these, if the server writes
  std::vector<std::string> environment = {};  // "NAME=value"
  bool network = false;
  bool proc = false;               // see CommandRights
  bool write = false;              // the server may change files
  std::uint64_t memory = 4096;     // MiB
  std::chrono::seconds most{600};  // of one that is not in the background
};

/// Any number of threads may use one.
class Commands {
 public:
  /// Forks the helper: before the process confines itself and before the first thread. The roots must live longer.
  /// Throws std::invalid_argument for a setting that cannot be used. What this kernel cannot do is told by `problem`.
  Commands(const CommandSettings& settings, const Roots& roots);

  /// Why no command can be run; empty if they can.
  const std::string& problem() const { return problem_; }
  /// What holds commands in, for people and models.
  const std::string& confinement() const { return confinement_; }
  /// The patterns as they were given.
  std::string patterns_text() const;
  std::chrono::seconds most() const { return settings_.most; }
  bool uses_network() const { return settings_.network; }

  /// Finds the program. Throws ToolError.
  AskedCommand resolve(std::vector<std::string> words, const std::string& directory,
                       bool changes_what_runs_later) const;

  /// Whether a pattern fits, or a person has said so for this server's life.
  bool is_approved(const AskedCommand& command) const;
  void approve_from_now_on(const AskedCommand& command);

  /// Runs it; it was approved. Throws ToolError if the helper has ended, or another one runs and what one of both
  /// changes of files that are run later is kept.
  std::shared_ptr<RunningCommand> start(const AskedCommand& asked, std::optional<std::chrono::seconds> most);

  /// The same in the background, under a number from 1 on. Throws ToolError if there are too many.
  std::int64_t start_in_background(const AskedCommand& asked);
  /// Throws ToolError that names those there are.
  std::shared_ptr<RunningCommand> in_background(std::int64_t number) const;
  /// From where on nobody was shown what it wrote.
  std::uint64_t unseen(std::int64_t number) const;
  void set_unseen(std::int64_t number, std::uint64_t offset);

  /// Ends all by force, and the helper; waits until what they changed has been looked at. Nothing is started after it.
  /// Whoever waits for a command has been told to stop.
  void end();

  /// Whether a command runs at whose end files that are run later will be as they were when it began.
  bool puts_changes_back() const;

  static constexpr std::size_t most_in_background = 8;

 private:
  struct Program {
    std::string called, file, name;
  };
  struct Background {
    std::shared_ptr<RunningCommand> command;
    std::string text;
    std::uint64_t unseen = 0;
  };

  void take_folders(const Roots& roots);
  void take_programs(const std::vector<std::string>& changed);
  void start_helper();
  void expect_roots() const;
  std::string directory_of(const std::string& directory) const;
  Program program_of(const std::string& word, const std::string& folder) const;
  [[noreturn]] void refuse_unknown(const std::string& word) const;
  static std::string key_of(const AskedCommand& command);
  void check_room() const;
  void drop_ended() TOOLWIRE_REQUIRES(mutex_);

  void begin_guard(bool keeps_changes);
  std::vector<std::string> end_guard();

  const CommandSettings settings_;
  const Roots& roots_;
  std::vector<CommandPattern> patterns_;
  CommandRights rights_;
  std::string folders_;         // of programs, as in PATH
  std::string hidden_folders_;  // those that commands may not read
  std::string home_;
  std::string problem_, confinement_;
  mutable toolwire::Mutex guard_mutex_;
  LaterRunsGuard guard_ TOOLWIRE_GUARDED_BY(guard_mutex_);  // outlives the helper
  FolderJanitor janitor_;                                   // this too, and that the commands below
  HelperProcess helper_;

  int running_ TOOLWIRE_GUARDED_BY(guard_mutex_) = 0;
  toolwire::ConditionVariable none_runs_;
  bool keeps_changes_ TOOLWIRE_GUARDED_BY(guard_mutex_) = false;

  toolwire::Mutex background_turn_;
  mutable toolwire::Mutex mutex_;
  std::vector<std::weak_ptr<RunningCommand>> all_ TOOLWIRE_GUARDED_BY(mutex_);
  std::set<std::string> approved_ TOOLWIRE_GUARDED_BY(mutex_);
  std::map<std::int64_t, Background> background_ TOOLWIRE_GUARDED_BY(mutex_);
  bool has_ended_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::int64_t last_number_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
};

}  // namespace workspace
