#include "activities/runtime/pool.hpp"

#include <algorithm>
#include <stdexcept>

#include "activities/runtime/pool_parts.hpp"

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

}  // namespace

RuntimePool::Parts::Parts(RuntimeOptions given)
    : options(std::move(given)), log_("runtime \"" + options.name + "\"", options.log) {
  if (options.start.command.empty()) throw std::invalid_argument("runtime \"" + options.name + "\": no command");
  if (options.size == 0 || options.calls_at_once == 0)
    throw std::invalid_argument("runtime \"" + options.name + "\": expected at least one process and one call");
  for (std::size_t i = 0; i < options.size; ++i) slots_.push_back(std::make_unique<Slot>(options));
}

void RuntimePool::Parts::add(Work work) {
  work.deadline = std::min(work.deadline.value_or(Clock::time_point::max()), Clock::now() + options.timeout);
  // What cannot be posted is run here, where the loop's thread has ended: `begin` refuses it.
  EventLoop::Job job = [this, shared = std::make_shared<Work>(std::move(work))] { begin(std::move(*shared)); };
  if (!loop_.post(std::move(job))) job();
}

void RuntimePool::Parts::refuse(Work& work, RuntimeTrouble trouble) {
  std::vector<RuntimeAnswer> answers(work.calls.size(), RuntimeAnswer{.trouble = std::move(trouble)});
  work.answer(std::move(answers));
}

void RuntimePool::Parts::begin(Work work) {
  if (is_closed_) return refuse(work, {"cancelled", "the bridge is shutting down"});
  if (is_retired_) return refuse(work, {"unavailable", subject() + " is being replaced; call again.", true});
  if (work.calls.empty()) return work.answer({});
  if (waiting_count_ >= options.max_waiting)
    return refuse(work, {"busy", subject() + " has too many calls waiting; try again later.", true});
  if (auto trouble = no_process_soon()) return refuse(work, std::move(*trouble));
  const std::uint64_t id = ++last_id_;
  Pending& pending = calls_[id];
  pending.work = std::move(work);
  pending.timer = loop_.at(*pending.work.deadline, [this, id] { time_out(id); });
  waiting_.push_back(id);
  ++waiting_count_;
  note_calls();
  if (pending.work.stop.stop_requested()) return cancel(id);
  if (pending.work.stop.stop_possible())
    pending.on_stop =
        std::make_unique<StopCallback>(pending.work.stop, [this, id] { loop_.post([this, id] { cancel(id); }); });
  dispatch();
}

void RuntimePool::Parts::dispatch() {
  while (!waiting_.empty()) {
    const std::uint64_t id = waiting_.front();
    const auto found = calls_.find(id);
    if (found != calls_.end()) {
      Slot* const slot = best_slot();
      if (slot == nullptr) break;
      --waiting_count_;
      send(id, found->second, *slot);
    }
    waiting_.pop_front();
  }
  grow();
}

/// The one with the fewest calls. Where a tool is being given up, the process may have to be killed: no call goes
/// there.
RuntimePool::Parts::Slot* RuntimePool::Parts::best_slot() {
  Slot* best = nullptr;
  for (const auto& slot : slots_) {
    if (slot->life != Life::ready || slot->abandoned > 0 || slot->calls.size() >= options.calls_at_once) continue;
    if (best == nullptr || slot->calls.size() < best->calls.size()) best = slot.get();
  }
  return best;
}

void RuntimePool::Parts::send(std::uint64_t id, Pending& pending, Slot& slot) {
  const Work& work = pending.work;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*work.deadline - Clock::now());
  pending.slot = &slot;
  slot.calls.insert(id);
  slot.child->send(work.is_batch ? batch_line(id, work.calls, left) : execute_line(id, work.calls.front(), left));
}

void RuntimePool::Parts::cancel(std::uint64_t id) { give_up(id, {"cancelled", "cancelled"}, "cancelled"); }

void RuntimePool::Parts::time_out(std::uint64_t id) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  found->second.timer.reset();
  const auto time = std::chrono::round<std::chrono::milliseconds>(Clock::now() - found->second.begun);
  give_up(id, {"timeout", tools_of(found->second.work.calls) + " timed out after " + in_seconds(time)}, "timeout");
}

/// Answers now. A tool that runs is told, and has its grace to end.
void RuntimePool::Parts::give_up(std::uint64_t id, const RuntimeTrouble& trouble, std::string_view reason) {
  const auto found = calls_.find(id);
  if (found == calls_.end() || found->second.is_abandoned) return;
  Pending& pending = found->second;
  fail(pending, trouble);
  if (pending.slot == nullptr) {
    --waiting_count_;
    return forget(id);
  }
  Slot& slot = *pending.slot;
  pending.is_abandoned = true;
  ++slot.abandoned;
  slot.child->send(cancel_line(id, reason));
  if (pending.timer) loop_.cancel(*pending.timer);
  pending.timer = loop_.at(Clock::now() + options.grace, [this, &slot, tools = tools_of(pending.work.calls)] {
    end(slot, tools + " did not end within " + in_seconds(options.grace) + " after it was told to", false);
  });
}

