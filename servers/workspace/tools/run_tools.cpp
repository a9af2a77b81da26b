#include "workspace/tools/run_tools.hpp"

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <toolwire/describe.hpp>
#include <toolwire/text.hpp>
#include <utility>
#include <vector>

#include "workspace/text/shown_path.hpp"
#include "workspace/tools/answer.hpp"

namespace workspace {
namespace {

using toolwire::AnyOutcome;
using toolwire::Context;
using toolwire::field;
using toolwire::fields;
using toolwire::ToolError;
using toolwire::ToolResult;
using namespace std::chrono_literals;

constexpr std::size_t most_shown = 4000;  // bytes of a command that a person is asked about
constexpr std::int64_t most_seconds = 24 * 3600;

struct RunCommand {
  std::vector<std::string> argv;
  std::string directory = ".";
  std::int64_t timeout = 120;
  bool background = false;
  bool changes_what_runs_later = false;

  static constexpr auto describe() {
    return fields(
        field<&RunCommand::argv>("The program and its arguments, each a word of its own, as in [\"cargo\", \"test\", "
                                 "\"--lib\"]. No shell reads them: no pipes, redirections, && or variables")
            .items(1, 4096),
        field<&RunCommand::directory>("Where it works, relative to the workspace root; . is the root").optional(),
        field<&RunCommand::timeout>("Seconds after which it is ended; of no meaning in the background")
            .between(1, most_seconds)
            .optional(),
        field<&RunCommand::background>("Whether to answer at once with an id, for servers and long builds; then use "
                                       "read_output and stop_command")
            .optional(),
        field<&RunCommand::changes_what_runs_later>(
            "Whether what it changes of hooks and settings of git, settings of editors, agents and shells, and jobs of "
            "CI is kept. Else such changes are put back. A person is always asked")
            .named("changesWhatRunsLater")
            .optional());
  }
};

struct ReadOutput {
  std::int64_t id = 0;
  std::optional<std::int64_t> offset;
  std::int64_t wait = 0;

  static constexpr auto describe() {
    return fields(field<&ReadOutput::id>("The id that run_command told").between(1, 1'000'000'000),
                  field<&ReadOutput::offset>("The byte of the output to begin at; without it what was not shown yet")
                      .between(0, std::int64_t{1} << 60),
                  field<&ReadOutput::wait>("Seconds to wait for output if there is none").between(0, 60).optional());
  }
};

struct StopCommand {
  std::int64_t id = 0;

