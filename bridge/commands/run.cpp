#include "commands/run.hpp"

#include <atomic>
#include <chrono>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <toolwire/bridge/model_formats.hpp>
#include <toolwire/client.hpp>
#include <toolwire/system/end_by_signal.hpp>
#include <toolwire/system/new_file.hpp>
#include <toolwire/text.hpp>

#include "commands/command_arguments.hpp"
#include "commands/input_text.hpp"
#include "commands/model_program.hpp"
#include "commands/terminal_approval.hpp"
#include "commands/whole_number.hpp"
#include "messages/agent_loop.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

constexpr int over_bound = 3;
constexpr int stopped = 130;                   // as a shell says of what a person has interrupted
constexpr std::int64_t max_seconds = 604'800;  // a week
constexpr std::size_t max_shown = 200;         // bytes of arguments and results in a line
constexpr unsigned only_owner = 0600;

struct Arguments {
  std::string model;
  std::string format = "native";
  std::string conversation;
  std::string prompt;
  std::string transcript;
  std::string confirm = "changes";
  std::string turns = "50";
  std::string calls = "500";
  std::string tokens;
  std::string seconds;
  std::vector<std::string> server;
};

/// What was said so far, and the prompt behind it.
Transcript beginning(const Arguments& arguments) {
  const ModelFormat format = model_format_named(arguments.format);
  try {
    Transcript transcript =
        Transcript::begun(format, arguments.conversation.empty() ? "{}\n" : input_text(arguments.conversation));
    if (!arguments.prompt.empty()) transcript.say(arguments.prompt);
    return transcript;
  } catch (const std::exception& error) {
    throw std::invalid_argument((arguments.conversation.empty() ? "--prompt" : arguments.conversation) + ": " +
                                error.what());
  }
}

AgentBounds bounds_in(const Arguments& arguments) {
  constexpr std::int64_t most = 1'000'000;
  AgentBounds bounds;
  bounds.turns = static_cast<std::size_t>(whole_number("--turns", arguments.turns, 1, most));
  bounds.calls = static_cast<std::size_t>(whole_number("--calls", arguments.calls, 0, most));
  if (!arguments.tokens.empty()) bounds.tokens = whole_number("--tokens", arguments.tokens, 1, INT64_MAX);
  return bounds;
}

std::vector<ToolDefinition> definitions_of(const std::vector<ListedTool>& listed) {
  std::vector<ToolDefinition> tools;
  tools.reserve(listed.size());
  for (const ListedTool& tool : listed) {
    tools.push_back(
        {.name = tool.name, .title = tool.title, .description = tool.description, .parameters = tool.input_schema});
  }
  return tools;
}

std::string one_line(const std::string& text) {
  const std::string_view shown = text::head(text, max_shown);
  return text::visible(shown) + (shown.size() < text.size() ? " …" : "");
}

std::string shown(const AssistantMessage& message) {
  std::string lines;
  for (const AssistantBlock& block : message.content) {
    if (const auto* said = std::get_if<TextBlock>(&block)) lines += text::visible(said->text, text::lines) + "\n";
  }
  return lines;
}

void show_result(const ToolCallBlock& call, const ToolResultMessage& result) {
  const std::string line = "> " + text::visible(call.name) + " " + one_line(to_json_text(call.input)) + "\n" +
                           (result.is_error ? "  failed: " : "  ") + one_line(result.text()) + "\n";
  std::cerr << line;
}

/// Stops the task when its time is over.
class TimeLimit {
 public:
  TimeLimit(std::optional<std::chrono::seconds> time, std::stop_source stop) {
    if (!time) return;
    thread_ = std::jthread([this, time = *time, stop = std::move(stop)](const std::stop_token& over) mutable {
      MutexLock lock(mutex_);
      never_.wait_until(lock, over, std::chrono::steady_clock::now() + time, [] { return false; });
      if (over.stop_requested()) return;
      is_met_ = true;
      stop.request_stop();
    });
  }
  bool is_met() const { return is_met_; }

 private:
  std::atomic<bool> is_met_ = false;
  Mutex mutex_;
  StoppableConditionVariable never_;
  std::jthread thread_;
};

void keep(const std::string& path, const std::string& transcript) {
  system::NewFile file(path, only_owner);
  file.write(transcript);
  file.close();
  file.replace();
}

int status_of(AgentEnd end, const TimeLimit& time, const Arguments& arguments) {
  const auto say = [](const std::string& why, int status) {
    std::cerr << "toolwire-bridge run: " << why << '\n';
    return status;
  };
  switch (end) {
    case AgentEnd::done:
      return 0;
    case AgentEnd::cut_off:
      return say("the model's answer was cut off: make the conversation shorter, or let it answer more", over_bound);
    case AgentEnd::failed:
      return say("the model has failed, or was stopped", 1);
    case AgentEnd::turns:
      return say("the " + arguments.turns + " answers of --turns are used up", over_bound);
    case AgentEnd::calls:
      return say("the " + arguments.calls + " calls of --calls are used up", over_bound);
    case AgentEnd::tokens:
      return say("the " + arguments.tokens + " tokens of --tokens are used up", over_bound);
    case AgentEnd::stopped:
      return time.is_met() ? say("the " + arguments.seconds + " seconds of --seconds are over", over_bound)
                           : say("stopped", stopped);
  }
  return 1;
}

