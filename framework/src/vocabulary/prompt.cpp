#include "toolwire/prompt.hpp"

namespace toolwire {

template class BasicReply<PromptOutcome>;

PromptResult& PromptResult::user(Content content) {
  messages.push_back({Role::user, std::move(content)});
  return *this;
}

PromptResult& PromptResult::assistant(Content content) {
  messages.push_back({Role::assistant, std::move(content)});
  return *this;
}

namespace detail {

std::vector<PromptArgument> prompt_arguments_of(const ObjectShape& shape) {
  std::vector<PromptArgument> arguments;
  for (const FieldShape& field : shape) {
    arguments.push_back(
        {std::string(field.name), std::string(field.description), std::string(field.title), field.required});
  }
  return arguments;
}

}  // namespace detail
}  // namespace toolwire
