#include "activities/runtime/pool.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include <toolwire/redact.hpp>

#include <toolwire/detail/event_loop.hpp>
#include "activities/runtime/in_seconds.hpp"
#include "activities/runtime/pool_process.hpp"
#include "activities/runtime/schedule.hpp"
#include "activities/runtime/source_files.hpp"
#include "process/log_lines.hpp"
#include "system/file_watch.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::runtimes {
namespace {

std::string tools_of(const std::vector<ToolCall>& calls) {
  return "\"" + calls.front().tool + "\"" +
         (calls.size() > 1 ? " and " + std::to_string(calls.size() - 1) + " more calls of its batch" : "");
}

/// The limit of a call that has so much left when it arrives: on its way here a little of it has passed.
std::chrono::milliseconds stated_limit(RuntimePool::Clock::duration left) {
  using std::chrono::milliseconds;
  const auto whole = std::chrono::ceil<milliseconds>(std::max(left, RuntimePool::Clock::duration::zero()));
  const milliseconds step = whole < milliseconds(1'000) ? milliseconds(10) : milliseconds(100);
  return (whole + step - milliseconds(1)) / step * step;
}

RuntimeAnswer answer_from(Json& outcome) {
  JsonObject* object = outcome.if_object();
  Json* result = object == nullptr ? nullptr : object->if_contains("result");
  if (result != nullptr) return {.result = std::move(*result)};
  Json* error = object == nullptr ? nullptr : object->if_contains("error");
  return {.trouble = trouble_from(error == nullptr ? Json() : *error)};
}

/// One for each of `count` calls.
std::vector<RuntimeAnswer> answers_from(RuntimeMessage&& message, std::size_t count, bool is_batch) {
  std::vector<RuntimeAnswer> answers;
  if (message.kind == RuntimeMessage::Kind::error) {
    answers.assign(count, RuntimeAnswer{.trouble = trouble_from(message.body)});
  } else if (!is_batch) {
    answers.push_back({.result = std::move(message.body)});
  } else {
    Json* results = message.body.is_object() ? message.body.get_object().if_contains("results") : nullptr;
    if (results != nullptr && results->is_array())
      std::ranges::transform(results->get_array(), std::back_inserter(answers), answer_from);
    answers.resize(count, {.trouble = trouble_from({})});
  }
  return answers;
}

/// One call or batch as it came.
struct Work {
  std::vector<ToolCall> calls = {};
  bool is_batch = false;
  std::chrono::milliseconds limit = {};  // the time it has, as messages name it
  std::optional<RuntimePool::Clock::time_point> deadline = {};
  std::stop_token stop = {};
  OnAnswers answer = {};
  OnProgress progress = {};
};

void answer(Work& work, std::vector<RuntimeAnswer>&& answers) {
  const OnAnswers once = std::exchange(work.answer, nullptr);
  if (once) once(std::move(answers));
}

void fail(Work& work, const RuntimeTrouble& trouble) {
  answer(work, std::vector<RuntimeAnswer>(work.calls.size(), RuntimeAnswer{.trouble = trouble}));
}

ScheduleLimits limits_from(const RuntimeOptions& options) {
  return {.places = options.size,
          .calls_at_once = options.calls_at_once,
          .max_waiting = options.max_waiting,
          .max_wait = options.max_wait,
          .max_hold = options.max_hold,
          .back_off = options.back_off,
          .recycling = options.recycling};
}

/// Whether a tool failed in a way that a broken process may cause, and not because of its arguments.
bool has_failed(const RuntimeMessage& message) {
  if (message.kind != RuntimeMessage::Kind::error) return false;
  const std::string code = trouble_from(message.body).code;
  return code == "back_end_error" || code == "timeout";
}

/// How often it is checked whether a process has served long enough; nothing: never.
std::optional<std::chrono::milliseconds> time_between_looks(const Recycling& recycling) {
  auto shortest = std::chrono::milliseconds::max();
  for (const auto limit : {recycling.max_age, recycling.max_idle}) {
    if (limit.count() > 0) shortest = std::min(shortest, limit);
  }
  if (shortest == std::chrono::milliseconds::max()) return std::nullopt;
  return std::clamp(shortest / 4, std::chrono::milliseconds(5), std::chrono::milliseconds(5'000));
}

}  // namespace

/// The inside of a pool: does what the schedule decides. Belongs to the loop, except the functions marked so.
class RuntimePool::Loop {
 public:
  Loop(RuntimeOptions its_options, std::shared_ptr<Engine> engine);
  ~Loop() { close(); }

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
  using StopCallback = std::stop_callback<std::function<void()>>;

  /// A call or batch, from its arrival until its tools have ended.
  struct Pending {
    Work work = {};
    std::unique_ptr<StopCallback> on_stop = {};
    std::optional<EventLoop::Timer> timer = {};  // its deadline; once it is given up, the end of its grace
  };

  // Calls.
  void begin(Work work);
  RuntimeTrouble trouble_of(const Schedule::Refusal& refusal) const;
  void dispatch();
  void send(std::uint64_t id, PoolProcess& process);
  void cancel(std::uint64_t id);
  void time_out(std::uint64_t id);
  void give_up(std::uint64_t id, const RuntimeTrouble& trouble, std::string_view reason);
  void take_answer(Schedule::Place place, RuntimeMessage&& message);
  void take_progress(const RuntimeMessage& message);
  void forget(std::uint64_t id);
  void fail_and_forget(const std::vector<std::uint64_t>& ids, const RuntimeTrouble& trouble);

  // Processes.
  void grow();
  void bring_up(Schedule::Place place);
  ProcessEvents events_of(Schedule::Place place);
  void send_away();
  void look_at_ages();
  void look_at_sources(std::optional<Schedule::Place> starting);
  void watch_sources();
  void take_listing(Schedule::Place place, RuntimeListing&& listing);
  void decide();
  std::string lost_files(const RuntimeListing& listing) const;
  void take_over(RuntimeListing&& listing);
  void reject(const std::string& why);
  void ready(Schedule::Place place);
  void gone(Schedule::Place place, const ProcessEnding& ending);
  void note_failure(const std::string& reason);
  void end_when_done();
  void note_counts();

  std::string subject() const { return "The runtime \"" + options.name + "\""; }

  LogLines log_;
  Schedule schedule_;
  std::vector<std::unique_ptr<PoolProcess>> processes_;  // by place; null: none
  std::unordered_map<std::uint64_t, Pending> calls_;     // all that the schedule knows
  std::uint64_t last_id_ = 0;
  std::optional<EventLoop::Timer> next_start_;
  std::map<std::string, std::string> sources_;         // as they were at the last start
  std::map<std::string, std::string> served_sources_;  // of the tools that serve
  std::vector<std::string> watched_;                   // folders
  std::optional<RuntimeListing> tried_;                // what the process on trial lists

  mutable Mutex mutex_;
  ConditionVariable changed_;
  PoolState state_ TOOLWIRE_GUARDED_BY(mutex_);
  std::optional<RuntimeListing> listing_ TOOLWIRE_GUARDED_BY(mutex_);
  bool all_gone_ TOOLWIRE_GUARDED_BY(mutex_) = false;

  Mutex closing_;
  std::shared_ptr<Engine> engine_;
  EventLoop loop_;                    // its jobs use the members before
  std::unique_ptr<FileWatch> watch_;  // the last member: it posts to the loop
};

RuntimePool::Loop::Loop(RuntimeOptions its_options, std::shared_ptr<Engine> engine)
    : options(std::move(its_options)),
      log_("runtime \"" + options.name + "\"", options.log),
      schedule_(limits_from(options)),
      processes_(schedule_.places()),
      engine_(engine ? std::move(engine) : std::make_shared<Engine>()),
      loop_(engine_) {
  if (options.start.command.empty()) throw std::invalid_argument("runtime \"" + options.name + "\": no command");
  if (options.size == 0 || options.calls_at_once == 0)
    throw std::invalid_argument("runtime \"" + options.name + "\": expected at least one process and one call");
  loop_.post([this] {
    look_at_ages();
    watch_sources();
  });
}

void RuntimePool::Loop::add(Work work) {
  const Clock::time_point now = Clock::now();
  work.limit = options.timeout;
  if (work.deadline && *work.deadline < now + options.timeout) work.limit = stated_limit(*work.deadline - now);
  work.deadline = std::min(work.deadline.value_or(Clock::time_point::max()), now + options.timeout);
  // After the end of the loop's thread, `begin` refuses the work.
  loop_.post_or_run([this, shared = std::make_shared<Work>(std::move(work))] { begin(std::move(*shared)); });
}

void RuntimePool::Loop::begin(Work work) {
  if (work.calls.empty()) return work.answer({});
  if (const auto refusal = schedule_.refusal(Clock::now())) return fail(work, trouble_of(*refusal));
  const std::uint64_t id = ++last_id_;
  Pending& pending = calls_[id];
  pending.work = std::move(work);
  pending.timer = loop_.at(*pending.work.deadline, [this, id] { time_out(id); });
  schedule_.add(id);
  note_counts();
  if (pending.work.stop.stop_requested()) return cancel(id);
  if (pending.work.stop.stop_possible())
    pending.on_stop =
        std::make_unique<StopCallback>(pending.work.stop, [this, id] { loop_.post([this, id] { cancel(id); }); });
  dispatch();
}

RuntimeTrouble RuntimePool::Loop::trouble_of(const Schedule::Refusal& refusal) const {
  switch (refusal.why) {
    case Schedule::Refusal::Why::closed:
      return {"cancelled", "the bridge is shutting down"};
    case Schedule::Refusal::Why::retired:
      return {"unavailable", subject() + " is being replaced; call again.", true};
    case Schedule::Refusal::Why::too_many_waiting:
      return {"busy", subject() + " has too many calls waiting; try again later.", true};
    case Schedule::Refusal::Why::no_process_soon:
      break;
  }
  return {"unavailable",
          subject() + " failed " + std::to_string(refusal.failures_in_a_row) +
              " times in a row; it is started again in " + std::to_string(refusal.next_start.count()) + " ms. " +
              state().trouble,
          true, refusal.next_start.count()};
}

void RuntimePool::Loop::dispatch() {
  while (const auto next = schedule_.assign(Clock::now())) send(next->call, *processes_[next->place]);
  send_away();
  grow();
}

void RuntimePool::Loop::send(std::uint64_t id, PoolProcess& process) {
  const Work& work = calls_.at(id).work;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*work.deadline - Clock::now());
  process.begin(id, work.is_batch ? batch_line(id, work.calls, left) : execute_line(id, work.calls.front(), left));
}

void RuntimePool::Loop::cancel(std::uint64_t id) { give_up(id, {"cancelled", "cancelled"}, "cancelled"); }

void RuntimePool::Loop::time_out(std::uint64_t id) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  found->second.timer.reset();
  const Work& work = found->second.work;
  give_up(id, {"timeout", tools_of(work.calls) + " timed out after " + in_seconds(work.limit)}, "timeout");
}

/// Answers now. A running tool is told to stop, and gets time to end.
void RuntimePool::Loop::give_up(std::uint64_t id, const RuntimeTrouble& trouble, std::string_view reason) {
  const auto found = calls_.find(id);
  if (found == calls_.end() || schedule_.is_abandoned(id)) return;
  Pending& pending = found->second;
  fail(pending.work, trouble);
  const auto place = schedule_.place_of(id);
  if (!place) return forget(id);
  schedule_.abandon(id);
  processes_[*place]->send(cancel_line(id, reason));
  if (pending.timer) loop_.cancel(*pending.timer);
  pending.timer = loop_.at(Clock::now() + options.grace, [this, place = *place, tools = tools_of(pending.work.calls)] {
    processes_[place]->end(tools + " did not end within " + in_seconds(options.grace) + " after it was told to", false);
  });
}

void RuntimePool::Loop::take_answer(Schedule::Place place, RuntimeMessage&& message) {
  const std::uint64_t id = message.id;
  if (schedule_.place_of(id) != place) return;
  schedule_.answered(place, Clock::now(), has_failed(message));
  if (options.recycling.max_memory > 0) schedule_.measured(place, processes_[place]->memory());
  Work& work = calls_.at(id).work;
  answer(work, answers_from(std::move(message), work.calls.size(), work.is_batch));
  forget(id);
  dispatch();
}

void RuntimePool::Loop::take_progress(const RuntimeMessage& message) {
  const auto found = calls_.find(message.id);
  if (found == calls_.end() || schedule_.is_abandoned(message.id) || !found->second.work.progress) return;
  const JsonObject& params = message.body.get_object();
  const Json* const done = params.if_contains("progress");
  const Json* const total = params.if_contains("total");
  const Json* const text = params.if_contains("message");
  if (done == nullptr || !done->is_number()) return;
  found->second.work.progress(
      done->to_number<double>(),
      total != nullptr && total->is_number() ? std::optional(total->to_number<double>()) : std::nullopt,
      text != nullptr && text->is_string() ? std::string_view(text->get_string()) : "");
}

/// Its tools have ended.
void RuntimePool::Loop::forget(std::uint64_t id) {
  const auto found = calls_.find(id);
  if (found->second.timer) loop_.cancel(*found->second.timer);
  const auto on_stop =
      std::move(found->second.on_stop);  // destroyed last: that may wait for its function, which posts to the loop
  calls_.erase(found);
  schedule_.finish(id);
  note_counts();
  end_when_done();
}

void RuntimePool::Loop::fail_and_forget(const std::vector<std::uint64_t>& ids, const RuntimeTrouble& trouble) {
  for (const std::uint64_t id : ids) {
    fail(calls_.at(id).work, trouble);
    forget(id);
  }
}

void RuntimePool::Loop::start() {
  loop_.post([this] {
    schedule_.want_one();
    grow();
  });
}

std::optional<RuntimeListing> RuntimePool::Loop::wait_for_tools(std::chrono::milliseconds time) {
  MutexLock lock(mutex_);
  const auto failures = state_.failures;
  lock.unlock();
  start();
  lock.lock();
  changed_.wait_for(lock, time,
                    [&]() TOOLWIRE_REQUIRES(mutex_) { return listing_ || all_gone_ || state_.failures > failures; });
  return listing_;
}

PoolState RuntimePool::Loop::state() const {
  const MutexLock lock(mutex_);
  PoolState state = state_;
  state.has_listed = listing_.has_value();
  return state;
}

void RuntimePool::Loop::note_counts() {
  const MutexLock lock(mutex_);
  state_.calls = schedule_.call_count();
  state_.running = schedule_.ready_count();
}

void RuntimePool::Loop::grow() {
  Schedule::Growth growth = schedule_.grow(Clock::now());
  for (; growth.start; growth = schedule_.grow(Clock::now())) bring_up(*growth.start);
  if (!growth.look) return;
  if (next_start_) loop_.cancel(*next_start_);
  next_start_ = loop_.at(*growth.look, [this] {
    next_start_.reset();
    grow();
  });
}

void RuntimePool::Loop::bring_up(Schedule::Place place) {
  look_at_sources(place);
  loop_.at(Clock::now() + options.max_hold,
           [this] { dispatch(); });  // by then calls that were kept for it go elsewhere
  bool wants_listing = schedule_.is_on_trial(place);
  {
    const MutexLock lock(mutex_);
    ++state_.starts;
    wants_listing = wants_listing || !listing_ || served_sources_ != sources_;
  }
  try {
    processes_[place] = std::make_unique<PoolProcess>(loop_, options, last_id_, wants_listing, events_of(place));
  } catch (const std::exception& error) {
    gone(place, {.reason = error.what()});
  }
}

ProcessEvents RuntimePool::Loop::events_of(Schedule::Place place) {
  return {.ready = [this, place] { ready(place); },
          .leaving =
              [this, place] {
                schedule_.leave(place);
                note_counts();
              },
          .listed = [this, place](RuntimeListing&& listing) { take_listing(place, std::move(listing)); },
          .answered = [this, place](RuntimeMessage&& message) { take_answer(place, std::move(message)); },
          .progressed = [this](const RuntimeMessage& message) { take_progress(message); },
          .said = [this](std::string_view line) { log_(redact(line, options.secrets)); },
          .has_calls = [this, place] { return schedule_.has_calls(place); },
          .gone = [this, place](ProcessEnding&& ending) { gone(place, ending); }};
}

/// Processes that have served long enough, or whose tools are not the newest.
void RuntimePool::Loop::send_away() {
  if (schedule_.is_retired()) return;
  for (const Schedule::Place place : schedule_.to_leave(Clock::now())) processes_[place]->say_goodbye();
}

void RuntimePool::Loop::look_at_ages() {
  const auto time = time_between_looks(options.recycling);
  if (!time || schedule_.is_retired()) return;
  dispatch();
  loop_.at(Clock::now() + *time, [this] { look_at_ages(); });
}

void RuntimePool::Loop::watch_sources() {
  if (options.reloads.empty()) return;
  std::vector<std::string> folders = source_folders(options.reloads);
  if (std::exchange(watched_, folders) == folders) return;
  try {
    const auto changed = [this] {
      loop_.post([this] {
        watch_sources();  // there may be new folders
        look_at_sources({});
        dispatch();
      });
    };
    watch_ = std::make_unique<FileWatch>(folders, changed, FileWatch::usual_quiet, engine_);
  } catch (const std::exception& error) {
    log_.own(std::string("edits of the tools are noticed with the next start only: ") + error.what());
  }
}

/// `starting` is a process that is being started: it loads what there is now.
void RuntimePool::Loop::look_at_sources(std::optional<Schedule::Place> starting) {
  if (options.reloads.empty() || schedule_.is_retired()) return;
  std::map<std::string, std::string> now = source_files(options.reloads);
  if (now == sources_) return;
  const bool is_first = sources_.empty() && schedule_.ready_count() == 0;
  sources_ = std::move(now);
  if (is_first) {
    served_sources_ = sources_;
  } else if (starting) {
    schedule_.renew(*starting);
  } else {
    schedule_.renew();
    schedule_.want_one();
  }
}

void RuntimePool::Loop::take_listing(Schedule::Place place, RuntimeListing&& listing) {
  if (schedule_.is_on_trial(place)) {
    tried_ = std::move(listing);
  } else {
    take_over(std::move(listing));
  }
}

/// The process has loaded the edited tools. It does not take over if a file no longer loads that did before.
void RuntimePool::Loop::decide() {
  if (!tried_) return;
  RuntimeListing listing = *std::exchange(tried_, std::nullopt);
  const std::string lost = schedule_.has_serving() ? lost_files(listing) : std::string();
  if (!lost.empty()) return reject(lost);
  schedule_.accept();
  log_.own("the tools have changed and were loaded anew");
  take_over(std::move(listing));
}

/// The files that no longer load, although their tools serve now, with the reasons.
std::string RuntimePool::Loop::lost_files(const RuntimeListing& listing) const {
  const MutexLock lock(mutex_);
  std::string lost;
  for (std::size_t i = 0; i < listing.broken.size(); ++i) {
    const std::string& file = listing.broken[i];
    if (!served_sources_.contains(file) || (listing_ && std::ranges::count(listing_->broken, file) > 0)) continue;
    lost += (lost.empty() ? "" : "; ") + listing.problems[i];
  }
  return lost;
}

void RuntimePool::Loop::reject(const std::string& why) {
  tried_.reset();
  schedule_.reject();
  const std::string text = "the tools have changed but do not load; those before go on serving: " + why;
  log_.own(text);
  const MutexLock lock(mutex_);
  state_.rejected = text;
}

void RuntimePool::Loop::take_over(RuntimeListing&& listing) {
  served_sources_ = sources_;
  for (const std::string& problem : listing.problems) log_.own("not loaded: " + problem);
  {
    const MutexLock lock(mutex_);
    listing_ = listing;
    state_.rejected.clear();
  }
  if (on_tools) on_tools(listing);
}

/// After its start, and after each look.
void RuntimePool::Loop::ready(Schedule::Place place) {
  if (schedule_.life(place) == Schedule::Life::starting) {
    const bool is_on_trial = schedule_.is_on_trial(place);
    schedule_.ready(place, Clock::now());
    if (is_on_trial) decide();
    note_counts();
    changed_.notify_all();
  }
  dispatch();
  end_when_done();
}

void RuntimePool::Loop::gone(Schedule::Place place, const ProcessEnding& ending) {
  // Its own function is on the stack.
  loop_.post([process = std::shared_ptr<PoolProcess>(std::move(processes_[place]))] {});
  if (schedule_.is_on_trial(place) && !ending.is_planned) reject(ending.reason + ending.at_start);
  const Schedule::Loss loss = schedule_.gone(place, ending.is_to_blame, Clock::now());
  note_counts();
  if (!ending.is_planned) note_failure(ending.reason + (loss.calls.empty() ? ending.at_start : ""));
  for (const std::uint64_t id : loss.calls) {
    const std::string tool = calls_.at(id).work.calls.front().tool;
    fail_and_forget({id},
                    {.code = "unavailable",
                     .text = subject() + " ended while it ran \"" + tool + "\": " + ending.reason + ending.said_by(id),
                     .is_unknown = true});
  }
  if (loss.is_hopeless)
    fail_and_forget(schedule_.take_waiting(),
                    {"unavailable", subject() + " could not be started: " + ending.reason + ending.at_start, true});
  dispatch();
  end_when_done();
}

void RuntimePool::Loop::note_failure(const std::string& reason) {
  if (schedule_.is_retired()) return;
  log_.own(reason);
  const MutexLock lock(mutex_);
  ++state_.failures;
  state_.trouble = reason;
  changed_.notify_all();
}

void RuntimePool::Loop::retire() {
  loop_.post([this] {
    schedule_.retire();
    end_when_done();
  });
}

void RuntimePool::Loop::end_when_done() {
  if (!schedule_.is_done()) return;
  for (Schedule::Place place = 0; place < processes_.size(); ++place) {
    if (schedule_.life(place) == Schedule::Life::starting) {
      processes_[place]->end("it is not needed any more", false);
    } else if (schedule_.life(place) == Schedule::Life::ready) {
      processes_[place]->say_goodbye();
    }
  }
  if (!schedule_.is_empty()) return;
  const MutexLock lock(mutex_);
  all_gone_ = true;
  changed_.notify_all();
}

void RuntimePool::Loop::close() {
  const MutexLock one_at_a_time(closing_);
  loop_.post([this] {
    const RuntimeTrouble ending{"cancelled", "the bridge is shutting down"};
    schedule_.close();
    fail_and_forget(schedule_.take_waiting(), ending);
    for (auto& [id, pending] : calls_) fail(pending.work, ending);
    for (Schedule::Place place = 0; place < processes_.size(); ++place) {
      if (schedule_.has_calls(place)) processes_[place]->end("the bridge is shutting down", false);
    }
    end_when_done();
  });
  {
    MutexLock lock(mutex_);
    changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return all_gone_; });
  }
  loop_.stop();
  watch_.reset();
  engine_.reset();  // calls under way may hold the pool for longer
}

