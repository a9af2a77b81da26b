// A server of tools and resources: register functions, then run it on standard input and output or on any other stream.
// This is the header a program includes; it knows neither JSON-RPC nor the protocol's revisions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toolwire/middleware.hpp"
#include "toolwire/prompt.hpp"
#include "toolwire/resource.hpp"
#include "toolwire/server_options.hpp"
#include "toolwire/tool.hpp"
#include "toolwire/transport.hpp"

namespace toolwire {

class CommandLine;
class Server;
namespace http {
class Handler;
struct Port;
std::uint16_t listen(Server& server, const Port& where);
}  // namespace http

/// Several changes to what a server has of one kind that clients see as one. A key is the name of a tool or prompt, the
/// URI of a resource, or the URI template of resources.
template <class Item>
struct Changes {
  std::vector<std::string> remove = {};  // keys; those there are not are passed over
  std::vector<Item> replace = {};        // in the place of what has the same key; requests under way keep the old one
  std::vector<Item> add = {};
  std::vector<std::string> order = {};  // afterwards these keys follow each other, where the first of them stood

  bool empty() const { return remove.empty() && replace.empty() && add.empty(); }
};
using ToolChanges = Changes<Tool>;
using PromptChanges = Changes<Prompt>;
/// Resources and templates stand in lists of their own, but clients hear of both at once.
struct ResourceChanges {
  Changes<Resource> resources = {};
  Changes<ResourceTemplate> templates = {};
};

/// A Unix domain socket, for processes of the same user only; the kernel sees to that.
struct UnixSocket {
  std::string path = {};  // in a folder that no other user can write to
  /// One that listens already, as systemd hands it over (sd_listen_fds); the server closes it. -1: `path` counts.
  int descriptor = -1;
  /// What a client says in its first line, if it is not empty: keeps out programs of the same user that cannot read it.
  /// At least 16 bytes, no line breaks.
  std::string token = {};
  /// Whether somebody may come in, if it is given; others are dropped without a word. Must not wait.
  std::function<bool(const Peer&)> admits = {};
  /// Called when somebody was let in and, with `is_there` false, once they have left; from any thread, also from
  /// several at once. Must not wait.
  std::function<void(const Peer&, bool is_there)> on_peer = {};
};

/// A port of 127.0.0.1. Every user of the machine can connect to it, hence the token: a client's first line is that.
struct LoopbackPort {
  std::uint16_t port = 0;  // 0: a free one
  std::string token = {};  // at least 16 bytes, no line breaks
};

/// Registered tools and one place to run them. `tool`, `remove_tool`, `around_call` and `around_request` may be called
/// from any thread, also while it runs; connected clients are told that the list has changed. Tools run side by
/// side, several calls of the same one, too, unless they are ToolInfo::serial.
class Server {
 public:
  /// Throws std::invalid_argument if name or version is empty.
  explicit Server(ServerInfo info);
  explicit Server(ServerInfo info, ServerOptions options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Registers a tool. `handler(Arguments, Context&)`: either parameter may be left out; `Arguments` is a described
  /// struct, or `const Json&` with `info.input_schema` given; a last parameter `Reply` lets it answer later. What it
  /// returns is its result. Throws std::invalid_argument naming the tool if the name is taken or not allowed, or the
  /// schema is unusable.
  template <class F>
  void tool(ToolInfo info, F handler) {
    add(make_tool(std::move(info), std::move(handler)));
  }
  template <class F>
  void tool(std::string name, std::string description, F handler) {
    add(std::move(name), std::move(description), detail::erased(std::move(handler)));
  }

  /// Registers a tool whose arguments are the parameters of its function, without a struct:
  ///     server.tool("add", "Add two numbers", args("a", "b"), [](double a, double b) { return a + b; });
  /// `args` may describe and bound each: args(arg("limit", "How many").between(1, 100)). Context& and Reply may follow.
  /// Throws as `tool`, and for bounds that are outside the type of their parameter.
  template <class F, detail::Bounded... What>
  void tool(ToolInfo info, NamedArguments<What...> names, F handler) {
    add(make_tool(std::move(info), names, std::move(handler)));
  }
  template <class F, detail::Bounded... What>
  void tool(std::string name, std::string description, NamedArguments<What...> names, F handler) {
    auto function = detail::erased(name, names, std::move(handler));
    add(std::move(name), std::move(description), std::move(function));
  }

  /// Registers what make_tool has made. Throws as `tool`.
  void add(Tool tool);
  /// Calls in flight finish. Returns false if there was no such tool.
  bool remove_tool(std::string_view name);
  /// Removes, replaces and adds in one step; clients are told once. Throws as `add`, and then nothing has changed.
  void change_tools(ToolChanges changes);
  /// Whether there is a tool of this name now. From any thread.
  bool has_tool(std::string_view name) const;
  /// All scopes that a call of this tool needs (ToolInfo::scopes, and scopes_of_call, which may throw); none if there
  /// is no such tool. For a tool that calls others for its caller.
  std::vector<std::string> needed_scopes(std::string_view tool, const Json& arguments) const;
  /// Differs whenever the list of tools does: for those who keep something that was made of it. From any thread.
  std::uint64_t tools_version() const;
  /// Sets the `_meta` of tools/list (specification: basic, `_meta`): what clients should know about the whole list.
  void describe_tools(JsonObject meta);

  /// Registers a resource. `handler(const ResourceRequest&, Context&)`: either parameter may be left out; a last
  /// parameter `ResourceReply` lets it answer later. It returns a text, ResourceContents (one or several), a described
  /// struct, or questions. Throws std::invalid_argument naming the resource if the URI is taken or unusable.
  template <class F>
  void resource(ResourceInfo info, F handler) {
    add(make_resource(std::move(info), std::move(handler)));
  }
  /// Registers all resources whose URIs fit a template. `handler` is like that of a resource; its first parameter may
  /// be a described struct of the template's variables. Throws std::invalid_argument, also for a template or variables
  /// that are not usable.
  template <class F>
  void resource_template(ResourceTemplateInfo info, F handler) {
    add(make_resource_template(std::move(info), std::move(handler)));
  }

  /// Registers what make_resource or make_resource_template has made. Throws as `resource` and `resource_template`.
  void add(Resource resource);
  void add(ResourceTemplate made);
  /// Readings under way finish. Both return false if there was no such resource or template.
  bool remove_resource(std::string_view uri);
  bool remove_resource_template(std::string_view uri_template);
  /// Removes, replaces and adds resources and templates in one step; clients are told once. Throws as `add`, and then
  /// nothing has changed.
  void change_resources(ResourceChanges changes);

  /// Tells clients that have subscribed to the resource that it has changed. From any thread.
  void resource_updated(std::string_view uri);
  /// Tells clients that the list of resources has changed: for what a template's lister lists. Registering and removing
  /// tell them by themselves. From any thread.
  void resource_list_changed();

  /// Registers a prompt. `handler(Arguments, Context&)`: either parameter may be left out; `Arguments` is a flat
  /// described struct, or `const Json&` with `info.arguments` given; a last parameter `PromptReply` lets it answer
  /// later. It returns a PromptResult, messages, a text, or questions. Throws std::invalid_argument naming the prompt
  /// if the name is taken or its arguments are unusable.
  template <class F>
  void prompt(PromptInfo info, F handler) {
    add(make_prompt(std::move(info), std::move(handler)));
  }
  template <class F>
  void prompt(std::string name, std::string description, F handler) {
    prompt(PromptInfo{.name = std::move(name), .description = std::move(description)}, std::move(handler));
  }

  /// Registers what make_prompt has made. Throws as `prompt`.
  void add(Prompt prompt);
  /// Requests under way finish. Returns false if there was no such prompt.
  bool remove_prompt(std::string_view name);
  /// Removes, replaces and adds in one step; clients are told once. Throws as `add`, and then nothing has changed.
  void change_prompts(PromptChanges changes);

  /// Serves what `other` has, now and whenever it changes: its tools and prompts as `prefix_name`, its resources and
  /// templates under their own URIs, which its results refer to. `list_changed` and `resource_updated` of the other
  /// reach the clients of this one. A name or URI that is taken later is left out, and logged, until it is free. Of the
  /// other's ServerOptions only `output_budget` counts. It may serve clients of its own, and go before this one: what
  /// it had stays then. Throws std::invalid_argument, and mounts nothing, if a name or URI is taken, a name would be
  /// unusable, the server would be mounted in itself, or the other has middleware or an option that would not count
  /// where calls rely on it (executor, identify, on_exception, kept_output, stores.outputs, stores.events). Middleware
  /// cannot be added to a server that is mounted: std::logic_error. From any thread.
  void mount(const std::string& prefix, Server& other);

  /// Tells every client that the lists which depend on who asks (ToolInfo::visible and its like) may have changed for
  /// it. One client only: Session::visibility_changed. From any thread.
  void visibility_changed();

  /// Ends all open subscriptions of all clients as the specification requires (2026-07-28
  /// basic/patterns/subscriptions); when a connection ends, this is done by itself. Clients may subscribe again. From
  /// any thread.
  void end_subscriptions();

  /// What a user was asked to do on a page (`ask_url`) is done: tells the client that asked, which may then call again
  /// (2025-11-25 client/elicitation; later revisions have no such notification, and earlier ones no pages). From any
  /// thread. Returns false if no client is to be told.
  bool elicitation_complete(std::string_view elicitation_id);

  /// Puts a function around every call of a tool, inside those added before it.
  void around_call(Middleware middleware);
  /// The same around tools, prompts, resources and lists alike; it sees what was thrown. See middleware.hpp.
  void around_request(RequestMiddleware middleware);
  /// Has every call shown to a function that is refused for its rate (ToolInfo::rate_per_minute,
  /// ServerOptions::calls_per_minute), as no middleware sees it. From any thread.
  void on_refused_call(RefusedLook look);

  /// Serves standard input and output until the client closes them or SIGTERM or SIGINT arrives; returns the exit
  /// status. Looks at no command line, which belongs to the program.
  int run_stdio();
  /// The same for a program that is nothing but a server: `argc` and `argv` are those of main. Knows the options every
  /// such program has: --help, --version, --list, --call NAME [JSON], --trace FILE (see command_line.hpp). The status
  /// is 2 after a mistake in them, and that of the option if it asks for something other than serving.
  int run_stdio(int argc, const char* const* argv);
  /// The same for a program with options of its own. A `line` that was never parsed: serves, whatever the arguments
  /// are.
  int run_stdio(const CommandLine& line);
  /// Serves one connection until its end, and waits for tools that are still running. Returns 0.
  int run(Transport& transport);

  /// Lets clients connect here too, as many as come, while `run_stdio` or `run` serves, at once or from then on; each
  /// speaks for itself, and what one asks does not hold up the others. Returns the port. From any thread. Throws
  /// std::system_error if that cannot be listened on, for example because another process does; std::invalid_argument
  /// for a token that is none; std::logic_error after `stop`.
  void listen(const UnixSocket& where);
  std::uint16_t listen(const LoopbackPort& where);
  /// Serves those who connect until `stop`, SIGTERM or SIGINT (which are blocked in this thread from now on, and have
  /// to be in others); returns the exit status. With `run_stdio` instead all ends with standard input. Throws
  /// std::logic_error if there is nowhere to connect.
  int run();

  /// Ends what serves, now and later: nothing is read any more, what was accepted is answered within `Limits::drain`,
  /// then it is cancelled. From any thread, also a tool's.
  void stop();

  struct State;  // private to the framework

 private:
  void add(std::string&& name, std::string&& description, detail::ErasedTool&& function);

  friend class Pump;
  friend class http::Handler;                                           // toolwire/http/handler.hpp
  friend std::uint16_t http::listen(Server&, const http::Port& where);  // toolwire/http/listen.hpp
  std::shared_ptr<State> state_;
};

/// A server in a program that has a loop of its own (an engine, Qt, GLib, poll): nothing runs but what the loop calls,
/// on its thread, and nothing in it waits. Watch `descriptor()`, and call `run_ready` when it is readable. One thread,
/// also for its destruction; `Server::stop` and whatever else is thread-safe may come from others.
/// `ServerOptions::threads` means nothing here, signals are left alone.
class Pump {
 public:
  /// Serves those who connect (Server::listen). The server must outlive it. Throws std::system_error if descriptors
  /// have run out; std::logic_error if the server runs elsewhere already.
  explicit Pump(Server& server);
  /// Serves a connection too, and ends with it. The transport must outlive it; it needs a descriptor, as those of
  /// descriptor_transport, standard_streams and connect_unix_socket have: std::invalid_argument if not.
  Pump(Server& server, Transport& transport);
  /// Ends what is going on: calls that answer later are cancelled.
  ~Pump();
  Pump(const Pump&) = delete;
  Pump& operator=(const Pump&) = delete;

  /// Readable while there is something for `run_ready` to do.
  [[nodiscard]] int descriptor() const;

  /// Reads what is there, runs at most so many tools (or prompts, or resources), and writes what the other side takes.
  /// Returns false once all is over, and then always.
  bool run_ready(std::size_t max_jobs = 64);

 private:
  struct Pumped;
  std::unique_ptr<Pumped> pumped_;
};

}  // namespace toolwire
