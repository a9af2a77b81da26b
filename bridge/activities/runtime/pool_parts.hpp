// The inside of a RuntimePool: its calls (pool.cpp), its processes (pool_processes.cpp) and their ends
// (pool_endings.cpp).
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>

#include "activities/log_lines.hpp"
#include "activities/runtime/child.hpp"
#include "activities/runtime/pool.hpp"
#include "system/event_loop.hpp"

namespace toolwire::bridge::runtimes {

/// All but the functions so marked belong to the loop's thread.
class RuntimePool::Parts {
 public:
  explicit Parts(RuntimeOptions options);
  ~Parts() { close(); }

  struct Work {
    std::vector<ToolCall> calls = {};
    bool is_batch = false;
    std::optional<Clock::time_point> deadline = {};
    std::stop_token stop = {};
    OnAnswers answer = {};
    OnProgress progress = {};
  };

  // From any thread.
  void add(Work work);
  void start();
  std::optional<RuntimeListing> wait_for_tools(std::chrono::milliseconds time);
  PoolState state() const;
  void retire();
  void close();

  const RuntimeOptions options;
  std::function<void(const RuntimeListing&)> on_tools = {};

 private:
  struct Slot;
  using StopCallback = std::stop_callback<std::function<void()>>;

  /// One call or batch, from when it came until its tools have ended.
  struct Pending {
    Work work = {};
    Clock::time_point begun = Clock::now();
    std::unique_ptr<StopCallback> on_stop = {};
    std::optional<EventLoop::Timer> timer = {};  // its deadline; once it is abandoned, the end of its grace
    Slot* slot = nullptr;                        // where it runs; null while it waits
    bool is_abandoned = false;                   // answered by us; its tools may still run
  };

  enum class Life { none, starting, ready, leaving };
  /// The place of one process.
  struct Slot {
    explicit Slot(const RuntimeOptions& options) : back_off(options.back_off) {}

    Life life = Life::none;
    std::unique_ptr<RuntimeChild> child = {};
    std::set<std::uint64_t> calls = {};
    std::size_t abandoned = 0;                        // of these
    std::map<std::uint64_t, std::string> asked = {};  // requests of ours that are not calls, by id: their methods
    std::optional<EventLoop::Timer> timer = {};       // of the start, the next look, the answer to a ping, the end
    mcp::BackOff back_off;
    Clock::time_point not_before = {};
    bool was_ready = false;
    bool has_answered = false;  // a call
    std::string reason = {};    // why we end it; empty: we do not
    bool is_to_blame = true;    // its end is a failure
  };

  // pool.cpp
  void begin(Work work);
  void refuse(Work& work, RuntimeTrouble trouble);
  void dispatch();
  Slot* best_slot();
  void send(std::uint64_t id, Pending& pending, Slot& slot);
  void cancel(std::uint64_t id);
  void time_out(std::uint64_t id);
  void give_up(std::uint64_t id, const RuntimeTrouble& trouble, std::string_view reason);
  void answer(Pending& pending, std::vector<RuntimeAnswer>&& answers);
  void fail(Pending& pending, const RuntimeTrouble& trouble);
  void take_answer(Slot& slot, RuntimeMessage&& message);
  void take_progress(const RuntimeMessage& message);
  void note_calls();
  void forget(std::uint64_t id);
  void fail_waiting(const RuntimeTrouble& trouble);
  std::optional<RuntimeTrouble> no_process_soon() const;

  // pool_processes.cpp
  void grow();
  void bring_up(Slot& slot);
  void ask(Slot& slot, std::string method, std::string_view params = "{}");
  void take_line(Slot& slot, std::string_view line);
  void take_own_answer(Slot& slot, RuntimeMessage&& message);
  void take_listing(const Json& result);
  void ready(Slot& slot);
  void look_after(Slot& slot);
  void set_timer(Slot& slot, std::chrono::milliseconds after, EventLoop::Job job);
  void stop_timer(Slot& slot);
  bool any(Life life) const;

  // pool_endings.cpp
  void end(Slot& slot, std::string reason, bool is_to_blame);
  void say_goodbye(Slot& slot);
  void gone(Slot& slot, const std::string& how);
  void fail_calls_of(Slot& slot, const std::string& reason);
  void note_failure(Slot& slot, const std::string& reason);
  void end_when_idle();
  std::string subject() const { return "The runtime \"" + options.name + "\""; }

  mcp::LogLines log_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::unordered_map<std::uint64_t, Pending> calls_;
  std::deque<std::uint64_t> waiting_;  // may name calls that have been answered
  std::size_t waiting_count_ = 0;      // of those that have not
  std::uint64_t last_id_ = 0;
  std::optional<EventLoop::Timer> next_start_;
  bool is_retired_ = false;
  bool is_closed_ = false;
  bool is_wanted_ = false;  // to be started though no call waits

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  PoolState state_;  // guarded by mutex_, as the next two
  std::optional<RuntimeListing> listing_;
  bool all_gone_ = false;

  std::mutex closing_;
  EventLoop loop_;  // the last member: its jobs use the others
};

}  // namespace toolwire::bridge::runtimes
