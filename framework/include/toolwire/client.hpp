// The other end of the protocol: starts or connects to a server of tools and calls them, in every revision.
// Knows nothing of how servers work; for tests of one's own tools see testing.hpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "toolwire/child_process.hpp"
#include "toolwire/error.hpp"
#include "toolwire/json.hpp"
#include "toolwire/log_level.hpp"
#include "toolwire/prompt_argument.hpp"
#include "toolwire/trace_context.hpp"
#include "toolwire/transport.hpp"

namespace toolwire {

/// The connection is gone, or never came about. The text says why: how the server ended and the last it wrote to
/// stderr.
struct ConnectionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Nothing was sent, because the server has not read much of what was sent before. Only where nobody is to wait.
struct CongestedError : ConnectionError {
  using ConnectionError::ConnectionError;
};
/// No answer within the time given; the request has been cancelled.
struct TimeoutError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The call was cancelled here.
struct CancelledError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a server asks the user (specification: elicitation).
struct Elicitation {
  std::string message = {};
  std::string mode = "form";  ///< Or "url".
  Json schema = {};           ///< With "form": the JSON Schema of the answer.
  Json params = {};           ///< All of it, as sent.
};

struct ElicitationReply {
  enum class Action { accept, decline, cancel };
  Action action = Action::cancel;
  Json content = {};  ///< With accept: an object that fits the schema.
};

/// One report on how far a call has come.
struct ProgressReport {
  double progress = 0;
  std::optional<double> total = {};
  std::string message = {};
};

/// A request of the server's (elicitation, sampling, roots), to be answered now or later, once, from any thread.
/// Move-only; destroyed without an answer it is refused. Does nothing once the connection is gone.
class ServerRequest {
 public:
  using Answer = std::variant<Json, ProtocolError>;
  using Send = std::function<void(Answer&&)>;

  ServerRequest(std::string its_method, Json its_params, Send send)
      : method{std::move(its_method)}, params(std::move(its_params)), send_{std::move(send)} {}
  ServerRequest(ServerRequest&& other) noexcept
      : method{std::move(other.method)}, params(std::move(other.params)), send_{std::exchange(other.send_, nullptr)} {}
  ServerRequest& operator=(ServerRequest&& other) noexcept {
    method.swap(other.method);
    params.swap(other.params);
    send_.swap(other.send_);
    return *this;
  }
  ~ServerRequest();

  void answer(Json result) { send(std::move(result)); }
  void refuse(int code, const std::string& message) { send(ProtocolError(code, message)); }

  std::string method;
  Json params;

