// The client's end of the protocol: starts a server or connects to one, and uses its tools, prompts and resources, in
// every revision. Independent of how servers work; to test your own tools see testing.hpp.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "toolwire/child_process.hpp"
#include "toolwire/client_options.hpp"
#include "toolwire/detail/log_level.hpp"
#include "toolwire/detail/prompt_argument.hpp"
#include "toolwire/detail/trace_context.hpp"
#include "toolwire/detail/typed_result.hpp"
#include "toolwire/json.hpp"
#include "toolwire/transport.hpp"

namespace toolwire {

/// One report on how far a call has come.
struct ProgressReport {
  double progress = 0;  ///< In a unit of the server's choice; grows from report to report.
  std::optional<double> total = {};
  std::string message = {};
};

/// What the server says about itself.
struct ServerDescription {
  std::string name = {};
  std::string version = {};
  std::string title = {};
  std::string revision = {};  ///< The revision of the protocol that both use.
  bool modern = false;        ///< No handshake; every request names the revision.
  Json capabilities = {};
  std::string instructions = {};
  Json raw = {};  ///< The whole result of `initialize` or `server/discover`.
};

/// A tool as the server lists it.
struct ListedTool {
  std::string name = {};
  std::string title = {};
  std::string description = {};
  Json input_schema = {};
  Json output_schema = {};  ///< null if there is none
  Json raw = {};            ///< All of it, as sent.
};

/// How one call is made.
struct CallOptions {
  std::optional<std::chrono::milliseconds> timeout = {};  ///< From the start of the call; milliseconds::max() for none.
  std::function<void(const ProgressReport&)> on_progress = {};  ///< All reports come before the result.
  JsonObject meta = {};                                         ///< Further members of `_meta`.
  TraceContext trace = {};  ///< Sent in `_meta`: Context::trace() of the call this one is made for.
  /// 2025-11-25, with ClientOptions::tasks: asks the server to make a task of the call; in tools/list,
  /// `execution.taskSupport` of the tool must allow it. Elsewhere it means nothing.
  bool as_task = false;
};

/// How a call ended, as the server says.
struct CallResult {
  JsonArray content = {};
  std::optional<Json> structured = {};
  bool is_error = false;  ///< The tool has failed; the text says why.
  Json raw = {};

  /// The texts in `content`, one per line.
  [[nodiscard]] std::string text() const;
};

/// The tool has failed (CallResult::is_error); `what()` is what it says. A tool that calls others can let it pass: then
/// whoever called it reads the same.
struct CallFailed : ToolError {
  explicit CallFailed(CallResult call_result) : ToolError(call_result.text()), result(std::move(call_result)) {}
  CallResult result;
};

/// A result that is not of the type that was asked for; `what()` names the tool, and each place with what was expected.
struct UnexpectedResult : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The result of a call as a T: any type with a JSON form (convert.hpp) from the structured content, itself for a
/// described struct, the value of {"result": value} for others (and std::nullopt for {}); where there is none, as
/// before 2025-06-18, from the text. A std::string is the text, Json the structured content as it is, and void asks
/// only whether the tool has succeeded. Members that T does not describe are passed over; its bounds hold. Throws
/// CallFailed, and UnexpectedResult, which names `tool`.
template <class T>
T result_as(const CallResult& result, std::string_view tool = {}) {
  if constexpr (std::is_void_v<T>) {
    return detail::require_success(result, tool);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return detail::text_of_result(result, tool);
  } else if constexpr (std::is_same_v<T, Json>) {
    return detail::json_of_result(result, tool);
  } else {
    static_assert(!detail::holds_view(detail::ShapeOf<T>::value),
                  "toolwire: a std::string_view cannot be read from a result, as nothing would own its text; use "
                  "std::string");
    T value{};
    detail::read_result(result, tool, detail::ShapeOf<T>::value, &value);
    return value;
  }
}

/// How a call ended, for callers that do not wait: its result, or what `CallHandle::wait` would throw.
using CallOutcome = std::variant<CallResult, std::exception_ptr>;
/// The same for any request: the whole result as the server sent it, an `input_required` one included.
using RequestOutcome = std::variant<Json, std::exception_ptr>;

namespace client {
class Connection;
class LaterRequest;
class ToolCall;
class Listening;
}  // namespace client

/// A call under way. Copies stand for the same call. Thread-safe; may outlive the client. When the last one is dropped
/// the call goes on, but questions it asks are no longer answered.
class CallHandle {
 public:
  explicit CallHandle(std::shared_ptr<client::ToolCall> call) : call_{std::move(call)} {}

