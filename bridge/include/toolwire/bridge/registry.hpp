// Tools and Activities together: resolution, calls, filled documents. For programs that run calls themselves, and the
// base of a Bridge. Knows no MCP.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toolwire/bridge/activity_registry.hpp>
#include <toolwire/bridge/composition.hpp>
#include <toolwire/bridge/policy.hpp>
#include <toolwire/bridge/resolution.hpp>
#include <toolwire/bridge/tool_registry.hpp>
#include <toolwire/engine.hpp>
#include <toolwire/stores.hpp>

namespace toolwire::bridge {

class CallCore;

/// Who fills the output of a latent tool: the caller, as a required argument `_output`; the client's model, which is
/// asked through sampling; or no one, and such tools are not offered.
enum class Latent { inlined, sampling, hidden };

/// What a model may be sent at once (native-protocols: bounded output).
struct OutputBounds {
  std::size_t lines = 2'000;                        // of text; more are cut, with a notice
  std::size_t bytes = std::size_t{50} * 1024;       // of text
  std::size_t structured = std::size_t{50} * 1024;  // bytes of structured content, which is never cut: "too_large"
};

struct RegistryOptions {
  Dangling dangling = Dangling::fail;
  Latent latent = Latent::inlined;
  OutputBounds bounds = {};
  std::shared_ptr<RateStore> rates = {};  // of calls (`rate_limit_per_minute`); empty: in memory
  /// Runs the rest of a call that has waited for a store; empty: it runs on the thread of the store's answer.
  std::function<void(std::function<void()>)> executor = {};
  std::shared_ptr<Engine> engine = {};  // whose threads watch deadlines; empty: one of all such registries
};

/// A call that is over: its output, or why there is none.
struct CompletedCall {
  Call call = {};
  ToolResult result = {};
  bool failed() const { return result.is_error; }
  /// The structured output, else the text.
  Json output() const;
  std::string error() const;
  /// For the model: `{call, output}` or `{call, error: {code, message}}`.
  Json to_json() const;
};

/// The calls of one `call_all`: all or nothing. `failure` is the index of the first that failed.
struct CompletedCalls {
  std::vector<CompletedCall> calls = {};  // in the order they were given
  std::optional<std::size_t> failure = {};
};

struct CallSettings {
  std::stop_token stop = {};
  JsonObject meta = {};  // as `_meta` of a request
  std::function<void(double done, std::optional<double> total, std::string_view message)> on_progress = {};
};

/// Thread-safe. Calls under way may outlive it. No function here waits, except those that return a completed call, and
/// those wait in the thread of the program that asked for it; native Activities run on the thread that makes the call.
class Registry {
 public:
  using Done = std::function<void(CompletedCall)>;

  explicit Registry(RegistryOptions options = {});
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  ToolRegistry& tools();
  ActivityRegistry& activities();
  const RegistryOptions& options() const;

  /// As ToolRegistry: a native tool schema, or a definition.
  template <class... A>
  void tool(A&&... schema_or_definition) {
    tools().tool(std::forward<A>(schema_or_definition)...);
  }

  /// Whether a tool is offered; if this is never called, its metadata decides (`enabled_by_default`). A tool that is
  /// not enabled is neither listed nor called.
  void enable(std::string_view tool, bool enabled);
  bool is_enabled(const ToolDefinition& tool) const;
  Resolution resolve(const ToolDefinition& tool) const;
  /// Whether it is shown to hosts and models: enabled, and something can run it.
  bool is_offered(const RegisteredTool& tool) const;

  /// Policies. To be set at any time: calls keep those they began with.
  void approve_with(std::shared_ptr<Approval> approval);
  void confirm_with(Confirmation confirmation);
  void decorate_with(Decorator decorator);
  void observe_with(std::shared_ptr<Observer> observer);
  std::shared_ptr<Approval> approval() const;

  /// Warnings for the start: tools without an implementation, dangling `_activity`, missing `_output`.
  std::vector<std::string> diagnostics() const;
  Json compose(ComposeOptions options = {}) const;

  /// Starts one call; `done` is called once, on the thread that ends it.
  void start(Call call, Done done, const CallSettings& settings = {});
  CompletedCall call(Call call, const CallSettings& settings = {});
  CompletedCall call(std::string tool, Json parameters, const CallSettings& settings = {});

  /// All are checked before the first is started; the first failure cancels the others. `done` once all have ended.
  void start_all(std::vector<Call> calls, std::function<void(CompletedCalls)> done, const CallSettings& settings = {});
  CompletedCalls call_all(std::vector<Call> calls, const CallSettings& settings = {});
  /// The first that succeeds, or the last failure if none does; the others are cancelled. Throws std::invalid_argument
  /// without calls, as do the next two.
  void start_any(std::vector<Call> calls, Done done, const CallSettings& settings = {});
  CompletedCall call_any(std::vector<Call> calls, const CallSettings& settings = {});
  /// The first that ends, well or not; the others are cancelled.
  void start_race(std::vector<Call> calls, Done done, const CallSettings& settings = {});
  CompletedCall call_race(std::vector<Call> calls, const CallSettings& settings = {});

  /// Runs a document that a model filled, `{calls: [{_tool, _activity, …parameters}]}`, as a whole: calls are started
  /// in their order and one that fails does not stop the others. The result is `{results: [{call, output} or {call,
  /// error}]}` in the same order. Throws std::invalid_argument if it is not such a document.
  void start_run(const Json& document, std::function<void(Json)> done, const CallSettings& settings = {});
  Json run(const Json& document, const CallSettings& settings = {});

  /// Runs one call of a client: `arguments` with their meta fields, answered through `reply`. For servers.
  void serve(const ToolPointer& tool, const Json& arguments, Context& context, Reply reply);

  /// Calls `listener` when what is offered may have changed; as ActivityRegistry::on_change.
  void on_change(std::function<void()> listener);

 private:
  const std::shared_ptr<CallCore> core_;
};

}  // namespace toolwire::bridge