 private:
  void send(Answer&& answer);
  Send send_;
};

/// All functions here run on threads of the client, one call at a time each; they may use the client, but not destroy
/// it.
struct ClientOptions {
  std::string name = "toolwire-client";
  std::string version = "1.0.0";
  /// Empty: probe with `server/discover`, fall back to `initialize`. "2026-07-28" or later: no handshake. An earlier
  /// one: asked for with `initialize`, and whatever known one the server offers instead is accepted.
  std::string revision = {};
  JsonObject capabilities = {};  ///< In addition to `elicitation`, which is there if `on_elicitation` is.
  /// Lets a server of 2026-07-28 make a task of a call (extension io.modelcontextprotocol/tasks). The call then waits
  /// for the task as it would for an answer: it is asked for as often as the server advises, its questions are
  /// answered, and giving up the call cancels it. Long tasks need a CallOptions::timeout to match.
  bool tasks = false;
  std::chrono::milliseconds timeout{60'000};       ///< Of each request; see CallOptions::timeout.
  std::chrono::milliseconds probe_timeout{3'000};  ///< How long a silent server is given before it counts as legacy.
  std::size_t max_line = std::size_t{80} << 20;
  std::size_t max_depth = 128;
  ChildProcess::Grace grace = {};  ///< When the server's process is stopped.
  std::stop_token stop = {};       ///< Ends a constructor that starts a program at once, with ConnectionError.

  /// Asks the user. It may take as long as the user does; the call that asks goes on waiting within its timeout.
  std::function<ElicitationReply(const Elicitation&)> on_elicitation = {};
  /// Answers the server's other requests (`roots/list`, `sampling/createMessage`). Throws ProtocolError to refuse.
  std::function<Json(const std::string& method, const Json& params)> on_request = {};
  /// If given, it gets all requests of the server but `ping`, elicitation included, in place of the two functions
  /// above. It runs on the thread that reads: it must be short and must not wait.
  std::function<void(ServerRequest&&)> on_request_later = {};
  /// Sees every notification that belongs to no call and no subscription.
  std::function<void(const std::string& method, const Json& params)> on_notification = {};
  /// Sees lines that are no messages: at most their first 4 KiB, and what is wrong.
  std::function<void(const std::string& line, const std::string& reason)> on_malformed = {};
  /// Called once when the server is gone, or no longer reads, after all requests have ended: with the reason they were
  /// given. On the thread that noticed; it must be short and must not use the client. Not called by the destructor.
  std::function<void(const std::string& reason)> on_lost = {};
  /// Notifications and reports of progress that may wait for these functions. What comes beyond is dropped: a server
  /// that floods its client takes neither its memory nor its time.
  std::size_t most_waiting_notifications = 10'000;
};

/// What the server says of itself.
struct ServerDescription {
  std::string name = {};
  std::string version = {};
  std::string title = {};
  std::string revision = {};  ///< The one that is spoken.
  bool modern = false;        ///< No handshake; the revision goes with every request.
  Json capabilities = {};
  std::string instructions = {};
  Json raw = {};  ///< The whole result of `initialize` or `server/discover`.
};

struct ListedTool {
  std::string name = {};
  std::string title = {};
  std::string description = {};
  Json input_schema = {};
  Json output_schema = {};  ///< null if there is none
  Json raw = {};
};

struct CallOptions {
  std::optional<std::chrono::milliseconds> timeout = {};  ///< From the start of the call; milliseconds::max() for none.
  std::function<void(const ProgressReport&)> on_progress = {};  ///< All reports come before the result.
  JsonObject meta = {};                                         ///< Further members of `_meta`.
  TraceContext trace = {};  ///< Sent in `_meta`: Context::trace() of the call this one is made for.
  /// 2025-11-25, with ClientOptions::tasks: asks the server to make a task of the call; in tools/list,
  /// `execution.taskSupport` of the tool must allow it. Elsewhere it means nothing.
  bool as_task = false;
};

struct CallResult {
  JsonArray content = {};
  std::optional<Json> structured = {};
  bool is_error = false;  ///< The tool says no; the text says why.
  Json raw = {};

  /// The texts in `content`, one per line.
  [[nodiscard]] std::string text() const;
};

/// How a call ended for somebody who does not wait for it: its result, or what `CallHandle::wait` would throw.
using CallOutcome = std::variant<CallResult, std::exception_ptr>;
/// The same for any request: the whole result as the server sent it, an `input_required` one included.
using RequestOutcome = std::variant<Json, std::exception_ptr>;

namespace client {
class Connection;
class LaterRequest;
class ToolCall;
class Listening;
}  // namespace client

/// A call under way. Copies are the same call. Thread-safe; may outlive the client. When the last is dropped the call
/// goes on, but a question it asks is not answered any more.
class CallHandle {
 public:
  explicit CallHandle(std::shared_ptr<client::ToolCall> call) : call_{std::move(call)} {}

  /// Throws ProtocolError if the server refuses the call, TimeoutError, CancelledError or ConnectionError.
  CallResult wait();
  /// True if `wait` would not wait.
  [[nodiscard]] bool is_done() const;
  /// Tells the server and ends every `wait` with CancelledError. Nothing if the call is done.
  void cancel(const std::string& reason = {});

 private:
  std::shared_ptr<client::ToolCall> call_;
};

/// A request under way whose outcome goes to a function. Copies are the same request. Thread-safe; may outlive the
/// client. When the last is dropped the request goes on.
class RequestHandle {
 public:
  explicit RequestHandle(std::shared_ptr<client::LaterRequest> request) : request_{std::move(request)} {}

  /// Tells the server; the function gets CancelledError, before this returns. Nothing if the request is done.
  void cancel(const std::string& reason = {});

 private:
  std::shared_ptr<client::LaterRequest> request_;
};

/// Ends what it stands for when destroyed; must not be destroyed inside its own function.
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

/// One connection to one server. Thread-safe: any number of calls may be under way. A reading thread and, when first
/// needed, threads for the functions in ClientOptions are its own. Destruction ends all calls with ConnectionError;
/// nobody may be inside another function of the client then.
class Client {
 public:
  /// Connects and agrees on a revision. Throws ConnectionError, TimeoutError, ProtocolError if the server refuses, and
  /// std::invalid_argument for a revision nobody knows. The transport must outlive the client.
  explicit Client(Transport& transport, ClientOptions options = {});
  explicit Client(std::unique_ptr<Transport> transport, ClientOptions options = {});
  /// Starts the server as a child process and stops it in the end. One that dies of the probe is started again and
  /// spoken to with `initialize`. Throws also as ChildProcess does.
  explicit Client(const Program& program, ClientOptions options = {});
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] const ServerDescription& server() const;
  /// Null unless the client started one.
  [[nodiscard]] ChildProcess* process();

  /// All tools, following cursors.
  std::vector<ListedTool> list_tools();

  /// Calls a tool and waits; throws as CallHandle::wait. `arguments` must be an object or null.
  CallResult call(std::string_view tool, Json arguments = {}, CallOptions options = {});
  CallHandle start_call(std::string_view tool, Json arguments = {}, CallOptions options = {});
  /// The same without a thread that waits: `done` gets the outcome, once, on a thread of the client, on that of
  /// `cancel` or, when the connection breaks just then, on this one; it must be short and must not wait. Throws
  /// ConnectionError, and then does not call it.
  CallHandle start_call(std::string_view tool, Json arguments, CallOptions options,
                        std::function<void(CallOutcome&&)> done);

  /// All prompts, following cursors.
  std::vector<ListedPrompt> list_prompts();
  /// Gets a prompt; questions it asks are answered as those of a tool. Throws as CallHandle::wait.
  PromptMessages get_prompt(std::string_view name, const std::map<std::string, std::string>& arguments = {},
                            CallOptions options = {});

  /// Asks for log messages of this level and above, which go to ClientOptions::on_notification as
  /// "notifications/message": with logging/setLevel, and in 2026-07-28 with every later request. Throws as `request`.
  void set_log_level(LogLevel level);

  /// Calls a function whenever the server's tools may have changed.
  [[nodiscard]] Subscription subscribe_tools(std::function<void()> changed);
  /// The same for all lists whose changes the server tells: tools, resources (and templates), prompts.
  [[nodiscard]] Subscription subscribe_lists(std::function<void()> changed);

  /// Any other request: its result as it comes. Metadata of the revision is added to `params`. Throws as
  /// CallHandle::wait.
  Json request(std::string_view method, JsonObject params = {}, std::optional<std::chrono::milliseconds> timeout = {});
  /// Any other request without a thread that waits; `done` as with start_call. Questions in its result are not
  /// answered but passed on. Throws ConnectionError, and CongestedError where `request` would wait.
  RequestHandle start_request(std::string_view method, JsonObject params, CallOptions options,
                              std::function<void(RequestOutcome&&)> done);
  void notify(std::string_view method, JsonObject params = {});
  /// Legacy `ping`; `server/discover` where there is no ping.
  void ping();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace toolwire