  /// Waits for the result. Throws ProtocolError if the server refuses the call, TimeoutError, CancelledError or
  /// ConnectionError.
  CallResult wait();
  /// Whether `wait` would return at once.
  [[nodiscard]] bool is_done() const;
  /// Tells the server and ends every `wait` with CancelledError. Does nothing if the call is done.
  void cancel(const std::string& reason = {});

 private:
  std::shared_ptr<client::ToolCall> call_;
};

/// A request under way whose outcome goes to a function. Copies stand for the same request. Thread-safe; may outlive
/// the client. When the last one is dropped the request goes on.
class RequestHandle {
 public:
  explicit RequestHandle(std::shared_ptr<client::LaterRequest> request) : request_{std::move(request)} {}

  /// Tells the server; the function gets CancelledError, before this returns. Does nothing if the request is done.
  void cancel(const std::string& reason = {});

 private:
  std::shared_ptr<client::LaterRequest> request_;
};

/// A subscription, which ends when this is destroyed; that must not happen inside the function it calls.
class Subscription {
 public:
  explicit Subscription(std::shared_ptr<client::Listening> listening) : listening_{std::move(listening)} {}
  Subscription(Subscription&&) noexcept = default;
  Subscription& operator=(Subscription&&) noexcept;
  ~Subscription();

  /// False once the server has ended it or is gone.
  [[nodiscard]] bool is_active() const;

 private:
  std::shared_ptr<client::Listening> listening_;
};

/// One connection to one server. Thread-safe: any number of calls may be under way. It has a thread that reads and,
/// from when they are first needed, threads for the functions in ClientOptions. The destructor ends all calls with
/// ConnectionError; no other function of the client may be running then.
class Client {
 public:
  /// Connects and agrees on a revision. Throws ConnectionError, TimeoutError, ProtocolError if the server refuses, and
  /// std::invalid_argument for an unknown revision. The transport must outlive the client.
  explicit Client(Transport& transport, const ClientOptions& options = {});
  explicit Client(std::unique_ptr<Transport> transport, const ClientOptions& options = {});
  /// Starts the server as a child process and stops it in the end. If it ends when it is probed with `server/discover`,
  /// it is started again and greeted with `initialize`. Throws also as ChildProcess does.
  explicit Client(const Program& program, const ClientOptions& options = {});
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// With ClientOptions::restart: as it runs now. What was returned before stays as it is.
  [[nodiscard]] const ServerDescription& server() const;
  /// The process of the server; null unless the client started it. With ClientOptions::restart it is there until the
  /// next request after the server was lost.
  [[nodiscard]] ChildProcess* process();

  /// All tools, from all pages of the list. Throws as `request`.
  std::vector<ListedTool> list_tools();

  /// Calls a tool and waits; throws as CallHandle::wait. `arguments` must be an object or null.
  CallResult call(std::string_view tool, Json arguments = {}, CallOptions options = {});
  /// The same with types: `const double sum = client.call<double>("add", {{"a", 1}, {"b", 2}});`. `arguments`: a
  /// described struct, or named values as JSON or a map; what comes back is read as by `result_as`. Throws as that and
  /// as CallHandle::wait.
  template <class T, class Arguments = Json>
  T call(std::string_view tool, const Arguments& arguments = {}, CallOptions options = {}) {
    return result_as<T>(call(tool, detail::call_arguments(arguments), std::move(options)), tool);
  }
  /// Starts a call; `wait` of its handle gives the result. Throws ConnectionError.
  CallHandle start_call(std::string_view tool, Json arguments = {}, CallOptions options = {});
  /// The same without a thread that waits: `done` gets the outcome, once, on a thread of the client, on that of
  /// `cancel` or, when the connection breaks just then, on this one; it must be short and must not wait. Throws
  /// ConnectionError, and then does not call it.
  CallHandle start_call(std::string_view tool, Json arguments, CallOptions options,
                        std::function<void(CallOutcome&&)> done);

