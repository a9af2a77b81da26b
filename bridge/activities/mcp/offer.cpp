#include "activities/mcp/offer.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <toolwire/text.hpp>

#include "activities/mcp/mcp_activity.hpp"
#include "activities/mcp/offered_content.hpp"
#include "activities/mcp/offered_tool.hpp"

namespace toolwire::bridge::mcp {
namespace {

/// What makes a difference to those who see or call it.
Json as_offered(const Json& listed, const ToolInfo& made) {
  const OutputBudget budget = made.output_budget.value_or(OutputBudget{.lines = 0, .bytes = 0});
  return JsonObject{{"tool", listed},
                    {"description", made.description},
                    {"timeout", made.timeout.count()},
                    {"rate", made.rate_per_minute},
                    {"scopes", JsonArray(made.scopes.begin(), made.scopes.end())},
                    {"output", JsonArray{budget.lines, budget.bytes, static_cast<int>(budget.keep)}}};
}

const std::string& key_of(const Tool& tool) { return tool.info.name; }
const std::string& key_of(const Prompt& prompt) { return prompt.info.name; }
const std::string& key_of(const Resource& resource) { return resource.info.uri; }
const std::string& key_of(const ResourceTemplate& made) { return made.info.uri_template; }

/// One more that is wanted; the server changes only for what differs from what is offered already.
template <class Step, class Offered, class Item>
void want(Step& step, const Offered& offered, Json listed, Item item) {
  const std::string key = key_of(item);
  if (step.wanted.items.contains(key)) return;  // listed twice
  const auto before = offered.items.find(key);
  if (before == offered.items.end()) {
    step.changes.add.push_back(std::move(item));
  } else if (before->second != listed) {
    step.changes.replace.push_back(std::move(item));
  }
  step.wanted.items.emplace(key, std::move(listed));
  step.wanted.order.push_back(key);
}

/// What is offered and not wanted any more goes.
template <class Step, class Offered>
void remove_others(Step& step, const Offered& offered) {
  for (const auto& [key, listed] : offered.items) {
    if (!step.wanted.items.contains(key)) step.changes.remove.push_back(key);
  }
}

std::string own_uri(const Json& listed, std::string_view member) {
  return std::string(std::string_view(listed.at(member).as_string()));
}

/// An Activity that is called without a registry: what it refers to lives until its reply is used.
void start_alone(const ActivityPointer& activity, Call call, Context& context, Reply reply) {
  struct Alone {
    ActivityPointer activity;
    Call call;
    ActivityContext context;
    Reply reply;
  };
  auto alone = std::make_shared<Alone>(Alone{activity, std::move(call), ActivityContext(context), std::move(reply)});
  Alone& one = *alone;
  activity->start(one.call, one.context,
                  Reply([alone = std::move(alone)](AnyOutcome&& outcome) { alone->reply(std::move(outcome)); }));
}

}  // namespace

struct Offer::Reachable {
  Mutex mutex;
  Offer* offer TOOLWIRE_GUARDED_BY(mutex) = nullptr;

  void gathered() {
    const MutexLock lock(mutex);
    if (offer == nullptr) return;
    const MutexLock offer_lock(offer->mutex_);
    if (!offer->ended_) offer->offer_changed();
  }

