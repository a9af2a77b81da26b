// Who a server is and how it runs. Plain values.
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolwire/detail/tracer.hpp"
#include "toolwire/limits.hpp"
#include "toolwire/output_budget.hpp"
#include "toolwire/stores.hpp"
#include "toolwire/task_store.hpp"
#include "toolwire/tool.hpp"

namespace toolwire {

class Engine;

/// Who the server is (specification: Implementation). Empty members are not sent.
struct ServerInfo {
  std::string name = {};
  std::string version = {};
  std::string title = {};
  std::string description = {};
  std::vector<Icon> icons = {};
  std::string website = {};
  std::string instructions = {};  // for the model: how the tools are meant to be used together
};

/// What becomes of a tool whose schema is unusable: the registration throws, or the tool is listed (with a schema that
/// takes any object, so that no host loses the other tools) and every call is answered with the cause.
enum class BadSchema { refuse, fail_calls };

/// The features that clients are told of before the first item of their kind is registered: for servers that register
/// it only after clients have connected. What is registered earlier is declared by itself.
struct Declared {
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  bool resource_updates = false;  // clients may ask to hear when a resource changes
  bool completions = false;
  bool tasks = false;    // of tools that are long_running
  bool logging = false;  // what tools say to Context::log goes to clients that ask for it; deprecated since 2026-07-28
};

/// The process at the other end of a Unix domain socket, as the kernel knows it (SO_PEERCRED): the one that connected.
struct Peer {
  unsigned user = 0;  // its user id
  int process = 0;    // its process id; 0: of another process namespace
};

/// A request that is known to nobody in particular yet. Its members live until the function that is given it has
/// returned.
struct UnidentifiedRequest {
  std::string_view method;
  const JsonObject& meta;      // its `_meta`
  const Peer* peer = nullptr;  // null: standard input, TCP, or a transport of the program's own
};

/// Says who calls, at once or later and from any thread. A request that is refused (Done::fail), fails: with the
/// ProtocolError, if it is one, else with -32603 and the code `unavailable`. So does one whose caller is not known
/// within `Limits::identify`. Called for every request but `initialize` and `ping`.
using Identify = std::function<void(const UnidentifiedRequest&, Done<Principal>)>;

/// What `run_stdio()` and `run()` do when serving is over but a tool goes on, although it was told to stop 60 ms ago:
/// end the process, with status 0, or return and leave the tool to itself. What the tool answers is dropped; what
/// belongs to the server stays until it has ended. With an engine of the program's own, that engine serves nobody else
/// before then, and its destruction waits for the tool.
enum class OnStuck { leave_process, detach };

/// How a server runs. The defaults suit one that an editor starts.
struct ServerOptions {
  // Tools that can run at once; 0: everything on the thread that calls `run`, for deterministic tests.
  unsigned threads = 8;
  /// If given, `run_stdio()` and `run()` serve on its threads (toolwire/engine.hpp) instead, one server at a time: for
  /// programs that wait for more than their clients. They return when serving ends; the engine goes on.
  std::shared_ptr<Engine> engine = {};
  std::size_t page = 0;  // items per page of a list; 0: one page, because several hosts do not follow cursors
  std::chrono::milliseconds list_age{60'000};  // caching hint of lists (2026-07-28 server/utilities/caching)
  /// How much text of a result the model is given; not given: all of it. Longer text is cut where lines end, and the
  /// model is told what is missing; `_meta["dev.toolwire/output"]` tells programs. Structured content is never cut:
  /// more than the budget's bytes is an error result.
  std::optional<OutputBudget> output_budget = {};
  std::size_t kept_output = 0;  // bytes of cut texts that stay readable, through the tool read_output; 0: none
  BadSchema on_bad_schema = BadSchema::refuse;
  OnStuck on_stuck = OnStuck::leave_process;
  /// If given, the first SIGTERM or SIGINT lets `run_stdio` and `run` end in order: for so long all are served as
  /// before, while Port::health says 503 and each answer over HTTP ends its connection; then it is as Server::stop. The
  /// next ends at once, as the first does otherwise: calls under way are cancelled.
  std::optional<std::chrono::milliseconds> notice = {};
  Declared declares = {};
  TaskOptions tasks = {};  // of tools that are long_running
  Stores stores = {};      // what calls share; in the memory of this process unless given
  /// If given, it says of every request who calls. What outlives a request is that caller's then, and nobody else's:
  /// the answers to questions, the count of calls in a minute, tasks, and outputs that are kept.
  Identify identify = {};
  std::int64_t calls_per_minute = 0;  // of all tools by one caller, beside ToolInfo::rate_per_minute; 0: unlimited
  /// Values that the file of `--trace` does not show, whatever holds them; what is a secret by its name is left out of
  /// it in any case.
  std::vector<std::string> secrets = {};
  Limits limits = {};
  /// If given, it makes a result of what a tool has thrown, for exceptions of the program's own kinds: it throws
  /// `thrown` again, and catches those it knows. What it lets out is treated as ever (see the table of errors in
  /// framework/README.md), and so are ToolError, InvalidArguments and ProtocolError, for which it is not called. What
  /// it has made a result of is not logged. On the thread of the tool, so several calls of it may go on at once.
  std::function<ToolResult(std::exception_ptr thrown)> on_exception = {};
  /// What is added to the error of a call of a tool that is not there, such as that it may come yet; empty: nothing.
  /// Any thread; must not wait.
  std::function<std::string(std::string_view tool)> why_missing = {};
  /// If given, it is told of every request, for traces (detail/tracer.hpp).
  std::shared_ptr<Tracer> tracer = {};
  // If given, it is called with each run of a tool, a prompt or a resource, and runs that on the thread it chooses.
  std::function<void(std::function<void()>)> executor = {};
};

}  // namespace toolwire
