// Prompts of every kind, and tools that change their list.
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "fixture_tools.hpp"

namespace toolwire_test {
namespace {

using toolwire::Annotations;
using toolwire::ask;
using toolwire::AudioContent;
using toolwire::Content;
using toolwire::Context;
using toolwire::EmbeddedResource;
using toolwire::field;
using toolwire::fields;
using toolwire::ImageContent;
using toolwire::Json;
using toolwire::Outcome;
using toolwire::PromptInfo;
using toolwire::PromptMessage;
using toolwire::PromptReply;
using toolwire::PromptResult;
using toolwire::ResourceLink;

enum class Tone { kind, stern };

struct Greeting {
  std::string name;
  Tone tone = Tone::kind;
  std::optional<int> times;
  bool loud = false;
  static constexpr auto describe() {
    return fields(
        field<&Greeting::name>("Whom to greet").title("Name"), field<&Greeting::tone>("How to say it").optional(),
        field<&Greeting::times>("How often").between(1, 3), field<&Greeting::loud>("In a loud voice").optional());
  }
};

struct Sure {
  bool sure = false;
  static constexpr auto describe() { return fields(field<&Sure::sure>("Really?")); }
};

struct Gate {
  std::string gate;
  static constexpr auto describe() { return fields(field<&Gate::gate>("Name of a gate")); }
};

std::string greet(const Greeting& greeting) {
  std::string text;
  for (int i = 0; i < greeting.times.value_or(1); ++i)
    text += (greeting.tone == Tone::kind ? "Dear " : "You, ") + greeting.name + (greeting.loud ? "! " : ". ");
  return text + "How are you?";
}

PromptResult every_content() {
  PromptResult result{.description = "All of them", .meta = {{"example.org/key", 1}}};
  result.user("a text").assistant(Content{ImageContent{"\x01\x02", "image/png"}});
  result.user(Content{AudioContent{"\x03", "audio/wav"}});
  result.user(Content{ResourceLink{.uri = "file:///a", .name = "a"}, Annotations{.audience = {"user"}}});
  result.user(Content{EmbeddedResource{.uri = "file:///b", .contents = "b", .mime_type = "text/plain"}});
  return result;
}

Outcome<PromptResult> ask_first(Context& context) {
  auto sure = context.answer<Sure>("sure");
  if (!sure) return ask<Sure>("sure", "Go on?");
  return PromptResult{{}, {PromptMessage::user(sure->accepted() && sure->value->sure ? "Go on." : "Stop.")}, {}};
}

void add_changing_tools(toolwire::Server& server) {
  server.tool("add_prompt", "Adds a prompt", [&server](const Gate& named) {
    server.prompt(named.gate, "Was added", [] { return "added"; });
    return named.gate;
  });
  server.tool("remove_prompt", "Removes a prompt",
              [&server](const Gate& named) { return std::string(server.remove_prompt(named.gate) ? "gone" : "none"); });
}

}  // namespace

void add_prompts(toolwire::Server& server, const std::shared_ptr<Gates>& gates) {
  PromptInfo info{.name = "greet", .description = "Greets somebody", .title = "A greeting"};
  info.icons = {{.src = "https://example.org/icon.png"}};
  info.meta = {{"example.org/key", "value"}};
  info.completers["name"] = toolwire::complete_from({"Ada", "Alan", "Grace"});
  server.prompt(std::move(info), greet);
  server.prompt("contents", "Messages of every kind", every_content);
  server.prompt("ask", "Asks first", ask_first);
  server.prompt("later", "Answers when a gate of its name is settled",
                [gates](const Gate& named, Context&, PromptReply reply) {
                  gates->open(named.gate + " has begun");
                  if (named.gate == "dropped") return;
                  reply("later: " + named.gate);
                });
  server.prompt("refuse", "Says no", []() -> std::string { throw toolwire::ToolError("Not today."); });
  server.prompt("crash", "Fails", []() -> std::string { throw std::runtime_error("a secret"); });
  PromptInfo raw{.name = "raw", .description = "Repeats its arguments"};
  raw.arguments = {{.name = "first", .required = true}, {.name = "second", .description = "May be left out"}};
  server.prompt(std::move(raw), [](const Json& arguments) { return toolwire::to_json_text(arguments); });
  add_changing_tools(server);
}

}  // namespace toolwire_test
