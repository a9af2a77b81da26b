// Long-running tools: their calls become tasks if the client supports them. `greet` is not one of them.
#include <optional>
#include <string>
#include <toolwire/error.hpp>

#include "everything/everything.hpp"
#include "everything/pause.hpp"

namespace everything {
namespace {

using namespace toolwire;
using namespace std::chrono_literals;

struct Work {
  double seconds = 1;
  std::string label = "work";
  static constexpr auto describe() {
    return fields(field<&Work::seconds>("How long it takes").between(0, 3600),
                  field<&Work::label>("What it is called").optional());
  }
};

struct File {
  std::string filename;
  static constexpr auto describe() { return fields(field<&File::filename>("Which file; none is really deleted")); }
};

struct Name {
  std::string name;
  static constexpr auto describe() { return fields(field<&Name::name>("A name")); }
};

struct Confirm {
  bool confirm = false;
  static constexpr auto describe() { return fields(field<&Confirm::confirm>("Go on?")); }
};

/// Holds the answers to both questions: some clients give every question of a task the same answer.
struct NameAndConfirm {
  std::optional<std::string> name;
  std::optional<bool> confirm;
  static constexpr auto describe() {
    return fields(field<&NameAndConfirm::name>("A name"), field<&NameAndConfirm::confirm>("Go on?"));
  }
};

ToolInfo long_running(std::string name, std::string description) {
  ToolInfo info = harmless(std::move(name), std::move(description));
  info.long_running = true;
  return info;
}

std::string compute(const Work& work, Context& context) {
  const bool whole = pause(context.stop_token(), std::chrono::duration<double>(work.seconds));
  return work.label + (whole ? ": computed for " : ": stopped before ") + to_json_text(work.seconds) + " s";
}

Outcome<std::string> confirm_delete(const File& file, Context& context) {
  const auto answer = context.answer<Confirm>("confirm");
  if (!answer) return ask<Confirm>("confirm", "Delete " + file.filename + "?");
  const bool sure = answer->accepted() && answer->value->confirm;
  return file.filename + (sure ? " would be deleted" : " is kept");
}

Outcome<std::string> ask_two(Context& context) {
  const auto first = context.answer<NameAndConfirm>("first");
  const auto second = context.answer<NameAndConfirm>("second");
  Questions open;
  if (!first) open.also(ask<NameAndConfirm>("first", "Who is it?"));
  if (!second) open.also(ask<NameAndConfirm>("second", "And who else?"));
  if (!open.list.empty()) return open;
  auto named = [](const auto& answer) { return answer->accepted() ? answer->value->name.value_or("?") : "nobody"; };
  return named(first) + " and " + named(second);
}

Outcome<std::string> ask_name(Context& context) {
  const auto name = context.answer<Name>("user_name");
  if (!name) return ask<Name>("user_name", "What is your name?");
  return "Hello, " + (name->accepted() ? name->value->name : "whoever you are") + "; this took a task";
}

Outcome<std::string> ask_twice(Context& context) {
  const auto name = context.answer<Name>("step1");
  if (!name) return ask<Name>("step1", "What is your name?");
  const auto sure = context.answer<Confirm>("step2");
  if (!sure) return ask<Confirm>("step2", "Are you sure?");
  return (name->accepted() ? name->value->name : "Somebody") +
         (sure->accepted() && sure->value->confirm ? " is sure" : " is not sure");
}

std::string report(Context& context) {
  for (int done = 1; done <= 3; ++done) {
    context.progress(done, 3, "step " + std::to_string(done));
    context.log(LogLevel::info, "step " + std::to_string(done), "everything");
    if (!pause(context.stop_token(), 60ms)) return "stopped";
  }
  return "done in three steps";
}

}  // namespace

void add_task_tools(Server& server) {
  add(server, "greet", "Greets; never a task", [](const Name& name) { return "Hello, " + name.name + "!"; });
  server.tool(long_running("slow_compute", "Takes so long, then answers"), compute);
  ToolInfo failing = long_running("failing_job", "Can only be a task, and fails");
  failing.only_as_task = true;
  server.tool(std::move(failing), []() -> std::string { throw ToolError("The job failed, as it always does"); });
  server.tool(long_running("protocol_error_job", "Ends with an error of the protocol"), []() -> std::string {
    throw ProtocolError(-32603, "The job ended with an error of the protocol", JsonObject{{"job", "everything"}});
  });
  server.tool(long_running("confirm_delete", "Asks while it is a task"), confirm_delete);
  server.tool(long_running("multi_input", "Asks two things at once while it is a task"), ask_two);
  ToolInfo first = long_running("test_tool_with_task", "Asks first, then becomes a task");
  first.asks_before_task = true;
  server.tool(std::move(first), ask_name);
  server.tool(long_running("test_task_multi_round", "Asks twice while it is a task"), ask_twice);
  server.tool(long_running("test_task_with_progress", "Reports progress and logs while it is a task"), report);
}

}  // namespace everything
