#include "commands/replay.hpp"

#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <toolwire/bridge/model_formats.hpp>
#include <toolwire/bridge/tool_turn.hpp>
#include <toolwire/client.hpp>

#include "commands/command_arguments.hpp"
#include "commands/input_text.hpp"
#include "messages/transcript.hpp"

namespace toolwire::bridge {
namespace {

struct Arguments {
  std::string transcript;
  std::string format = "native";
  bool again = false;
  bool one_by_one = false;
  std::vector<std::string> server;
};

Transcript transcript_in(const Arguments& arguments) {
  const ModelFormat format = model_format_named(arguments.format);
  try {
    return {format, input_text(arguments.transcript)};
  } catch (const std::exception& error) {
    throw std::invalid_argument(arguments.transcript + ": " + error.what());
  }
}

std::string_view advice(NextStep next) {
  switch (next) {
    case NextStep::ask_model:
      return "ask the model again, with this context";
    case NextStep::done:
      return "nothing: the turn is over";
    case NextStep::make_room:
      return "the model was cut off: make the context shorter, or have it wrap up";
    case NextStep::stopped:
      return "nothing: the model failed or was stopped";
  }
  return {};
}

int replay(const Arguments& arguments) {
  Transcript transcript = transcript_in(arguments);
  Client client(Program{.command = arguments.server}, {.name = "toolwire-bridge"});
  TurnOptions options;
  options.parallel = !arguments.one_by_one;
  const NextStep next = transcript.complete(tools_of(client), options, arguments.again);
  std::cout << transcript.text() << std::flush;
  std::cerr << "next: " << advice(next) << '\n';
  return std::cout ? 0 : 1;
}

void describe(CommandArguments& taken, Arguments& arguments) {
  taken.required("TRANSCRIPT", arguments.transcript,
                 "The messages so far, or one answer of the model, as JSON; \"-\" for standard input");
  taken.option("--format", arguments.format,
               "The form of the messages: native, anthropic, openai, openai-responses, gemini or pi (default: native)");
  taken.flag("--again", arguments.again, "Run calls that have a result, too, and put the new one in its place");
  taken.flag("--one-by-one", arguments.one_by_one, "Run the calls of a message one after the other");
}

}  // namespace

int replay_command(int argc, const char* const* argv) {
  CommandArguments taken(
      "replay", "Runs the tool calls of a conversation and prints it with their results; all else stays as it is.");
  taken.footer("Behind \"--\" stands the MCP server: its program and its arguments.");
  Arguments arguments;
  describe(taken, arguments);
  if (const auto ended = taken.parse(argc, argv, arguments.server)) return *ended;
  if (arguments.server.empty()) return taken.missing("\"-- SERVER\"");
  try {
    return replay(arguments);
  } catch (const std::exception& error) {
    std::cerr << "toolwire-bridge replay: " << error.what() << '\n';
    return 1;
  }
}

}  // namespace toolwire::bridge
