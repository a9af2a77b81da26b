// What a server offers, independent of any connection: who it is, its tools, prompts and resources, its middleware.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "features/kept_outputs.hpp"
#include "features/resource_registry.hpp"
#include "features/serial_line.hpp"
#include "features/served_prompt.hpp"
#include "features/tool_registry.hpp"
#include "protocol/feature.hpp"
#include "protocol/input_requests/open_pages.hpp"
#include "protocol/listing/list_cache.hpp"
#include "protocol/revision.hpp"
#include "protocol/subscriptions/topic.hpp"
#include "protocol/tasks/tasks.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/middleware.hpp"
#include "toolwire/server_options.hpp"
#include "toolwire/stores.hpp"

namespace toolwire::protocol {

/// Middleware around requests of any kind, or around calls of tools only.
using Around = std::variant<RequestMiddleware, Middleware>;

/// Thread-safe. Outlives its connections.
class Service {
 public:
  Service(ServerInfo server_info, ServerOptions server_options);

  const ServerInfo info;
  const ServerOptions options;
  features::ToolRegistry tools;
  features::SerialLines serial_lines;
  ListCache tool_lists;
  features::PromptRegistry prompts;
  ListCache prompt_lists;
  features::ResourceRegistry resources;
  ListCache resource_lists;
  ListCache template_lists;
  const Stores stores;  // none is empty
  features::KeptOutputs kept_outputs;
  Tasks tasks;
  OpenPages open_pages;

  /// `_meta` of tools/list.
  void describe_tools(JsonObject meta);
  std::shared_ptr<const JsonObject> tools_meta() const;

  /// Throws std::logic_error while another server has mounted this one.
  void around(Around middleware);
  /// Another server serves what this one has, from now on until the end. False, and nothing begins, if there is
  /// middleware, which would not stand around it.
  bool begin_mounted();
  void end_mounted();
  /// Null if there are none.
  std::shared_ptr<const std::vector<Around>> middlewares() const {
    return has_middlewares() ? all_middlewares() : nullptr;
  }
  bool has_middlewares() const { return has_middlewares_.load(std::memory_order_acquire); }
  /// Whether there are some that also see lists.
  bool has_request_middlewares() const { return has_request_middlewares_.load(std::memory_order_acquire); }

  void show_refused(RefusedLook look);
  /// Who sees the calls that are refused for their rate. Null if nobody does.
  std::shared_ptr<const std::vector<RefusedLook>> refused_looks() const;

  /// Whether requests of several callers come here, so that what is said to one need not be what is said to others.
  bool tells_callers_apart() const { return options.identify || named_callers_.load(std::memory_order_acquire); }
  /// From now on, because there is one whose name has come with a request.
  void tell_callers_apart();

  /// Serialized once: Implementation with what the revision knows, and the `_meta` member of modern results without its
  /// closing brace, so that more members can follow.
  const std::string& implementation_text(const Revision& revision) const;
  const std::string& result_meta_text() const { return result_meta_; }

  /// Adds to the features that clients are told of, as every registration does; see ServerOptions::declares. While
  /// nothing else is offered, tools are, because a server without any is about to get some.
  void offer(Feature feature) { offered_.add(feature); }
  Features offered() const;

  /// A connection that is told of changes.
  class Listener {
   public:
    virtual void tell(const Change& change) = 0;
    virtual void end_subscriptions() = 0;

   protected:
    ~Listener() = default;
  };
  std::list<Listener*>::iterator listen(Listener& listener);
  void forget(std::list<Listener*>::iterator listener);
  /// From now on changes are news, also to the clients of others, though nobody listens here.
  void client_came() { has_had_clients_.store(true, std::memory_order_release); }
  /// Tells the clients of this server and those of the others on its bus.
  void tell(const Change& change);
  void end_subscriptions();
  /// Has whoever runs a task look at once what others have done about it, where there is a bus; else it looks from time
  /// to time.
  void wake_owner(std::string_view task);

  /// Who is handed what clients have sent to other servers on the bus.
  class Relay {
   public:
    /// From any thread; must not wait.
    virtual void on_client_message(const Event& event) = 0;

   protected:
    ~Relay() = default;
  };
  std::list<Relay*>::iterator relay_to(Relay& relay);
  void forget(std::list<Relay*>::iterator relay);
  /// Says it to the other servers on the bus; false if there is no bus.
  bool hand_on(const Event& event);

  /// The lists that are not the same for everybody.
  std::vector<Topic> lists_by_asker() const;

 private:
  /// Throws std::logic_error: what sees calls would not see those of the server that serves.
  void expect_not_mounted() const TOOLWIRE_REQUIRES(mutex_);
  void declare(const Declared& declared);
  void join_bus();
  void heard(const Event& event);
  void tell_here(const Change& change);
  void tell_all_lists();
  std::shared_ptr<const std::vector<Around>> all_middlewares() const;

  OfferedFeatures offered_;
  std::atomic<bool> named_callers_{false};
  std::atomic<bool> has_middlewares_{false};
  std::atomic<bool> has_request_middlewares_{false};
  mutable Mutex mutex_;
  std::shared_ptr<const std::vector<Around>> middlewares_ TOOLWIRE_GUARDED_BY(mutex_);
  std::shared_ptr<const std::vector<RefusedLook>> refused_looks_ TOOLWIRE_GUARDED_BY(mutex_);
  int mounts_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // in others
  std::shared_ptr<const JsonObject> tools_meta_ TOOLWIRE_GUARDED_BY(mutex_) = std::make_shared<const JsonObject>();
  Mutex listeners_mutex_;
  std::list<Listener*> listeners_ TOOLWIRE_GUARDED_BY(listeners_mutex_);
  std::list<Relay*> relays_ TOOLWIRE_GUARDED_BY(listeners_mutex_);
  std::string implementation_;         // name and version
  std::string titled_implementation_;  // and title
  std::string full_implementation_;    // and description, icons, website
  std::string result_meta_;
  std::atomic<bool> has_had_clients_{false};
  std::unique_ptr<EventBus::Member> bus_;  // the last member: what it hears uses the others
};

}  // namespace toolwire::protocol
