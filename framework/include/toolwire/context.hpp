// What a running tool (prompt, resource) may ask of its call: whether to stop, to report progress, to log, the answers
// to its questions, the request's `_meta`. Deliberately does not know the protocol's revision, the transport or the
// connection, but for what that keeps for the program.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

#include "toolwire/ask.hpp"
#include "toolwire/convert.hpp"
#include "toolwire/detail/log_level.hpp"
#include "toolwire/detail/trace_context.hpp"
#include "toolwire/error.hpp"
#include "toolwire/json.hpp"

namespace toolwire {
namespace detail {
class ContextBuilder;
class ClientLog;
class LaterCall;
class SessionOwner;
class StopSignal;
}  // namespace detail

/// The most bytes that the id of a principal may have.
inline constexpr std::size_t max_principal_id = 256;

/// Who calls, as somebody has made sure who can know: an authenticator of a port, the program behind
/// ServerOptions::identify, or the server that passes a call on.
struct Principal {
  Principal();
  Principal(std::string name, std::vector<std::string> granted = {}, JsonObject said = {});
  Principal(const char* name);

  /// What outlives a request is bound to it, so no two callers have the same: a line of UTF-8, of at most
  /// `max_principal_id` bytes, into which the server does not look. Empty: nobody in particular, who shares all with
  /// others of no name.
  std::string id = {};
  /// What was granted to it (RFC 6749 §3.3): whoever lacks what ToolInfo::scopes names is refused. For all else the
  /// server decides nothing by them; tools and `Visible` may.
  std::vector<std::string> scopes = {};
  /// What else is known of it, such as the claims of its token. Of this request: nothing keeps it.
  JsonObject claims = {};

  bool has_scope(std::string_view scope) const;
};

/// Whether it can be the id of a principal; the empty one is.
bool is_principal_id(std::string_view text);

/// Whether it can be the name of a scope (RFC 6749 §3.3): visible ASCII without quotes and backslashes.
bool is_scope(std::string_view text);

/// What one connection keeps for the program, from its first request to its end. Thread-safe. Over HTTP, where requests
/// belong to no connection, each has one of its own.
class Session {
 public:
  explicit Session(std::uint64_t id, detail::SessionOwner* owner = nullptr) : id_(id), owner_(owner) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Counted from 1 in this process, as LogEntry::connection; 0: none, where a program runs a function itself.
  std::uint64_t id() const { return id_; }

  /// The T of this connection, made by its default constructor when it is first asked for; there is one of each type.
  /// Tools run side by side, also those of one client: a T that they change has a lock of its own. It goes with the
  /// connection, and whoever keeps the pointer keeps the T.
  template <class T>
  std::shared_ptr<T> slot() {
    return std::static_pointer_cast<T>(slot_of(typeid(T), [] { return std::shared_ptr<void>(std::make_shared<T>()); }));
  }

  /// Tells this connection's client that the lists which depend on who asks (see Visible) may have changed for it, as
  /// `list_changed`; nothing where no list does. Server::visibility_changed tells every client.
  void visibility_changed();

 private:
  std::shared_ptr<void> slot_of(std::type_index type, std::shared_ptr<void> (*make)());

  struct Slots;
  const std::uint64_t id_;
  detail::SessionOwner* const owner_;
  std::atomic<Slots*> slots_{nullptr};
};

/// One tool call as its tool sees it. Lives until the call is answered; for a tool that answers later, as long as its
/// Reply. `stop_token`, `stop_requested`, `progress` and `log` may be used from any thread, the rest only from the one
/// that runs the tool.
class Context {
 public:
  using ProgressSink = std::function<void(double done, std::optional<double> total, std::string_view message)>;

  /// For a program that runs a function itself, outside of a server. `answers` (by key) and `meta` must live as long as
  /// the context. `progress` is called with what the function reports, on the thread that reports it; if it is empty,
  /// reports go nowhere.
  Context(std::stop_token stop, const JsonObject& answers, const JsonObject& meta, ProgressSink progress = {});
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Fires when the client cancels, the deadline passes, or the server is shutting down. Callbacks registered on it run
  /// on the thread that reads the connection: keep them short.
  std::stop_token stop_token() const;
  bool stop_requested() const;

  /// Reports `done` of `total` (any unit). Sent if the client asked for progress, at most 20 times a second, and only
  /// when `done` has grown (specification: basic/patterns/progress); the last report before the answer is always sent.
  /// In a task of 2026-07-28 the message becomes the status of the task.
  void progress(double done, std::optional<double> total = {}, std::string_view message = {}) {
    if (progress_) progress_(done, total, message);
  }
  /// Whether reports of progress go anywhere; if not, a tool can spare itself the work.
  bool wants_progress() const { return static_cast<bool>(progress_); }

