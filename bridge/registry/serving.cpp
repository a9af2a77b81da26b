#include "registry/serving.hpp"

#include <stdexcept>
#include <utility>

#include <toolwire/error.hpp>
#include <toolwire/system/log_line.hpp>

#include "confinement/confined.hpp"
#include "registry/served_info.hpp"

namespace toolwire::bridge {
namespace {

Json to_json(const std::vector<ToolCategory>& categories) {
  JsonArray list;
  for (const ToolCategory& category : categories) {
    JsonObject one{{"id", category.id}, {"name", category.name}};
    if (!category.description.empty()) one["description"] = category.description;
    if (!category.icon.empty()) one["icon"] = category.icon;
    list.push_back(std::move(one));
  }
  return list;
}

/// Tells hosts and users what the programs behind a tool are refused.
void tell_confinement(ToolInfo& info, const ActivityPointer& activity) {
  const auto* const confined = dynamic_cast<const Confined*>(activity.get());
  if (confined == nullptr) return;
  const ConfinementReport report = confined->confinement();
  if (report.says_something()) info.meta["dev.toolwire/confinement"] = to_json(report);
}

}  // namespace

Serving::Serving(Registry& registry, Server& server, BridgeOptions options)
    : registry_(registry), server_(server), options_(std::move(options)) {}

void Serving::follow() {
  registry_.on_change([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->refresh();
  });
  refresh();
}

void Serving::refresh() {
  const MutexLock lock(mutex_);
  changed_ = true;
  if (pauses_ > 0) return;
  changed_ = false;
  Offers now;
  ToolChanges changes = this->changes(*registry_.tools().list(), now);
  describe_list();
  if (changes.remove.empty() && changes.replace.empty() && changes.add.empty() && changes.order == order_) return;
  order_ = changes.order;
  try {
    server_.change_tools(changes);
  } catch (const std::invalid_argument&) {
    change_one_by_one(std::move(changes), now);
  }
  offered_ = std::move(now);
}

/// A name may be taken by a tool that the program has registered with the server itself; the others are offered
/// nevertheless.
void Serving::change_one_by_one(ToolChanges changes, Offers& now) {
  const std::vector<Tool> added = std::exchange(changes.add, {});
  server_.change_tools(std::move(changes));
  for (const Tool& tool : added) {
    try {
      server_.add(tool);
    } catch (const std::invalid_argument& error) {
      log_line(std::string(error.what()) + "; it is not offered");
      now.erase(tool.info.name);
    }
  }
}

void Serving::pause() {
  const MutexLock lock(mutex_);
  ++pauses_;
}

void Serving::go_on() {
  {
    const MutexLock lock(mutex_);
    if (--pauses_ > 0 || !changed_) return;
  }
  refresh();
}

void Serving::describe(JsonObject meta) {
  const MutexLock lock(mutex_);
  list_meta_ = std::move(meta);
  describe_list();
}

/// What the server is to change, and what it then offers.
ToolChanges Serving::changes(const std::vector<ToolPointer>& tools, Offers& now) const {
  ToolChanges changes;
  const std::vector<ToolCategory> categories = registry_.tools().categories();
  const auto approval = registry_.approval();
  for (const ToolPointer& tool : tools) {
    if (!registry_.is_offered(*tool)) continue;
    const ToolDefinition& definition = tool->definition;
    const Resolution resolution = registry_.resolve(definition);
    ToolInfo info = served_info(*tool, resolution, registry_.options(), options_, categories);
    if (!resolution.is_latent()) tell_confinement(info, registry_.activities().find(resolution.activity));
    // A call that comes again with answers is not charged again, so each answer may be used only once.
    info.single_use_answers = info.single_use_answers || (approval && approval->asks_about(definition)) ||
                              definition.metadata.rate_limit_per_minute.value_or(0) > 0;
    const std::string name = info.name;
    if (now.contains(name)) {
      log_line("tool \"" + definition.name + "\": another one is called \"" + name + "\" already; it is not offered");
      continue;
    }
    const auto before = offered_.find(name);
    const bool is_new = before == offered_.end();
    if (is_new || before->second.name != definition.name || !same_to_hosts(before->second.info, info))
      (is_new ? changes.add : changes.replace).push_back(served(definition.name, info));
    changes.order.push_back(name);
    now.insert_or_assign(name, Offered{std::move(info), definition.name});
  }
  for (const auto& [name, offered] : offered_) {
    if (!now.contains(name)) changes.remove.push_back(name);
  }
  return changes;
}

/// Each call looks up the tool again, so that an Activity can be replaced without hosts noticing.
Tool Serving::served(const std::string& name, ToolInfo info) const {
  LaterToolHandler handler = [&registry = registry_, name](const Json& arguments, Context& context, Reply reply) {
    const ToolPointer tool = registry.tools().find(name);
    if (!tool || !registry.is_enabled(tool->definition))
      return reply(failure("disabled", "\"" + name + "\" is not offered any more", false));
    registry.serve(tool, arguments, context, std::move(reply));
  };
  return Tool{std::move(info), std::move(handler)};
}

void Serving::describe_list() {
  JsonObject meta = list_meta_;
  const std::vector<ToolCategory> categories = registry_.tools().categories();
  if (!categories.empty()) meta["dev.toolwire/categories"] = to_json(categories);
  if (!meta.contains("dev.toolwire/generated_at")) meta["dev.toolwire/generated_at"] = registry_.tools().generated_at();
  if (!meta.contains("dev.toolwire/protocol_version")) meta["dev.toolwire/protocol_version"] = "1.0";
  server_.describe_tools(std::move(meta));
}

}  // namespace toolwire::bridge