  void waited_for() {
    const MutexLock lock(mutex);
    if (offer == nullptr) return;
    const MutexLock offer_lock(offer->mutex_);
    if (offer->ended_) return;
    offer->pass_over();
    offer->offer_changed();
  }
};

Offer::Offer(Server& server, std::vector<BackEndOptions> back_ends, OfferOptions options)
    : server_(server),
      options_(std::move(options)),
      reachable_(std::make_shared<Reachable>()),
      is_offered_(back_ends.size()),
      offered_(back_ends.size()) {
  {
    const MutexLock lock(reachable_->mutex);
    reachable_->offer = this;
  }
  std::set<std::string> known;
  for (BackEndOptions& one : back_ends) {
    if (!known.insert(one.name).second)
      throw std::invalid_argument("two back-ends have the name \"" + one.name + "\"; give each a name of its own");
    if (!one.log) one.log = options_.log;
    prefixes_.push_back(one.prefix);
    scopes_.push_back(one.scopes);
    filters_.push_back({one.only_tools, one.excluded_tools});
    lazy_.push_back(one.pinned.has_value() && !one.start_at_once);
    back_ends_.push_back(make_back_end(std::move(one)));
    const std::size_t index = back_ends_.size() - 1;
    back_ends_.back()->on_offer_changed([this, index] { changed(index); });
    back_ends_.back()->on_resource_updated([this, index](const std::string& uri) { updated(index, uri); });
    back_ends_.back()->on_page_done([this](const std::string& id) { server_.elicitation_complete(id); });
  }
}

Offer::~Offer() {
  {
    const MutexLock lock(mutex_);
    ended_ = true;
  }
  {
    const MutexLock lock(reachable_->mutex);
    reachable_->offer = nullptr;
  }
  for (const auto& back_end : back_ends_) back_end->stop();
  for (const auto& back_end : back_ends_) back_end->end();
}

void Offer::start() {
  for (std::size_t i = 0; i < back_ends_.size(); ++i) {
    if (!lazy_[i]) back_ends_[i]->start();
  }
}

void Offer::begin(std::set<std::string> reserved) {
  const auto began = std::chrono::steady_clock::now();
  const auto until = began + options_.start_wait;
  start();
  for (const auto& back_end : back_ends_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    back_end->wait_for_tools(std::max(left, std::chrono::milliseconds{0}));
  }
  const MutexLock lock(mutex_);
  begun_ = true;
  names_ = ToolNames(std::move(reserved));
  if (options_.timers != nullptr && options_.order_wait.count() > 0) keep_order_until(began + options_.order_wait);
  offer_changed();
}

void Offer::keep_order_until(std::chrono::steady_clock::time_point end) {
  if (end <= std::chrono::steady_clock::now()) return pass_over();
  const auto has_answered = [](const auto& back_end) { return back_end->has_answered(); };
  if (std::ranges::all_of(back_ends_, has_answered)) return;
  options_.timers->at(end, [reachable = reachable_] { reachable->waited_for(); });
}

/// Those that have not answered yet: what is behind them waits no longer.
void Offer::pass_over() {
  keeps_order_ = false;
  for (const auto& back_end : back_ends_) {
    if (!back_end->has_answered() && options_.log)
      options_.log("back-end \"" + back_end->name() +
                   "\" has not listed its tools yet; those of others are offered before, under the names they want");
  }
}

void Offer::refresh(std::set<std::string> reserved) {
  const MutexLock lock(mutex_);
  if (!begun_ || ended_) return;
  names_.take_back_changed(std::move(reserved), [this](const std::string& server, const std::string& tool) {
    return options_.name_for ? options_.name_for(server + "/" + tool) : std::string();
  });
  for (std::size_t i = 0; i < is_offered_.size(); ++i) {
    if (is_offered_[i]) changed_.insert(i);
  }
  offer_changed();
}

bool Offer::have_all_answered() {
  const MutexLock lock(mutex_);
  return std::ranges::all_of(is_offered_, std::identity());
}

std::vector<std::string> Offer::tool_names() {
  const MutexLock lock(mutex_);
  std::vector<std::string> names;
  for (const Offered& one : offered_) {
    for (const auto& [name, tool] : one.tools.items) names.push_back(name);
  }
  return names;
}

std::string Offer::origin_of(const std::string& name) {
  const MutexLock lock(mutex_);
  for (std::size_t i = 0; i < offered_.size(); ++i) {
    const auto found = offered_[i].tools.items.find(name);
    if (found != offered_[i].tools.items.end()) return back_ends_[i]->name() + "/" + name_of(found->second.at("tool"));
  }
  return {};
}

void Offer::changed(std::size_t index) {
  const MutexLock lock(mutex_);
  if (!begun_ || ended_) return;
  changed_.insert(index);
  if (options_.timers == nullptr) return offer_changed();
  if (std::exchange(is_gathering_, true)) return;
  options_.timers->after(gather_changes_for, [reachable = reachable_] { reachable->gathered(); });
}

void Offer::offer_changed() {
  is_gathering_ = false;
  offer_of(to_look_at());
  if (!std::ranges::all_of(is_offered_, std::identity()) || std::exchange(told_all_answered_, true)) return;
  if (options_.all_answered) options_.all_answered();
}

/// Back-ends that have something else than before, or something for the first time.
std::vector<std::size_t> Offer::to_look_at() {
  const std::set<std::size_t> changed = std::exchange(changed_, {});
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < back_ends_.size(); ++i) {
    if (is_offered_[i]) {
      if (changed.contains(i)) found.push_back(i);
    } else if (back_ends_[i]->has_answered()) {
      is_offered_[i] = true;
      found.push_back(i);
    } else if (keeps_order_) {
      break;
    }
  }
  return found;
}

