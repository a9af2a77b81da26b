// How a client is set up: what it answers to questions of the server, and how its requests can fail. Independent of
// connections.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "toolwire/ask.hpp"
#include "toolwire/detail/back_off.hpp"
#include "toolwire/child_process.hpp"
#include "toolwire/error.hpp"
#include "toolwire/json.hpp"

namespace toolwire {

class Engine;
struct ServerDescription;

/// The connection is lost, or was never made. The text says why: how the server ended and the last it wrote
/// to stderr.
struct ConnectionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Nothing was sent, because the server has not yet read much of what was sent before. Only functions that do not wait
/// throw it.
struct CongestedError : ConnectionError {
  using ConnectionError::ConnectionError;
};
/// No answer within the time given; the request has been cancelled.
struct TimeoutError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The call was cancelled by this client, not by the server.
struct CancelledError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a server asks the user (specification: client/elicitation).
struct Elicitation {
  std::string message = {};
  std::string mode = "form";  ///< Or "url".
  Json schema = {};           ///< With "form": the JSON Schema of the answer.
  Json params = {};           ///< All of it, as sent.
};

/// The user's answer. `cancel`: closed without a decision.
struct ElicitationReply {
  enum class Action { accept, decline, cancel };
  Action action = Action::cancel;
  Json content = {};  ///< With accept: an object that fits the schema.
};

/// A request from the server (elicitation, sampling, roots). Answer it once, now or later, from any thread. Move-only;
/// if it is destroyed without an answer it is refused. Once the connection is gone, answering does nothing.
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

  /// `result` as the specification has it for the method.
  void answer(Json result) { send(std::move(result)); }
  /// Answers with a JSON-RPC error.
  void refuse(int code, const std::string& message) { send(ProtocolError(code, message)); }

  std::string method;
  Json params;

 private:
  void send(Answer&& answer);
  Send send_;
};

/// The revisions of the protocol that ClientOptions::revision can name, oldest first.
std::vector<std::string_view> known_revisions();

/// How a client is set up. All functions here run on threads of the client, one call at a time each; they may use the
/// client, but not destroy it.
struct ClientOptions {
  std::string name = "toolwire-client";
  std::string version = "1.0.0";
  /// Empty: probe with `server/discover`, fall back to `initialize`. "2026-07-28" or later: no handshake. An earlier
  /// one: asked for with `initialize`, and whatever known one the server offers instead is accepted.
  std::string revision = {};
  /// In addition to those that follow from the functions below: `elicitation` (forms), `sampling` and `roots`, each if
  /// its function is there. A member that is given here stands as it is.
  JsonObject capabilities = {};
  /// Lets a server of 2026-07-28 make a task of a call (extension io.modelcontextprotocol/tasks). The call then waits
  /// for the task as it would for an answer: it is asked for as often as the server advises, its questions are
  /// answered, and giving up the call cancels it. Long tasks need a CallOptions::timeout to match.
  bool tasks = false;
  std::chrono::milliseconds timeout{60'000};       ///< Of each request; see CallOptions::timeout.
  std::chrono::milliseconds probe_timeout{3'000};  ///< How long a silent server is given before it counts as legacy.
  std::size_t max_line = std::size_t{80} << 20;    ///< Bytes of one message; a longer one is malformed.
  std::size_t max_depth = 128;                     ///< Levels of arrays and objects; deeper is malformed.
  std::size_t max_values = 800'000;  ///< Of one message, names of members included (24 bytes each); more is malformed.
  ChildProcess::Grace grace = {};    ///< When the server's process is stopped.
  /// A server in this process reads this client's input on the thread that waits for its own, which saves two thread
  /// switches per call; at all other times the client's own thread reads. Meant for calls whose outcome goes to a
  /// function: a tool of that server that blocks in `wait` may get its outcome 2 ms later. Has an effect only with a
  /// program that the client has started, and without `engine`.
  bool read_along = false;
  /// Whose threads read, write, watch deadlines and call the functions below; the client then has none of its own but
  /// one for questions to the user, from the first question on. Functions that take their time keep its threads from
  /// other work: see Engine. Has an effect with a program that the client has started and with transports that are
  /// `Watchable`; others have a thread that reads. Empty: threads of the client's own.
  std::shared_ptr<Engine> engine = {};
  std::stop_token stop = {};  ///< Ends a constructor that starts a program at once, with ConnectionError.
  /// Starts the program again when the next call (or other request) comes after it was lost: at once the first time,
  /// then after these waits. A call that comes too early throws ConnectionError, and so does one whose server does not
  /// start; the text says how often it failed in a row, and when it is tried again. Nothing is started unasked. All is
  /// agreed on anew, as in the constructor, and the log level is set again. Calls under way when it is lost end with
  /// ConnectionError: they may have been carried out, and are not repeated. Subscriptions end
  /// (Subscription::is_active); see `on_restarted`. Functions that wait for an answer wait for the start, too; those
  /// that do not wait throw ConnectionError while it is under way. Only with a Program: std::invalid_argument.
  std::optional<BackOffOptions> restart = {};
  /// Called when it runs again: to subscribe anew, and to list what may have changed. Needs `restart`:
  /// std::invalid_argument.
  std::function<void(const ServerDescription&)> on_restarted = {};

  /// Asks the user. It may take as long as the user needs; the call that asks keeps waiting within its timeout.
  std::function<ElicitationReply(const Elicitation&)> on_elicitation = {};
  /// Has the client's model answer (`sampling/createMessage`): parameters and result as the specification has them
  /// (client/sampling). Throws ProtocolError to refuse, as when the user says no.
  std::function<Json(const Json& params)> on_sampling = {};
  /// Says which folders and files the client works with (`roots/list`).
  std::function<std::vector<Root>()> on_roots = {};
  /// Answers the server's other requests. Throws ProtocolError to refuse.
  std::function<Json(const std::string& method, const Json& params)> on_request = {};
  /// If given, it gets all requests of the server but `ping`, elicitation included, in place of the functions
  /// above. It runs on the thread that reads: it must be short and must not wait.
  std::function<void(ServerRequest&&)> on_request_later = {};
  /// Called with every notification that belongs to no call and no subscription.
  std::function<void(const std::string& method, const Json& params)> on_notification = {};
  /// Called with lines that are not messages: at most their first 4 KiB, and what is wrong.
  std::function<void(const std::string& line, const std::string& reason)> on_malformed = {};
  /// Called once (with `restart`, each time) when the server is gone or no longer reads, after all requests have ended,
  /// with the reason that they ended with. Runs on the thread that noticed; it must be short and must not use the
  /// client. Not called by the destructor.
  std::function<void(const std::string& reason)> on_lost = {};
  /// How many notifications and reports of progress may wait for these functions. Further ones are dropped, so that a
  /// server that floods its client takes neither its memory nor its time.
  std::size_t max_waiting_notifications = 10'000;
};

}  // namespace toolwire
