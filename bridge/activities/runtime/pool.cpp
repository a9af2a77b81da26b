#include "activities/runtime/pool.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include <toolwire/redact.hpp>

#include "activities/runtime/pool_process.hpp"
#include "activities/runtime/schedule.hpp"
#include "process/log_lines.hpp"
#include "system/event_loop.hpp"
#include "toolwire/detail/condition_variable.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::runtimes {
namespace {

std::string tools_of(const std::vector<ToolCall>& calls) {
  return "\"" + calls.front().tool + "\"" +
         (calls.size() > 1 ? " and " + std::to_string(calls.size() - 1) + " more calls of its batch" : "");
}

std::string in_seconds(std::chrono::milliseconds time) {
  if (time.count() % 1000 == 0) return std::to_string(time.count() / 1000) + " s";
  return std::to_string(time.count()) + " ms";
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
          .back_off = options.back_off};
}

}  // namespace

/// The inside of a pool: does what the schedule decides. All but the functions so marked belong to the loop's thread.
class RuntimePool::Loop {
 public:
  explicit Loop(RuntimeOptions options);
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

  /// One of them, from when it came until its tools have ended.
  struct Pending {
    Work work = {};
    Clock::time_point begun = Clock::now();
    std::unique_ptr<StopCallback> on_stop = {};
    std::optional<EventLoop::Timer> timer = {};  // its deadline; once it is abandoned, the end of its grace
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
  void take_listing(RuntimeListing&& listing);
  void ready(Schedule::Place place);
  void gone(Schedule::Place place, const ProcessEnding& ending);
  void note_failure(const std::string& reason);
  void end_when_done();
  void note_counts();

  std::string subject() const { return "The runtime \"" + options.name + "\""; }

  LogLines log_;
  Schedule schedule_;
  std::vector<std::unique_ptr<PoolProcess>> processes_;  // by place; null: none
  std::unordered_map<std::uint64_t, Pending> calls_;     // those of the schedule
  std::uint64_t last_id_ = 0;
  std::optional<EventLoop::Timer> next_start_;

  mutable Mutex mutex_;
  ConditionVariable changed_;
  PoolState state_ TOOLWIRE_GUARDED_BY(mutex_);
  std::optional<RuntimeListing> listing_ TOOLWIRE_GUARDED_BY(mutex_);
  bool all_gone_ TOOLWIRE_GUARDED_BY(mutex_) = false;

  Mutex closing_;
  EventLoop loop_;  // the last member: its jobs use the others
};

RuntimePool::Loop::Loop(RuntimeOptions given)
    : options(std::move(given)),
      log_("runtime \"" + options.name + "\"", options.log),
      schedule_(limits_from(options)),
      processes_(options.size) {
  if (options.start.command.empty()) throw std::invalid_argument("runtime \"" + options.name + "\": no command");
  if (options.size == 0 || options.calls_at_once == 0)
    throw std::invalid_argument("runtime \"" + options.name + "\": expected at least one process and one call");
}

void RuntimePool::Loop::add(Work work) {
  work.deadline = std::min(work.deadline.value_or(Clock::time_point::max()), Clock::now() + options.timeout);
  // What cannot be posted is run here, where the loop's thread has ended: `begin` refuses it.
  EventLoop::Job job = [this, shared = std::make_shared<Work>(std::move(work))] { begin(std::move(*shared)); };
  if (!loop_.post(std::move(job))) job();
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
  while (const auto next = schedule_.assign()) send(next->call, *processes_[next->place]);
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
  const auto time = std::chrono::round<std::chrono::milliseconds>(Clock::now() - found->second.begun);
  give_up(id, {"timeout", tools_of(found->second.work.calls) + " timed out after " + in_seconds(time)}, "timeout");
}

/// Answers now. A tool that runs is told, and has its grace to end.
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
  schedule_.answered(place, Clock::now());
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
  const auto on_stop = std::move(found->second.on_stop);  // its function posts, and may be waited for
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
  return state_;
}

void RuntimePool::Loop::note_counts() {
  const MutexLock lock(mutex_);
  state_.calls = schedule_.call_count();
  state_.running = schedule_.ready_count();
}

void RuntimePool::Loop::grow() {
  const Schedule::Growth growth = schedule_.grow(Clock::now());
  if (growth.start) return bring_up(*growth.start);
  if (!growth.look) return;
  if (next_start_) loop_.cancel(*next_start_);
  next_start_ = loop_.at(*growth.look, [this] {
    next_start_.reset();
    grow();
  });
}

void RuntimePool::Loop::bring_up(Schedule::Place place) {
  bool wants_listing = false;
  {
    const MutexLock lock(mutex_);
    ++state_.starts;
    wants_listing = !listing_;
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
          .listed = [this](RuntimeListing&& listing) { take_listing(std::move(listing)); },
          .answered = [this, place](RuntimeMessage&& message) { take_answer(place, std::move(message)); },
          .progressed = [this](const RuntimeMessage& message) { take_progress(message); },
          .said = [this](std::string_view line) { log_(redact(line)); },
          .has_calls = [this, place] { return schedule_.has_calls(place); },
          .gone = [this, place](ProcessEnding&& ending) { gone(place, ending); }};
}

void RuntimePool::Loop::take_listing(RuntimeListing&& listing) {
  for (const std::string& problem : listing.problems) log_("not loaded: " + problem);
  {
    const MutexLock lock(mutex_);
    listing_ = listing;
  }
  if (on_tools) on_tools(listing);
}

/// After its start, and after each look.
void RuntimePool::Loop::ready(Schedule::Place place) {
  if (schedule_.life(place) == Schedule::Life::starting) {
    schedule_.ready(place);
    note_counts();
    changed_.notify_all();
  }
  dispatch();
  end_when_done();
}

void RuntimePool::Loop::gone(Schedule::Place place, const ProcessEnding& ending) {
  // Its own function is on the stack.
  loop_.post([process = std::shared_ptr<PoolProcess>(std::move(processes_[place]))] {});
  const Schedule::Loss loss = schedule_.gone(place, ending.is_to_blame, Clock::now());
  note_counts();
  note_failure(ending.reason + (loss.calls.empty() ? ending.at_start : ""));
  for (const std::uint64_t id : loss.calls) {
    const std::string tool = calls_.at(id).work.calls.front().tool;
    fail_and_forget(
        {id}, {"unavailable", subject() + " ended while it ran \"" + tool + "\": " + ending.reason + ending.said_by(id),
               true});
  }
  if (loss.is_hopeless)
    fail_and_forget(schedule_.take_waiting(),
                    {"unavailable", subject() + " could not be started: " + ending.reason + ending.at_start, true});
  dispatch();
  end_when_done();
}

void RuntimePool::Loop::note_failure(const std::string& reason) {
  if (schedule_.is_retired()) return;
  log_(reason);
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
}

RuntimePool::RuntimePool(RuntimeOptions options) : loop_(std::make_unique<Loop>(std::move(options))) {}
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
