#include "features/mounted.hpp"

#include <utility>
#include <variant>

namespace toolwire::features {
namespace {

/// Functions that call those of `owner`, and keep it.
template <class Owner, class... Kinds>
std::variant<Kinds...> shared(const std::shared_ptr<const Owner>& owner, const std::variant<Kinds...>& handler) {
  return std::visit(
      [&owner]<class Kind>(const Kind& function) {
        return std::variant<Kinds...>(std::in_place_type<Kind>, [owner, &function](auto&&... given) {
          return function(std::forward<decltype(given)>(given)...);
        });
      },
      handler);
}

}  // namespace

std::string mounted_name(const std::string& prefix, const std::string& name) { return prefix + "_" + name; }

std::shared_ptr<const ServedTool> mounted(const std::shared_ptr<const ServedTool>& tool, const std::string& prefix,
                                          const std::optional<OutputBudget>& budget) {
  auto made = std::make_shared<ServedTool>(ServedTool{.tool = {.info = tool->tool.info,
                                                               .handler = shared(tool, tool->tool.handler),
                                                               .takes_json = tool->tool.takes_json,
                                                               .checks_output = tool->tool.checks_output},
                                                      .input = tool->input,
                                                      .output = tool->output,
                                                      .typed_output = tool->typed_output,
                                                      .line = tool->line,
                                                      .unusable = tool->unusable});
  ToolInfo& info = made->tool.info;
  info.name = mounted_name(prefix, info.name);
  if (!info.output_budget) info.output_budget = budget;
  check_name(info.name);
  return made;
}

std::shared_ptr<const ServedPrompt> mounted(const std::shared_ptr<const ServedPrompt>& prompt,
                                            const std::string& prefix) {
  auto made = std::make_shared<ServedPrompt>(
      ServedPrompt{{.info = prompt->prompt.info, .handler = shared(prompt, prompt->prompt.handler)}});
  made->prompt.info.name = mounted_name(prefix, made->prompt.info.name);
  return made;
}

}  // namespace toolwire::features
