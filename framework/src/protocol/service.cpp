#include "protocol/service.hpp"

#include <stdexcept>

#include "features/check_written.hpp"
#include "protocol/icons.hpp"
#include "protocol/input_requests/used_nonces.hpp"

namespace toolwire::protocol {
namespace {

void set_if(JsonObject& object, std::string_view member, const std::string& text) {
  if (!text.empty()) object[member] = text;
}

ServerInfo checked(ServerInfo info) {
  if (info.name.empty() || info.version.empty()) throw std::invalid_argument("a server must have a name and a version");
  return info;
}

// They stand in the same order.
constexpr Topic topic_of(Event::Kind kind) { return static_cast<Topic>(kind); }
constexpr Event::Kind kind_of(Topic topic) { return static_cast<Event::Kind>(topic); }
static_assert(kind_of(Topic::tools_list) == Event::Kind::tools_list && kind_of(Topic::task) == Event::Kind::task);

Stores with_defaults(const ServerOptions& options) {
  Stores stores = options.stores;
  if (!stores.used_answers) stores.used_answers = shared_nonce_store();
  if (!stores.continuations) stores.continuations = memory_nonce_store();
  if (!stores.rates) stores.rates = memory_rate_store();
  if (!stores.outputs) stores.outputs = memory_output_store(options.kept_output);
  return stores;
}

}  // namespace

Service::Service(ServerInfo server_info, ServerOptions server_options)
    : info(checked(std::move(server_info))),
      options(std::move(server_options)),
      stores(with_defaults(options)),
      kept_outputs(stores.outputs, static_cast<bool>(options.identify)),
      tasks(options.tasks) {
  JsonObject implementation{{"name", info.name}, {"version", info.version}};
  implementation_ = to_json_text(implementation);
  set_if(implementation, "title", info.title);
  titled_implementation_ = to_json_text(implementation);
  set_if(implementation, "description", info.description);
  set_if(implementation, "websiteUrl", info.website);
  if (!info.icons.empty()) implementation["icons"] = icons_as_json(info.icons);
  full_implementation_ = to_json_text(implementation);
  declare(options.declares);
  result_meta_ = "\"_meta\":{\"" + std::string(meta_key::server_info) + "\":" + full_implementation_;
  join_bus();
}

void Service::join_bus() {
  if (!stores.events) return;
  bus_ = stores.events->join({.heard = [this](const Event& event) { heard(event); },
                              .missed =
                                  [this] {
                                    tell_all_lists();
                                    end_subscriptions();
                                  }});
}

void Service::heard(const Event& event) {
  if (event.kind == Event::Kind::task_wake_up) return tasks.wake(event.subject);
  if (event.kind != Event::Kind::client_message) return tell_here({topic_of(event.kind), event.subject, event.params});
  const MutexLock lock(listeners_mutex_);
  for (Relay* relay : relays_) relay->on_client_message(event);
}

std::list<Service::Relay*>::iterator Service::relay_to(Relay& relay) {
  const MutexLock lock(listeners_mutex_);
  return relays_.insert(relays_.end(), &relay);
}

void Service::forget(std::list<Relay*>::iterator relay) {
  const MutexLock lock(listeners_mutex_);
  relays_.erase(relay);
}

bool Service::hand_on(const Event& event) {
  if (bus_) bus_->tell(event);
  return bus_ != nullptr;
}

const std::string& Service::implementation_text(const Revision& revision) const {
  if (revision.icons) return full_implementation_;
  return revision.titles ? titled_implementation_ : implementation_;
}

Features Service::offered() const {
  const Features all = offered_.get();
  const bool has_other = all.has(Feature::prompts) || all.has(Feature::resources);
  return has_other ? all : all.with(Feature::tools);
}

void Service::tell_callers_apart() {
  if (tells_callers_apart()) return;
  named_callers_.store(true, std::memory_order_release);
  kept_outputs.tell_callers_apart();
}

void Service::describe_tools(JsonObject meta) {
  try {
    features::check_meta(meta);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("tools/list: ") + error.what());
  }
  auto described = std::make_shared<const JsonObject>(std::move(meta));
  const MutexLock lock(mutex_);
  tools_meta_.swap(described);
}

