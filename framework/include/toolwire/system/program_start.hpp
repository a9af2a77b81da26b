// How every program is started: streams, fork, what happens in the new process until it is the program, and why it did
// not get that far. What differs from one start to another is a value. Independent of what is said to the program, of
// what confines it and of how it ends.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/system/process_id.hpp>
#include <vector>

namespace toolwire::system {

/// A program in the form execve(2) takes, made before the fork, because no memory may be taken after it. Immutable;
/// neither copied nor moved, since it points into itself.
class ProgramImage {
 public:
  /// `path` is the file; each entry of `environment` is "NAME=value". No text contains a NUL byte.
  ProgramImage(std::string path, std::vector<std::string> arguments, std::vector<std::string> environment);
  ProgramImage(const ProgramImage&) = delete;
  ProgramImage& operator=(const ProgramImage&) = delete;

  [[nodiscard]] const char* path() const { return path_.c_str(); }
  [[nodiscard]] char* const* arguments() const { return argument_pointers_.data(); }
  [[nodiscard]] char* const* environment() const { return environment_pointers_.data(); }

 private:
  std::string path_;
  std::vector<std::string> arguments_;
  std::vector<std::string> environment_;
  std::vector<char*> argument_pointers_;
  std::vector<char*> environment_pointers_;
};

/// Why a program does not run. A plain value, which the new process writes in one piece.
struct StartFailure {
  enum class Step : int {
    fork,       ///< A keeper found no further process for the program.
    group,      ///< Its process group or session.
    streams,    ///< Its standard streams, and the other descriptors.
    directory,  ///< Its working directory.
    own,        ///< One of ProgramStart::steps.
    exec        ///< The program itself.
  };

  Step step = Step::exec;
  int number = 0;  ///< With Step::own: which of the steps, from 0.
  int error = 0;   ///< An errno.
};

/// Something done in the new process after its streams, directory and signals are those of the program, before that
/// begins. Only async-signal-safe calls: no memory is taken, nothing is thrown, no lock is touched.
struct StartStep {
  bool (*run)(const void* with);  ///< False, with errno, if the program is not to run.
  const void* with;
};

/// What the forked process does until it is the program, decided before the fork.
struct AfterFork;

/// A process that stays between this one and the program.
struct Keeper {
  /// Runs in the forked process with all signals blocked, under the rules of a StartStep; calls `become_program` in a
  /// further process and never returns. Null: there is no keeper, and the forked process becomes the program.
  void (*keep)(const AfterFork& program, const void* with) = nullptr;
  const void* with = nullptr;
};

/// One start. A plain value; what it refers to outlives the call.
struct ProgramStart {
  enum class Input { pipe, nothing, socket };        ///< `socket`: one for input and output.
  enum class Errors { inherited, discarded, pipe };  ///< Discarded too if there are none to inherit.
  enum class Group { of_parent, group, session };    ///< The last two: a new one.

  const ProgramImage& image;
  std::string name = {};       ///< In errors.
  std::string directory = {};  ///< Empty: that of this process.
  Input input = Input::pipe;
  Errors errors = Errors::pipe;
  Group group = Group::of_parent;
  bool ends_with_parent = false;  ///< The system kills it when the thread that forked it ends.
  std::span<const StartStep> steps = {};
  Keeper keeper = {};
};

/// A process that has been forked. The streams belong to this process alone and do not block.
struct StartedProgram {
  ProcessId process = -1;  ///< The program, or its keeper.
  FileDescriptor ended;    ///< Readable once the process has ended; closed, with errno, where the system has no such
                           ///< descriptors.
  FileDescriptor input;    ///< Closed without input, or with a socket.
  FileDescriptor output;   ///< With a socket, both directions.
  FileDescriptor errors;   ///< Closed unless they are piped.
  FileDescriptor failure;  ///< Holds a StartFailure if there was one; at its end once the program runs.
};

/// Forks. The program inherits its standard streams and no other descriptor, no blocked and no ignored signal. Throws
/// std::system_error if descriptors or processes have run out.
StartedProgram start_program(const ProgramStart& start);

/// Whether this child of this process was forked by `start_program` and is not forgotten, so that somebody will collect
/// it. Waits for a fork that is under way.
bool was_started_here(ProcessId process);
/// Once it is collected, as its id may then become another's.
void forget_started(ProcessId process);

/// Waits until the program runs, or has failed to.
std::optional<StartFailure> wait_for_start(const StartedProgram& program);
/// The same without waiting: what is known by now. Final once the process has ended.
std::optional<StartFailure> start_failure(const StartedProgram& program);

/// In the process that is to be the program, whose parent is `parent`. Async-signal-safe.
[[noreturn]] void become_program(const AfterFork& program, ProcessId parent);
/// Says why the program does not run, with errno, and ends the process. Async-signal-safe.
[[noreturn]] void give_up_start(const AfterFork& program, StartFailure::Step step);

/// Ignored and blocked signals survive execve(2); after this there are neither. Async-signal-safe.
void reset_signals();

}  // namespace toolwire::system
