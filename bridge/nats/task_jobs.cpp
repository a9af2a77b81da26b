#include "task_jobs.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "system/random_text.hpp"

namespace toolwire::nats {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

constexpr std::size_t id_parts = 4;
constexpr milliseconds tries_again{500};
constexpr milliseconds looks_again{20};
constexpr int looks_for_news = 100;      // of which something was heard
constexpr milliseconds patience{8'000};  // to hand a call over, of which nothing was sent yet

}  // namespace

TaskJobs::TaskJobs(Client& client, JetStreamOptions options, std::vector<std::string> workers)
    : client_(client),
      options_(std::move(options)),
      workers_(std::move(workers)),
      records_(std::make_shared<JobRecords>(client, options_.stream,
                                            client.subject("replica." + bridge::random_text(id_parts)))),
      clock_(options_.lease / 2) {}

void TaskJobs::start() {
  records_->stream().begin();
  watcher_ = client_.watch({.ready =
                                [weak = weak_from_this()] {
                                  if (const auto self = weak.lock()) self->set_up();
                                },
                            .lost =
                                [weak = weak_from_this()](const std::string&) {
                                  if (const auto self = weak.lock()) self->lost();
                                }});
}

bool TaskJobs::wait_until_known(milliseconds time) { return first_word_.wait(time); }

// The streams

void TaskJobs::set_up() {
  if (std::exchange(is_setting_up_, true)) return;
  std::make_shared<JobSetup>(records_, client_.prefix(), options_, workers_)
      ->run([weak = weak_from_this()](bool is_there, const std::string& problem) {
        if (const auto self = weak.lock()) self->was_set_up(is_there, problem);
      });
}

void TaskJobs::was_set_up(bool is_there, const std::string& problem) {
  is_setting_up_ = false;
  is_ready_ = is_there;
  since_ = clock_.now();
  if (!problem.empty() && problem != problem_) client_.log("cannot keep tasks: " + problem);
  problem_ = problem;
  for (const auto& [task, job] : jobs_) job->next = {};
  if (is_there || !problem.empty()) first_word_.say(problem);
  tick();
}

void TaskJobs::lost() {
  is_ready_ = false;
  first_word_.lost();
}

// A call of this replica

void TaskJobs::begin(Call&& call, Follower follower) {
  const auto job = std::make_shared<Job>();
  job->call = std::move(call);
  job->follower = std::move(follower);
  job->begun = clock_.now();
  const WallTime now = wall_time();
  job->until = now + options_.max_age;
  if (job->call.limit > 0ms) job->until = std::min(job->until, now + job->call.limit);
  if (const auto before = jobs_.find(job->call.task); before != jobs_.end()) forget(JobPointer(before->second));
  jobs_.emplace(job->call.task, job);
  keep(job->call.task, true);
  if (!is_ready_ && !problem_.empty()) set_up();  // it may have been mended
  tick();
}

void TaskJobs::detach(const std::string& task) {
  if (const auto found = jobs_.find(task); found != jobs_.end()) found->second->follower = {};
}

void TaskJobs::work_on(const JobPointer& job) {
  if (!job->given_up.empty()) return give_up(job, job->given_up);
  const bool is_late = job->begun + patience <= clock_.now();
  if (!job->was_handed_over && (is_late || (!is_ready_ && !problem_.empty())))
    return fail(job, problem_.empty() ? "NATS has not taken it in time" : "tasks cannot be kept: " + problem_, false);
  if (!is_ready_) return;
  switch (job->step) {
    case Step::make:
      return make(job);
    case Step::parts:
      return put_parts(job);
    case Step::hand_over:
      return hand_over(job);
    case Step::waits:
    case Step::at_work:
      return check(job);
  }
}

/// A task that calls again, because it was answered or tries once more, has one more attempt.
void TaskJobs::make(const JobPointer& job) {
  job->name = {job->call.worker, job_id(job->call.task, job->attempt)};
  const JobSubjects subjects = records_->subjects_of(job->name);
  const Made made{.worker = job->call.worker,
                  .again = job->call.again,
                  .until = job->until,
                  .ends = job->call.limit > 0ms ? job->until : WallTime(),
                  .waiting = subjects.waiting(job->call.tool)};
  job->is_asking = true;
  records_->create({subjects.made(), text_of(made)}, [self = shared_from_this(), job](Put how, const std::string& why) {
    job->is_asking = false;
    if (job->is_over) return;
    if (how == Put::exists) {
      ++job->attempt;
      return self->make(job);
    }
    if (how != Put::kept) return self->put_failed(job, how, why);
    job->step = Step::parts;
    self->work_on(job);
  });
}

void TaskJobs::put_parts(const JobPointer& job) {
  const JobSubjects subjects = records_->subjects_of(job->name);
  const std::vector<std::string> parts = in_parts(job->call.line, client_.max_payload());
  std::vector<JobRecords::Piece> pieces;
  for (std::size_t part = 1; part < parts.size(); ++part) pieces.push_back({subjects.in(part), parts[part]});
  job->is_asking = true;
  records_->create_all(std::move(pieces), [self = shared_from_this(), job](Put how, const std::string& why) {
    job->is_asking = false;
    if (job->is_over) return;
    if (how != Put::kept) return self->put_failed(job, how, why);
    job->step = Step::hand_over;
    self->follow(job);
    self->work_on(job);
  });
}

/// As often as it takes until the server says that it has it: of those with one id it keeps one, and whoever begins has
/// to be the first.
void TaskJobs::hand_over(const JobPointer& job) {
  const std::vector<std::string> parts = in_parts(job->call.line, client_.max_payload());
  const std::string subject = records_->subjects_of(job->name).waiting(job->call.tool);
  const Ticket ticket{.id = job->name.id,
                      .again = job->call.again,
                      .until = job->until,
                      .ends = job->call.limit > 0ms ? job->until : WallTime(),
                      .lease = options_.lease,
                      .tools = job->call.hash,
                      .parts = parts.size() - 1,
                      .text = parts.front()};
  if (!is_task(job->call.task)) return forget(job);  // it is over already
  job->is_asking = true;
  job->was_handed_over = true;
  records_->stream().put(subject, records_->sealed(subject, text_of(ticket), job->until), job->name.id,
                         [self = shared_from_this(), job](Put how, const std::string& why, std::uint64_t sequence) {
                           job->is_asking = false;
                           if (!job->is_over) self->handed_over(job, how, why, sequence);
                         });
}

void TaskJobs::handed_over(const JobPointer& job, Put how, const std::string& why, std::uint64_t sequence) {
  if (how == Put::refused && job->is_uncertain) return give_up(job, "the stream does not take it: " + why);
  job->is_uncertain = job->is_uncertain || how == Put::unknown;
  if (how != Put::kept) return put_failed(job, how, why);
  job->sequence = sequence;
  if (job->step == Step::hand_over) job->step = Step::waits;
  look_later(job, options_.lease / 3);
}

void TaskJobs::put_failed(const JobPointer& job, Put how, const std::string& why) {
  if (how == Put::refused) return fail(job, "the stream does not take it: " + why, false);
  look_later(job, tries_again);
}

void TaskJobs::look_later(const JobPointer& job, milliseconds pause) {
  if (job->looks > 0 || !job->given_up.empty()) pause = looks_again;
  job->looks = std::max(0, job->looks - 1);
  job->next = Clock::now() + pause;
  set_timer();
}

// What is heard of it

void TaskJobs::follow(const JobPointer& job) {
  const JobSubjects subjects = records_->subjects_of(job->name);
  const auto on_message = [weak = weak_from_this(), watching = std::weak_ptr(job)](Message&& message) {
    const auto self = weak.lock();
    if (const auto job = watching.lock(); self && job && !job->is_over) self->heard(job, message);
  };
  job->subscriptions = {client_.subscribe(subjects.beat(), {}, on_message),
                        client_.subscribe(subjects.end(), {}, on_message)};
}

/// What its end is said to be counts only as it stands in the stream, where it may be a moment later.
void TaskJobs::heard(const JobPointer& job, const Message& message) {
  const auto text = records_->opened(message.subject, message.payload);
  if (!text) return;
  if (message.subject == records_->subjects_of(job->name).end()) {
    job->looks = looks_for_news;
    job->next = {};
    return tick();
  }
  const auto said = said_in(*text);
  if (!said || said->time < job->time || (said->time == job->time && said->number <= job->number)) return;
  job->time = said->time;
  job->number = said->number;
  job->heard = clock_.now();
  job->step = Step::at_work;
  if (!said->text.empty() && job->follower.said) job->follower.said(std::string(said->text));
}

void TaskJobs::check(const JobPointer& job) {
  job->is_asking = true;
  records_->read_end(job->name, [self = shared_from_this(), job](End&& end) {
    job->is_asking = false;
    if (!job->is_over) self->checked(job, std::move(end));
  });
}

void TaskJobs::checked(const JobPointer& job, End&& end) {
  if (end.how == End::How::answered || end.how == End::How::given_up) return finish(job, std::move(end));
  if (end.how == End::How::failed) return look_later(job, tries_again);
  if (is_past(*job)) return give_up(job, "its time was over");
  if (job->step == Step::waits) return look_for_beginning(job);
  if (std::max(job->heard, since_) + silence(job->call.again) <= clock_.now())
    return give_up(job, "its worker is not heard any more");
  look_later(job, options_.lease / 3);
}

/// It may have begun while nothing was heard here.
void TaskJobs::look_for_beginning(const JobPointer& job) {
  job->is_asking = true;
  records_->read(records_->subjects_of(job->name).begun(1),
                 [self = shared_from_this(), job](JobRecords::Read how, std::string&&) {
                   job->is_asking = false;
                   if (how == JobRecords::Read::found && job->step == Step::waits) {
                     job->step = Step::at_work;
                     job->heard = self->clock_.now();
                   }
                   self->look_later(job, self->options_.lease / 3);
                 });
}

/// One that has begun has as long as it may take.
bool TaskJobs::is_past(const Job& job) const {
  if (job.step == Step::at_work && job.call.limit == 0ms) return false;
  return wall_time() >= job.until + options_.lease;  // its worker says so first
}

// Its end

/// Whoever says first what it has come to is right.
void TaskJobs::give_up(const JobPointer& job, const std::string& why) {
  job->given_up = why;
  if (job->is_asking) return;
  job->is_asking = true;
  records_->give_up(job->name, why, [self = shared_from_this(), job](End&& end) {
    job->is_asking = false;
    if (job->is_over) return;
    if (end.how == End::How::answered || end.how == End::How::given_up) return self->finish(job, std::move(end));
    job->next = Clock::now() + tries_again;
    self->set_timer();
  });
}

void TaskJobs::finish(const JobPointer& job, End&& end) {
  if (end.how == End::How::given_up) {
    if (!end.has_begun) remove_waiting(job);
    return fail(job, end.text, end.has_begun);
  }
  const Follower follower = std::exchange(job->follower, {});
  forget(job);
  if (follower.said) follower.said(std::move(end.text));
}

void TaskJobs::fail(const JobPointer& job, const std::string& why, bool is_unknown) {
  const Follower follower = std::exchange(job->follower, {});
  forget(job);
  if (follower.failed) follower.failed(why, is_unknown);
}

void TaskJobs::forget(const JobPointer& job) {
  job->is_over = true;
  for (const std::uint64_t subscription : job->subscriptions) {
    if (subscription != 0) client_.unsubscribe(subscription);
  }
  keep(job->call.task, false);
  if (const auto found = jobs_.find(job->call.task); found != jobs_.end() && found->second == job) jobs_.erase(found);
}

/// Nobody begins it, and it needs no room.
void TaskJobs::remove_waiting(const JobPointer& job) {
  if (job->sequence == 0) return;
  records_->stream().ask("STREAM.MSG.DELETE." + records_->streams().waiting,
                         JsonObject{{"seq", job->sequence}, {"no_erase", true}}, [](const JetStream::Answer&) {});
}

void TaskJobs::tick() {
  clock_.now();
  const auto now = Clock::now();
  std::vector<JobPointer> due;
  for (const auto& [task, job] : jobs_) {
    if (!job->is_asking && job->next <= now) due.push_back(job);
  }
  for (const JobPointer& job : due) {
    if (job->is_over || job->is_asking) continue;
    job->next = now + tries_again;
    work_on(job);
  }
  forget_watched();
  set_timer();
}

void TaskJobs::set_timer() {
  if (jobs_.empty() && watched_.empty()) return;
  const auto now = Clock::now();
  auto next = now + options_.lease / 3;
  for (const auto& [task, job] : jobs_) {
    if (!job->is_asking) next = std::min(next, std::max(job->next, now + 1ms));
  }
  if (timer_ && timer_->first <= next) return;
  if (timer_) client_.loop().cancel(*timer_);
  timer_ = client_.loop().at(next, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->timer_.reset();
    self->tick();
  });
}

void TaskJobs::keep(const std::string& task, bool is_kept) {
  const MutexLock lock(mutex_);
  if (is_kept) {
    kept_.insert(task);
  } else {
    kept_.erase(task);
  }
}

// What is asked about tasks

void TaskJobs::task_begins(std::string_view task) {
  const MutexLock lock(mutex_);
  tasks_.emplace(task);
}

void TaskJobs::task_ends(std::string_view task) {
  const MutexLock lock(mutex_);
  if (const auto found = tasks_.find(task); found != tasks_.end()) tasks_.erase(found);
}

bool TaskJobs::is_task(std::string_view task) {
  const MutexLock lock(mutex_);
  return tasks_.contains(task);
}

bool TaskJobs::is_kept(std::string_view task) {
  const MutexLock lock(mutex_);
  return kept_.contains(task);
}

void TaskJobs::leave() {
  const MutexLock lock(mutex_);
  leaves_ = true;
}

bool TaskJobs::is_left(std::string_view task) {
  const MutexLock lock(mutex_);
  return leaves_ && kept_.contains(task);
}

}  // namespace toolwire::nats