void Offer::updated(std::size_t index, const std::string& uri) {
  std::string whole;
  {
    const MutexLock lock(mutex_);
    if (!begun_ || ended_) return;
    const auto prefix = uris_.prefix(back_ends_[index]->name(), uri, prefixes_[index]);
    if (!prefix) return;
    whole = *prefix + uri;
  }
  server_.resource_updated(whole);
}

void Offer::offer_of(const std::vector<std::size_t>& back_ends) {
  Steps<Tool> tools;
  Steps<Resource> resources;
  Steps<ResourceTemplate> templates;
  Steps<Prompt> prompts;
  for (const std::size_t index : back_ends) {
    const Listing listing = back_ends_[index]->offered();
    tools.push_back(step_of_tools(index, listing));
    resources.push_back(step_of_resources(index, listing));
    templates.push_back(step_of_templates(index, listing));
    prompts.push_back(step_of_prompts(index, listing));
  }
  change(&Offered::tools, std::move(tools), [this](ToolChanges changes) { server_.change_tools(std::move(changes)); });
  offer_resources(std::move(resources), std::move(templates));
  change(&Offered::prompts, std::move(prompts),
         [this](PromptChanges changes) { server_.change_prompts(std::move(changes)); });
}

Offer::Step<Tool> Offer::step_of_tools(std::size_t index, const Listing& listing) {
  const auto& back_end = back_ends_[index];
  const OfferedKind& offered = offered_[index].tools;
  Step<Tool> step{.back_end = index};
  for (const Json& tool : listing.tools) {
    const std::string own = name_of(tool);
    const std::string origin = back_end->name() + "/" + own;
    if (!filters_[index].lets_pass(own)) continue;
    const std::string renamed = options_.name_for ? options_.name_for(origin) : std::string();
    const std::string& name = names_.name(back_end->name(), own, prefixes_[index], renamed);
    if (name.empty()) {
      not_offered(mapped_name(own),
                  "another tool has this name, and \"prefix\" is \"never\" for \"" + back_end->name() + "\"");
      continue;
    }
    if (options_.wants_tool && !options_.wants_tool(name, origin)) continue;
    Tool made = offered_tool(tool, name, back_end, options_.call_timeout);
    if (options_.around) made.handler = surrounded(name, origin, back_end, own);
    made.info.single_use_answers = options_.single_use_answers;
    made.info.scopes = scopes_[index];
    made.info.meta[origin_member] = text::stripped(origin);
    if (options_.adjust) options_.adjust(made.info, origin);
    Json listed = as_offered(tool, made.info);
    want(step, offered, std::move(listed), std::move(made));
  }
  remove_others(step, offered);
  return step;
}

