// Prompts with messages of every kind, and suggestions for their arguments.
#include <string>
#include <vector>

#include "everything/everything.hpp"
#include "everything/samples.hpp"

namespace everything {
namespace {

using namespace toolwire;

struct TwoArguments {
  std::string arg1, arg2;
  static constexpr auto describe() {
    return fields(field<&TwoArguments::arg1>("First test argument"),
                  field<&TwoArguments::arg2>("Second test argument"));
  }
};

struct Embedded {
  std::string resource_uri;
  static constexpr auto describe() {
    return fields(field<&Embedded::resource_uri>("URI of the resource to embed").named("resourceUri"));
  }
};

struct Repository {
  std::string owner, repository;
  static constexpr auto describe() {
    return fields(field<&Repository::owner>("Who owns it"), field<&Repository::repository>("Its name"));
  }
};

struct Value {
  std::string value;
  static constexpr auto describe() { return fields(field<&Value::value>("One of many")); }
};

enum class Style { plain, elaborate };

struct Styled {
  Style style = Style::plain;
  static constexpr auto describe() { return fields(field<&Styled::style>("How to say it").title("Style").optional()); }
};

struct UserContext {
  std::string context;
  static constexpr auto describe() { return fields(field<&UserContext::context>("The context")); }
};

PromptInfo titled(std::string name, std::string title, std::string description) {
  return {.name = std::move(name), .description = std::move(description), .title = std::move(title)};
}

PromptResult with(Content content, std::string request) {
  PromptResult result;
  result.user(std::move(content)).user(std::move(request));
  return result;
}

void add_content_prompts(Server& server) {
  server.prompt(titled("test_prompt_with_image", "Prompt With Image", "A prompt that includes image content"), [] {
    return with({ImageContent{red_pixel(), "image/png"}}, "Please analyze the image above.");
  });
  server.prompt(titled("test_prompt_with_audio", "Prompt With Audio", "A prompt that includes a sound"), [] {
    return with({AudioContent{moment_of_silence(), "audio/wav"}}, "Please write down what is said above.");
  });
  server.prompt(titled("test_prompt_with_embedded_resource", "Prompt With Embedded Resource",
                       "A prompt that includes an embedded resource"),
                [](const Embedded& wish) {
                  return with(
                      {EmbeddedResource{wish.resource_uri, "Embedded resource content for testing.", "text/plain"}},
                      "Please process the embedded resource above.");
                });
  server.prompt(titled("test_prompt_with_resource_link", "Prompt With Resource Link", "A prompt with a link"), [] {
    const ResourceLink link{.uri = "test://static-text", .name = "static-text", .mime_type = "text/plain"};
    return with({link, {.audience = {"assistant"}}}, "Please read the resource above.");
  });
}

Completion repositories(std::string_view typed, const CompletionContext& context) {
  const auto owner = context.find("owner");
  if (owner == context.end()) return {};
  Completion completion;
  for (const char* suffix : {"-server", "-client", "-tools"}) {
    const std::string name = owner->second + suffix;
    if (name.starts_with(typed)) completion.values.push_back(name);
  }
  return completion;
}

Completion many_values(std::string_view typed, const CompletionContext&) {
  Completion completion;
  for (int i = 0; i < 250; ++i) {
    std::string value = "value" + std::to_string(i);
    if (value.starts_with(typed)) completion.values.push_back(std::move(value));
  }
  return completion;
}

void add_completed_prompts(Server& server) {
  PromptInfo context = titled("test_completion_context", "Repository", "What is suggested depends on the owner");
  context.completers = {{"owner", complete_from({"toolwire", "modelcontextprotocol"})}, {"repository", repositories}};
  server.prompt(std::move(context), [](const Repository& it) { return it.owner + "/" + it.repository; });
  PromptInfo large = titled("test_large_completion", "Many values", "More suggestions than one answer can hold");
  large.completers = {{"value", many_values}};
  server.prompt(std::move(large), [](const Value& it) { return it.value; });
}

Outcome<PromptResult> ask_context(Context& context) {
  const auto answer = context.answer<UserContext>("user_context");
  if (!answer) return ask<UserContext>("user_context", "What context should the prompt use?");
  PromptResult result;
  result.user("Prompt with context: " + (answer->accepted() ? answer->value->context : "none"));
  return result;
}

/// A conversation of two, with all metadata of a prompt and its result.
void add_described_prompt(Server& server) {
  PromptInfo info = titled("test_described_prompt", "Described prompt", "Says everything a prompt can say");
  info.icons = {{.src = "https://example.org/prompt.png", .mime_type = "image/png"}};
  info.meta = {{"org.example/group", "prompts"}};
  server.prompt(std::move(info), [](const Styled& styled) {
    PromptResult result{.description = "A short conversation", .meta = {{"org.example/kind", "conversation"}}};
    result.user("Who are you?");
    result.assistant(styled.style == Style::plain ? "A server." : "A server that shows everything there is.");
    return result;
  });
}

}  // namespace

void add_prompts(Server& server) {
  server.prompt(titled("test_simple_prompt", "Simple Test Prompt", "A simple prompt without arguments"),
                [] { return "This is a simple prompt for testing."; });
  PromptInfo arguments =
      titled("test_prompt_with_arguments", "Prompt With Arguments", "A prompt with required arguments");
  arguments.completers = {{"arg1", complete_from({"paris", "park", "party"})}};
  server.prompt(std::move(arguments), [](const TwoArguments& two) {
    return "Prompt with arguments: arg1='" + two.arg1 + "', arg2='" + two.arg2 + "'";
  });
  add_content_prompts(server);
  add_completed_prompts(server);
  server.prompt(titled("test_input_required_result_prompt", "Prompt that asks", "Asks before it answers"), ask_context);
  add_described_prompt(server);
}

}  // namespace everything
