#include <toolwire/bridge/tool_registry.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include <toolwire/bridge/manifest.hpp>

#include "registry/registered_tool.hpp"

namespace toolwire::bridge {
namespace {

void add_line(std::string& problems, const std::string& problem) {
  if (!problem.empty()) problems.append(problems.empty() ? "" : "\n").append(problem);
}

/// Registers all or throws, naming every problem of every tool.
std::vector<ToolPointer> register_all(std::vector<ToolDefinition> definitions, const std::string& provider,
                                      SchemaCare care) {
  std::vector<ToolPointer> tools;
  std::string problems;
  std::map<std::string, std::size_t, std::less<>> seen;
  for (ToolDefinition& definition : definitions) {
    if (seen[definition.name]++ == 1) add_line(problems, "tool \"" + definition.name + "\": described twice");
    try {
      tools.push_back(registered_tool(std::move(definition), provider, care));
    } catch (const std::invalid_argument& error) {
      add_line(problems, error.what());
    }
  }
  if (!problems.empty()) throw std::invalid_argument(problems);
  return tools;
}

std::string where(const ToolPointer& tool) {
  return tool->provider.empty() ? "registered on its own" : "of provider \"" + tool->provider + "\"";
}

}  // namespace

void ToolRegistry::tool(ToolDefinition definition, SchemaCare care) {
  std::vector<ToolDefinition> one;
  one.push_back(std::move(definition));
  Tools added = register_all(std::move(one), "", care);
  {
    const MutexLock lock(mutex_);
    Tools all = *tools_;
    all.insert(all.end(), added.begin(), added.end());
    settle(std::move(all), categories_);
  }
  tell();
}

void ToolRegistry::provider(std::string name, std::vector<ToolDefinition> tools, std::vector<ToolCategory> categories,
                            SchemaCare care) {
  if (name.empty()) throw std::invalid_argument("a provider of tools needs a name");
  const Tools added = register_all(std::move(tools), name, care);
  {
    const MutexLock lock(mutex_);
    const auto is_old = [&](const ToolPointer& tool) { return tool->provider == name; };
    Tools all = *tools_;
    const auto place = std::ranges::find_if(all, is_old) - all.begin();
    std::erase_if(all, is_old);
    all.insert(all.begin() + place, added.begin(), added.end());
    Categories of_all = categories_;
    const auto group = std::ranges::find(of_all, name, &Categories::value_type::first);
    if (group != of_all.end()) {
      group->second = std::move(categories);
    } else {
      of_all.emplace_back(std::move(name), std::move(categories));
    }
    settle(std::move(all), std::move(of_all));
  }
  tell();
}

bool ToolRegistry::remove(std::string_view name) {
  {
    const MutexLock lock(mutex_);
    Tools all = *tools_;
    if (std::erase_if(all, [&](const ToolPointer& tool) { return tool->definition.name == name; }) == 0) return false;
    settle(std::move(all), categories_);
  }
  tell();
  return true;
}

bool ToolRegistry::remove_provider(std::string_view name) {
  {
    const MutexLock lock(mutex_);
    Categories of_all = categories_;
    if (std::erase_if(of_all, [&](const auto& group) { return group.first == name; }) == 0) return false;
    Tools all = *tools_;
    std::erase_if(all, [&](const ToolPointer& tool) { return tool->provider == name; });
    settle(std::move(all), std::move(of_all));
  }
  tell();
  return true;
}

ToolPointer ToolRegistry::find(std::string_view name) const {
  const MutexLock lock(mutex_);
  const auto found = by_name_.find(name);
  return found != by_name_.end() ? found->second : nullptr;
}

std::shared_ptr<const std::vector<ToolPointer>> ToolRegistry::list() const {
  const MutexLock lock(mutex_);
  return tools_;
}

std::vector<ToolCategory> ToolRegistry::categories() const {
  std::vector<ToolCategory> all;
  const MutexLock lock(mutex_);
  for (const auto& [provider, categories] : categories_) {
    for (const ToolCategory& category : categories) {
      if (std::ranges::find(all, category.id, &ToolCategory::id) == all.end()) all.push_back(category);
    }
  }
  return all;
}

std::string ToolRegistry::generated_at() const {
  const MutexLock lock(mutex_);
  return generated_at_;
}

void ToolRegistry::on_change(std::function<void()> listener) {
  const MutexLock lock(mutex_);
  listeners_.push_back(std::move(listener));
}

/// Replaces the tools, or throws and keeps the old ones.
void ToolRegistry::settle(Tools tools, Categories categories) {
  std::unordered_map<std::string_view, ToolPointer> by_name;
  std::string problems;
  for (const ToolPointer& tool : tools) {
    const auto [other, is_new] = by_name.emplace(tool->definition.name, tool);
    if (!is_new) {
      add_line(problems, "tool \"" + tool->definition.name + "\": the one " + where(tool) + " has the name of one " +
                             where(other->second));
    }
  }
  std::map<std::string_view, const ToolCategory*> by_id;
  for (const auto& [provider, list] : categories) {
    for (const ToolCategory& category : list) {
      const ToolCategory& first = *by_id.emplace(category.id, &category).first->second;
      if (first.name != category.name)
        add_line(problems,
                 "category \"" + category.id + "\": called \"" + first.name + "\" and \"" + category.name + "\"");
    }
  }
  if (!problems.empty()) throw std::invalid_argument(problems);
  tools_ = std::make_shared<const Tools>(std::move(tools));
  by_name_ = std::move(by_name);
  categories_ = std::move(categories);
  generated_at_ = now_as_timestamp();
}

void ToolRegistry::tell() {
  std::vector<std::function<void()>> listeners;
  {
    const MutexLock lock(mutex_);
    listeners = listeners_;
  }
  for (const auto& listener : listeners) listener();
}

}  // namespace toolwire::bridge
