// A worker's side of calls: takes as many as it has room for, hands them to its server as lines, and sends what the
// server says to whoever the call is of.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <toolwire/detail/condition_variable.hpp>
#include <toolwire/detail/mutex.hpp>
#include <toolwire/http/detail/incoming_lines.hpp>
#include <toolwire/json.hpp>

#include "client.hpp"
#include "letter.hpp"
#include "system/awake_clock.hpp"
#include "worker_jobs.hpp"

namespace toolwire::nats {

/// What a server sends and the ends may come from any thread, the rest is on the client's loop. Lives in a shared_ptr;
/// whoever uses it keeps the client alive.
class WorkerService final : public std::enable_shared_from_this<WorkerService> {
 public:
  WorkerService(Client& client, WorkerOptions options);

  /// Once, at first.
  void begin();
  /// A message of the server, without its end.
  void send(std::string line);
  bool is_full() const { return unsent_ > max_unsent; }
  /// Null if it takes no tasks.
  WorkerJobs* jobs() const { return jobs_.get(); }
  /// Takes no more calls; returns when those under way are answered, or after `patience`.
  void drain(std::chrono::milliseconds patience);
  void end(const std::string& reason);
  remote::IncomingLines& lines() { return lines_; }

 private:
  using Clock = EventLoop::Clock;
  struct Offered {
    std::string call;
    std::string answers;  // the subject for them
    Clock::time_point until;
  };
  struct Asked {  // for, and not given yet
    std::string answers;
    std::string inbox;  // of this asking alone: what was given to another does not open there
    Clock::time_point until;
    Clock::time_point again = {};
    std::int64_t heard = 0;
    std::string text = {};
    bool is_unheard = false;  // nobody is there who could give it
  };
  struct Work {
    std::string call = {};
    std::string answers = {};
    std::string inbox = {};
    JsonObject message = {};  // until the server has it
    std::string tools = {};   // a hash of the tool that is meant
    Json request = {};        // its id in MCP
    Json progress = {};       // its token
    bool listens = false;
    bool is_job = false;          // a task: its call came out of a stream
    bool is_begun = false;        // a job
    std::int64_t heard = 0;       // numbers of letters
    std::int64_t said = 1;        // the first asked for it
    Clock::time_point last = {};  // when its replica was heard, by clock_
  };
  using Works = std::map<std::int64_t, Work>;  // by the id that the server knows

  static constexpr std::size_t max_unsent = std::size_t{64} << 20;
  static constexpr std::chrono::seconds max_step{5};  // of the clock, which is looked at with each beat

  void offered(Message&& message);
  void ask_for_more();
  void ask(const std::string& call, Asked& asked);
  std::size_t under_way() const;
  void came(Message&& message);
  void refused(const std::string& inbox, const Letter& letter);
  void unheard(const std::string& inbox);
  void given(const std::string& inbox, Letter&& letter);
  void given(const Ticket& ticket);
  void begin_jobs();
  void begin_job(std::int64_t id);
  void start(std::int64_t id);
  void start_known();
  void hand_over(std::int64_t id);
  bool is_listed() const;
  void list();
  void listed(const Json& result);
  void announce();
  void take_line(const std::string& line);
  void answered(std::int64_t id, JsonObject&& message);
  void notified(JsonObject&& message);
  void say(Work& work, Letter::Kind kind, const std::string& text);
  void stop(Works::iterator work);
  void stop_all();
  void say_changed(Works::iterator work);
  Works::iterator find(const std::string& call);
  void look();
  void beat();
  void set_timer();
  void set_count();

  Client& client_;
  const WorkerOptions options_;
  const std::string offers_;  // subjects
  const std::string heres_;
  const std::string inbox_;
  remote::IncomingLines lines_;
  const std::shared_ptr<WorkerJobs> jobs_;
  std::atomic<std::size_t> unsent_ = 0;  // bytes
  std::deque<Offered> offered_;
  std::map<std::string, Asked> asked_;  // by call
  Works works_;
  std::vector<std::int64_t> unknown_;  // wait until the tools are listed
  std::int64_t last_id_ = 0;
  std::optional<std::uint64_t> listed_version_;
  std::optional<std::uint64_t> listing_version_;
  std::map<std::string, KnownTool> tools_;
  std::int64_t announced_ = 0;
  bool is_draining_ = false;
  std::uint64_t offer_subscription_ = 0;
  std::uint64_t inbox_subscription_ = 0;
  std::uint64_t watcher_ = 0;
  bridge::AwakeClock clock_{max_step};
  Clock::time_point next_beat_ = {};
  std::optional<EventLoop::Timer> timer_;

  Mutex mutex_;
  ConditionVariable changed_;
  std::size_t count_ TOOLWIRE_GUARDED_BY(mutex_) = 0;  // of works that are not heard of as listening
  bool has_drained_ TOOLWIRE_GUARDED_BY(mutex_) = false;
};

}  // namespace toolwire::nats