RuntimePool::RuntimePool(RuntimeOptions options, std::shared_ptr<Engine> engine)
    : loop_(std::make_unique<Loop>(std::move(options), std::move(engine))) {}
RuntimePool::~RuntimePool() { close(); }
const RuntimeOptions& RuntimePool::options() const { return loop_->options; }
void RuntimePool::on_tools(std::function<void(const RuntimeListing&)> function) {
  loop_->on_tools = std::move(function);
}
void RuntimePool::start() { loop_->start(); }
std::optional<RuntimeListing> RuntimePool::wait_for_tools(std::chrono::milliseconds time) {
  return loop_->wait_for_tools(time);
}
PoolState RuntimePool::state() const { return loop_->state(); }
void RuntimePool::retire() { loop_->retire(); }
void RuntimePool::close() { loop_->close(); }

void RuntimePool::call(ToolCall call, std::optional<Clock::time_point> deadline, std::stop_token stop, OnAnswer answer,
                       OnProgress progress) {
  Work work{.deadline = deadline, .stop = std::move(stop), .progress = std::move(progress)};
  work.calls.push_back(std::move(call));
  work.answer = [answer = std::move(answer)](std::vector<RuntimeAnswer>&& one) { answer(std::move(one.front())); };
  loop_->add(std::move(work));
}

void RuntimePool::batch(std::vector<ToolCall> calls, std::optional<Clock::time_point> deadline, std::stop_token stop,
                        OnAnswers answer) {
  loop_->add({.calls = std::move(calls),
              .is_batch = true,
              .deadline = deadline,
              .stop = std::move(stop),
              .answer = std::move(answer)});
}

}  // namespace toolwire::bridge::runtimes
