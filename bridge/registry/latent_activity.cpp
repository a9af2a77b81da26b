#include "registry/latent_activity.hpp"

#include <optional>
#include <string>
#include <utility>

#include <toolwire/ask.hpp>

namespace toolwire::bridge {
namespace {

std::optional<std::string> misfit_of_output(const RegisteredTool& tool, const Json& output) {
  if (!tool.output || tool.output->is_valid(output)) return std::nullopt;
  std::string text;
  for (const SchemaViolation& violation : tool.output->validate(output)) {
    const std::string path = violation.display_path.empty() ? "_output" : "_output." + violation.display_path;
    text.append(text.empty() ? "" : "\n").append(path).append(": ").append(violation.message);
  }
  return text;
}

class Inlined : public Activity {
 public:
  explicit Inlined(ToolPointer tool) : tool_(std::move(tool)) {}

  void start(const Call& call, ActivityContext&, Reply reply) override {
    if (!call.output)
      return reply(failure("latent_output_missing",
                           "\"" + call.tool +
                               "\" is done by you: call it again with `_output`, its result, filled to fit " +
                               to_json_text(tool_->definition.output),
                           true));
    if (auto why = misfit_of_output(*tool_, *call.output))
      return reply(
          failure("latent_output_missing", "`_output` does not fit; correct it and call again:\n" + *why, true));
    reply(ToolResult::of(*call.output));
  }
  std::string_view kind() const override { return latent_kind; }

 private:
  const ToolPointer tool_;
};

/// The text without the fenced block in which models often put it.
std::string_view unfenced(std::string_view text) {
  const std::size_t begin = text.find("```");
  if (begin == std::string_view::npos) return text;
  const std::size_t line = text.find('\n', begin);
  const std::size_t end = line == std::string_view::npos ? line : text.find("```", line);
  return end == std::string_view::npos ? text : text.substr(line + 1, end - line - 1);
}

class Sampled : public Activity {
 public:
  explicit Sampled(ToolPointer tool) : tool_(std::move(tool)) {}

  void start(const Call& call, ActivityContext& context, Reply reply) override {
    const auto answer = context.request().model_answer(question_key);
    if (!answer) return reply(question(call));
    if (!answer->accepted())
      return reply(failure("denied", "The client did not let its model do \"" + call.tool + "\"", false));
    reply(result_of(answer->value->text()));
  }
  std::string_view kind() const override { return latent_kind; }

 private:
  static constexpr const char* question_key = "dev.toolwire/latent";
  static constexpr int max_tokens = 4096;

  Questions question(const Call& call) const {
    const std::string task = tool_->definition.description + "\n\nInput:\n" + to_json_text(call.parameters) +
                             "\n\nAnswer with nothing but JSON that fits this schema:\n" +
                             to_json_text(tool_->definition.output);
    return ask_model(question_key, ModelRequest{.messages = {ModelMessage::user(task)},
                                                .max_tokens = max_tokens,
                                                .system_prompt = "You carry out the tool \"" + call.tool + "\"."});
  }

  ToolResult result_of(std::string_view text) const {
    Json output(text);
    try {
      output = parse_json(unfenced(text), {.max_values = usual_json_values});
    } catch (const JsonError&) {
      // if the output is a string, the text may be used as it is
    }
    if (auto why = misfit_of_output(*tool_, output))
      return failure("invalid_output", "What the model made does not fit the output of the tool:\n" + *why, true);
    return ToolResult::of(std::move(output));
  }

  const ToolPointer tool_;
};

}  // namespace

ActivityPointer latent_activity(ToolPointer tool, Latent latent) {
  if (latent == Latent::sampling) return std::make_shared<Sampled>(std::move(tool));
  return std::make_shared<Inlined>(std::move(tool));
}

}  // namespace toolwire::bridge