  /// The answer to the question `key` asked with `ask<T>`, or nothing if it was not asked yet.
  /// Throws InvalidArguments when the client sent content that does not fit T.
  template <class T>
  std::optional<Answer<T>> answer(std::string_view key) const;

  /// The answer to `ask_url`: accepted means that the user agreed to open the page, no more. Nothing if it was not
  /// asked yet. This and the next two throw InvalidArguments when what the client sent is no answer to such a question.
  std::optional<AnswerAction> url_answer(std::string_view key) const;
  /// The answer to `ask_model`; one the client refused counts as cancelled.
  std::optional<Answer<ModelAnswer>> model_answer(std::string_view key) const;
  /// The answer to `ask_roots`; one the client refused counts as cancelled.
  std::optional<Answer<std::vector<Root>>> roots(std::string_view key) const;

  /// Whether the client can answer all of these: its revision knows such questions, and it has declared that it answers
  /// them. If such a question is asked nevertheless, the call fails.
  bool can_ask(const Questions& questions) const;

  /// All answers so far by key, as the client sent them: for programs that pass questions on without knowing them.
  const JsonObject& answers() const { return answers_; }

  /// Writes to the client's log, if the client asked for messages of this level (`wants_log`) and the server declares
  /// logging (ServerOptions::declares); else does nothing. At most `Limits::log_per_second` are sent; further ones are
  /// dropped, and the client is told how many. Log no secrets. `logger` names the part of the program that speaks. MCP
  /// logging is deprecated since 2026-07-28: new programs write to stderr or to OpenTelemetry.
  void log(LogLevel level, const Json& data, std::string_view logger = {});
  void log(LogLevel level, std::string_view text, std::string_view logger = {});
  void log(LogLevel level, const char* text, std::string_view logger = {}) {
    log(level, std::string_view(text), logger);
  }
  /// Whether messages of this level go anywhere.
  bool wants_log(LogLevel level) const;

  /// Who calls, as the authenticator of a port or ServerOptions::identify has said; without an id where that is nobody
  /// in particular, as on standard input.
  const Principal& principal() const { return *principal_; }

  /// The process that connected (Peer::process); 0 where that is not known, as on standard input.
  int peer_process() const { return peer_process_; }

  /// What the connection keeps that the request has come on: a cart, an open project. A client that has connected anew
  /// finds nothing of it; what is to last belongs into a store of the program, by `principal`.
  Session& session();

  /// `_meta` of the request: vendor keys and others.
  const JsonObject& meta() const { return meta_; }
  /// Who the client says it is: `name`, `version` and more, not checked; empty if it does not say (specification:
  /// Implementation).
  const JsonObject& client_info() const;
  /// The trace the call belongs to, for what the tool calls in turn; members that break their format are left out.
  TraceContext trace() const { return trace_in(meta_); }

 private:
  friend class detail::ContextBuilder;
  const JsonObject* answer_object(std::string_view key) const;
  static AnswerAction action_of(const JsonObject& given, std::string_view key);
  static void read_content(const JsonObject& given, std::string_view key, const detail::Shape& shape, void* out);
  static const Principal& nobody();

  std::stop_token stop_;
  const detail::StopSignal* signal_ = nullptr;  // if there is one, it says when to stop
  const JsonObject& answers_;
  const JsonObject& meta_;
  ProgressSink progress_;
  const JsonObject* client_info_ = nullptr;
  const Principal* principal_ = &nobody();
  int peer_process_ = 0;
  Session* session_ = nullptr;
  std::unique_ptr<Session> own_session_;  // where nobody has given it one
  detail::ClientLog* log_ = nullptr;
  detail::LaterCall* later_ = nullptr;
  std::function<bool(const Question&)> can_ask_;
};

/// Says whether a tool, a prompt, a resource or a template is there for who asks: by `session()`, `principal()`,
/// `client_info()`, `peer_process()`, `meta()`. What it hides is not listed, and whoever names it is answered as if it
/// had never been registered. Asked with every list and every request that names it, from any thread, several at once;
/// must not wait. What it throws is logged, and hides. When its word on a client changes, that client is told by
/// Session::visibility_changed or Server::visibility_changed. Over HTTP each request has a session of its own, so
/// only what comes with the request counts there: its principal above all.
using Visible = std::function<bool(Context&)>;

template <class T>
std::optional<Answer<T>> Context::answer(std::string_view key) const {
  const JsonObject* given = answer_object(key);
  if (given == nullptr) return std::nullopt;
  Answer<T> answer;
  answer.action = action_of(*given, key);
  if (answer.action == AnswerAction::accept)
    read_content(*given, key, detail::readable_shape<T>(), &answer.value.emplace());
  return answer;
}

}  // namespace toolwire
