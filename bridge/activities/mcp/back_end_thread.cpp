// What the supervising thread of a back-end does: starts the server, lists, sends what has waited, cleans up, ends.
// Where there is an engine, it is there only while there is something to do.
#include <algorithm>
#include <cstddef>
#include <exception>
#include <system_error>
#include <utility>

#include <toolwire/redact.hpp>
#include <toolwire/system/signals_blocked.hpp>
#include <toolwire/text.hpp>

#include "activities/mcp/back_end.hpp"
#include "activities/mcp/own_thread.hpp"

namespace toolwire::bridge::mcp {
namespace {

constexpr std::size_t max_subscriptions = 256;
constexpr std::chrono::milliseconds until_a_thread_is_tried_again{100};

/// Which resources a server is asked to watch. The bridge does not learn which of them hosts subscribe to, so all are
/// watched, up to a bound.
std::vector<std::string> watchable(const Listing& listing) {
  std::vector<std::string> uris;
  if (!listing.tells_updates) return uris;
  for (const Json& resource : listing.resources) {
    if (uris.size() < max_subscriptions) uris.emplace_back(std::string_view(resource.at("uri").as_string()));
  }
  return uris;
}

}  // namespace

void BackEnd::wake() {
  changed_.notify_all();
  if (is_supervised_ || is_over_) return;
  if (stopping_ && !has_begun_) {  // there is nothing to be ended
    is_over_ = true;
  } else if (has_something_to_do()) {
    start_supervising();
  } else {
    wake_at(next_time());
  }
}

bool BackEnd::has_something_to_do() const {
  if (stopping_ || !alarms_) return true;
  const auto now = Clock::now();
  const auto next_question = questions_.next();
  if (next_question && *next_question <= now) return true;
  return supervision_.next(now, !waiting_.empty()) != Supervision::Step::wait;
}

/// Where there is no thread to be had now, it is tried again.
void BackEnd::start_supervising() {
  has_begun_ = true;
  if (supervisor_.joinable()) supervisor_.join();  // the last one, which has nothing more to do
  try {
    const system::SignalsBlocked inherited_by_the_thread;
    supervisor_ = std::thread([this] { supervise(); });
    is_supervised_ = true;
  } catch (const std::system_error&) {
    if (!alarms_) throw;
    wake_at(Clock::now() + until_a_thread_is_tried_again);
  }
}

std::optional<BackEnd::Clock::time_point> BackEnd::next_time() const {
  const auto question = questions_.next();
  const auto step = supervision_.next_time();
  return question && step ? std::min(*question, *step) : question ? question : step;
}

void BackEnd::wake_at(std::optional<Clock::time_point> time) {
  if (alarm_) alarms_->cancel(*std::exchange(alarm_, std::nullopt));
  if (!time) return;
  alarm_ = alarms_->at(*time, [this] {
    const MutexLock lock(mutex_);
    wake();
  });
}

void BackEnd::supervise() {
  const OnBackEndThread here;
  MutexLock lock(mutex_);
  while (has_next_step() && !stopping_) take_step(supervision_.next(Clock::now(), !waiting_.empty()), lock);
  if (!stopping_) {
    is_supervised_ = false;
    return wake_at(next_time());
  }
  lock.unlock();
  end_all();
  lock.lock();
  is_over_ = true;
  changed_.notify_all();
}

/// False if this thread is not needed before something happens.
bool BackEnd::has_next_step() {
  if (!alarms_) return true;
  while (abandon_old_questions()) {
  }
  return has_something_to_do();
}

bool BackEnd::abandon_old_questions() {
  const auto old = questions_.take_old(Clock::now());
  const MutexUnlock unlocked(mutex_);
  for (const auto& request : old) request->abandon("nobody answered its question in time");
  return !old.empty();
}

void BackEnd::take_step(Supervision::Step step, MutexLock& lock) {
  switch (step) {
    case Supervision::Step::clean_up:
      return clean_up();
    case Supervision::Step::start:
      return start_server();
    case Supervision::Step::list:
      return list_again();
    case Supervision::Step::send_waiting:
      return send_waiting();
    case Supervision::Step::wait:
      return wait_for_something(lock);
  }
}

void BackEnd::start_server() {
  supervision_.begin_start();
  ++state_.starts;
  std::vector<std::string> rejected;
  std::string failure;
  std::optional<Listing> listing = start_and_list(rejected, failure);
  if (listing) {
    take_listing(std::move(*listing), rejected);  // first: no call goes out before its tool was compared
    return supervision_.started(Clock::now());
  }
  supervision_.start_failed(Clock::now(), !waiting_.empty());
  note_failure("it could not be started: " + failure);
  fail_waiting({"unavailable", "The back-end \"" + options_.name + "\" could not be started: " + failure, true});
  tell_offer_changed();
}

/// Nothing, and why, if there is no server then.
std::optional<Listing> BackEnd::start_and_list(std::vector<std::string>& rejected, std::string& failure) {
  const MutexUnlock unlocked(mutex_);
  std::unique_ptr<ServerConnection> life;
  std::optional<Listing> listing;
  try {
    life = std::make_unique<ServerConnection>(options_, events(), stop_.get_token());
    listing = life->list(rejected);
    life->watch(watchable(*listing));
  } catch (const std::exception& error) {
    failure = for_others(error.what());
    life.reset();
    listing.reset();
  }
  set_life(std::move(life));
  return listing;
}

void BackEnd::clean_up() {
  const std::string reason = for_others(supervision_.begin_clean_up());
  {
    const MutexUnlock unlocked(mutex_);
    set_life(nullptr);
  }
  supervision_.cleaned_up(Clock::now(), !waiting_.empty());
  note_failure(reason);
}

/// What a server said of itself, fit for a log and for models.
std::string BackEnd::for_others(std::string_view text) const {
  return redact(text::stripped(text, text::lines), *secrets());
}

/// The connection before ends once nobody uses it, and outside of the lock.
void BackEnd::set_life(std::unique_ptr<ServerConnection> life) {
  const ExclusiveLock exclusive(life_mutex_);
  life_.swap(life);
}

void BackEnd::note_failure(const std::string& reason) {
  if (stopping_) return;  // it fails because it is being ended
  ++state_.failures;
  state_.trouble = reason;
  changed_.notify_all();
  log_.own(reason);
  if (const auto trouble = no_server_soon(Clock::now())) fail_waiting(*trouble);
}

void BackEnd::fail_waiting(const Trouble& trouble) {
  std::deque<std::shared_ptr<BackRequest>> waiting;
  waiting.swap(waiting_);
  const MutexUnlock unlocked(mutex_);
  for (const auto& request : waiting) request->fail(trouble);
}

void BackEnd::list_again() {
  supervision_.begin_listing(Clock::now());
  std::vector<std::string> rejected;
  try {
    Listing listing = list_unlocked(rejected);
    take_listing(std::move(listing), rejected);
    supervision_.listed();
    send_waiting();  // before its lists are asked for again, however often they change
  } catch (const std::exception& error) {
    // A server that reports changed tools but does not list them cannot be used; it is started again.
    supervision_.lost("it said that its tools had changed, and did not list them: " + for_others(error.what()));
  }
}

Listing BackEnd::list_unlocked(std::vector<std::string>& rejected) {
  const MutexUnlock unlocked(mutex_);
  const SharedLock life(life_mutex_);
  Listing listing = life_->list(rejected);
  life_->watch(watchable(listing));
  return listing;
}

void BackEnd::send_waiting() {
  std::deque<std::shared_ptr<BackRequest>> waiting;
  waiting.swap(waiting_);
  while (!waiting.empty()) {
    const auto request = waiting.front();
    const auto trouble = refusal(request->tool());
    if (!send_unlocked(request, trouble)) break;
    waiting.pop_front();
  }
  if (waiting.empty()) return;
  supervision_.sending_failed();
  waiting_.insert(waiting_.begin(), waiting.begin(), waiting.end());
}

bool BackEnd::send_unlocked(const std::shared_ptr<BackRequest>& request, const std::optional<Trouble>& trouble) {
  const MutexUnlock unlocked(mutex_);
  if (!trouble) return send(request);
  request->fail(*trouble);
  return true;
}

void BackEnd::wait_for_something(MutexLock& lock) {
  if (const auto next = next_time()) {
    changed_.wait_until(lock, *next);
  } else {
    changed_.wait(lock);
  }
  abandon_old_questions();
}

void BackEnd::take_listing(Listing&& listing, const std::vector<std::string>& rejected) {
  for (const std::string& why : rejected) log_("a tool is left out: " + why);
  for (const std::string& note : tools_.notes_on(listing)) log_(note);
  if (options_.keep) {
    const MutexUnlock unlocked(mutex_);
    options_.keep(listing);
  }
  const bool offers_others = tools_.take(std::move(listing));
  changed_.notify_all();
  if (offers_others) tell_offer_changed();
}

void BackEnd::tell_offer_changed() {
  if (!offer_changed_) return;
  const MutexUnlock unlocked(mutex_);
  offer_changed_();
}

void BackEnd::end_all() {
  MutexLock lock(mutex_);
  fail_waiting({"unavailable", "The back-end \"" + options_.name + "\" is being ended.", false});
  lock.unlock();
  set_life(nullptr);
  for (const auto& request : questions_.take_all()) request->abandon("the bridge ends");
}

}  // namespace toolwire::bridge::mcp
