// One request of a host on its way through a back-end: sent, cancelled, asked about, answered. Independent of processes
// and how they are supervised.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <toolwire/client.hpp>

#include "activities/mcp/caller.hpp"
#include "toolwire/detail/mutex.hpp"
#include "traces/open_span.hpp"

namespace toolwire::bridge::mcp {

class BackRequest;

/// The tool a request calls, a part of its params; empty for other requests.
inline std::string_view tool_in(std::string_view method, const JsonObject& params) {
  const Json* name = method == "tools/call" ? params.if_contains("name") : nullptr;
  return name != nullptr && name->is_string() ? std::string_view(name->get_string()) : std::string_view();
}

/// What a request needs of its back-end. Outlives its requests.
class BackLine {
 public:
  virtual ~BackLine() = default;
  virtual const std::string& name() const = 0;
  /// Values that texts for others must not hold.
  virtual std::shared_ptr<const std::vector<std::string>> secrets() const = 0;
  /// `_meta` that goes with a request of this host.
  virtual JsonObject meta_for(const Context& context) const { return meta_for_back_end(context.meta()); }
  /// A span of a request, within that of the host's. Null: it is not followed.
  virtual std::shared_ptr<traces::OpenSpan> begin_span(std::string_view, const JsonObject& /*params*/,
                                                       const JsonObject& /*meta*/,
                                                       std::string_view /*revision*/) const {
    return nullptr;
  }
  /// A prefix for the keys of questions whose answers are this request's; nothing if too many are open.
  virtual std::optional<std::string> open_question(const std::shared_ptr<BackRequest>& request) = 0;
  virtual void close_question(const std::string& prefix) = 0;
  /// Assigns a question of a legacy server to a call that can ask the user.
  virtual void carry(ServerRequest&& question) = 0;
  /// Sends a request again, with answers to the back-end's questions.
  virtual void send_again(const std::shared_ptr<BackRequest>& request) = 0;
  /// Whether it is reached over HTTP, where a session may be lost.
  virtual bool is_remote() const { return false; }
  /// Sends a request once there is another connection: in the one before nothing can be sent any more.
  virtual void send_after_restart(const std::shared_ptr<BackRequest>& request) { send_again(request); }
};

/// Thread-safe. It answers its caller exactly once a round. Questions of a modern server end it, and the answers begin
/// another request, of whatever process they come to. While the user is asked a question of a legacy server it waits
/// for the answers (`resume`), and what the back-end says meanwhile is kept until then. Its result withdraws the
/// question: hosts that were asked by a request go on at once.
class BackRequest : public std::enable_shared_from_this<BackRequest> {
 public:
  BackRequest(BackLine& line, std::string method, JsonObject params, std::unique_ptr<Caller> caller);

  /// Begins to listen for the host's cancellation. Once, before it is sent.
  void begin();
  /// Sends it. False if nothing was sent because the connection is lost; other failures become the caller's answer.
  bool send(Client& client);
  void fail(Trouble trouble) { end(std::move(trouble)); }

  /// The second round: the user's answer to a legacy server, under a key that begins with `prefix`.
  void resume(std::unique_ptr<Caller> caller, const std::string& prefix, const JsonObject& answers);
  /// The question will not be answered: tells the back-end that the request is cancelled.
  void abandon(const std::string& reason);

  /// Asks the user a question of a legacy server as part of this request; moves from `question` if it returns true.
  /// With `later` it may wait until an open question has been answered.
  bool carry(ServerRequest& question, bool later);
  bool is_over() {
    const MutexLock lock(mutex_);
    return over_;
  }
  /// The tool it calls; empty for other requests.
  std::string_view tool() const { return tool_; }
  /// The host it is of, as Context::peer_process.
  int peer() const { return peer_; }
  /// The lowest level of log messages that the host wants for this request; nothing if it wants none.
  std::optional<LogLevel> log_level() {
    const MutexLock lock(mutex_);
    return log_level_;
  }
  /// Passes a log message on to the host; false if it does not want it, or the request is over.
  bool log(LogLevel level, const Json& data, std::string_view logger);

 private:
  struct Round;
  struct Cancel {
    std::weak_ptr<BackRequest> request;
    void operator()() const;
  };
  /// One time that it is sent.
  struct Sending {
    unsigned number = 0;
    CallOptions options = {};
    std::optional<JsonObject> with_input = {};  // the params with answers and state, if there are any
  };
  /// What ends a round; nothing while it continues.
  using Ending = std::variant<std::monostate, Json, Trouble>;

  void begin_round(std::unique_ptr<Caller> caller);
  /// Nothing if it is over.
  std::optional<Sending> begin_sending();
  void cancel(const std::string& reason);
  void take(RequestOutcome&& outcome);
  void end_span(traces::OpenSpan& span, const RequestOutcome& outcome) const;
  bool may_be_sent_again();
  bool host_declares_for_itself();
  void take_questions(const JsonObject& result);
  void end_with(Questions&& questions);
  void ask(const std::string& prefix, Questions&& questions) TOOLWIRE_REQUIRES(mutex_);
  void ask_carried(ServerRequest&& question);
  bool host_can(const Questions& questions);
  std::shared_ptr<Round> current_round() {
    const MutexLock lock(mutex_);
    return round_;
  }
  std::string subject() const { return "The back-end \"" + line_.name() + "\""; }
  void answer_carried(const JsonObject& answers, const std::string& key);
  void end(Ending&& ending);
  void report(const ProgressReport& progress);
  void refuse_to_go_on(const std::string& why) { end(Trouble{"back_end_error", why, false}); }
  /// It is answered, but nobody can tell with what.
  void end_unknown(const std::string& why) { end(Trouble{.code = "back_end_error", .text = why, .is_unknown = true}); }

  BackLine& line_;
  const std::string method_;
  const JsonObject params_;
  const std::string_view tool_;  // in the params
  const int peer_;
  std::unique_ptr<Caller> first_;  // until it begins

  Mutex mutex_;
  JsonObject meta_ TOOLWIRE_GUARDED_BY(mutex_);  // of the host's last request
  bool wants_progress_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::optional<LogLevel> log_level_ TOOLWIRE_GUARDED_BY(mutex_);
  unsigned rounds_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // before this request, with a modern server
  JsonObject input_ TOOLWIRE_GUARDED_BY(mutex_);  // inputResponses and requestState (2026-07-28) for the next sending
  std::shared_ptr<Round> round_ TOOLWIRE_GUARDED_BY(mutex_);  // null while the user is asked, and once it is over
  std::shared_ptr<Round> asked_round_
      TOOLWIRE_GUARDED_BY(mutex_);  // ended with questions; still hears of the host's cancellation
  std::optional<RequestHandle> handle_ TOOLWIRE_GUARDED_BY(mutex_);
  unsigned sendings_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  bool cancelled_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool over_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  Ending kept_ TOOLWIRE_GUARDED_BY(mutex_);                                    // came while the user was asked
  std::optional<ServerRequest> asked_ TOOLWIRE_GUARDED_BY(mutex_);             // of a legacy server
  std::stop_source withdrawal_ TOOLWIRE_GUARDED_BY(mutex_){std::nostopstate};  // of that question
  std::vector<ServerRequest> carried_ TOOLWIRE_GUARDED_BY(mutex_);             // of a legacy server: to be asked next
};

}  // namespace toolwire::bridge::mcp
