// One task while it runs here: a call whose answer goes to the store instead of the wire, with the questions it asks in
// between (2026-07-28 extension io.modelcontextprotocol/tasks; 2025-11-25 basic/utilities/tasks). Independent of tools:
// what runs is a Request like any other.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/exchange.hpp"
#include "protocol/tasks/open_questions.hpp"
#include "protocol/tasks/paced_reports.hpp"
#include "runtime/answer_sink.hpp"
#include "toolwire/detail/asking.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/task_store.hpp"

namespace toolwire::protocol {

class Request;

/// Thread-safe. Held by its call, so it lives as long as work on it continues. Its lock is held while its state is
/// handed to the store and told to subscribers, so that they see the states in their order; both only take locks of
/// their own. A store that answers later gets the next state when it has answered: of several, only the last.
class Task final : public runtime::AnswerSink,
                   public std::enable_shared_from_this<Task>,
                   public detail::Asking<Task, bool, std::optional<TaskRecord>> {
 public:
  /// `revision`: of the request it was made of.
  Task(std::shared_ptr<Connection> connection, const Revision& revision, TaskRecord record);

  const std::string& id() const { return id_; }
  TaskRecord record() const;
  /// Whether the store does not have its last state, yet or because writing it failed.
  bool is_unsaved() const;

  /// The call that runs it; set once, before the task can be found.
  void runs_as(const std::shared_ptr<runtime::Call>& call) { call_ = call; }
  /// Its client knows it now: from here on it is checked whether another process has cancelled it.
  void begins();

  void add(std::string_view answer) override;
  void leave_out() override;

  /// Puts questions to a client that fetches them with tasks/get and answers with tasks/update.
  void ask(std::shared_ptr<Request> request, Questions&& questions);
  /// Takes answers to open questions; others are passed over. With the last one the tool runs again.
  void take_answers(const JsonObject& responses);
  /// The same where the client is asked with requests: only the status changes.
  void waits_for_input();
  void goes_on();

  /// Progress messages of its tool become its status message; of messages in quick succession, the last.
  void report(std::string_view message);

  /// Checks now what has been done about it in other processes; it does so from time to time anyway. Does not wait.
  void look_now();

  /// Tells the tool to stop, and is cancelled at once. Returns false if it is over.
  bool cancel();

  using WhenOver = std::function<void(const TaskRecord&)>;
  /// Calls `look` once it is over: now, or on the thread that ends it.
  void when_over(WhenOver look);
  /// Calls `look` with its present state: now, or, where it has ended and the store has yet to say whether another end
  /// came first, once that is known.
  void when_certain(WhenOver look);

  /// The `_meta` that says of a message which task it belongs to.
  JsonObject related() const;

 private:
  TaskState next(TaskStatus status, std::string message = {}, std::string payload = {}) const TOOLWIRE_REQUIRES(mutex_);
  void enter(TaskState state) TOOLWIRE_REQUIRES(mutex_);
  void end(TaskState state);
  void begin_storing() TOOLWIRE_REQUIRES(mutex_);
  void store_state() TOOLWIRE_REQUIRES(mutex_);
  void stored() TOOLWIRE_REQUIRES(mutex_);
  void not_stored(const std::exception_ptr& why) TOOLWIRE_REQUIRES(mutex_);
  void ended_elsewhere(std::optional<TaskRecord> kept) TOOLWIRE_REQUIRES(mutex_);
  friend class detail::Asking<Task, bool, std::optional<TaskRecord>>;
  void answered_later();
  void go_on_storing();
  /// Those who wait for the end, and the state they are told.
  struct Withdrawal {
    std::weak_ptr<Task> task;
    void operator()() const;
  };
  struct Ending {
    std::vector<WhenOver> waiting = {};
    TaskRecord last = {};
    void tell() const;
  };
  Ending take_ending() TOOLWIRE_REQUIRES(mutex_);
  void save_later() TOOLWIRE_REQUIRES(mutex_);
  void save_again();
  void watch();
  void look_at_store();
  using Kept = Done<std::optional<TaskRecord>>::Result;
  void looked(Kept&& kept);
  void looked_in_between(Kept&& kept);
  bool take_what_was_done(const Kept& kept);
  void look_for_answers();
  void answered_elsewhere(std::size_t after, const std::vector<std::string>& answers);
  void tell() const TOOLWIRE_REQUIRES(mutex_);
  void run_again() TOOLWIRE_REQUIRES(mutex_);
  void give_up_in_time() TOOLWIRE_REQUIRES(mutex_);
  void go_on_without_answers();
  void report_later();
  void enter_report() TOOLWIRE_REQUIRES(mutex_);

  const std::shared_ptr<Connection> connection_;
  const Revision& revision_;
  const std::string id_;
  std::weak_ptr<runtime::Call> call_;
  std::atomic<bool> cancelled_by_client_{false};

  mutable Mutex mutex_;
  TaskRecord record_ TOOLWIRE_GUARDED_BY(mutex_);
  bool unsaved_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  bool storing_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // the store has been asked
  bool outrun_ TOOLWIRE_GUARDED_BY(mutex_) = false;   // another state was entered meanwhile
  bool refused_ TOOLWIRE_GUARDED_BY(mutex_) = false;  // the store has a final state already, and is asked for it
  bool told_ TOOLWIRE_GUARDED_BY(mutex_) = false;     // to subscribers, the last state
  bool saving_ TOOLWIRE_GUARDED_BY(mutex_) = false;   // a timer is set
  bool begun_ TOOLWIRE_GUARDED_BY(mutex_) = false;    // a client knows it
  std::vector<WhenOver> waiting_ TOOLWIRE_GUARDED_BY(mutex_);
  std::shared_ptr<Request> asking_ TOOLWIRE_GUARDED_BY(mutex_);  // null while nothing is asked
  OpenQuestions questions_ TOOLWIRE_GUARDED_BY(mutex_);
  std::size_t answers_taken_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // of those given in other processes
  std::optional<engine::Timers::Handle> timer_ TOOLWIRE_GUARDED_BY(mutex_);
  PacedReports reports_ TOOLWIRE_GUARDED_BY(mutex_);
  std::optional<std::stop_callback<Withdrawal>>
      when_withdrawn_;  // of the open questions; of whoever asks, round by round
};

/// Takes the reports of progress of the task this exchange runs as; empty if it is none, or none of 2026-07-28.
std::function<void(double, std::optional<double>, std::string_view)> reporter_of(const Exchange& exchange);

}  // namespace toolwire::protocol
