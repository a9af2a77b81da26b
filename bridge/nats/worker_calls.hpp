// A replica's calls to the workers of one name: offered, given to the one that takes it, answered, or given up with
// what is known of it. Lines in, lines out, as the client of the framework reads and writes them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <toolwire/http/detail/incoming_lines.hpp>
#include <toolwire/json.hpp>

#include "client.hpp"
#include "letter.hpp"
#include "system/awake_clock.hpp"
#include "task_jobs.hpp"

namespace toolwire::nats {

/// What is sent and ended may come from any thread, the rest is on the client's loop. Lives in a shared_ptr; whoever
/// uses it keeps the client alive.
class WorkerCalls final : public std::enable_shared_from_this<WorkerCalls> {
 public:
  /// `jobs`: where calls that are tasks go; null: they are calls like any other.
  WorkerCalls(Client& client, const std::string& worker, std::shared_ptr<TaskJobs> jobs = {});

  /// Once, at first.
  void begin();
  /// A message of MCP, without its end.
  void send(std::string line);
  bool is_full() const { return unsent_ > max_unsent; }
  /// Gives up all calls; the reason is what the client reads.
  void end(const std::string& reason);
  remote::IncomingLines& lines() { return lines_; }

 private:
  using Clock = EventLoop::Clock;
  enum class Phase { offered, at_work, kept };  // kept: it goes on in a stream
  struct Call {
    std::string id;
    Json request;  // its id in MCP
    std::string method;
    std::string tool;       // that it calls, if it does
    std::string task = {};  // that it is, where it is kept
    std::string line;
    Phase phase = Phase::offered;
    Clock::time_point next_offer = {};
    Clock::time_point give_up = {};  // while nobody has taken it
    std::string why = {};            // nobody has, as far as is known
    unsigned refusals = 0;
    std::string worker = {};      // where it is at work
    std::int64_t heard = 0;       // the number of the last letter from there
    std::int64_t said = 0;        // and to there
    Clock::time_point last = {};  // when it was heard
    Clock::time_point next_wait = {};
    std::string text = {};  // of a message that is not whole yet
    bool was_at_work = false;
  };
  using Calls = std::map<std::string, Call>;

  static constexpr std::size_t max_unsent = std::size_t{64} << 20;
  static constexpr std::chrono::seconds max_step{2};  // of the clock, which is looked at once a second

  void take_line(const std::string& line);
  void begin_call(JsonObject&& message, const std::string& line);
  void begin_job(Call&& made, JsonObject&& message);
  void cancel(const Json& request);
  void offer(Call& call);
  void came(Message&& message);
  void reached_nobody(Call& call);
  void refuse(const std::string& id, const std::string& asking);
  void take(Call& call, Letter&& letter);
  void give(Call& call);
  void changed(Call& call);
  void heard(const std::string& id, Letter&& letter);
  void said(const std::string& id, std::string&& line);
  void read_list(const Json& message, const Call& call);
  void here(const Letter& letter);
  void tell_changes(const Call& call);
  void lose(const std::string& id, const std::string& why);
  void fail(const std::string& id, const std::string& why, bool is_unknown);
  void lost(const std::string& why);
  void look();
  void look_at(Call& call, Clock::time_point now);
  void set_timer();
  void close();
  void tell(const std::string& line);
  std::string answers_of(const Call& call) const { return inbox_ + "." + call.id; }

  Client& client_;
  const std::string worker_;
  const std::string offers_;  // subjects
  const std::string heres_;
  const std::string inbox_;
  const std::shared_ptr<TaskJobs> jobs_;
  remote::IncomingLines lines_;
  std::atomic<std::size_t> unsent_ = 0;  // bytes
  Calls calls_;
  std::map<std::string, KnownTool> tools_;  // as listed last
  struct Worker {
    std::int64_t number = 0;
    std::string tools;
  };
  std::map<std::string, Worker> workers_;  // of which something was heard
  std::uint64_t inbox_subscription_ = 0;
  std::uint64_t here_subscription_ = 0;
  std::uint64_t watcher_ = 0;
  bridge::AwakeClock clock_{max_step};  // all times are its
  std::optional<EventLoop::Timer> timer_;
  bool closed_ = false;
};

}  // namespace toolwire::nats
