// The supervising half of a back-end.
#include <algorithm>
#include <exception>
#include <utility>

#include <toolwire/redact.hpp>
#include <toolwire/system/signals_blocked.hpp>

#include "activities/mcp/back_end.hpp"
#include "activities/mcp/own_thread.hpp"

namespace toolwire::bridge::mcp {
namespace {

constexpr std::size_t max_subscriptions = 256;

/// Which of its resources a server is asked to tell of. A host is not heard when it subscribes, so all are, up to a
/// bound.
std::vector<std::string> watchable(const Listing& listing) {
  std::vector<std::string> uris;
  if (!listing.tells_updates) return uris;
  for (const Json& resource : listing.resources) {
    if (uris.size() < max_subscriptions) uris.emplace_back(std::string_view(resource.at("uri").as_string()));
  }
  return uris;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return text;
}

}  // namespace

void BackEnd::wake(const Lock& /*held*/) {
  if (!supervisor_.joinable() && !stopping_) {
    const system::SignalsBlocked inherited_by_the_thread;
    supervisor_ = std::thread([this] { supervise(); });
  }
  changed_.notify_all();
}

LifeEvents BackEnd::events() {
  return {.lost =
              [this](const std::string& reason) {
                const Lock lock(mutex_);
                lost_ = true;
                up_ = false;
                reason_ = reason;
                changed_.notify_all();
              },
          .lists_changed =
              [this] {
                const Lock lock(mutex_);
                stale_ = true;
                changed_.notify_all();
              },
          .asked = [this](ServerRequest&& question) { carry(std::move(question)); },
          .said = [this](std::string_view line) { log_(redact(line)); },
          .logged = [this](const Json& message) { pass_log(message); },
          .resource_updated =
              [this](const std::string& uri) {
                if (resource_updated_) resource_updated_(uri);
              }};
}

void BackEnd::supervise() {
  const OnBackEndThread here;
  Lock lock(mutex_);
  while (!stopping_) {
    const auto now = Clock::now();
    if (lost_) {
      retire(lock);
    } else if (!life_ && wanted_ && now >= not_before_) {
      bring_up(lock);
    } else if (up_ && stale_ && now >= next_listing_) {
      list_again(lock);
    } else if (up_ && !stale_ && !waiting_.empty()) {
      send_waiting(lock);
    } else {
      wait_for_something(lock);
    }
  }
  lock.unlock();
  end_all();
}

void BackEnd::bring_up(Lock& lock) {
  wanted_ = false;
  stale_ = false;
  ++state_.starts;
  lock.unlock();
  std::unique_ptr<ServerConnection> life;
  std::vector<std::string> rejected;
  Listing listing;
  std::string failure;
  try {
    life = std::make_unique<ServerConnection>(options_, events(), stop_.get_token());
    listing = life->list(rejected);
    life->watch(watchable(listing));
  } catch (const std::exception& error) {
    failure = redact(clean_text(error.what()));
    life.reset();
  }
  if (life) {
    const std::unique_lock exclusive(life_mutex_);
    life_ = std::move(life);
  }
  lock.lock();
  next_listing_ = Clock::now() + options_.between_listings;
  if (life_) {
    back_off_.started(Clock::now());
    up_ = !lost_;
    return take_listing(std::move(listing), rejected, lock);
  }
  lost_ = false;
  note_failure("it could not be started: " + failure, lock);
  fail_waiting({"unavailable", "The back-end \"" + options_.name + "\" could not be started: " + failure, true}, lock);
}

void BackEnd::retire(Lock& lock) {
  lost_ = false;
  stale_ = false;
  const std::string reason = redact(clean_text(reason_));
  lock.unlock();
  std::unique_ptr<ServerConnection> gone;
  {
    const std::unique_lock exclusive(life_mutex_);
    gone = std::move(life_);
  }
  gone.reset();
  lock.lock();
  note_failure(reason, lock);
}

void BackEnd::note_failure(const std::string& reason, Lock& lock) {
  const auto now = Clock::now();
  ++state_.failures;
  state_.trouble = reason;
  not_before_ = back_off_.failed(now);
  wanted_ = !waiting_.empty() || back_off_.in_a_row() <= options_.unasked_restarts;
  changed_.notify_all();
  log_(reason);
  if (const auto trouble = no_server_soon(now)) fail_waiting(*trouble, lock);
}

void BackEnd::fail_waiting(const Trouble& trouble, Lock& lock) {
  std::deque<std::shared_ptr<BackRequest>> waiting;
  waiting.swap(waiting_);
  lock.unlock();
  for (const auto& request : waiting) request->fail(trouble);
  lock.lock();
}

void BackEnd::list_again(Lock& lock) {
  stale_ = false;
  next_listing_ = Clock::now() + options_.between_listings;
  up_ = false;  // calls wait: what they call may not be what it was
  lock.unlock();
  std::vector<std::string> rejected;
  try {
    Listing listing = life_->list(rejected);
    life_->watch(watchable(listing));
    lock.lock();
    up_ = !lost_;
    take_listing(std::move(listing), rejected, lock);
    send_waiting(lock);  // before the next look, however often its list changes
  } catch (const std::exception& error) {
    const std::string failure = redact(clean_text(error.what()));
    if (!lock.owns_lock()) lock.lock();
    lost_ = true;  // a server that says its tools changed and does not say how cannot be used; it is started anew
    reason_ = "it said that its tools had changed, and did not list them: " + failure;
  }
}

void BackEnd::send_waiting(Lock& lock) {
  std::deque<std::shared_ptr<BackRequest>> waiting;
  waiting.swap(waiting_);
  while (!waiting.empty()) {
    const auto request = waiting.front();
    const auto trouble = refusal(request->tool());
    lock.unlock();
    const bool sent = trouble ? (request->fail(*trouble), true) : send(request);
    lock.lock();
    if (!sent) break;
    waiting.pop_front();
  }
  if (waiting.empty()) return;
  up_ = false;  // that it is gone will be told in a moment
  waiting_.insert(waiting_.begin(), waiting.begin(), waiting.end());
}

void BackEnd::wait_for_something(Lock& lock) {
  std::optional<Clock::time_point> next = questions_.next();
  const auto not_later_than = [&](Clock::time_point time) { next = next ? std::min(*next, time) : time; };
  if (!life_ && wanted_) not_later_than(not_before_);
  if (up_ && stale_) not_later_than(next_listing_);
  if (next) {
    changed_.wait_until(lock, *next);
  } else {
    changed_.wait(lock);
  }
  lock.unlock();
  for (const auto& request : questions_.take_old(Clock::now()))
    request->abandon("nobody answered its question in time");
  lock.lock();
}

void BackEnd::take_listing(Listing&& listing, const std::vector<std::string>& rejected, Lock& lock) {
  log_listing(listing, rejected);
  const bool first = !pinned_;
  if (first || options_.on_change == OnChange::accept) pinned_ = listing;
  differing_ = changed_tools(*pinned_, listing);
  const auto gone = missing_in(listing, *pinned_);
  const std::set<std::string, std::less<>> gone_now(gone.begin(), gone.end());
  const bool others = first || options_.on_change == OnChange::accept || gone_now != gone_ ||
                      pinned_->resources != listing.resources || pinned_->templates != listing.templates ||
                      pinned_->prompts != listing.prompts || pinned_->tells_updates != listing.tells_updates;
  pinned_->resources = listing.resources;
  pinned_->templates = listing.templates;
  pinned_->prompts = listing.prompts;
  pinned_->tells_updates = listing.tells_updates;
  gone_ = gone_now;
  latest_ = std::move(listing);
  changed_.notify_all();
  if (!others || !offer_changed_) return;
  lock.unlock();
  offer_changed_();
  lock.lock();
}

/// Against what was seen last, so that each change is said once.
void BackEnd::log_listing(const Listing& listing, const std::vector<std::string>& rejected) {
  for (const std::string& why : rejected) log_("a tool is left out: " + why);
  if (!pinned_) return;
  const Listing& before = latest_.tools.empty() ? *pinned_ : latest_;
  const bool follow = options_.on_change == OnChange::accept;
  for (const auto& [tool, what] : changed_tools(before, listing)) {
    log_("its tool \"" + tool + "\" has changed: " + what +
         (follow ? "; the change is followed" : "; it is held against the pinned one, and refused if it differs"));
  }
  const auto added = missing_in(before, listing);
  if (!added.empty())
    log_("has new tools: " + list_of(added) + (follow ? "" : "; not offered unless the operator accepts them"));
  const auto gone = missing_in(listing, before);
  if (!gone.empty()) log_("no longer has: " + list_of(gone));
}

void BackEnd::end_all() {
  Lock lock(mutex_);
  fail_waiting({"unavailable", "The back-end \"" + options_.name + "\" is being ended.", false}, lock);
  lock.unlock();
  std::unique_ptr<ServerConnection> gone;
  {
    const std::unique_lock exclusive(life_mutex_);
    gone = std::move(life_);
  }
  gone.reset();
  for (const auto& request : questions_.take_all()) request->abandon("the bridge ends");
}

}  // namespace toolwire::bridge::mcp
