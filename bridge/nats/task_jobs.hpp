// A replica's side of calls that are tasks: handed to a stream, where they wait for a worker, and followed until they
// have come to something, here or, once this replica is gone, at any other that is asked about the task.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/detail/mutex.hpp>
#include <toolwire/detail/task_work.hpp>

#include "client.hpp"
#include "first_word.hpp"
#include "job_records.hpp"
#include "job_setup.hpp"
#include "system/awake_clock.hpp"

namespace toolwire::nats {

/// What is of TaskWork may be called from any thread, `begin` and `detach` on the client's loop only. Lives in a
/// shared_ptr; whoever uses it keeps the client alive.
class TaskJobs final : public detail::TaskWork, public std::enable_shared_from_this<TaskJobs> {
 public:
  TaskJobs(Client& client, JetStreamOptions options, std::vector<std::string> workers);

  /// Once, at first.
  void start();
  /// Waits until the server has said whether it keeps calls, for `patience` at most. False if nobody knows, as NATS is
  /// away. Throws std::invalid_argument with the reason if it does not.
  bool wait_until_known(std::chrono::milliseconds time);

  /// What becomes of a call. On the loop.
  struct Follower {
    std::function<void(std::string&& line)> said = {};  ///< Messages of MCP, the answer among them.
    std::function<void(const std::string& why, bool is_unknown)> failed = {};
  };
  struct Call {
    std::string task;
    std::string worker;
    std::string tool;
    std::string hash;                    ///< Of the tool.
    std::string line;                    ///< The request.
    bool again = false;                  ///< It may begin more than once.
    std::chrono::milliseconds limit{0};  ///< Zero: as long as it may wait.
  };
  void begin(Call&& call, Follower follower);
  /// Nobody here wants to know any more. It goes on.
  void detach(const std::string& task);

  /// Which tasks are of this process: what a client says of one is believed of no other. From any thread.
  void task_begins(std::string_view task);
  void task_ends(std::string_view task);
  bool is_task(std::string_view task);

  bool is_kept(std::string_view task) override;
  void leave() override;
  bool is_left(std::string_view task) override;
  void look(std::string_view task, Done<Found> done) override;
  void stop(std::string_view task) override;

 private:
  using Clock = EventLoop::Clock;
  using Put = JetStream::Put;
  using End = JobRecords::End;
  enum class Step { make, parts, hand_over, waits, at_work };
  struct Job {
    Call call;
    Follower follower;
    JobName name;
    int attempt = 1;
    Step step = Step::make;
    WallTime until = {};
    Clock::time_point begun = {};  // by clock_
    Clock::time_point next = {};   // when something is to be done about it
    int looks = 0;                 // that come soon, as there is something to see
    Clock::time_point heard = {};  // of its worker, by clock_
    std::int64_t time = 0;         // the latest of its beginnings that something was heard of
    std::int64_t number = 0;       // of what was heard last
    bool is_asking = false;        // an answer is awaited
    bool was_handed_over = false;  // perhaps
    bool is_uncertain = false;     // whether it was
    bool is_over = false;
    std::string given_up = {};  // why
    std::uint64_t sequence = 0;
    std::array<std::uint64_t, 2> subscriptions = {};
  };
  using JobPointer = std::shared_ptr<Job>;
  /// Another replica's call, that somebody asks about here.
  struct Watched {
    Clock::time_point heard;  // by clock_, as the next
    Clock::time_point asked;
    std::uint64_t subscription = 0;
  };

  void set_up();
  void was_set_up(bool is_there, const std::string& problem);
  void lost();

  void work_on(const JobPointer& job);
  void make(const JobPointer& job);
  void put_parts(const JobPointer& job);
  void hand_over(const JobPointer& job);
  void handed_over(const JobPointer& job, Put how, const std::string& why, std::uint64_t sequence);
  void put_failed(const JobPointer& job, Put how, const std::string& why);
  void look_later(const JobPointer& job, std::chrono::milliseconds pause);
  void follow(const JobPointer& job);
  void heard(const JobPointer& job, const Message& message);
  void check(const JobPointer& job);
  void checked(const JobPointer& job, End&& end);
  void look_for_beginning(const JobPointer& job);
  bool is_past(const Job& job) const;
  void give_up(const JobPointer& job, const std::string& why);
  void finish(const JobPointer& job, End&& end);
  void fail(const JobPointer& job, const std::string& why, bool is_unknown);
  void forget(const JobPointer& job);
  void remove_waiting(const JobPointer& job);

  class Look;  // task_look.cpp
  bool is_silent(const JobName& job, bool again);
  void forget_watched();

  void tick();
  void set_timer();
  void keep(const std::string& task, bool is_kept);
  /// Of a worker that counts as gone then, with what it may not begin again.
  std::chrono::milliseconds silence(bool again) const {
    return (options_.lease + options_.lease / 2) * (again ? max_deliveries : 1);
  }

  Client& client_;
  const JetStreamOptions options_;
  const std::vector<std::string> workers_;
  const std::shared_ptr<JobRecords> records_;
  std::map<std::string, JobPointer, std::less<>> jobs_;  // by task
  std::map<std::string, Watched> watched_;               // by job
  bool is_setting_up_ = false;
  bool is_ready_ = false;         // connected, and the streams are there
  Clock::time_point since_ = {};  // when, by clock_
  std::string problem_;           // why calls cannot be kept
  std::uint64_t watcher_ = 0;
  bridge::AwakeClock clock_;  // looked at three times in a lease
  std::optional<EventLoop::Timer> timer_;

  FirstWord first_word_;

  Mutex mutex_;
  std::set<std::string, std::less<>> kept_ TOOLWIRE_GUARDED_BY(mutex_);
  bool leaves_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::set<std::string, std::less<>> tasks_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::nats