void RuntimePool::Parts::answer(Pending& pending, std::vector<RuntimeAnswer>&& answers) {
  const OnAnswers once = std::exchange(pending.work.answer, nullptr);
  if (once) once(std::move(answers));
}

void RuntimePool::Parts::fail(Pending& pending, const RuntimeTrouble& trouble) {
  answer(pending, std::vector<RuntimeAnswer>(pending.work.calls.size(), RuntimeAnswer{.trouble = trouble}));
}

void RuntimePool::Parts::take_answer(Slot& slot, RuntimeMessage&& message) {
  const auto found = calls_.find(message.id);
  if (found == calls_.end() || found->second.slot != &slot) return;
  Pending& pending = found->second;
  if (!slot.has_answered) slot.back_off.started(Clock::now());
  slot.has_answered = true;
  std::vector<RuntimeAnswer> answers;
  if (message.kind == RuntimeMessage::Kind::error) {
    answers.assign(pending.work.calls.size(), RuntimeAnswer{.trouble = trouble_from(message.body)});
  } else if (!pending.work.is_batch) {
    answers.push_back({.result = std::move(message.body)});
  } else {
    Json* results = message.body.is_object() ? message.body.get_object().if_contains("results") : nullptr;
    if (results != nullptr && results->is_array())
      std::ranges::transform(results->get_array(), std::back_inserter(answers), answer_from);
    answers.resize(pending.work.calls.size(), {.trouble = trouble_from({})});
  }
  answer(pending, std::move(answers));
  forget(message.id);
  dispatch();
}

void RuntimePool::Parts::take_progress(const RuntimeMessage& message) {
  const auto found = calls_.find(message.id);
  if (found == calls_.end() || found->second.is_abandoned || !found->second.work.progress) return;
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

void RuntimePool::Parts::note_calls() {
  const std::lock_guard lock(mutex_);
  state_.calls = calls_.size();
}

/// Its tools have ended.
void RuntimePool::Parts::forget(std::uint64_t id) {
  const auto found = calls_.find(id);
  Pending& pending = found->second;
  if (pending.timer) loop_.cancel(*pending.timer);
  if (pending.slot != nullptr) {
    pending.slot->calls.erase(id);
    if (pending.is_abandoned) --pending.slot->abandoned;
  }
  const auto on_stop = std::move(pending.on_stop);  // its function posts, and may be waited for
  calls_.erase(found);
  note_calls();
  end_when_idle();
}

void RuntimePool::Parts::fail_waiting(const RuntimeTrouble& trouble) {
  std::deque<std::uint64_t> waiting;
  waiting.swap(waiting_);
  waiting_count_ = 0;
  for (const std::uint64_t id : waiting) {
    const auto found = calls_.find(id);
    if (found == calls_.end()) continue;
    fail(found->second, trouble);
    forget(id);
  }
}

RuntimePool::RuntimePool(RuntimeOptions options) : parts_(std::make_unique<Parts>(std::move(options))) {}
RuntimePool::~RuntimePool() { close(); }
const RuntimeOptions& RuntimePool::options() const { return parts_->options; }
void RuntimePool::on_tools(std::function<void(const RuntimeListing&)> function) {
  parts_->on_tools = std::move(function);
}
void RuntimePool::start() { parts_->start(); }
std::optional<RuntimeListing> RuntimePool::wait_for_tools(std::chrono::milliseconds time) {
  return parts_->wait_for_tools(time);
}
PoolState RuntimePool::state() const { return parts_->state(); }
void RuntimePool::retire() { parts_->retire(); }
void RuntimePool::close() { parts_->close(); }

void RuntimePool::call(ToolCall call, std::optional<Clock::time_point> deadline, std::stop_token stop, OnAnswer answer,
                       OnProgress progress) {
  Parts::Work work{.deadline = deadline, .stop = std::move(stop), .progress = std::move(progress)};
  work.calls.push_back(std::move(call));
  work.answer = [answer = std::move(answer)](std::vector<RuntimeAnswer>&& one) { answer(std::move(one.front())); };
  parts_->add(std::move(work));
}

void RuntimePool::batch(std::vector<ToolCall> calls, std::optional<Clock::time_point> deadline, std::stop_token stop,
                        OnAnswers answer) {
  parts_->add({.calls = std::move(calls),
               .is_batch = true,
               .deadline = deadline,
               .stop = std::move(stop),
               .answer = std::move(answer)});
}

}  // namespace toolwire::bridge::runtimes
