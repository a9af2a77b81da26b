#include "features/tool_registry.hpp"

#include <algorithm>
#include <stdexcept>

namespace toolwire::features {
namespace {

[[noreturn]] void refuse(const std::string& tool, const std::string& why) {
  throw std::invalid_argument("tool \"" + tool + "\": " + why);
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

void check_name(const std::string& name) {
  bool fits = !name.empty() && name.size() <= 128 && std::all_of(name.begin(), name.end(), is_name_character);
  if (!fits) refuse(name, "a name has 1 to 128 of the characters A-Z, a-z, 0-9, '_', '-' and '.'");
}

void check_schema(const ToolInfo& info) {
  const JsonObject* schema = info.input_schema.if_object();
  const Json* type = schema != nullptr ? schema->if_contains("type") : nullptr;
  if (type == nullptr || *type != "object") refuse(info.name, "its input schema must be an object with \"type\": \"object\"");
  if (!info.output_schema.is_null() && !info.output_schema.is_object()) refuse(info.name, "its output schema must be an object");
}

}  // namespace

void ToolRegistry::add(Tool tool) {
  check_name(tool.info.name);
  check_schema(tool.info);
  auto shared = std::make_shared<const Tool>(std::move(tool));
  std::lock_guard lock(mutex_);
  if (!by_name_.emplace(shared->info.name, shared).second) refuse(shared->info.name, "there is a tool of this name already");
  ordered_.push_back(std::move(shared));
  ++version_;
  listed_.reset();
}

bool ToolRegistry::remove(std::string_view name) {
  std::lock_guard lock(mutex_);
  auto found = by_name_.find(std::string(name));
  if (found == by_name_.end()) return false;
  std::erase(ordered_, found->second);
  by_name_.erase(found);
  ++version_;
  listed_.reset();
  return true;
}

std::shared_ptr<const Tool> ToolRegistry::find(std::string_view name) const {
  std::lock_guard lock(mutex_);
  auto found = by_name_.find(std::string(name));
  return found != by_name_.end() ? found->second : nullptr;
}

ToolRegistry::Listing ToolRegistry::list() const {
  std::lock_guard lock(mutex_);
  if (!listed_) listed_ = std::make_shared<const Tools>(ordered_);
  return {listed_, version_};
}

}  // namespace toolwire::features