  static constexpr auto describe() {
    return fields(field<&StopCommand::id>("The id that run_command told").between(1, 1'000'000'000));
  }
};

/// What the text does not say, or says for people.
struct CommandAnswer {
  std::optional<std::int64_t> id = {};
  bool running = false;
  std::optional<int> exit_status = {};
  std::int64_t milliseconds = 0;
  std::uint64_t next_offset = 0;
  std::vector<std::string> notices = {};

  static constexpr auto describe() {
    return fields(
        field<&CommandAnswer::id>("Of a command in the background"),
        field<&CommandAnswer::running>("Whether it still runs"),
        field<&CommandAnswer::exit_status>("Missing while it runs and where a signal ended it").named("exitStatus"),
        field<&CommandAnswer::milliseconds>("How long it has run"),
        field<&CommandAnswer::next_offset>("How many bytes it has written").named("nextOffset"),
        field<&CommandAnswer::notices>("What is to be known besides"));
  }
};

struct Approval {
  bool approve = false;
  bool remember = false;

  static constexpr auto describe() {
    return fields(field<&Approval::approve>("Let it run"),
                  field<&Approval::remember>("Also whenever exactly this command is asked for again in this folder, "
                                             "until the server ends")
                      .optional());
  }
};

constexpr std::string_view approval_key = "approval";

std::string seconds_text(std::chrono::milliseconds time) {
  std::string text = std::to_string(time.count() / 100);
  if (text.size() == 1) text.insert(0, 1, '0');
  return text.insert(text.size() - 1, 1, '.') + " s";
}

struct Told {
  ToolResult result;
  std::uint64_t next = 0;  // what of the output was not told
};

/// The text of what it has written since, and in brackets below what is to be known.
Told told(const RunningCommand& command, std::uint64_t offset, CommandAnswer answer_to_tell) {
  const auto end = command.end();
  const RunningCommand::Written written = command.written(offset);
  answer_to_tell.milliseconds = command.time().count();
  answer_to_tell.next_offset = written.next;
  answer_to_tell.running = !end;
  std::string state = end ? end_text(*end) + ", after " + seconds_text(command.time())
                          : "still running, since " + seconds_text(command.time());
  if (end) {
    answer_to_tell.exit_status = exit_status_of(*end);
    for (const std::string& change : end->changes) answer_to_tell.notices.push_back("What runs later: " + change + ".");
  }
  std::string text = written.text;
  if (!text.empty() && text.back() != '\n') text += '\n';
  if (text.empty()) text = offset == 0 ? "(no output)\n" : "(no further output)\n";
  for (const std::string& notice : answer_to_tell.notices) text += '[' + notice + "]\n";
  ToolResult result = answer(text + '[' + state + ']', answer_to_tell);
  result.is_error = end && (end->not_started != 0 || end->is_lost);
  return {std::move(result), written.next};
}

std::chrono::seconds time_for(const Commands& commands, const RunCommand& wanted) {
  return std::min(std::chrono::seconds(wanted.timeout), commands.most());
}

std::string question_text(const Commands& commands, const AskedCommand& asked, const RunCommand& wanted) {
  std::string text = "Run this command?\n\n  " + shown_command(asked.words) + "\n\nIts program is " +
                     shown_path(asked.called) +
                     (asked.called == asked.file ? "" : " (" + shown_path(asked.file) + ')') + ", its folder " +
                     shown_path(asked.folder) + ".";
  text += wanted.background ? " It runs until it is stopped or the server ends."
                            : " It is ended after " + std::to_string(time_for(commands, wanted).count()) + " s.";
  if (program_kind(asked.words.front(), asked.file) != ProgramKind::plain)
    text += "\nIt runs text or programs that its arguments name: read them.";
  if (asked.changes_what_runs_later)
    text +=
        "\nWhat it changes of hooks and settings of git, settings of editors, agents and shells, and jobs of CI "
        "STAYS. Such files are run later, without any confinement.";
  else
    text +=
        "\nWhat it changes of files that are run later (hooks and settings of git, settings of editors, agents and "
        "shells, jobs of CI) is put back when it has ended.";
  return text + "\n" + commands.confinement();
}

[[noreturn]] void refuse_unasked(const Commands& commands, const AskedCommand& asked) {
  const std::string patterns = commands.patterns_text();
  std::string text = "argv: not run. No pattern approves " + shown_command(asked.words).substr(0, most_shown) +
                     (asked.changes_what_runs_later ? " with changesWhatRunsLater" : "") +
                     ", and this client cannot ask a person. ";
  text += patterns.empty() ? "The server was started without any --run-allow." : "Approved are: " + patterns + ".";
  if (program_kind(asked.words.front(), asked.file) == ProgramKind::shell)
    throw ToolError(text + " No pattern can approve a shell: name the programs themselves, one call for each.");
  throw ToolError(text +
                  " Use one of these or another tool of this server, or tell the person that the server needs an "
                  "option --run-allow for this command.");
}

/// A question, or nothing if it may run. Throws ToolError if it may not.
std::optional<toolwire::Questions> question(Commands& commands, const AskedCommand& asked, const RunCommand& wanted,
                                            const Context& context) {
  if (commands.is_approved(asked)) return std::nullopt;
  if (shown_command(asked.words).size() > most_shown)
    throw ToolError("argv: not run, because no pattern approves it and it is too long to be shown to a person (" +
                    std::to_string(most_shown) + " bytes); put the text into a file of the workspace and run that");
  if (const auto answer = context.answer<Approval>(approval_key)) {
    if (!answer->accepted() || !answer->value->approve)
      throw ToolError(
          "argv: not run: the person has not approved it. Do not try the same in another way; ask what to "
          "do instead");
    if (answer->value->remember) commands.approve_from_now_on(asked);
    return std::nullopt;
  }
  toolwire::Questions asking =
      toolwire::ask<Approval>(std::string(approval_key), question_text(commands, asked, wanted));
  if (!context.can_ask(asking)) refuse_unasked(commands, asked);
  return asking;
}

ToolResult run_in_background(Commands& commands, const AskedCommand& asked, const Context& context) {
  constexpr auto first_words = 300ms;  // most that fails fails at once
  const std::int64_t id = commands.start_in_background(asked);
  const auto command = commands.in_background(id);
  command->wait_for_end(first_words, context.stop_token());
  Told all = told(*command, 0,
                  {.id = id,
                   .notices = {"id " + std::to_string(id) +
                               ": read_output shows what it writes, stop_command ends it; it ends with this "
                               "server"}});
  commands.set_unseen(id, all.next);
  return std::move(all.result);
}

ToolResult run_to_its_end(Commands& commands, const AskedCommand& asked, const RunCommand& wanted,
                          const Context& context) {
  const std::chrono::seconds most = time_for(commands, wanted);
  const auto command = commands.start(asked, most);
  command->wait(context.stop_token());
  if (!command->end()) throw ToolError("argv: ended, because the call was cancelled");
  CommandAnswer answer_to_tell;
  if (command->end()->ended_for == EndedFor::time)
    answer_to_tell.notices.push_back("It had " + std::to_string(most.count()) + " s; " +
                                     (most < commands.most() ? "give more (timeout), or " : "") +
                                     "run it in the background");
  return told(*command, 0, std::move(answer_to_tell)).result;
}

/// What was not told yet, of one in the background.
ToolResult told_on(Commands& commands, std::int64_t id, const RunningCommand& command, std::uint64_t offset) {
  Told more = told(command, offset, {.id = id});
  commands.set_unseen(id, more.next);
  return std::move(more.result);
}

toolwire::ToolInfo info_of(const Commands& commands) {
  toolwire::ToolInfo info = tool_info<CommandAnswer>(
      "run_command", "Run a command", Effect::replaces, commands.most() + 60s,
      "Run a program of the system or the workspace: tests, builds, formatters, package managers. To read, search or "
      "change files use the other tools of this server. Answers what it wrote (both streams, in order; of much the "
      "first "
      "and the last lines) and its exit status. Not through a shell, so each argument is a word of its own. A command "
      "that no pattern of the person approves is shown to the person first, a shell always. Its processes end with "
      "it. " +
          commands.confinement());
  info.open_world = commands.uses_network();
  info.single_use_answers = true;
  return info;
}

}  // namespace

toolwire::Tool run_command_tool(Commands& commands) {
  return toolwire::make_tool(info_of(commands), [&commands](const RunCommand& wanted, Context& context) -> AnyOutcome {
    const AskedCommand asked = commands.resolve(wanted.argv, wanted.directory, wanted.changes_what_runs_later);
    if (auto asking = question(commands, asked, wanted, context)) return std::move(*asking);
    return wanted.background ? run_in_background(commands, asked, context)
                             : run_to_its_end(commands, asked, wanted, context);
  });
}

toolwire::Tool read_output_tool(Commands& commands) {
  return toolwire::make_tool(
      tool_info<CommandAnswer>("read_output", "Output of a command", Effect::reads, 90s,
                               "Show what a command in the background has written since the last look (or from offset "
                               "on), whether it still runs, and how it ended. Of much output the first and the last "
                               "lines are shown; the first 64 KiB and the last 512 KiB can be read."),
      [&commands](const ReadOutput& wanted, Context& context) {
        const auto command = commands.in_background(wanted.id);
        const std::uint64_t offset =
            wanted.offset ? static_cast<std::uint64_t>(*wanted.offset) : commands.unseen(wanted.id);
        if (const std::uint64_t size = command->size(); offset > size)
          throw ToolError("offset: " + std::to_string(offset) + " is more than it has written; expected at most " +
                          std::to_string(size));
        command->wait_for_more(offset, std::chrono::seconds(wanted.wait), context.stop_token());
        return told_on(commands, wanted.id, *command, offset);
      });
}

toolwire::Tool stop_command_tool(Commands& commands) {
  return toolwire::make_tool(
      tool_info<CommandAnswer>("stop_command", "Stop a command", Effect::replaces, 60s,
                               "End a command in the background: it is asked to end (SIGTERM) and, two seconds later, "
                               "ended by force with all its processes. Answers the rest of what it wrote."),
      [&commands](const StopCommand& wanted, Context& context) {
        const auto command = commands.in_background(wanted.id);
        command->stop();
        command->wait(context.stop_token());
        return told_on(commands, wanted.id, *command, commands.unseen(wanted.id));
      });
}

}  // namespace workspace