/// Decided at each call: an edit of what the user wants counts from the next one on.
LaterToolHandler Offer::surrounded(const std::string& name, const std::string& origin,
                                   const std::shared_ptr<BackEnd>& back_end, const std::string& own) const {
  return [around = options_.around, inner = std::make_shared<McpActivity>(back_end, own), back_end, name, origin, own](
             const Json& arguments, Context& context, Reply reply) {
    const ActivityPointer outer = around(inner, name, origin);
    if (!outer) return back_end->call_tool(own, arguments, context, std::move(reply));
    start_alone(outer, Call{.tool = name, .parameters = arguments}, context, std::move(reply));
  };
}

bool Offer::ToolFilter::lets_pass(const std::string& tool) const {
  return (!only || std::ranges::find(*only, tool) != only->end()) &&
         std::ranges::find(excluded, tool) == excluded.end();
}

std::vector<std::string> Offer::order_of(OfferedKind Offered::*kind) const {
  std::vector<std::string> order;
  for (const Offered& one : offered_) order.insert(order.end(), (one.*kind).order.begin(), (one.*kind).order.end());
  return order;
}

/// What is wanted counts as offered from now on; how the server changes for that.
template <class Item>
Changes<Item> Offer::adopt(OfferedKind Offered::*kind, Steps<Item>& steps) {
  exchange_offered(kind, steps);
  Changes<Item> all;
  if (!steps.empty()) all.order = order_of(kind);
  for (Step<Item>& step : steps) {
    step.changes.order = all.order;
    std::ranges::copy(step.changes.add, std::back_inserter(all.add));
    std::ranges::copy(step.changes.replace, std::back_inserter(all.replace));
    std::ranges::copy(step.changes.remove, std::back_inserter(all.remove));
  }
  return all;
}

/// What is offered and what is wanted; done twice, everything is as before.
template <class Item>
void Offer::exchange_offered(OfferedKind Offered::*kind, Steps<Item>& steps) {
  for (Step<Item>& step : steps) std::swap(offered_[step.back_end].*kind, step.wanted);
}

/// All in one step, which hosts are told of once.
template <class Item, class Apply>
void Offer::change(OfferedKind Offered::*kind, Steps<Item> steps, const Apply& apply) {
  std::erase_if(steps, [](const Step<Item>& step) { return step.changes.empty(); });
  if (steps.empty()) return;
  try {
    apply(adopt(kind, steps));
  } catch (const std::invalid_argument&) {  // nothing has changed; the others are not lost with the one that is wrong
    exchange_offered(kind, steps);
    if (steps.size() == 1)
      return change_in_parts(offered_[steps.front().back_end].*kind, std::move(steps.front()), apply);
    for (Step<Item>& step : steps) change(kind, Steps<Item>{std::move(step)}, apply);
  }
}

/// `step` stands in order, as it was when all of it was wanted: items keep their places beside those that are wrong.
template <class Item, class Apply>
void Offer::change_in_parts(OfferedKind& offered, Step<Item> step, const Apply& apply) {
  std::vector<std::string> gone = std::move(step.changes.remove);
  for (const Item& item : step.changes.replace) gone.push_back(key_of(item));
  for (const std::string& key : gone) offered.items.erase(key);
  if (!gone.empty()) apply(Changes<Item>{.remove = std::move(gone)});
  std::vector<Item> items = std::move(step.changes.replace);
  std::ranges::move(step.changes.add, std::back_inserter(items));
  add_in_halves(offered, step, std::move(items), apply);
  offered.order = std::move(step.wanted.order);
  std::erase_if(offered.order, [&](const std::string& key) { return !offered.items.contains(key); });
}

/// So that hosts are told a few times, and not once for each item beside one that is wrong.
template <class Item, class Apply>
void Offer::add_in_halves(OfferedKind& offered, const Step<Item>& step, std::vector<Item> items, const Apply& apply) {
  if (items.empty()) return;
  try {
    apply(Changes<Item>{.add = items, .order = step.changes.order});
    for (const Item& item : items) offered.items.insert(*step.wanted.items.find(key_of(item)));
  } catch (const std::invalid_argument& error) {
    if (items.size() == 1) return not_offered(key_of(items.front()), error.what());
    const auto middle = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
    std::vector<Item> second(std::make_move_iterator(middle), std::make_move_iterator(items.end()));
    items.erase(middle, items.end());
    add_in_halves(offered, step, std::move(items), apply);
    add_in_halves(offered, step, std::move(second), apply);
  }
}

