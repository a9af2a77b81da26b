// prompts/get (specification: server/prompts, getting): the prompt's function, with questions in between.
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

#include "features/served_prompt.hpp"
#include "protocol/asker.hpp"
#include "protocol/error_of_exception.hpp"
#include "protocol/handlers.hpp"
#include "protocol/prompts/prompt_result.hpp"
#include "protocol/request_for.hpp"
#include "protocol/scopes.hpp"
#include "types/echo.hpp"
#include "types/in_seconds.hpp"
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
  if (!prompt || !is_visible(*prompt, exchange))
    refuse("Unknown prompt \"" + types::echo(name->get_string()) + "\"; prompts/list names those there are");
  return prompt;
}

void check_object(const Json& texts) {
  if (!texts.is_object()) refuse("\"arguments\" must be an object of strings");
}

/// The texts that come with the request.
Json arguments_in(const Exchange& exchange) {
  const Json* given = exchange.arguments().if_contains("arguments");
  if (given == nullptr || given->is_null()) return JsonObject{};
  check_object(*given);
  return *given;
}

void check_arguments(const PromptInfo& info, const Json& texts) {
  check_object(texts);
  if (std::string violations = features::violations_of(info, texts); !violations.empty())
    refuse(types::one_line(std::move(violations)));
}

/// A kind of request, see request_for.hpp.
class GetPrompt {
 public:
  static constexpr std::string_view noun = "prompt";
  using Outcome = PromptOutcome;
  using Result = PromptResult;

  RequestTerms prepare(const Exchange& exchange) {
    served_ = find_prompt(exchange);
    require_scopes(info().scopes, exchange);
    arguments_ = arguments_in(exchange);
    return {.timeout = info().timeout};
  }
  std::string subject() const { return "prompt " + name(); }
  const std::string& name() const { return info().name; }
  const Json& arguments() const { return arguments_; }
  AnyRequest described(const Exchange&) const {
    return {RequestKind::prompt, "prompts/get", name(), arguments_, nullptr, &info()};
  }
  bool answers_at_once() const { return std::holds_alternative<PromptHandler>(served_->prompt.handler); }

  template <class Send>
  void run(const Json& arguments, Context& context, Send send) const {
    check_arguments(info(), arguments);  // here, as a middleware may have supplied or changed them
    const auto& handler = served_->prompt.handler;
    if (const auto* now = std::get_if<PromptHandler>(&handler)) return send((*now)(arguments, context));
    std::get<LaterPromptHandler>(handler)(arguments, context, PromptReply(send));
  }
  void answer(Request& request, PromptResult&& result) const {
    request.end([&] { answer_with_messages(request.exchange(), info(), result); });
  }
  void fail(Request& request, const std::exception_ptr& thrown) const {
    request.fail(error_of_exception(thrown, request));
  }
  std::string timeout_text(std::chrono::milliseconds limit) const {
    return "Internal error: " + subject() + " timed out after " + types::in_seconds(limit);
  }

 private:
  const PromptInfo& info() const { return served_->prompt.info; }

  std::shared_ptr<const features::ServedPrompt> served_;
  Json arguments_;
};

}  // namespace

void get_prompt(Exchange&& exchange) {
  if (!begin_request<GetPrompt>(exchange)) throw_busy();
}

}  // namespace toolwire::protocol
