// What has become of calls that other replicas have begun, and of those that nobody wants any more.
#include <exception>
#include <stdexcept>
#include <utility>

#include <toolwire/error.hpp>
#include <toolwire/json_members.hpp>

#include "activities/mcp/results.hpp"
#include "task_jobs.hpp"

namespace toolwire::nats {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::minutes watched_for{10};  // since somebody asked
constexpr std::size_t max_watched = 10'000;
constexpr int max_attempts = 1'000;

/// Nothing for questions to the user: who asked them is gone, and so is whoever would go on with the answers.
std::optional<ToolResult> result_in(const std::string& line, const std::string& worker) {
  Json message = parse_json(line);
  if (const Json* const error = find_member(message, "error"))
    return bridge::mcp::tool_result_from(bridge::mcp::trouble_from_error(*error, worker));
  Json* const result = message.as_object().if_contains("result");
  if (result == nullptr) throw std::runtime_error("an answer with neither a result nor an error");
  if (text_or(*result, "resultType", "complete") != "complete") return std::nullopt;
  return bridge::mcp::tool_result_from(std::move(*result), {.what = "The back-end", .name = worker});
}

ToolResult result_of(const JobRecords::End& end, const std::string& worker) {
  return bridge::mcp::tool_result_from({.code = "unavailable",
                                        .text = "The back-end \"" + worker + "\" failed: " + end.text,
                                        .retryable = !end.has_begun,
                                        .is_unknown = end.has_begun});
}

}  // namespace

/// One search, on the loop.
class TaskJobs::Look : public std::enable_shared_from_this<Look> {
 public:
  Look(std::shared_ptr<TaskJobs> jobs, std::string task, std::optional<Done<Found>> done)
      : jobs_(std::move(jobs)), task_(std::move(task)), done_(std::move(done)) {}

  /// The last of its calls counts.
  void begin() {
    const std::string id = job_id(task_, attempt_);
    records().read(records().subjects_of({.id = id}).made(),
                   [self = shared_from_this(), id](Read how, std::string&& text) {
                     if (how == Read::failed) return self->fail();
                     if (how == Read::none || self->attempt_ == max_attempts) return self->judge();
                     if (auto made = made_in(text)) {
                       self->made_ = std::move(*made);
                       self->name_ = {self->made_->worker, id};
                     }
                     ++self->attempt_;
                     self->begin();
                   });
  }

 private:
  using Read = JobRecords::Read;

  JobRecords& records() const { return *jobs_->records_; }

  void judge() {
    if (!made_) return say(Stage::none);
    if (!done_) return give_up(std::string(nobody_waits));
    records().read_end(name_, [self = shared_from_this()](End&& end) { self->take(std::move(end)); });
  }

  void take(End&& end) {
    switch (end.how) {
      case End::How::failed:
        return fail();
      case End::How::none:
        return look_for_beginning(&Look::took_none);
      case End::How::given_up:
        return say(Stage::ended, result_of(end, made_->worker));
      case End::How::answered:
        break;
    }
    try {
      auto result = result_in(end.text, made_->worker);
      result ? say(Stage::ended, std::move(*result)) : say(Stage::none);
    } catch (const std::exception& error) {
      say(Stage::ended, result_of({.text = error.what(), .has_begun = true}, made_->worker));
    }
  }

  void look_for_beginning(void (Look::*then)(bool)) {
    records().read(records().subjects_of(name_).begun(1), [self = shared_from_this(), then](Read how, std::string&&) {
      if (how == Read::failed) return self->fail();
      (self.get()->*then)(how == Read::found);
    });
  }

  void took_none(bool has_begun) {
    const WallTime now = wall_time();
    if (has_begun) {
      if (made_->ends > WallTime() && now >= made_->ends + jobs_->options_.lease) return give_up("its time was over");
      if (jobs_->is_silent(name_, made_->again)) return give_up("its worker is not heard any more");
      return say(Stage::goes_on);
    }
    if (now >= made_->until) return give_up("its time was over");
    records().stream().ask("STREAM.MSG.GET." + records().streams().waiting,
                           JsonObject{{"last_by_subj", made_->waiting}},
                           [self = shared_from_this()](const JetStream::Answer& answer) {
                             if (answer.error.empty()) return self->say(Stage::goes_on);
                             if (!answer.came || answer.code != not_found) return self->fail();
                             self->look_for_beginning(&Look::waits_nowhere);
                           });
  }

  /// It has just begun; or whoever was to hand it over has died before.
  void waits_nowhere(bool has_begun) { has_begun ? say(Stage::goes_on) : give_up("it was handed to no worker"); }

  void give_up(const std::string& why) {
    records().give_up(name_, why, [self = shared_from_this()](End&& end) {
      if (end.how == End::How::none) return self->fail();
      self->take(std::move(end));
    });
  }

  void say(Stage stage, ToolResult&& result = {}) {
    if (done_) (*done_)({stage, std::move(result)});
  }
  void fail() {
    if (done_) done_->fail(std::make_exception_ptr(std::runtime_error("NATS cannot be asked about a task")));
  }

  static constexpr std::int64_t not_found = 10'037;
  static constexpr std::string_view nobody_waits = "it was cancelled";
  const std::shared_ptr<TaskJobs> jobs_;
  const std::string task_;
  std::optional<Done<Found>> done_;  // nothing: it is to be given up
  int attempt_ = 1;
  std::optional<Made> made_;
  JobName name_;
};