void Offer::not_offered(const std::string& name, const std::string& why) const {
  if (options_.log)
    options_.log("\"" + text::stripped(name) + "\" is not offered: " + text::stripped(why, text::lines));
}

Offer::Step<Resource> Offer::step_of_resources(std::size_t index, const Listing& listing) {
  const auto& back_end = back_ends_[index];
  const OfferedKind& offered = offered_[index].resources;
  Step<Resource> step{.back_end = index};
  for (const Json& one : listing.resources) {
    const std::string uri = own_uri(one, "uri");
    const auto prefix = uris_.prefix(back_end->name(), uri, prefixes_[index]);
    if (!prefix) {
      not_offered(uri, "another resource has this URI, and \"prefix\" is \"never\"");
      continue;
    }
    Resource made = offered_resource(one, *prefix, back_end, options_.call_timeout);
    made.info.subscribable = listing.tells_updates;
    made.info.scopes = scopes_[index];
    want(step, offered, JsonArray{one, listing.tells_updates}, std::move(made));
  }
  remove_others(step, offered);
  return step;
}

Offer::Step<ResourceTemplate> Offer::step_of_templates(std::size_t index, const Listing& listing) {
  const auto& back_end = back_ends_[index];
  const OfferedKind& offered = offered_[index].templates;
  Step<ResourceTemplate> step{.back_end = index};
  for (const Json& one : listing.templates) {
    const std::string uri = own_uri(one, "uriTemplate");
    if (const auto prefix = templates_.prefix(back_end->name(), uri, prefixes_[index])) {
      ResourceTemplate made = offered_template(one, *prefix, back_end, options_.call_timeout);
      made.info.scopes = scopes_[index];
      want(step, offered, one, std::move(made));
    } else {
      not_offered(uri, "another template has this form, and \"prefix\" is \"never\"");
    }
  }
  remove_others(step, offered);
  return step;
}

/// Resources and templates together, as hosts hear of both at once.
void Offer::offer_resources(Steps<Resource> resources, Steps<ResourceTemplate> templates) {
  std::erase_if(resources, [](const auto& step) { return step.changes.empty(); });
  std::erase_if(templates, [](const auto& step) { return step.changes.empty(); });
  if (resources.empty() && templates.empty()) return;
  try {
    server_.change_resources(
        {.resources = adopt(&Offered::resources, resources), .templates = adopt(&Offered::templates, templates)});
  } catch (const std::invalid_argument&) {
    exchange_offered(&Offered::resources, resources);
    exchange_offered(&Offered::templates, templates);
    change(&Offered::resources, std::move(resources),
           [this](Changes<Resource> changes) { server_.change_resources({.resources = std::move(changes)}); });
    change(&Offered::templates, std::move(templates),
           [this](Changes<ResourceTemplate> changes) { server_.change_resources({.templates = std::move(changes)}); });
  }
}

Offer::Step<Prompt> Offer::step_of_prompts(std::size_t index, const Listing& listing) {
  const auto& back_end = back_ends_[index];
  const OfferedKind& offered = offered_[index].prompts;
  Step<Prompt> step{.back_end = index};
  for (const Json& prompt : listing.prompts) {
    const std::string& name = prompt_names_.name(back_end->name(), name_of(prompt), prefixes_[index]);
    if (name.empty()) {
      not_offered(mapped_name(name_of(prompt)), "another prompt has this name, and \"prefix\" is \"never\"");
    } else {
      Prompt made = offered_prompt(prompt, name, back_end, options_.call_timeout);
      made.info.scopes = scopes_[index];
      want(step, offered, prompt, std::move(made));
    }
  }
  remove_others(step, offered);
  return step;
}

}  // namespace toolwire::bridge::mcp
