#include "features/served_prompt.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "features/check_written.hpp"
#include "types/echo.hpp"

namespace toolwire::features {

template class Registry<ServedPrompt>;

namespace {

[[noreturn]] void refuse(const std::string& prompt, const std::string& why) {
  throw std::invalid_argument("prompt \"" + prompt + "\": " + why);
}

const PromptArgument* find(const PromptInfo& info, std::string_view name) {
  auto found = std::find_if(info.arguments.begin(), info.arguments.end(),
                            [&](const PromptArgument& argument) { return argument.name == name; });
  return found != info.arguments.end() ? &*found : nullptr;
}

void add(std::string& violations, std::string_view name, std::string_view what) {
  violations.append(violations.empty() ? "" : "\n").append(name).append(": ").append(what);
}

}  // namespace

const Completer* ServedPrompt::completer(std::string_view argument) const {
  static const Completer none;
  if (find(prompt.info, argument) == nullptr) return nullptr;
  auto found = prompt.info.completers.find(argument);
  return found != prompt.info.completers.end() ? &found->second : &none;
}

std::shared_ptr<const ServedPrompt> serve(Prompt prompt) {
  const PromptInfo& info = prompt.info;
  if (info.name.empty()) refuse(info.name, "a prompt must have a name");
  std::set<std::string_view> names;
  for (const PromptArgument& argument : info.arguments) {
    if (argument.name.empty()) refuse(info.name, "every argument must have a name");
    if (!names.insert(argument.name).second) refuse(info.name, "there are two arguments \"" + argument.name + "\"");
  }
  for (const auto& [name, completer] : info.completers) {
    if (!names.contains(name)) refuse(info.name, "\"" + name + "\" has suggestions but is not an argument");
  }
  try {
    check_scopes(info.scopes);
    check_meta(info.meta);
  } catch (const std::invalid_argument& error) {
    refuse(info.name, error.what());
  }
  return std::make_shared<const ServedPrompt>(ServedPrompt{std::move(prompt)});
}

std::string violations_of(const PromptInfo& info, const Json& texts) {
  std::string violations;
  const JsonObject& given = texts.get_object();
  for (const PromptArgument& argument : info.arguments) {
    if (argument.required && !given.contains(argument.name)) add(violations, argument.name, "missing (required)");
  }
  for (const auto& [name, value] : given) {
    if (find(info, name) == nullptr) {
      add(violations, types::echo(name), "the prompt has no such argument");
    } else if (!value.is_string()) {
      add(violations, name, "expected a string");
    }
  }
  return violations;
}

}  // namespace toolwire::features
