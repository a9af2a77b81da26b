// Another MCP server behind the bridge: started when it is needed, started again when it fails, and trusted only as far
// as its tools are still those that were pinned. Independent of how its tools are offered.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <toolwire/system/process_id.hpp>

#include "activities/mcp/back_request.hpp"
#include "activities/mcp/open_questions.hpp"
#include "activities/mcp/options.hpp"
#include "activities/mcp/peer_back_ends.hpp"
#include "activities/mcp/pinned_tools.hpp"
#include "activities/mcp/requests_under_way.hpp"
#include "activities/mcp/server_connection.hpp"
#include "activities/mcp/supervision.hpp"
#include "process/log_lines.hpp"
#include "system/engine_timers.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/detail/shared_mutex.hpp"

namespace toolwire::bridge::mcp {

/// What has happened to a back-end so far.
struct BackEndState {
  bool running = false;
  std::uint64_t starts = 0;               // attempts
  std::uint64_t failures = 0;             // starts that failed and servers that died
  std::string trouble = {};               // the last of them
  std::vector<std::string> changed = {};  // tools whose calls are refused, with what differs
  CallTotals calls = {};
  bool needs_login = false;                       // it is down until somebody has logged in
  bool separate = false;                          // each host has a process of its own
  std::size_t copies = 0;                         // of these
  std::vector<system::ProcessId> processes = {};  // of the server and its copies
};

/// Thread-safe. With an engine it has a thread of its own only while the server is started, lists or is ended; else it
/// works on the engine, however many calls wait. Without one it has a thread that supervises the server, and those of
/// its client. Destruction ends the server and all that is left of its process group, and answers waiting calls.
class BackEnd : private BackLine {
 public:
  /// Starts nothing yet.
  explicit BackEnd(BackEndOptions options);
  ~BackEnd() override;
  BackEnd(const BackEnd&) = delete;
  BackEnd& operator=(const BackEnd&) = delete;

  const std::string& name() const override { return options_.name; }
  std::string_view kind() const { return options_.kind; }
  /// Whether its long-running tools become tasks.
  bool keeps_tasks() const { return options_.keeps_tasks; }
  std::shared_ptr<const std::vector<std::string>> secrets() const override;

  /// Called on the supervising thread when the offer has changed, or a start has failed. Set before the first use.
  void on_offer_changed(std::function<void()> function) { offer_changed_ = std::move(function); }
  /// Called with the URI of a resource that has changed, on a thread of the client. Before the first use.
  void on_resource_updated(std::function<void(const std::string&)> function) {
    resource_updated_ = std::move(function);
  }
  /// Called with the id of a page that a user was asked to open, once the server says that it is done with, on a thread
  /// of the client. Before the first use.
  void on_page_done(std::function<void(const std::string&)> function) { page_done_ = std::move(function); }

  /// Has the server started if it is not running.
  void start();
  /// Whether its tools are known, or a start has failed.
  bool has_answered() const;
  /// Waits until it has answered or `time` has passed.
  void wait_for_tools(std::chrono::milliseconds time);
  /// The tools on offer: those pinned that the server still has. Empty while nothing is known.
  std::vector<Json> tools() const;
  /// The same with resources, templates and prompts, which are not pinned: as the server listed them last.
  Listing offered() const;
  /// All tools that are pinned, to be kept for the next start of the bridge.
  Listing pinned() const;

  /// Starts one call and returns; see Activity::start. The second round of a call that asked is recognised by its
  /// answers.
  void call_tool(std::string_view tool, const Json& arguments, Context& context, Reply reply);
  /// Any other request, in the same way.
  void request(std::string method, JsonObject params, std::unique_ptr<Caller> caller);

  /// Sends a small request at once and waits for its result: nothing if there is no server at this moment, it refuses,
  /// or `timeout` passes. Not from its own threads.
  std::optional<Json> ask_now(std::string_view method, const JsonObject& params, std::chrono::milliseconds timeout);

  /// The operator accepts what has changed. Returns the names of the tools this makes usable or offers.
  std::vector<std::string> accept_changes();
  /// The same, accepted elsewhere: from now on these are its pinned tools.
  void pin(const std::vector<Json>& tools);
  BackEndState state() const;
  /// A host that shared the bridge (Context::peer_process) has left: what was started for it alone is ended, without
  /// waiting.
  void forget(int peer);

  /// Begins to end without waiting, so that several can end at the same time.
  void stop();
  /// Ends now, and waits until nothing of it is left; afterwards every call fails. Not from its own threads.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<std::string> open_question(const std::shared_ptr<BackRequest>& request) override;
  void close_question(const std::string& prefix) override { questions_.close(prefix); }
  void carry(ServerRequest&& question) override;
  void send_again(const std::shared_ptr<BackRequest>& request) override { dispatch(request); }
  bool is_remote() const override { return options_.remote.has_value(); }
  JsonObject meta_for(const Context& context) const override;
  std::shared_ptr<traces::OpenSpan> begin_span(std::string_view method, const JsonObject& params,
                                               const JsonObject& meta, std::string_view revision) const override;
  void send_after_restart(const std::shared_ptr<BackRequest>& request) override;