std::shared_ptr<const JsonObject> Service::tools_meta() const {
  const MutexLock lock(mutex_);
  return tools_meta_;
}

void Service::expect_not_mounted() const {
  if (mounts_ > 0) {
    throw std::logic_error(
        "the server is mounted in another one, whose calls this middleware would not see; give it to that one");
  }
}

void Service::around(Around middleware) {
  const MutexLock lock(mutex_);
  expect_not_mounted();
  auto extended =
      middlewares_ ? std::make_shared<std::vector<Around>>(*middlewares_) : std::make_shared<std::vector<Around>>();
  if (std::holds_alternative<RequestMiddleware>(middleware))
    has_request_middlewares_.store(true, std::memory_order_release);
  extended->push_back(std::move(middleware));
  middlewares_ = std::move(extended);
  has_middlewares_.store(true, std::memory_order_release);
}

void Service::show_refused(RefusedLook look) {
  const MutexLock lock(mutex_);
  expect_not_mounted();
  auto extended = refused_looks_ ? std::make_shared<std::vector<RefusedLook>>(*refused_looks_)
                                 : std::make_shared<std::vector<RefusedLook>>();
  extended->push_back(std::move(look));
  refused_looks_ = std::move(extended);
}

std::shared_ptr<const std::vector<RefusedLook>> Service::refused_looks() const {
  const MutexLock lock(mutex_);
  return refused_looks_;
}

bool Service::begin_mounted() {
  const MutexLock lock(mutex_);
  if (middlewares_ || refused_looks_) return false;
  ++mounts_;
  return true;
}

void Service::end_mounted() {
  const MutexLock lock(mutex_);
  --mounts_;
}

void Service::declare(const Declared& declared) {
  if (declared.tools) offer(Feature::tools);
  if (declared.prompts) offer(Feature::prompts);
  if (declared.resources || declared.resource_updates) offer(Feature::resources);
  if (declared.resource_updates) offer(Feature::resource_updates);
  if (declared.completions) offer(Feature::completions);
  if (declared.tasks) offer(Feature::tasks);
  if (declared.logging) offer(Feature::logging);
}

std::shared_ptr<const std::vector<Around>> Service::all_middlewares() const {
  const MutexLock lock(mutex_);
  return middlewares_;
}

std::list<Service::Listener*>::iterator Service::listen(Listener& listener) {
  client_came();
  const MutexLock lock(listeners_mutex_);
  return listeners_.insert(listeners_.end(), &listener);
}

void Service::forget(std::list<Listener*>::iterator listener) {
  const MutexLock lock(listeners_mutex_);
  listeners_.erase(listener);
}

/// What is registered before the first client comes is news to nobody.
void Service::tell(const Change& change) {
  tell_here(change);
  if (bus_ && has_had_clients_.load(std::memory_order_acquire))
    bus_->tell({kind_of(change.topic), std::string(change.subject), std::string(change.params)});
}

void Service::wake_owner(std::string_view task) {
  if (bus_) bus_->tell({Event::Kind::task_wake_up, std::string(task), {}});
}

void Service::tell_all_lists() {
  for (const Topic topic : {Topic::tools_list, Topic::prompts_list, Topic::resources_list}) tell_here({topic});
}

/// Runs the listeners under the lock, so that a connection that has left is never called.
void Service::tell_here(const Change& change) {
  const MutexLock lock(listeners_mutex_);
  for (Listener* listener : listeners_) listener->tell(change);
}

std::vector<Topic> Service::lists_by_asker() const {
  std::vector<Topic> topics;
  if (tools.list().depends_on_asker) topics.push_back(Topic::tools_list);
  if (prompts.list().depends_on_asker) topics.push_back(Topic::prompts_list);
  if (resources.resources.list().depends_on_asker || resources.templates.list().depends_on_asker)
    topics.push_back(Topic::resources_list);
  return topics;
}

void Service::end_subscriptions() {
  const MutexLock lock(listeners_mutex_);
  for (Listener* listener : listeners_) listener->end_subscriptions();
}

}  // namespace toolwire::protocol
