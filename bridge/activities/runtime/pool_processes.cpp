// The processes of a pool: their beginning and their health.
#include <algorithm>
#include <exception>

#include <toolwire/redact.hpp>

#include "activities/runtime/pool_parts.hpp"

namespace toolwire::bridge::runtimes {
void RuntimePool::Parts::start() {
  loop_.post([this] {
    is_wanted_ = true;
    grow();
  });
}

std::optional<RuntimeListing> RuntimePool::Parts::wait_for_tools(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  const auto failures = state_.failures;
  lock.unlock();
  start();
  lock.lock();
  changed_.wait_for(lock, time, [&] { return listing_ || all_gone_ || state_.failures > failures; });
  return listing_;
}

PoolState RuntimePool::Parts::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

bool RuntimePool::Parts::any(Life life) const {
  return std::ranges::any_of(slots_, [&](const auto& slot) { return slot->life == life; });
}

/// Why a call that comes now would wait too long for a process that can run it.
std::optional<RuntimeTrouble> RuntimePool::Parts::no_process_soon() const {
  if (any(Life::ready) || any(Life::starting)) return std::nullopt;
  const auto next = std::ranges::min_element(slots_, {}, [](const auto& slot) { return slot->not_before; });
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>((*next)->not_before - Clock::now());
  if (wait <= options.max_wait) return std::nullopt;
  return RuntimeTrouble{"unavailable",
                        subject() + " failed " + std::to_string((*next)->back_off.in_a_row()) +
                            " times in a row; it is started again in " + std::to_string(wait.count()) + " ms. " +
                            state().trouble,
                        true, wait.count()};
}

/// One process more, if there are more calls than processes, or more wait than those that start can take. Where it may
/// not start yet and no other can be used, at the time when it may.
void RuntimePool::Parts::grow() {
  if (is_closed_ || (is_retired_ && waiting_count_ == 0)) return;
  std::size_t starting = 0;
  std::size_t ready = 0;
  Slot* next = nullptr;
  for (const auto& slot : slots_) {
    if (slot->life == Life::starting) ++starting;
    if (slot->life == Life::ready) ++ready;
    if (slot->life == Life::none && (next == nullptr || slot->not_before < next->not_before)) next = slot.get();
  }
  const bool has_none = starting + ready == 0;
  is_wanted_ = is_wanted_ && has_none;
  const bool shares = starting == 0 && calls_.size() > ready;
  if (next == nullptr || (waiting_count_ <= starting * options.calls_at_once && !shares && !is_wanted_)) return;
  if (next->not_before <= Clock::now()) return bring_up(*next);
  if (!has_none) return;
  if (next_start_) loop_.cancel(*next_start_);
  next_start_ = loop_.at(next->not_before, [this] {
    next_start_.reset();
    grow();
  });
}

void RuntimePool::Parts::bring_up(Slot& slot) {
  is_wanted_ = false;
  slot.reason.clear();
  slot.was_ready = false;
  slot.has_answered = false;
  slot.is_to_blame = true;
  {
    const std::lock_guard lock(mutex_);
    ++state_.starts;
  }
  try {
    slot.child = std::make_unique<RuntimeChild>(
        loop_, options.start,
        ChildEvents{.line = [this, &slot](std::string_view line) { take_line(slot, line); },
                    .too_long = [this, &slot] { end(slot, "it wrote a line of more than 80 MiB", true); },
                    .said = [this](std::string_view line) { log_(redact(line)); },
                    .gone = [this, &slot](const std::string& how) { gone(slot, how); }});
  } catch (const std::exception& error) {
    slot.life = Life::starting;
    return gone(slot, error.what());
  }
  slot.life = Life::starting;
  set_timer(slot, options.start_timeout, [this, &slot] { end(slot, "it did not answer in time at its start", true); });
  ask(slot, "ping");
  JsonObject configuration{{"workers", std::min<std::size_t>(options.calls_at_once, 1024)}};
  if (options.permissions) configuration["permissions"] = *options.permissions;
  ask(slot, "configure", to_json_text(configuration));
  const std::lock_guard lock(mutex_);
  if (!listing_) ask(slot, "registry.list");
}

void RuntimePool::Parts::ask(Slot& slot, std::string method, std::string_view params) {
  const std::uint64_t id = ++last_id_;
  slot.child->send(request_line(id, method, params));
  slot.asked.emplace(id, std::move(method));
}

void RuntimePool::Parts::take_line(Slot& slot, std::string_view line) {
  RuntimeMessage message;
  try {
    message = read_runtime_message(line);
  } catch (const BrokenWire& error) {
    return end(slot, error.what(), true);
  }
  using Kind = RuntimeMessage::Kind;
  if (message.kind == Kind::progress) return take_progress(message);
  if (message.kind == Kind::refusal)
    return end(slot, "it did not understand the bridge: " + trouble_from(message.body).text, true);
  if (message.kind == Kind::other) return;
  if (slot.asked.contains(message.id)) return take_own_answer(slot, std::move(message));
  take_answer(slot, std::move(message));
}

void RuntimePool::Parts::take_own_answer(Slot& slot, RuntimeMessage&& message) {
  const auto found = slot.asked.find(message.id);
  const std::string method = std::move(found->second);
  slot.asked.erase(found);
  if (slot.life == Life::leaving) return;
  if (message.kind == RuntimeMessage::Kind::error)
    return end(slot, "it refused \"" + method + "\": " + trouble_from(message.body).text, true);
  if (method == "registry.list") {
    try {
      take_listing(message.body);
    } catch (const std::invalid_argument& error) {
      return end(slot, std::string("it did not list its tools: ") + error.what(), true);
    }
  }
  if (slot.asked.empty()) ready(slot);
}

void RuntimePool::Parts::take_listing(const Json& result) {
  RuntimeListing listing = listing_from(result);
  for (const std::string& problem : listing.problems) log_("not loaded: " + problem);
  {
    const std::lock_guard lock(mutex_);
    listing_ = listing;
  }
  if (on_tools) on_tools(listing);
}

/// After its start, and after each look.
void RuntimePool::Parts::ready(Slot& slot) {
  if (slot.life == Life::starting) {
    slot.life = Life::ready;
    slot.was_ready = true;
    const std::lock_guard lock(mutex_);
    ++state_.running;
    changed_.notify_all();
  }
  set_timer(slot, options.health_interval, [this, &slot] { look_after(slot); });
  dispatch();
  end_when_idle();
}

/// A process with calls is not looked after: a tool may hold it up for as long as its time allows.
void RuntimePool::Parts::look_after(Slot& slot) {
  if (!slot.calls.empty()) return set_timer(slot, options.health_interval, [this, &slot] { look_after(slot); });
  ask(slot, "ping");
  set_timer(slot, options.health_timeout, [this, &slot] {
    if (slot.calls.empty()) return end(slot, "it did not answer a ping", true);
    slot.asked.clear();  // it has got calls meanwhile
    look_after(slot);
  });
}

void RuntimePool::Parts::set_timer(Slot& slot, std::chrono::milliseconds after, EventLoop::Job job) {
  stop_timer(slot);
  slot.timer = loop_.at(Clock::now() + after, [&slot, job = std::move(job)] {
    slot.timer.reset();
    job();
  });
}

void RuntimePool::Parts::stop_timer(Slot& slot) {
  if (slot.timer) loop_.cancel(*slot.timer);
  slot.timer.reset();
}

}  // namespace toolwire::bridge::runtimes