  /// All prompts, from all pages of the list. Throws as `request`.
  std::vector<ListedPrompt> list_prompts();
  /// Gets a prompt; questions it asks are answered as those of a tool. Throws as CallHandle::wait.
  PromptMessages get_prompt(std::string_view name, const std::map<std::string, std::string>& arguments = {},
                            CallOptions options = {});

  /// Asks for log messages of this level and above, which go to ClientOptions::on_notification as
  /// "notifications/message": with logging/setLevel, and in 2026-07-28 with every later request. Throws as `request`.
  void set_log_level(LogLevel level);

  /// A request that may ask the user first (tools/call, prompts/get, resources/read): its questions are answered and it
  /// is repeated; the last result as it comes. Throws as CallHandle::wait.
  Json request_with_questions(std::string_view method, JsonObject params, CallOptions options = {});

  /// Calls a function whenever the server's tools may have changed.
  [[nodiscard]] Subscription subscribe_tools(std::function<void()> changed);
  /// The same for all lists whose changes the server reports: tools, resources (and templates), prompts.
  [[nodiscard]] Subscription subscribe_lists(std::function<void()> changed);
  /// Calls a function with the URI of a resource that may have changed: one of these, or a part of one. Throws
  /// ProtocolError (-32602, -32002 or -32601) if the server does not report changes of one of them, and as `request`.
  [[nodiscard]] Subscription subscribe_resources(std::vector<std::string> uris,
                                                 std::function<void(const std::string& uri)> updated);

  /// Sends any other request and returns its result as the server sent it. What the revision needs in `_meta` is added
  /// to `params`. `timeout`: else ClientOptions::timeout. Throws as CallHandle::wait.
  Json request(std::string_view method, const JsonObject& params = {},
               std::optional<std::chrono::milliseconds> timeout = {});
  /// The same without a thread that waits; `done` as with start_call. Questions in its result are not
  /// answered but passed on. Throws ConnectionError, and CongestedError where `request` would wait.
  RequestHandle start_request(std::string_view method, const JsonObject& params, CallOptions options,
                              std::function<void(RequestOutcome&&)> done);
  /// Sends a notification.
  void notify(std::string_view method, const JsonObject& params = {});
  /// Waits for a sign of life: `ping`, or `server/discover` in revisions without ping. Throws as `request`.
  void ping();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

/// A resource, or a template, as a server lists it.
struct ListedResource {
  std::string uri = {};  ///< Of a template: the template.
  std::string name = {};
  std::string title = {};
  std::string description = {};
  std::string mime_type = {};
  Json raw = {};
};

/// One piece of what was read. `contents` is text, or raw bytes when `binary`.
struct ReadContents {
  std::string uri = {};
  std::string contents = {};
  std::string mime_type = {};
  bool binary = false;
};

/// What a server suggests, the best first. `has_more`: it knows further ones.
struct Suggestions {
  std::vector<std::string> values = {};
  bool has_more = false;
  Json raw = {};
};

/// All resources, and all templates, from all pages of the list. Throw as CallHandle::wait.
std::vector<ListedResource> list_resources(Client& client);
std::vector<ListedResource> list_resource_templates(Client& client);

/// Reads a resource; questions it asks are answered as those of a tool. Throws as CallHandle::wait: ProtocolError with
/// -32602 or -32002 for what is not there, and -32603 when the server's answer is not what resources/read returns.
std::vector<ReadContents> read_resource(Client& client, std::string_view uri);

/// Suggestions for an argument of a prompt, or for a variable of a resource template. `value`: what is typed so far;
/// `context`: what is filled in already, by name. Throw as CallHandle::wait.
Suggestions complete_prompt(Client& client, std::string_view prompt, std::string_view argument, std::string_view value,
                            const std::map<std::string, std::string>& context = {});
Suggestions complete_template(Client& client, std::string_view uri_template, std::string_view variable,
                              std::string_view value, const std::map<std::string, std::string>& context = {});

}  // namespace toolwire