/// A server that does not answer is not waited for once the task is stopped.
std::vector<ListedTool> tools_in(Client& client, const std::stop_token& stop) {
  const std::stop_callback given_up(stop, [&client] { client.process()->kill(); });
  return client.list_tools();
}

/// What the arguments say.
struct Task {
  explicit Task(const Arguments& arguments)
      : bounds(bounds_in(arguments)), confirmed(confirmed_named(arguments.confirm)), transcript(beginning(arguments)) {
    if (!arguments.seconds.empty())
      time = std::chrono::seconds(whole_number("--seconds", arguments.seconds, 1, max_seconds));
  }

  AgentBounds bounds;
  Confirmed confirmed;
  Transcript transcript;
  std::optional<std::chrono::seconds> time = {};
};

int run(const Arguments& arguments, Task task, const TimeLimit& time, const std::stop_source& stop) {
  Client client(Program{.command = arguments.server}, {.name = "toolwire-bridge", .stop = stop.get_token()});
  const std::vector<ListedTool> listed = tools_in(client, stop.get_token());
  TerminalApproval approval(task.confirmed, listed, Terminal::of_this_session(), stop);
  std::string last;
  AgentOptions options{.bounds = task.bounds};
  options.ask = [&](const std::string& request) { return model_answer(arguments.model, request, stop.get_token()); };
  options.said = [&](const AssistantMessage& message) {
    last = shown(message);
    if (!tool_calls_in(message).empty()) std::cerr << last;
  };
  if (!arguments.transcript.empty()) options.grown = [&](const std::string& text) { keep(arguments.transcript, text); };
  options.turn.before = [&](const ToolCallBlock& call) { return approval.refused(call); };
  options.turn.after = show_result;
  options.turn.call.stop = stop.get_token();
  const AgentEnd end = run_agent(task.transcript, tools_of(client), definitions_of(listed), std::move(options));
  std::cout << last << std::flush;
  const int status = status_of(end, time, arguments);
  return std::cout ? status : 1;
}

void describe(CommandArguments& taken, Arguments& arguments) {
  taken.option("--model-command", arguments.model,
               "A line for the shell: reads the body of a request, prints the answer of the model's API");
  taken.option("--format", arguments.format,
               "The form of the messages: native, anthropic, openai, openai-responses, gemini or pi (default: native)");
  taken.option("--prompt", arguments.prompt, "What the user says");
  taken.option("--conversation", arguments.conversation,
               "The messages so far, or the body of a request, with or without them; \"-\" for standard input");
  taken.option("--transcript", arguments.transcript, "The file the conversation is kept in, whenever it has grown");
  taken.option("--confirm", arguments.confirm,
               "Which calls are asked about at the terminal: all, changes (of tools that do not say that they only "
               "read) or none (default: changes)");
  taken.option("--turns", arguments.turns, "Answers of the model, at most (default: 50)");
  taken.option("--calls", arguments.calls, "Calls of tools, at most (default: 500)");
  taken.option("--tokens", arguments.tokens, "Tokens, at most, as the model's answers count them (default: no bound)");
  taken.option("--seconds", arguments.seconds, "The time it may take (default: no bound)");
}

}  // namespace

int run_command(int argc, const char* const* argv) {
  CommandArguments taken("run",
                         "Lets a model use the tools of a server until its turn is over, and prints what it says.");
  taken.footer(
      "Behind \"--\" stands the MCP server: its program and its arguments. Exit status: 0 the turn is over, 1 "
      "something "
      "failed, 2 wrong arguments, 3 a bound was met, 130 stopped.");
  Arguments arguments;
  describe(taken, arguments);
  if (const auto ended = taken.parse(argc, argv, arguments.server)) return *ended;
  if (arguments.model.empty()) return taken.missing("--model-command");
  if (arguments.prompt.empty() && arguments.conversation.empty()) return taken.missing("--prompt or --conversation");
  if (arguments.server.empty()) return taken.missing("\"-- SERVER\"");
  system::block_ending_signals();  // in every thread that is started later
  const auto failed = [](const std::exception& error, int status) {
    std::cerr << "toolwire-bridge run: " << error.what() << '\n';
    return status;
  };
  std::optional<Task> task;
  try {
    task.emplace(arguments);
  } catch (const std::exception& error) {
    return failed(error, 2);
  }
  std::stop_source stop;
  const TimeLimit time(task->time, stop);
  const system::EndBySignal interrupted([stop]() mutable { stop.request_stop(); });
  try {
    return run(arguments, std::move(*task), time, stop);
  } catch (const std::exception& error) {  // also of what was only cut off by the end
    return stop.stop_requested() ? status_of(AgentEnd::stopped, time, arguments) : failed(error, 1);
  }
}

}  // namespace toolwire::bridge