void TaskJobs::look(std::string_view task, Done<Found> done) {
  client_.post(
      [self = shared_from_this(), task = std::string(task), done = std::make_shared<Done<Found>>(std::move(done))] {
        std::make_shared<Look>(self, task, std::move(*done))->begin();
      });
}

/// Its follower, if there is one, is of a call that is over.
void TaskJobs::stop(std::string_view task) {
  client_.post([self = shared_from_this(), task = std::string(task)] {
    const auto found = self->jobs_.find(task);
    if (found == self->jobs_.end()) return std::make_shared<Look>(self, task, std::nullopt)->begin();
    const JobPointer job = found->second;
    job->follower = {};
    if (!job->was_handed_over) return self->forget(job);
    self->give_up(job, "it was cancelled, or its time was over");
  });
}

/// It says something three times in a lease; from the first time on that somebody asks it is heard here, too.
bool TaskJobs::is_silent(const JobName& job, bool again) {
  const auto now = clock_.now();
  auto found = watched_.find(job.id);
  if (found == watched_.end()) {
    if (watched_.size() >= max_watched) return false;
    found = watched_.emplace(job.id, Watched{now, now}).first;
    const std::string subject = records_->subjects_of(job).beat();
    found->second.subscription =
        client_.subscribe(subject, {}, [weak = weak_from_this(), id = job.id](Message&& message) {
          const auto self = weak.lock();
          if (!self || !self->records_->opened(message.subject, message.payload)) return;
          if (const auto watched = self->watched_.find(id); watched != self->watched_.end())
            watched->second.heard = self->clock_.now();
        });
  }
  found->second.asked = now;
  forget_watched();
  set_timer();
  return is_ready_ && std::max(found->second.heard, since_) + silence(again) <= now;
}

void TaskJobs::forget_watched() {
  const auto now = clock_.now();
  std::erase_if(watched_, [&](const auto& one) {
    if (one.second.asked + watched_for > now) return false;
    client_.unsubscribe(one.second.subscription);
    return true;
  });
}

namespace {

/// A store of tasks, and the work on them.
class StoreWithJobs final : public TaskStore, public detail::TaskWork {
 public:
  StoreWithJobs(std::shared_ptr<TaskStore> store, std::shared_ptr<Client> client, std::shared_ptr<TaskJobs> jobs)
      : store_(std::move(store)), client_(std::move(client)), jobs_(std::move(jobs)) {}

  void insert(const TaskRecord& task, std::size_t bound, TaskTime now, Done<bool> done) override {
    jobs_->task_begins(task.id);
    store_->insert(
        task, bound, now,
        Done<bool>([jobs = jobs_, id = task.id, done = std::move(done)](Done<bool>::Result&& result) mutable {
          const auto* const why = std::get_if<std::exception_ptr>(&result);
          if (why != nullptr || !std::get<bool>(result)) jobs->task_ends(id);
          why != nullptr ? done.fail(*why) : done(std::get<bool>(result));
        }));
  }
  void find(std::string_view id, TaskTime now, Done<std::optional<TaskRecord>> done) override {
    store_->find(id, now, std::move(done));
  }
  void change(std::string_view id, const TaskState& state, Done<bool> done) override {
    if (toolwire::is_over(state.status)) jobs_->task_ends(id);
    store_->change(id, state, std::move(done));
  }
  void list(std::uint64_t after, std::size_t count, TaskTime now, Done<std::vector<TaskRecord>> done) override {
    store_->list(after, count, now, std::move(done));
  }
  bool is_shared() const override { return store_->is_shared(); }
  void add_answers(std::string_view id, std::string_view answers, Done<bool> done) override {
    store_->add_answers(id, answers, std::move(done));
  }
  void answers(std::string_view id, std::size_t after, Done<std::vector<std::string>> done) override {
    store_->answers(id, after, std::move(done));
  }

  bool is_kept(std::string_view task) override { return jobs_->is_kept(task); }
  void leave() override { jobs_->leave(); }
  bool is_left(std::string_view task) override { return jobs_->is_left(task); }
  void look(std::string_view task, Done<Found> done) override { jobs_->look(task, std::move(done)); }
  void stop(std::string_view task) override { jobs_->stop(task); }

 private:
  const std::shared_ptr<TaskStore> store_;
  const std::shared_ptr<Client> client_;  // outlives what is on its loop
  const std::shared_ptr<TaskJobs> jobs_;
};

}  // namespace

std::shared_ptr<TaskJobs> make_task_jobs(const std::shared_ptr<Client>& client, const JetStreamOptions& options,
                                         const std::vector<std::string>& workers) {
  auto made = std::make_shared<TaskJobs>(*client, options, workers);
  made->start();
  return made;
}

bool can_keep_tasks(TaskJobs& jobs, milliseconds patience) { return jobs.wait_until_known(patience); }

std::shared_ptr<TaskStore> with_task_jobs(std::shared_ptr<TaskStore> store, const std::shared_ptr<Client>& client,
                                          const std::shared_ptr<TaskJobs>& jobs) {
  return std::make_shared<StoreWithJobs>(std::move(store), client, jobs);
}

}  // namespace toolwire::nats
