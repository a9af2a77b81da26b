// prompts/get (specification: server/prompts, getting): the prompt's function, with questions in between.
#include <memory>
#include <utility>

#include "features/served_prompt.hpp"
#include "protocol/handlers.hpp"
#include "protocol/input_requests/function_request.hpp"
#include "protocol/on_crew.hpp"
#include "protocol/prompts/prompt_result.hpp"
#include "types/echo.hpp"
#include "types/one_line.hpp"

namespace toolwire::protocol {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw ProtocolError(error_code::invalid_params, "Invalid params: " + why);
}

std::shared_ptr<const features::ServedPrompt> find_prompt(const Exchange& exchange) {
  const Json* name = exchange.arguments().if_contains("name");
  if (name == nullptr || !name->is_string()) refuse("\"name\" must be a string, the name of a prompt");
  auto prompt = exchange.connection->service.prompts.find(std::string_view(name->get_string()));
  if (!prompt) refuse("Unknown prompt \"" + types::echo(name->get_string()) + "\"; prompts/list names those there are");
  return prompt;
}

/// The texts that come with the request, if they are what the prompt takes.
Json arguments_for(const PromptInfo& info, const Exchange& exchange) {
  const Json* given = exchange.arguments().if_contains("arguments");
  Json texts = given == nullptr || given->is_null() ? Json(JsonObject{}) : *given;
  if (!texts.is_object()) refuse("\"arguments\" must be an object of strings");
  if (std::string violations = features::violations_of(info, texts); !violations.empty())
    refuse(types::one_line(std::move(violations)));
  return texts;
}

class GetPrompt final : public RequestFor<PromptOutcome> {
 public:
  GetPrompt(Exchange&& exchange, std::shared_ptr<const features::ServedPrompt> served)
      : RequestFor(std::move(exchange), served->prompt.info.timeout),
        served_(std::move(served)),
        arguments_(arguments_for(served_->prompt.info, this->exchange())) {
    take_answers();
  }

  std::string subject() const override { return "prompt " + served_->prompt.info.name; }
  const Json& arguments() const override { return arguments_; }

 private:
  void call(Context& context, const Send& send) override {
    const Prompt& prompt = served_->prompt;
    if (const auto* now = std::get_if<PromptHandler>(&prompt.handler)) return send((*now)(arguments_, context));
    std::get<LaterPromptHandler>(prompt.handler)(arguments_, context, PromptReply(send));
  }

  void answer(PromptResult&& result) override {
    conclude_with([&] { answer_with_messages(exchange(), served_->prompt.info, result); });
  }

  const std::shared_ptr<const features::ServedPrompt> served_;
  const Json arguments_;
};

void run(Exchange&& exchange) {
  auto served = find_prompt(exchange);
  std::make_shared<GetPrompt>(std::move(exchange), std::move(served))->run();
}

}  // namespace

void get_prompt(Exchange&& exchange) {
  if (!run_on_crew(exchange, run)) throw_busy();
}

}  // namespace toolwire::protocol
