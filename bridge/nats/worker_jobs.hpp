// A worker's side of calls that are tasks: takes them out of the stream as long as it has room, begins what it is the
// first to begin, and puts there what came of it. Independent of how a call is run.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "client.hpp"
#include "first_word.hpp"
#include "job_records.hpp"

namespace toolwire::nats {

/// On the client's loop only, but for `start` and `wait_until_known`. Lives in a shared_ptr; whoever uses it keeps the
/// client alive.
class WorkerJobs final : public std::enable_shared_from_this<WorkerJobs> {
 public:
  /// Who runs calls. On the loop.
  struct Runner {
    std::function<bool()> has_room = {};
    /// One has come; it says `begin` before it runs it, or `changed`.
    std::function<void(const Ticket& ticket)> take = {};
    std::function<void(const std::string& id)> stop = {};
    std::function<void()> changed = {};  ///< The number of those that are here.
  };
  WorkerJobs(Client& client, std::string worker, const std::string& stream, std::size_t max_tasks);

  void start(Runner runner);
  /// As TaskJobs has it.
  bool wait_until_known(std::chrono::milliseconds time);

  /// There may be room for more.
  void look_for_more();
  /// Whether it is the first to begin it; else the call is nobody's business here any more.
  void begin(const std::string& id, std::function<void(bool is_mine)> then);
  /// Its tool is another one here: perhaps not at another worker.
  void changed(const std::string& id);
  /// A message about a call that runs.
  void said(const std::string& id, const std::string& line);
  /// The answer.
  void ended(const std::string& id, std::string line);
  /// Takes no more.
  void drain();
  /// What still runs is given up, and left to others where it may be.
  void abandon();
  /// Those that have come and whose end is not kept yet.
  std::size_t count() const { return works_.size(); }
  void end();

 private:
  using Clock = EventLoop::Clock;
  using Put = JetStream::Put;
  enum class Step { taken, begun, ending };
  struct Work {
    Ticket ticket;
    std::string reply;  // where it is acknowledged; empty once it is
    std::int64_t deliveries = 0;
    Step step = Step::taken;
    std::int64_t time = 0;                        // of its beginnings
    std::int64_t number = 0;                      // of what was said last
    std::function<void(bool is_mine)> then = {};  // once it is known who was the first to begin it
    std::string answer = {};
    std::string given_up = {};  // why, in the place of an answer
    bool is_held = false;       // until there is room
    bool is_asking = false;
    std::optional<Clock::time_point> refused = {};  // its end, since when
    Clock::time_point next = {};                    // beat, or attempt to put the end somewhere
  };
  using WorkPointer = std::shared_ptr<Work>;

  void ready();
  void lost();
  void ask_whether_there();
  void known(const JetStream::Answer& answer);
  void pull();
  void came(Message&& message);
  void take(Message&& message);
  void take_again(Work& known, Work& again);
  void read_rest(const WorkPointer& work);
  void run(const WorkPointer& work);
  void claim(const WorkPointer& work);
  void claim_later(const WorkPointer& work);
  void look_whose(const WorkPointer& work);
  void claimed(const WorkPointer& work);
  void leave(const WorkPointer& work, const std::string& how);
  void ended_elsewhere(Message&& message);
  void check(const WorkPointer& work);
  void put_end(const WorkPointer& work);
  void put_refused(Work& work, const std::string& why);
  void put_again(const WorkPointer& work);
  void acknowledge(Work& work, const std::string& how);
  void forget(const WorkPointer& work, const std::string& how);
  void give_back(const WorkPointer& work, std::chrono::milliseconds pause);
  void stop(const WorkPointer& work, const std::string& why);
  void beat(Work& work, const std::string& line);
  WorkPointer find(const std::string& id) const;
  JobSubjects subjects_of(const Work& work) const { return records_->subjects_of({worker_, work.ticket.id}); }
  void tick();
  void set_timer();

  Client& client_;
  const std::string worker_;
  const std::size_t max_tasks_;
  const std::string inbox_;  // for what is pulled
  const std::shared_ptr<JobRecords> records_;
  Runner runner_;
  std::map<std::string, WorkPointer> works_;
  bool is_ready_ = false;
  bool is_there_ = false;  // what is pulled from
  bool is_draining_ = false;
  std::uint64_t pulls_ = 0;
  std::optional<Clock::time_point> pulling_until_;
  std::string problem_;
  std::uint64_t inbox_subscription_ = 0;
  std::uint64_t end_subscription_ = 0;
  std::uint64_t watcher_ = 0;
  std::optional<EventLoop::Timer> timer_;

  FirstWord first_word_;
};

}  // namespace toolwire::nats