  void dispatch(const std::shared_ptr<BackRequest>& request);
  bool send(const std::shared_ptr<BackRequest>& request);
  std::optional<Trouble> put_off(const std::shared_ptr<BackRequest>& request) TOOLWIRE_REQUIRES(mutex_);
  std::optional<Trouble> refusal(std::string_view tool) const TOOLWIRE_REQUIRES(mutex_);
  std::optional<Trouble> no_server_soon(Clock::time_point now) const TOOLWIRE_REQUIRES(mutex_);
  bool is_ambiguous(const std::vector<std::shared_ptr<BackRequest>>& requests) const;
  std::shared_ptr<BackEnd> copy_for(int peer);
  std::shared_ptr<BackEnd> made_for_peer() const;
  void pin_copies();
  void pass_log(const Json& message);

  // Whenever there may be something to do: the supervising thread is started, unless it is there.
  void wake() TOOLWIRE_REQUIRES(mutex_);
  bool has_something_to_do() const TOOLWIRE_REQUIRES(mutex_);
  void start_supervising() TOOLWIRE_REQUIRES(mutex_);
  std::optional<Clock::time_point> next_time() const TOOLWIRE_REQUIRES(mutex_);
  void wake_at(std::optional<Clock::time_point> time) TOOLWIRE_REQUIRES(mutex_);
  LifeEvents events();

  // On the supervising thread.
  void supervise();
  bool has_next_step() TOOLWIRE_REQUIRES(mutex_);
  bool abandon_old_questions() TOOLWIRE_REQUIRES(mutex_);
  void take_step(Supervision::Step step, MutexLock& lock) TOOLWIRE_REQUIRES(mutex_);
  void start_server() TOOLWIRE_REQUIRES(mutex_);
  std::optional<Listing> start_and_list(std::vector<std::string>& rejected, std::string& failure)
      TOOLWIRE_REQUIRES(mutex_);
  void clean_up() TOOLWIRE_REQUIRES(mutex_);
  void list_again() TOOLWIRE_REQUIRES(mutex_);
  Listing list_unlocked(std::vector<std::string>& rejected) TOOLWIRE_REQUIRES(mutex_);
  void send_waiting() TOOLWIRE_REQUIRES(mutex_);
  bool send_unlocked(const std::shared_ptr<BackRequest>& request, const std::optional<Trouble>& trouble)
      TOOLWIRE_REQUIRES(mutex_);
  void fail_waiting(const Trouble& trouble) TOOLWIRE_REQUIRES(mutex_);
  void note_failure(const std::string& reason) TOOLWIRE_REQUIRES(mutex_);
  void wait_for_something(MutexLock& lock) TOOLWIRE_REQUIRES(mutex_);
  void take_listing(Listing&& listing, const std::vector<std::string>& rejected) TOOLWIRE_REQUIRES(mutex_);
  void tell_offer_changed() TOOLWIRE_REQUIRES(mutex_);
  std::string for_others(std::string_view text) const;
  void set_life(std::unique_ptr<ServerConnection> life);
  std::vector<system::ProcessId> processes() const;
  void end_all();

  const BackEndOptions options_;
  LogLines log_;
  OpenQuestions questions_;
  std::shared_ptr<CallCounts> counts_ = std::make_shared<CallCounts>();
  std::function<void()> offer_changed_;
  std::function<void(const std::string&)> resource_updated_;
  std::function<void(const std::string&)> page_done_;

  PeerBackEnds copies_;
  RequestsUnderWay under_way_;  // of a legacy server, or to be told of log messages

  mutable Mutex mutex_;
  ConditionVariable changed_;
  Supervision supervision_ TOOLWIRE_GUARDED_BY(mutex_);
  PinnedTools tools_ TOOLWIRE_GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<BackRequest>> waiting_ TOOLWIRE_GUARDED_BY(mutex_);
  BackEndState state_ TOOLWIRE_GUARDED_BY(mutex_);  // its counts and the last trouble
  bool stopping_ TOOLWIRE_GUARDED_BY(mutex_) = false;

  mutable SharedMutex life_mutex_;  // shared: uses the life; exclusive: sets it
  std::unique_ptr<ServerConnection> life_ TOOLWIRE_GUARDED_BY(life_mutex_);
  std::stop_source stop_;

  bool has_begun_ TOOLWIRE_GUARDED_BY(mutex_) = false;      // it was supervised, or was to be
  bool is_supervised_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // the thread is there, and looks again before it goes
  bool is_over_ TOOLWIRE_GUARDED_BY(mutex_) = false;        // and will not come again
  std::thread supervisor_ TOOLWIRE_GUARDED_BY(mutex_);
  std::optional<Timers::Handle> alarm_ TOOLWIRE_GUARDED_BY(mutex_);
  std::optional<EngineTimers> alarms_;  // with an engine; goes first, since it calls
};

/// A back-end to be shared. The last share may be dropped on any thread, even on one of its own (by an answer that
/// comes after its tool was removed), where its destructor must not run.
std::shared_ptr<BackEnd> make_back_end(BackEndOptions options);

/// Ends it, if this is the last share, on a thread that may wait for that.
void end_elsewhere(std::shared_ptr<BackEnd> back_end);

}  // namespace toolwire::bridge::mcp
