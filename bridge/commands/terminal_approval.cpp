#include "commands/terminal_approval.hpp"

#include <stdexcept>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

#include "manifest/indented_json.hpp"

namespace toolwire::bridge {
namespace {

ToolAnswer refusal(const std::string& why) { return {true, "Not run: " + why, JsonObject{{"code", "denied"}}}; }

bool only_reads(const ListedTool& tool) {
  const Json* const annotations = find_member(tool.raw, "annotations");
  const Json* const hint = annotations == nullptr ? nullptr : find_member(*annotations, "readOnlyHint");
  return hint != nullptr && hint->is_bool() && hint->get_bool();
}

std::string indented(const std::string& text) {
  std::string lines = "  ";
  for (const char one : text) lines.append(one == '\n' ? "\n  " : std::string(1, one));
  return lines;
}

std::string question(const ToolCallBlock& call) {
  const std::string arguments = call.unreadable.empty() ? indented_json(call.input) : call.unreadable;
  return "The model wants to call \"" + text::visible(call.name) + "\":\n" +
         indented(text::visible(arguments, text::lines)) + "\nRun it? [y]es, [n]o, [a]lways this tool, [q]uit: ";
}

}  // namespace

Confirmed confirmed_named(const std::string& name) {
  if (name == "all") return Confirmed::all;
  if (name == "changes") return Confirmed::changes;
  if (name == "none") return Confirmed::none;
  throw std::invalid_argument("--confirm: expected all, changes or none, not \"" + name + "\"");
}

TerminalApproval::TerminalApproval(Confirmed confirmed, const std::vector<ListedTool>& tools,
                                   std::unique_ptr<Terminal> terminal, std::stop_source quit)
    : confirmed_(confirmed), terminal_(std::move(terminal)), quit_(std::move(quit)) {
  for (const ListedTool& tool : tools) {
    known_.insert(tool.name);
    if (confirmed == Confirmed::changes && only_reads(tool)) allowed_.insert(tool.name);
  }
}

std::optional<ToolAnswer> TerminalApproval::refused(const ToolCallBlock& call) {
  if (!known_.contains(call.name)) return refusal("the server lists no tool of this name.");
  if (confirmed_ == Confirmed::none || allowed_.contains(call.name)) return std::nullopt;
  if (!terminal_) return refusal("this call has to be confirmed, and there is no terminal to ask at.");
  for (;;) {
    const auto answer = terminal_->ask(question(call), quit_.get_token());
    if (!answer) return refusal("nobody has confirmed this call.");
    if (*answer == "y" || *answer == "yes") return std::nullopt;
    if (*answer == "n" || *answer == "no") return refusal("the user does not want this call.");
    if (*answer == "a" || *answer == "always") {
      allowed_.insert(call.name);
      return std::nullopt;
    }
    if (*answer != "q" && *answer != "quit") continue;
    quit_.request_stop();
    return refusal("the user has stopped the task.");
  }
}

}  // namespace toolwire::bridge
